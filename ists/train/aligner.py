"""Training the aligner's network: one reading of both sentences answers five questions.

Which chunks belong together, by what relation, with what score; which chunks left alone are ALIC;
and where chunks begin. The start lies between MiniLM, which knows meaning, and the chunker, which
knows syntax. Every epoch shows each pair in one of its two directions, with some of its word pieces
hidden. What is kept is the moving average of the weights.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import WordPieces
from ists.errors import ModelError
from ists.files import atomic_output
from ists.train.batches import PreparedPair, Targets, inputs_of, shuffled_batches, targets_of
from ists.train.chunker import averaged
from ists.train.gold import UNKNOWN, Example
from ists.train.loop import Descent, State, optimizer_of
from ists.train.network import FROZEN, base_folder
from ists.train.pair_network import AlignerNetwork, PairInputs, PairLogits

_NEVER = -1e4
_NAME_LENGTH = 16
_DROPOUT_SEED = 1000
_LAG = 9
"""Added to the seed of the order, so that dropout is drawn apart from it."""


@dataclass(frozen=True)
class Recipe:
    """All that decides how an aligner's network comes out, besides the data."""

    epochs: int = 9
    batch: int = 16
    rate: float = 1.5e-4
    """Of the encoder's last layer."""
    head_rate: float = 1e-3
    layer_decay: float = 0.95
    """Each layer learns by this factor more slowly than the one above it."""
    warm_up: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.1
    head_dropout: float = 0.3
    averaging: float = 0.98
    """Of the weights along a run: an exponential mean, whose last value is taken."""
    chunker_share: float = 0.5
    """Where the start lies between MiniLM (0) and the pre-trained chunker (1)."""
    link_weight: float = 1.0
    relation_weight: float = 0.5
    score_weight: float = 0.4
    boundary_weight: float = 1.5
    alone_weight: float = 0.1
    smoothing: float = 0.05
    """Of relations and scores: annotators differ."""
    link_smoothing: float = 0.05
    """Of links: the gold itself is unsure which weak links to make."""
    swapped_share: float = 0.5
    hidden_share: float = 0.08
    """Of the word pieces, not shown to the encoder while it learns."""
    full_stop_share: float = 0.0
    """Of the pairs, shown without their final full stops, or with them where there are none."""
    lower_share: float = 0.0
    """Of the pairs, shown in lower case."""
    seeds: tuple[int, ...] = (1,)
    """Of order, direction and dropout; the networks of several are averaged. The first is also the
    seed of the heads' first weights, which all of them share."""

    def to_dict(self) -> dict[str, Any]:
        """For the model's card."""
        return asdict(self)


RECIPES = {
    "pilot": Recipe(),
    "default": Recipe(epochs=5, full_stop_share=0.2, lower_share=0.1),
}
"""By the model that each was made for: a few hundred pairs of two genres, or thousands of many."""


def loss_of(logits: PairLogits, inputs: PairInputs, targets: Targets, recipe: Recipe) -> Tensor:
    """The weighted sum of the five tasks' losses."""
    cells = logits.cells
    loss = recipe.link_weight * _link_loss(cells.link, targets.link, inputs, recipe.link_smoothing)
    linked = targets.relation != UNKNOWN
    if linked.any():
        loss = loss + recipe.relation_weight * F.cross_entropy(
            cells.relation[linked], targets.relation[linked], label_smoothing=recipe.smoothing
        )
        loss = loss + recipe.score_weight * F.cross_entropy(
            cells.score[linked], targets.score[linked], label_smoothing=recipe.smoothing
        )
    alone = torch.cat([cells.alone1.flatten(), cells.alone2.flatten()])
    loss = loss + recipe.alone_weight * _binary_loss(alone, targets.alone)
    starts = torch.cat([logits.start1.flatten(), logits.start2.flatten()])
    return loss + recipe.boundary_weight * _binary_loss(starts, targets.starts)


def _binary_loss(logits: Tensor, targets: Tensor) -> Tensor:
    known = targets != UNKNOWN
    if not known.any():
        return logits.sum() * 0
    return F.binary_cross_entropy_with_logits(logits[known], targets[known].float())


def _link_loss(link: Tensor, wanted: Tensor, inputs: PairInputs, smoothing: float) -> Tensor:
    """Each cell by itself, and each chunk choosing among its cells and none (logit 0)."""
    is_cell = inputs.is_cell
    soft = wanted * (1 - smoothing) + 0.25 * smoothing * (1 - wanted)
    cells = F.binary_cross_entropy_with_logits(link[is_cell], soft[is_cell], reduction="sum")
    rows, columns = inputs.side1.is_chunk, inputs.side2.is_chunk
    chosen = _choice_loss(link, wanted, is_cell, smoothing)[rows].sum()
    turned = [tensor.transpose(1, 2) for tensor in (link, wanted, is_cell)]
    chosen = chosen + _choice_loss(turned[0], turned[1], turned[2], smoothing)[columns].sum()
    return (cells + chosen) / (rows.sum() + columns.sum()).clamp(min=1)


def _choice_loss(link: Tensor, wanted: Tensor, is_cell: Tensor, smoothing: float) -> Tensor:
    low = link.masked_fill(~is_cell, _NEVER)
    choices = F.log_softmax(torch.cat([low, torch.zeros_like(low[..., :1])], -1), -1)
    count = wanted.sum(-1, keepdim=True)
    share = torch.cat([wanted / count.clamp(min=1), (count == 0).float()], -1)
    open_to = torch.cat([is_cell, is_cell.any(-1, keepdim=True)], -1).float()
    even = open_to / open_to.sum(-1, keepdim=True).clamp(min=1)
    return -((share * (1 - smoothing) + even * smoothing) * choices).sum(-1)


