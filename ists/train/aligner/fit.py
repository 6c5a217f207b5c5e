"""Training of the aligner's network, which encodes both sentences once to predict five things.

Which chunks are linked, by which relation, with which score; which unaligned chunks are ALIC; and
where chunks begin. The initial weights are those of a pre-trained network, or an interpolation
between MiniLM, which represents meaning, and the chunker, which represents syntax. Every epoch uses
each pair in one of its two directions, with some of its word pieces masked. The result is the
moving average of the weights.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path

import torch
from safetensors.torch import load_file, save
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.files import atomic_output
from ists.train.aligner.inputs import PreparedPair, Targets, inputs_of, targets_of
from ists.train.aligner.network import AlignerNetwork, PairInputs, PairLogits
from ists.train.base import base_word_pieces
from ists.train.batching import length_bucketed_batches
from ists.train.encoder import FROZEN, interpolated
from ists.train.gold import UNKNOWN, Example
from ists.train.loop import Progress, State, TrainingLoop, averaged, optimizer_of

_LATER = ("extra_share", "chunked_share", "both_ways")
"""Hyperparameters that the names of saved networks have only if they are used."""
_NEVER = -1e4
"""The logit of a padding cell."""
_NAME_LENGTH = 16
_DROPOUT_SEED = 1000
"""Added to the seed of the order of pairs, so that dropout uses other random numbers."""
_LAG = 9
_POOL = 8
"""Batches per pool of pairs that are sorted by length."""


@dataclass(frozen=True)
class Hyperparameters:
    """Hyperparameters of the training of the aligner's network.

    The names and the order of the fields are part of the file names of saved networks.
    """

    epochs: int = 9
    batch: int = 16
    rate: float = 1.5e-4
    """Learning rate of the encoder's last layer."""
    head_rate: float = 1e-3
    layer_decay: float = 0.95
    """The factor from the learning rate of a layer to that of the layer below it."""
    warm_up: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.1
    head_dropout: float = 0.3
    averaging: float = 0.98
    """Decay of the moving average of the weights."""
    chunker_share: float = 0.5
    """Interpolation of the initial weights between MiniLM (0) and the pre-trained network (1)."""
    link_weight: float = 1.0
    relation_weight: float = 0.5
    score_weight: float = 0.4
    boundary_weight: float = 1.5
    alone_weight: float = 0.1
    smoothing: float = 0.05
    """Label smoothing of relations and scores: annotators differ."""
    link_smoothing: float = 0.05
    """Label smoothing of links: annotators differ in which weak links they make."""
    swapped_share: float = 0.5
    """Share of the pairs with their sentences exchanged."""
    hidden_share: float = 0.08
    """Share of the word pieces that are masked."""
    full_stop_share: float = 0.0
    """Share of the pairs whose final full stops are removed, or added if there are none."""
    lower_share: float = 0.0
    """Share of the pairs in lower case."""
    extra_share: float = 1.0
    """Share of the pairs that teach labels alone which an epoch uses, drawn again each epoch."""
    chunked_share: float = 1.0
    """The same of the pairs that teach chunk boundaries alone."""
    both_ways: tuple[str, ...] = ()
    """Corpora whose pairs every epoch uses in both directions, because they are few."""
    seeds: tuple[int, ...] = (1,)
    """Seeds of order, direction and dropout; the networks of all seeds are averaged. The first is
    also the seed of the heads' initial weights, which are the same for all seeds."""


HYPERPARAMETERS = {
    "pilot": Hyperparameters(),
    "default": Hyperparameters(
        epochs=7,
        full_stop_share=0.2,
        lower_share=0.1,
        extra_share=0.16,
        chunked_share=0.5,
        both_ways=("pilot-headlines", "pilot-images"),
    ),
}
"""By shipped model: ``pilot`` for hundreds of pairs of two genres, ``default`` for thousands."""


def loss_of(
    logits: PairLogits, inputs: PairInputs, targets: Targets, parameters: Hyperparameters
) -> Tensor:
    """Return the weighted sum of the losses of the five predictions."""
    cells = logits.cells
    loss = parameters.link_weight * _link_loss(
        cells.link, targets, inputs, parameters.link_smoothing
    )
    linked = targets.relation != UNKNOWN
    if linked.any():
        loss = loss + parameters.relation_weight * F.cross_entropy(
            cells.relation[linked], targets.relation[linked], label_smoothing=parameters.smoothing
        )
        loss = loss + parameters.score_weight * F.cross_entropy(
            cells.score[linked], targets.score[linked], label_smoothing=parameters.smoothing
        )
    alone = torch.cat([cells.alone1.flatten(), cells.alone2.flatten()])
    loss = loss + parameters.alone_weight * _binary_loss(alone, targets.alone)
    starts = torch.cat([logits.start1.flatten(), logits.start2.flatten()])
    return loss + parameters.boundary_weight * _binary_loss(starts, targets.starts)


def _binary_loss(logits: Tensor, targets: Tensor) -> Tensor:
    known = targets != UNKNOWN
    if not known.any():
        return logits.sum() * 0
    return F.binary_cross_entropy_with_logits(logits[known], targets[known].float())


