"""Training the network that reads single sentences: near vectors for what people call similar.

It starts at MiniLM, whose vectors are good ones already; so that little of what it knows is lost,
only its upper layers learn, slowly and briefly. What the lower ones say of a sentence is computed
once.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import LONGEST, EncoderInput, WordPieces
from ists.errors import FormatError
from ists.similarity.vectors import counted_tokens
from ists.train.chunker import averaged, tensors
from ists.train.loop import Descent, State, optimizer_of
from ists.train.network import HIDDEN, LAYERS, Encoder, base_folder
from ists.train.ratings import RatedPair, RatedSet

Item = TypeVar("Item")

_POOL = 8
"""Batches are made of pairs of near lengths, drawn from this many batches' worth."""
_READ_AT_ONCE = 64
_LAG = 10
_MIDDLE = 0.65
"""A common cosine: the lines from cosine to rating turn about it."""


@dataclass(frozen=True)
class Recipe:
    """How the network is trained."""

    epochs: int = 2
    batch: int = 32
    rate: float = 8e-5
    rating_rate: float = 2e-2
    """Of the line from cosine to rating, which every data set has for itself."""
    fixed_layers: int = 3
    """Lower layers, which stay as they are."""
    kept: float = 0.0
    """Where the result lies between what was learnt (0) and MiniLM (1)."""
    dropout: float = 0.1
    warm_up: float = 0.1
    weight_decay: float = 0.01
    averaging: float = 0.98
    seeds: tuple[int, ...] = (1,)

    def to_dict(self) -> dict[str, Any]:
        """For the model's card."""
        return asdict(self)


class Line(NamedTuple):
    """How the ratings of a data set lie: people use scales in different ways."""

    mean: float
    deviation: float


class SimilarityNetwork(nn.Module):
    """MiniLM's upper layers, and a line from cosine to rating for each data set."""

    def __init__(self, sets: int, dropout: float) -> None:
        super().__init__()
        self.encoder = Encoder(dropout)
        self.slope = nn.Parameter(torch.full((sets,), 4.0))
        self.height = nn.Parameter(torch.zeros(sets))

    def lower(self, inputs: Sequence[EncoderInput], layers: int) -> list[Tensor]:
        """The states of single sentences after the first layers."""
        pieces, _, segments, mask, *_ = tensors(inputs)
        encoder = self.encoder
        x = encoder.words(pieces) + encoder.positions.weight[: pieces.shape[1]]
        x = encoder.norm(x + encoder.segments(segments))
        for layer in encoder.layers[:layers]:
            x = layer(x, mask[:, None, None, :])
        return [row[: len(encoded.pieces)] for row, encoded in zip(x, inputs, strict=True)]

    def vectors(self, sentences: "Sequence[Sentence]", layers: int) -> Tensor:
        """(sentences, HIDDEN): unit vectors, from the states after the first layers."""
        width = max(len(sentence.states) for sentence in sentences)
        x = torch.zeros(len(sentences), width, HIDDEN)
        mask = torch.zeros(len(sentences), width, dtype=torch.bool)
        counts = torch.zeros(len(sentences), width)
        for row, sentence in enumerate(sentences):
            pieces = len(sentence.states)
            x[row, :pieces] = sentence.states
            mask[row, :pieces] = True
            counts[row, :pieces] = sentence.counts
        for layer in self.encoder.layers[layers:]:
            x = layer(x, mask[:, None, None, :])
        return F.normalize((x * counts[..., None]).sum(1), dim=1)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence on its way through the network."""

    states: Tensor
    """(pieces, HIDDEN), after the layers that stay as they are."""
    counts: Tensor
    """(pieces,): 1 for the pieces of words, 0 for mere signs and the special pieces."""


class Example(NamedTuple):
    """A pair to learn from."""

    set: int
    sentence1: Sentence
    sentence2: Sentence
    target: float
    """The rating in its data set's own terms: mean 0, deviation 1."""