class Trainer:
    """Trains networks by a recipe; `progress` hears of every epoch."""

    def __init__(
        self,
        recipe: Recipe,
        chunker: Mapping[str, Tensor] | None = None,
        progress: Callable[[str], None] = lambda _: None,
        kept: Path | None = None,
    ) -> None:
        """``chunker``: the network pre-trained on CoNLL-2000; without it, MiniLM is the start.

        ``kept``: a folder of networks trained before, which are taken from there.
        """
        self.recipe = recipe
        self._chunker = chunker
        self._progress = progress
        self._kept = kept
        self._word_pieces = WordPieces(base_folder() / "tokenizer.json")

    def train(self, examples: Sequence[Example]) -> State:
        """The weights to ship: the mean of the networks of all seeds."""
        return averaged([self._of_seed(examples, seed) for seed in self.recipe.seeds])

    def start(self) -> AlignerNetwork:
        """A network before its first step."""
        torch.manual_seed(self.recipe.seeds[0])
        network = AlignerNetwork(self.recipe.dropout, self.recipe.head_dropout)
        network.encoder.load_base()
        if self._chunker is not None:
            own = network.state_dict()
            mixed = _between(own, self._chunker, self.recipe.chunker_share)
            network.load_state_dict(own | mixed)
        return network

    def _of_seed(self, examples: Sequence[Example], seed: int) -> State:
        if self._kept is None:
            return self._fit(examples, seed)
        file = self._kept / f"{self._fingerprint(examples, seed)}.safetensors"
        if file.is_file():
            return self.start().state_dict() | load_file(file)
        state = self._fit(examples, seed)
        self._kept.mkdir(parents=True, exist_ok=True)
        with atomic_output(file) as stream:
            stream.write(save({name: state[name] for name in state if name not in FROZEN}))
        return state

    def _fingerprint(self, examples: Sequence[Example], seed: int) -> str:
        """What decides how a network comes out, in a few letters: recipe, seeds, start and data."""
        recipe = replace(self.recipe, seeds=(self.recipe.seeds[0], seed))
        digest = sha256(repr((recipe, tuple(examples))).encode())
        for name, value in sorted((self._chunker or {}).items()):
            digest.update(name.encode())
            digest.update(value.numpy().tobytes())
        return digest.hexdigest()[:_NAME_LENGTH]

    def _fit(self, examples: Sequence[Example], seed: int) -> State:
        network = self.start()
        rng = random.Random(seed)
        epochs = list(self._epochs(examples, rng))
        torch.manual_seed(_DROPOUT_SEED + seed)

        def loss(batch: list[PreparedPair]) -> Tensor:
            inputs = inputs_of(batch)
            return loss_of(network(inputs), inputs, targets_of(batch, inputs), self.recipe)

        descent = Descent(self.recipe.warm_up, self.recipe.averaging, _LAG)
        recipe = self.recipe
        optimizer = optimizer_of(
            network, recipe.rate, recipe.head_rate, recipe.weight_decay, recipe.layer_decay
        )
        return descent.run(
            network, optimizer, epochs, loss, lambda text: self._progress(f"seed {seed}: {text}")
        )

    def _epochs(
        self, examples: Sequence[Example], rng: random.Random
    ) -> Iterator[list[list[PreparedPair]]]:
        """The batches of each epoch, every pair in one of its directions."""
        directions = [
            (
                PreparedPair.of(example, self._word_pieces),
                PreparedPair.of(example.swapped, self._word_pieces),
            )
            for example in examples
        ]
        for _ in range(self.recipe.epochs):
            pairs = []
            for straight, turned in directions:
                pair = turned if rng.random() < self.recipe.swapped_share else straight
                pair = self._varied(pair, rng)
                pairs.append(pair.with_hidden_pieces(self.recipe.hidden_share, rng))
            yield list(shuffled_batches(pairs, self.recipe.batch, rng))

    def _varied(self, pair: PreparedPair, rng: random.Random) -> PreparedPair:
        """The pair as another writer might have punctuated or capitalised it."""
        example = pair.example
        if self.recipe.full_stop_share and rng.random() < self.recipe.full_stop_share:
            example = example.with_full_stops_toggled()
        if self.recipe.lower_share and rng.random() < self.recipe.lower_share:
            example = example.in_lower_case()
        return pair if example is pair.example else PreparedPair.of(example, self._word_pieces)


def _between(own: State, chunker: Mapping[str, Tensor], share: float) -> State:
    """Encoder and boundary head of a start between MiniLM and the chunker.

    Letter shapes and boundaries are the chunker's alone: MiniLM knows neither.
    """
    mixed = {}
    for name, value in own.items():
        if name.startswith("pairs.") or name in FROZEN:
            continue
        if name not in chunker or chunker[name].shape != value.shape:
            raise ModelError(f"this is no pre-trained chunker network: no fitting '{name}' in it")
        is_theirs = name == "encoder.shapes.weight" or not name.startswith("encoder.")
        mixed[name] = chunker[name] if is_theirs else torch.lerp(value, chunker[name], share)
    return mixed
