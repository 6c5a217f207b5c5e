"""Run the network on sentence pairs: chunk boundaries and chunk × chunk scores.

Both sentences are encoded together, so that each token's vector depends on the other sentence. The
same pass predicts the chunk boundaries; sentences without given chunks need no second pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from pathlib import Path

import numpy as np

from ists.aligner.pair_head import PairHead, ReadPair
from ists.aligner.scores import PairScores
from ists.aligner.surface import Floats, surface_features
from ists.encoder import LONGEST, EncoderInput, Network, words_of
from ists.errors import FormatError, ModelError
from ists.models import Model, stored_arrays
from ists.stages import stage

Positions = tuple[tuple[int, ...], ...]
"""Chunks as token positions from 0."""

_OUTPUTS = ("hidden", "start")
_LONGEST_CHUNK = 25
_CHUNK_COST = 0.45
"""Cost per chunk in `best_chunks`: a chunk less probable than this lowers the total."""


@dataclass(frozen=True)
class Reading:
    """The network's output for one sentence pair."""

    chunks1: Positions
    chunks2: Positions
    link: Floats
    """(chunks 1, chunks 2): the probability that the two chunks are linked."""
    relation: Floats
    """(chunks 1, chunks 2, 6): relation probabilities given a link, ordered as `LINKING`."""
    score: Floats
    """(chunks 1, chunks 2, 5): probabilities of the scores 1 to 5."""
    alic1: Floats
    """(chunks 1,): the probability of ALIC rather than NOALI if the chunk is not linked."""
    alic2: Floats
    sentence: float
    """The cosine of the two sentences' mean vectors."""


class PairReader:
    """The encoder network of an aligner model, with its pair head."""

    def __init__(self, model: Model, threads: int = 0) -> None:
        self._words = words_of(model)
        self._network = Network(model.file("reader.onnx"), self._words, threads)
        self._head_file = model.file("pairs.npz")
        self._head = _load_head(self._head_file)

    def read(
        self,
        ids: Sequence[str],
        pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
        chunks: Sequence[tuple[Positions | None, Positions | None]],
        batch_size: int,
    ) -> list[Reading]:
        """Run the network on pairs of tokenised sentences; chunks that are not given are predicted.

        If a sentence of a pair has no chunks, all chunk × chunk scores are empty; the chunks of the
        other sentence are still predicted.
        """
        with stage("word pieces"):
            inputs = [self._encode(*item) for item in zip(ids, pairs, strict=True)]
        with stage("encoder"):
            outputs = self._network.run(inputs, _OUTPUTS, batch_size)
        with stage("chunks"):
            found = [
                _chunks(start, len(words[0]), given)
                for (_, start), words, given in zip(outputs, pairs, chunks, strict=True)
            ]
        with stage("pair scores"):
            read = [
                _read_pair(encoded, hidden, words, *own)
                for encoded, (hidden, _), words, own in zip(
                    inputs, outputs, pairs, found, strict=True
                )
                if all(own)
            ]
            scores = iter(self._scores(read))
            return [
                _reading(next(scores), *own) if all(own) else _nothing_in_common(*own)
                for own in found
            ]

    def _scores(self, pairs: Sequence[ReadPair]) -> list[PairScores]:
        try:
            return self._head.probabilities(pairs)
        except ValueError as error:
            raise ModelError(f"{self._head_file}: not a pair head: {error}") from None

    def rejection(self, tokens1: Sequence[str], tokens2: Sequence[str]) -> str | None:
        """Return why a pair cannot be encoded, or None if it can."""
        return _rejection(self._words.count(tokens1, tokens2))

    def _encode(self, pair_id: str, pair: tuple[Sequence[str], Sequence[str]]) -> EncoderInput:
        encoded = self._words.encode(*pair)
        rejection = _rejection(len(encoded.pieces))
        if rejection is not None:
            raise FormatError(f"pair {pair_id}: {rejection}")
        return encoded


def _rejection(pieces: int) -> str | None:
    if pieces <= LONGEST:
        return None
    return f"the two sentences have {pieces} word pieces, the model reads at most {LONGEST} at once"


def _chunks(
    start: Floats, border: int, given: tuple[Positions | None, Positions | None]
) -> tuple[Positions, Positions]:
    return (
        given[0] if given[0] is not None else best_chunks(start[:border].tolist()),
        given[1] if given[1] is not None else best_chunks(start[border:].tolist()),
    )


def _read_pair(
    encoded: EncoderInput,
    hidden: Floats,
    words: tuple[Sequence[str], Sequence[str]],
    chunks1: Positions,
    chunks2: Positions,
) -> ReadPair:
    border = len(words[0])
    ends = [
        *encoded.first_piece[1:border],
        encoded.first_piece[border] - 1,
        *encoded.first_piece[border + 1 :],
    ]
    spans = list(zip(encoded.first_piece, [*ends, len(encoded.pieces) - 1], strict=True))
    pieces = [encoded.pieces[begin:end] for begin, end in spans]
    surface = surface_features(*words, pieces[:border], pieces[border:], chunks1, chunks2)
    return ReadPair(hidden, spans[:border], spans[border:], chunks1, chunks2, surface)


def best_chunks(logits: Sequence[float]) -> Positions:
    """Return the segmentation with the most chunks expected to be exactly right.

    A single wrong boundary spoils up to two chunks, so boundaries are not decided independently: a
    dynamic program maximises the sum over chunks of the probability that a chunk has both its
    boundaries and none inside, minus a cost per chunk.
    """
    count = len(logits)
    begins = [1.0, *(1 / (1 + exp(-max(-30.0, min(30.0, x)))) for x in logits[1:]), 1.0]
    best = [0.0, *[-1e9] * count]
    back = [0] * (count + 1)
    for begin in range(count):
        right = begins[begin]
        for end in range(begin + 1, min(count, begin + _LONGEST_CHUNK) + 1):
            gain = best[begin] + right * begins[end] - _CHUNK_COST
            if gain > best[end]:
                best[end], back[end] = gain, begin
            right *= 1 - begins[end]
    edges = [count]
    while edges[-1] > 0:
        edges.append(back[edges[-1]])
    return tuple(tuple(range(a, b)) for a, b in pairwise(reversed(edges)))


def _reading(scores: PairScores, chunks1: Positions, chunks2: Positions) -> Reading:
    return Reading(
        chunks1,
        chunks2,
        scores.link,
        scores.relation,
        scores.score,
        scores.alone1,
        scores.alone2,
        scores.sentence,
    )


def _nothing_in_common(chunks1: Positions, chunks2: Positions) -> Reading:
    size = len(chunks1), len(chunks2)
    return Reading(
        chunks1,
        chunks2,
        np.zeros(size, np.float32),
        np.zeros((*size, 6), np.float32),
        np.zeros((*size, 5), np.float32),
        np.zeros(size[0], np.float32),
        np.zeros(size[1], np.float32),
        0.0,
    )


def _load_head(file: Path) -> PairHead:
    stored = stored_arrays(file, "the pair head")
    try:
        return PairHead.of({name: array.astype(np.float32) for name, array in stored.items()})
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise ModelError(f"{file}: not a pair head: {error}") from None