def _link_loss(link: Tensor, targets: Targets, inputs: PairInputs, smoothing: float) -> Tensor:
    """Return the loss of the cells, and of each chunk's choice among its cells and none (0)."""
    wanted, counts = targets.link, targets.teaches_links[:, None]
    is_cell = inputs.is_cell & counts[..., None]
    soft = wanted * (1 - smoothing) + 0.25 * smoothing * (1 - wanted)
    cells = F.binary_cross_entropy_with_logits(link[is_cell], soft[is_cell], reduction="sum")
    rows, columns = inputs.side1.is_chunk & counts, inputs.side2.is_chunk & counts
    chosen = _choice_loss(link, wanted, is_cell, smoothing)[rows].sum()
    transposed = [tensor.transpose(1, 2) for tensor in (link, wanted, is_cell)]
    chosen = (
        chosen + _choice_loss(transposed[0], transposed[1], transposed[2], smoothing)[columns].sum()
    )
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
    """Trains networks; `progress` is called after every epoch."""

    def __init__(
        self,
        hyperparameters: Hyperparameters,
        pretrained: Mapping[str, Tensor] | None = None,
        progress: Progress = lambda _: None,
        saved: Path | None = None,
    ) -> None:
        """``pretrained``: a chunker or another network, mixed into the initial weights.

        ``saved``: a folder in which networks are saved, and from which saved networks are loaded.
        """
        self.hyperparameters = hyperparameters
        self._pretrained = pretrained
        self._progress = progress
        self._saved = saved
        self._word_pieces = base_word_pieces()

    def train(self, examples: Sequence[Example]) -> State:
        """Return the final weights: the mean of the networks of all seeds."""
        return averaged([self._of_seed(examples, seed) for seed in self.hyperparameters.seeds])

    def start(self) -> AlignerNetwork:
        """Return a network with its initial weights."""
        torch.manual_seed(self.hyperparameters.seeds[0])
        network = AlignerNetwork(self.hyperparameters.dropout, self.hyperparameters.head_dropout)
        network.encoder.load_base()
        if self._pretrained is not None:
            own = network.state_dict()
            mixed = interpolated(own, self._pretrained, self.hyperparameters.chunker_share)
            network.load_state_dict(own | mixed)
        return network

    def _of_seed(self, examples: Sequence[Example], seed: int) -> State:
        if self._saved is None:
            return self._fit(examples, seed)
        file = self._saved / f"{self._fingerprint(examples, seed)}.safetensors"
        if file.is_file():
            return self.start().state_dict() | load_file(file)
        state = self._fit(examples, seed)
        self._saved.mkdir(parents=True, exist_ok=True)
        with atomic_output(file) as stream:
            stream.write(save({name: state[name] for name in state if name not in FROZEN}))
        return state

    def _fingerprint(self, examples: Sequence[Example], seed: int) -> str:
        """Return a hash of everything that determines a network, the name of its file."""
        seeds = (self.hyperparameters.seeds[0], seed)
        parameters = replace(self.hyperparameters, seeds=seeds)
        values = ", ".join(
            f"{one.name}={getattr(parameters, one.name)!r}"
            for one in fields(parameters)
            if one.name not in _LATER
        )
        # "Recipe": another word would give saved networks other names.
        digest = sha256(f"(Recipe({values}), {tuple(examples)!r})".encode())
        extra = [at for at, example in enumerate(examples) if not example.teaches_links]
        if extra:  # without them the name is that of earlier versions
            digest.update(f"{parameters.extra_share!r} of {extra!r}".encode())
        if any(examples[at].teaches_chunks for at in extra):
            digest.update(f"chunked: {parameters.chunked_share!r}".encode())
        if parameters.both_ways:
            digest.update(f"both ways: {parameters.both_ways!r}".encode())
        for name, value in sorted((self._pretrained or {}).items()):
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
            return loss_of(network(inputs), inputs, targets_of(batch, inputs), self.hyperparameters)

        parameters = self.hyperparameters
        optimizer = optimizer_of(
            network,
            parameters.rate,
            parameters.head_rate,
            parameters.weight_decay,
            parameters.layer_decay,
        )
        return TrainingLoop(parameters.warm_up, parameters.averaging, _LAG).run(
            network, optimizer, epochs, loss, lambda text: self._progress(f"seed {seed}: {text}")
        )

    def _epochs(
        self, examples: Sequence[Example], rng: random.Random
    ) -> Iterator[list[list[PreparedPair]]]:
        """Yield the batches of each epoch, with every pair in one of its directions."""
        directions = [
            (
                PreparedPair.of(example, self._word_pieces),
                PreparedPair.of(example.swapped, self._word_pieces),
            )
            for example in examples
        ]
        parameters = self.hyperparameters
        for _ in range(parameters.epochs):
            pairs = []
            for original, swapped in directions:
                if not original.example.teaches_links and rng.random() >= self._share(original):
                    continue
                chosen = [swapped if rng.random() < parameters.swapped_share else original]
                if original.example.corpus in parameters.both_ways:
                    chosen = [original, swapped]
                for pair in chosen:
                    varied = self._varied(pair, rng)
                    pairs.append(varied.with_masked_pieces(parameters.hidden_share, rng))
            yield length_bucketed_batches(pairs, parameters.batch, _POOL, _length, rng)

    def _share(self, pair: PreparedPair) -> float:
        """Return the share of such extra pairs that an epoch uses."""
        parameters = self.hyperparameters
        chunked = pair.example.teaches_chunks
        return parameters.chunked_share if chunked else parameters.extra_share

    def _varied(self, pair: PreparedPair, rng: random.Random) -> PreparedPair:
        """Change the final full stops or the capitalisation of a share of the pairs."""
        example = pair.example
        parameters = self.hyperparameters
        if parameters.full_stop_share and rng.random() < parameters.full_stop_share:
            example = example.with_full_stops_toggled()
        if parameters.lower_share and rng.random() < parameters.lower_share:
            example = example.in_lower_case()
        return pair if example is pair.example else PreparedPair.of(example, self._word_pieces)


def _length(pair: PreparedPair) -> int:
    return len(pair.encoded.pieces)