class Trainer:
    """Trains networks by a recipe; `progress` hears of every epoch."""

    def __init__(self, recipe: Recipe, progress: Callable[[str], None] = lambda _: None) -> None:
        self.recipe = recipe
        self._progress = progress
        self._word_pieces = WordPieces(base_folder() / "tokenizer.json")

    def train(self, sets: Sequence[RatedSet]) -> State:
        """The weights to ship: the mean of the networks of all seeds."""
        sentences = self._sentences(sets)
        return averaged([self._fit(sets, sentences, seed) for seed in self.recipe.seeds])

    def _sentences(self, sets: Sequence[RatedSet]) -> dict[tuple[str, ...], Sentence]:
        """All sentences, read by the layers that stay as they are."""
        pairs = [pair for rated in sets for pair in rated.pairs]
        texts = {text for pair in pairs for text in (pair.tokens1, pair.tokens2)}
        inputs = {text: self._encode(text) for text in texts}
        ordered = sorted(texts, key=lambda text: (len(inputs[text].pieces), text))
        network = self._network(0)
        network.eval()
        found = {}
        with torch.no_grad():
            for block in _blocks(ordered, _READ_AT_ONCE):
                states = network.lower([inputs[text] for text in block], self.recipe.fixed_layers)
                for text, own in zip(block, states, strict=True):
                    found[text] = Sentence(own.clone(), _counts(text, inputs[text]))
        return found

    def _encode(self, tokens: tuple[str, ...]) -> EncoderInput:
        encoded = self._word_pieces.encode(tokens)
        if len(encoded.pieces) > LONGEST:
            raise FormatError(
                f"a sentence of {len(encoded.pieces)} word pieces, "
                f"the network reads at most {LONGEST}"
            )
        return encoded

    def _network(self, sets: int) -> SimilarityNetwork:
        network = SimilarityNetwork(sets, self.recipe.dropout)
        network.encoder.load_base()
        return network

    def _fit(
        self, sets: Sequence[RatedSet], sentences: dict[tuple[str, ...], Sentence], seed: int
    ) -> State:
        recipe = self.recipe
        torch.manual_seed(seed)
        network = self._network(len(sets))
        start = {name: value.clone() for name, value in network.encoder.state_dict().items()}
        rng = random.Random(seed)
        epochs = [list(self._batches(sets, sentences, rng)) for _ in range(recipe.epochs)]
        optimizer = optimizer_of(network, recipe.rate, recipe.rating_rate, recipe.weight_decay)
        for name, parameter in network.encoder.named_parameters():
            if _is_fixed(name, recipe.fixed_layers):
                parameter.requires_grad_(False)
        descent = Descent(recipe.warm_up, recipe.averaging, _LAG)
        trained = descent.run(
            network,
            optimizer,
            epochs,
            lambda batch: self._loss(network, batch),
            lambda text: self._progress(f"seed {seed}: {text}"),
        )
        return {
            f"encoder.{name}": torch.lerp(trained[f"encoder.{name}"], value, recipe.kept)
            for name, value in start.items()
        }

    def _loss(self, network: SimilarityNetwork, batch: Sequence[Example]) -> Tensor:
        both = [e.sentence1 for e in batch] + [e.sentence2 for e in batch]
        one, two = network.vectors(both, self.recipe.fixed_layers).chunk(2)
        own = torch.tensor([example.set for example in batch])
        rated = network.slope[own] * ((one * two).sum(1) - _MIDDLE) + network.height[own]
        return F.mse_loss(rated, torch.tensor([example.target for example in batch]))

    def _batches(
        self,
        sets: Sequence[RatedSet],
        sentences: dict[tuple[str, ...], Sentence],
        rng: random.Random,
    ) -> Iterator[list[Example]]:
        drawn = []
        for number, rated in enumerate(sets):
            line = _line(rated.pairs)
            pairs = list(rated.pairs)
            rng.shuffle(pairs)
            drawn += [
                Example(
                    number,
                    sentences[pair.tokens1],
                    sentences[pair.tokens2],
                    (pair.rating - line.mean) / line.deviation,
                )
                for pair in pairs
            ]
        rng.shuffle(drawn)
        size = self.recipe.batch
        batches: list[list[Example]] = []
        for pool in _blocks(drawn, size * _POOL):
            batches += _blocks(sorted(pool, key=_length), size)
        rng.shuffle(batches)
        yield from batches


def _blocks(items: Sequence[Item], size: int) -> list[list[Item]]:
    return [list(items[begin : begin + size]) for begin in range(0, len(items), size)]


def _length(example: Example) -> int:
    return max(len(example.sentence1.states), len(example.sentence2.states))


def _line(pairs: Sequence[RatedPair]) -> Line:
    ratings = np.array([pair.rating for pair in pairs])
    return Line(float(ratings.mean()), float(ratings.std()) or 1.0)


def _counts(tokens: Sequence[str], encoded: EncoderInput) -> Tensor:
    counts = torch.zeros(len(encoded.pieces))
    spans = pairwise([*encoded.first_piece, len(encoded.pieces) - 1])
    for (begin, end), says in zip(spans, counted_tokens(tokens), strict=True):
        counts[begin:end] = float(says)
    return counts


def _is_fixed(name: str, layers: int) -> bool:
    """Whether a part of the encoder is below the layers that learn."""
    if not name.startswith("layers."):
        return True
    return int(name.split(".")[1]) < min(layers, LAYERS)
