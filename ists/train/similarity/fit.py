"""Training of the similarity's network: sentences that people rate as similar get close vectors.

It starts from MiniLM, whose sentence vectors are good already: to preserve them, only the upper
layers are trained, with a low rate and for few epochs. The output of the lower layers is computed
once per sentence.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import LONGEST, EncoderInput
from ists.errors import FormatError
from ists.similarity.vectors import counted_tokens
from ists.train.base import base_word_pieces
from ists.train.batching import in_blocks, length_bucketed_batches
from ists.train.encoder import LAYERS
from ists.train.loop import Progress, State, TrainingLoop, averaged, optimizer_of
from ists.train.ratings import RatedPair, RatedSet
from ists.train.similarity.network import Sentence, SimilarityNetwork

_POOL = 8
"""Batches per pool of pairs that are sorted by length."""
_LOWER_LAYERS_BATCH = 64
_LAG = 10
_MIDDLE = 0.65
"""A typical cosine, at which the function from cosine to rating has its constant term."""


@dataclass(frozen=True)
class Hyperparameters:
    """Hyperparameters of the similarity's training."""

    epochs: int = 2
    batch: int = 32
    rate: float = 8e-5
    rating_rate: float = 2e-2
    """Learning rate of the function from cosine to rating, which each data set has its own of."""
    fixed_layers: int = 3
    """Number of lower layers that are not trained."""
    kept: float = 0.0
    """Interpolation of the result between the trained weights (0) and MiniLM's (1)."""
    dropout: float = 0.1
    warm_up: float = 0.1
    weight_decay: float = 0.01
    averaging: float = 0.98
    seeds: tuple[int, ...] = (1,)


class RatingScale(NamedTuple):
    """How the raters of a data set used the scale."""

    mean: float
    deviation: float


class Example(NamedTuple):
    """A training pair."""

    set: int
    sentence1: Sentence
    sentence2: Sentence
    target: float
    """The rating, standardised within its data set."""


class Trainer:
    """Trains networks; `progress` is called after every epoch."""

    def __init__(
        self, hyperparameters: Hyperparameters, progress: Progress = lambda _: None
    ) -> None:
        self.hyperparameters = hyperparameters
        self._progress = progress
        self._word_pieces = base_word_pieces()

    def train(self, sets: Sequence[RatedSet]) -> State:
        """Return the final weights: the mean of the networks of all seeds."""
        sentences = self._sentences(sets)
        return averaged([self._fit(sets, sentences, seed) for seed in self.hyperparameters.seeds])

    def _sentences(self, sets: Sequence[RatedSet]) -> dict[tuple[str, ...], Sentence]:
        """Return all sentences, encoded by the layers that are not trained."""
        pairs = [pair for rated in sets for pair in rated.pairs]
        texts = {text for pair in pairs for text in (pair.tokens1, pair.tokens2)}
        inputs = {text: self._encode(text) for text in texts}
        ordered = sorted(texts, key=lambda text: (len(inputs[text].pieces), text))
        network = self._network(0)
        network.eval()
        found = {}
        with torch.no_grad():
            for block in in_blocks(ordered, _LOWER_LAYERS_BATCH):
                states = network.lower(
                    [inputs[text] for text in block], self.hyperparameters.fixed_layers
                )
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
        network = SimilarityNetwork(sets, self.hyperparameters.dropout)
        network.encoder.load_base()
        return network

    def _fit(
        self, sets: Sequence[RatedSet], sentences: dict[tuple[str, ...], Sentence], seed: int
    ) -> State:
        parameters = self.hyperparameters
        torch.manual_seed(seed)
        network = self._network(len(sets))
        start = {name: value.clone() for name, value in network.encoder.state_dict().items()}
        rng = random.Random(seed)
        epochs = [self._batches(sets, sentences, rng) for _ in range(parameters.epochs)]
        optimizer = optimizer_of(
            network, parameters.rate, parameters.rating_rate, parameters.weight_decay
        )
        for name, parameter in network.encoder.named_parameters():
            if _is_fixed(name, parameters.fixed_layers):
                parameter.requires_grad_(False)
        loop = TrainingLoop(parameters.warm_up, parameters.averaging, _LAG)
        trained = loop.run(
            network,
            optimizer,
            epochs,
            lambda batch: self._loss(network, batch),
            lambda text: self._progress(f"seed {seed}: {text}"),
        )
        return {
            f"encoder.{name}": torch.lerp(trained[f"encoder.{name}"], value, parameters.kept)
            for name, value in start.items()
        }

    def _loss(self, network: SimilarityNetwork, batch: Sequence[Example]) -> Tensor:
        both = [e.sentence1 for e in batch] + [e.sentence2 for e in batch]
        one, two = network.vectors(both, self.hyperparameters.fixed_layers).chunk(2)
        own = torch.tensor([example.set for example in batch])
        rated = network.slope[own] * ((one * two).sum(1) - _MIDDLE) + network.height[own]
        return F.mse_loss(rated, torch.tensor([example.target for example in batch]))

    def _batches(
        self,
        sets: Sequence[RatedSet],
        sentences: dict[tuple[str, ...], Sentence],
        rng: random.Random,
    ) -> list[list[Example]]:
        drawn = []
        for number, rated in enumerate(sets):
            scale = _scale(rated.pairs)
            pairs = list(rated.pairs)
            rng.shuffle(pairs)
            drawn += [
                Example(
                    number,
                    sentences[pair.tokens1],
                    sentences[pair.tokens2],
                    (pair.rating - scale.mean) / scale.deviation,
                )
                for pair in pairs
            ]
        return length_bucketed_batches(drawn, self.hyperparameters.batch, _POOL, _length, rng)


def _length(example: Example) -> int:
    return max(len(example.sentence1.states), len(example.sentence2.states))


def _scale(pairs: Sequence[RatedPair]) -> RatingScale:
    ratings = np.array([pair.rating for pair in pairs])
    return RatingScale(float(ratings.mean()), float(ratings.std()) or 1.0)


def _counts(tokens: Sequence[str], encoded: EncoderInput) -> Tensor:
    counts = torch.zeros(len(encoded.pieces))
    spans = pairwise([*encoded.first_piece, len(encoded.pieces) - 1])
    for (begin, end), counted in zip(spans, counted_tokens(tokens), strict=True):
        counts[begin:end] = float(counted)
    return counts


def _is_fixed(name: str, layers: int) -> bool:
    """Whether a weight of the encoder is below the layers that are trained."""
    if not name.startswith("layers."):
        return True
    return int(name.split(".")[1]) < min(layers, LAYERS)
