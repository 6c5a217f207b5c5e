"""Run the aligner's network on sentence pairs: encode both sentences together, score their chunks.

Both sentences are encoded together, so that each token's vector depends on the other sentence. The
same pass predicts the chunk boundaries; sentences without given chunks need no second pass.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ists.aligner.pair_head import PairHead, ReadPair
from ists.aligner.surface import surface_features
from ists.arrays import Floats
from ists.encoder import LONGEST, EncoderInput, Network, words_of
from ists.errors import FormatError, ModelError
from ists.models import Model, stored_arrays
from ists.scored_pair import PairScores, Positions
from ists.stages import stage

_OUTPUTS = ("hidden", "start")

Tokens = Sequence[str]


class EncodedPair(NamedTuple):
    """The network's output for the tokens of a sentence pair."""

    tokens1: Tokens
    tokens2: Tokens
    encoder_input: EncoderInput
    hidden: Floats
    """(word pieces, 384): the hidden states."""
    boundaries: Floats
    """(tokens of both sentences,): the logit that a chunk begins at the token."""

    @property
    def boundaries1(self) -> list[float]:
        """The boundary logits of sentence 1."""
        logits: list[float] = self.boundaries[: len(self.tokens1)].tolist()
        return logits

    @property
    def boundaries2(self) -> list[float]:
        """The boundary logits of sentence 2."""
        logits: list[float] = self.boundaries[len(self.tokens1) :].tolist()
        return logits


class PairReader:
    """The encoder network of an aligner model, with its pair head."""

    def __init__(self, model: Model, threads: int = 0) -> None:
        self._words = words_of(model)
        self._network = Network(model.file("reader.onnx"), self._words, threads)
        self._head_file = model.file("pairs.npz")
        self._head = _load_head(self._head_file)

    def encode(
        self, ids: Sequence[str], pairs: Sequence[tuple[Tokens, Tokens]], batch_size: int
    ) -> list[EncodedPair]:
        """Run the network on tokenised sentence pairs.

        Raises `FormatError`, with the pair's id, if a pair is too long (see `rejection`).
        """
        with stage("word pieces"):
            inputs = [self._input(*item) for item in zip(ids, pairs, strict=True)]
        with stage("encoder"):
            outputs = self._network.run(inputs, _OUTPUTS, batch_size)
        return [
            EncodedPair(*tokens, encoder_input, hidden, boundaries)
            for tokens, encoder_input, (hidden, boundaries) in zip(
                pairs, inputs, outputs, strict=True
            )
        ]

    def score(
        self, pairs: Sequence[EncodedPair], chunks: Sequence[tuple[Positions, Positions]]
    ) -> list[PairScores]:
        """Score every chunk of sentence 1 with every chunk of sentence 2 of each pair.

        If a sentence of a pair has no chunks, the scores are empty arrays.
        """
        with stage("pair scores"):
            read = [
                _read_pair(pair, *own) for pair, own in zip(pairs, chunks, strict=True) if all(own)
            ]
            scores = iter(self._probabilities(read))
            return [
                next(scores) if all(own) else PairScores.empty(len(own[0]), len(own[1]))
                for own in chunks
            ]

    def rejection(self, tokens1: Tokens, tokens2: Tokens) -> str | None:
        """Return why a pair cannot be encoded, or None if it can."""
        return _rejection(self._words.count(tokens1, tokens2))

    def _probabilities(self, pairs: Sequence[ReadPair]) -> list[PairScores]:
        try:
            return self._head.probabilities(pairs)
        except ValueError as error:
            raise ModelError(f"{self._head_file}: not a pair head: {error}") from None

    def _input(self, pair_id: str, pair: tuple[Tokens, Tokens]) -> EncoderInput:
        encoder_input = self._words.encode(*pair)
        rejection = _rejection(len(encoder_input.pieces))
        if rejection is not None:
            raise FormatError(f"pair {pair_id}: {rejection}")
        return encoder_input


def _rejection(pieces: int) -> str | None:
    if pieces <= LONGEST:
        return None
    return f"the two sentences have {pieces} word pieces, the model reads at most {LONGEST} at once"


def _read_pair(pair: EncodedPair, chunks1: Positions, chunks2: Positions) -> ReadPair:
    border = len(pair.tokens1)
    all_pieces, first = pair.encoder_input.pieces, pair.encoder_input.first_piece
    ends = [*first[1:border], first[border] - 1, *first[border + 1 :], len(all_pieces) - 1]
    spans = list(zip(first, ends, strict=True))
    pieces = [all_pieces[begin:end] for begin, end in spans]
    surface = surface_features(
        pair.tokens1, pair.tokens2, pieces[:border], pieces[border:], chunks1, chunks2
    )
    return ReadPair(pair.hidden, spans[:border], spans[border:], chunks1, chunks2, surface)


def _load_head(file: Path) -> PairHead:
    stored = stored_arrays(file, "the pair head")
    try:
        return PairHead.of({name: array.astype(np.float32) for name, array in stored.items()})
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise ModelError(f"{file}: not a pair head: {error}") from None
