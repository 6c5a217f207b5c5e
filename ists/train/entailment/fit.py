"""Training on judgements of whole pairs, of which there are many more than aligned pairs.

The encoder learns which differences between two sentences matter: a hypothesis that follows, one
that contradicts, one that says more. It starts where the aligner's training would start, and keeps
the chunker's syntax by learning its chunk boundaries as well. Every epoch uses each pair in one of
its two orders.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.chunker.tagger import Chunker
from ists.encoder import LONGEST, EncoderInput, WordPieces
from ists.pairs import MAX_SCORE
from ists.train.base import base_word_pieces
from ists.train.batching import encoder_batch, length_bucketed_batches
from ists.train.encoder import interpolated
from ists.train.entailment.network import EntailmentNetwork
from ists.train.entailment.pairs import JudgedPair
from ists.train.loop import Progress, State, TrainingLoop, optimizer_of

_UNKNOWN = -1
_LAG = 10
_POOL = 50
"""Batches per pool of pairs that are sorted by length."""


@dataclass(frozen=True)
class Hyperparameters:
    """Hyperparameters of the pre-training on judged pairs."""

    epochs: int = 2
    batch: int = 32
    rate: float = 1e-4
    head_rate: float = 1e-3
    layer_decay: float = 0.95
    warm_up: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.1
    averaging: float = 0.99
    chunker_share: float = 0.5
    """Interpolation of the initial weights between MiniLM (0) and the chunker (1)."""
    rating_weight: float = 1.0
    boundary_weight: float = 0.5
    smoothing: float = 0.05
    seed: int = 1


class Example(NamedTuple):
    """A pair as input of the network, with its judgements."""

    encoded: EncoderInput
    exchanged: bool
    entailment: int
    rating: float
    starts: list[float]


class Trainer:
    """Trains the network; `progress` is called after every epoch."""

    def __init__(
        self,
        hyperparameters: Hyperparameters,
        chunker: Chunker,
        chunker_state: Mapping[str, Tensor],
        progress: Progress = lambda _: None,
    ) -> None:
        self.hyperparameters = hyperparameters
        self._chunker = chunker
        self._chunker_state = chunker_state
        self._progress = progress

    def train(self, pairs: Sequence[JudgedPair]) -> State:
        """Return the weights of the encoder and of the boundary head."""
        parameters = self.hyperparameters
        torch.manual_seed(parameters.seed)
        network = EntailmentNetwork(parameters.dropout)
        network.encoder.load_base()
        own = network.state_dict()
        start = interpolated(own, self._chunker_state, parameters.chunker_share)
        network.load_state_dict(own | start)
        optimizer = optimizer_of(
            network,
            parameters.rate,
            parameters.head_rate,
            parameters.weight_decay,
            parameters.layer_decay,
        )
        trained = TrainingLoop(parameters.warm_up, parameters.averaging, _LAG).run(
            network,
            optimizer,
            self._epochs(pairs),
            lambda batch: self._loss(network, batch),
            self._progress,
        )
        return {name: trained[name] for name in start}

    def _epochs(self, pairs: Sequence[JudgedPair]) -> list[list[list[Example]]]:
        parameters = self.hyperparameters
        rng = random.Random(parameters.seed)
        pieces = base_word_pieces()
        pairs = [pair for pair in pairs if pieces.count(pair.tokens1, pair.tokens2) <= LONGEST]
        sentences = {tokens for pair in pairs for tokens in (pair.tokens1, pair.tokens2)}
        ordered = sorted(sentences)
        self._progress(f"chunking {len(ordered)} sentences")
        starts = {
            tokens: [float(start) for start in chunked.starts]
            for tokens, chunked in zip(ordered, self._chunker.chunk_many(ordered), strict=True)
        }
        self._progress(f"training on {len(pairs)} pairs")
        return [
            length_bucketed_batches(
                [_example(pair, rng.random() < 0.5, pieces, starts) for pair in pairs],
                parameters.batch,
                _POOL,
                _length,
                rng,
            )
            for _ in range(parameters.epochs)
        ]

    def _loss(self, network: EntailmentNetwork, batch: Sequence[Example]) -> Tensor:
        parameters = self.hyperparameters
        logits = network(
            encoder_batch([example.encoded for example in batch]),
            torch.tensor([example.exchanged for example in batch]),
        )
        starts = torch.tensor([start for example in batch for start in example.starts])
        loss = parameters.boundary_weight * F.binary_cross_entropy_with_logits(
            logits.starts, starts
        )
        entailment = torch.tensor([example.entailment for example in batch])
        if (entailment != _UNKNOWN).any():
            loss = loss + F.cross_entropy(
                logits.entailment,
                entailment,
                ignore_index=_UNKNOWN,
                label_smoothing=parameters.smoothing,
            )
        rating = torch.tensor([example.rating for example in batch])
        rated = rating != _UNKNOWN
        if rated.any():
            loss = loss + parameters.rating_weight * F.binary_cross_entropy_with_logits(
                logits.rating[rated], rating[rated]
            )
        return loss


def _example(
    pair: JudgedPair,
    exchanged: bool,
    pieces: WordPieces,
    starts: Mapping[tuple[str, ...], list[float]],
) -> Example:
    sides = (pair.tokens2, pair.tokens1) if exchanged else (pair.tokens1, pair.tokens2)
    return Example(
        pieces.encode(*sides),
        exchanged,
        _UNKNOWN if pair.entailment is None else int(pair.entailment),
        _UNKNOWN if pair.rating is None else pair.rating / MAX_SCORE,
        [start for tokens in sides for start in starts[tokens]],
    )


def _length(example: Example) -> int:
    return len(example.encoded.pieces)
