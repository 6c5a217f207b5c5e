"""Gold pairs as tensors: in word pieces, padded to batches, with what is to be said of them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ists.aligner.surface import SURFACE, membership, surface_features
from ists.encoder import LONGEST, SHAPES, EncoderInput, WordPieces
from ists.errors import FormatError
from ists.scored_pair import Floats, Positions
from ists.train.gold import UNKNOWN, Example
from ists.train.pair_network import PairInputs, Side

_HIDDEN_PIECE = 103
"""The vocabulary's own sign for a piece that is not shown."""
_SPECIAL = SHAPES.index("special")
_POOL = 8
"""Batches are made of pairs of near lengths, drawn from this many batches' worth."""

Spans = list[tuple[int, int]]
"""For every token, its first piece and the one after its last."""


@dataclass(frozen=True)
class PreparedPair:
    """An example with all that the network is told of it."""

    example: Example
    encoded: EncoderInput
    spans1: Spans
    spans2: Spans
    surface: Floats

    @classmethod
    def of(cls, example: Example, word_pieces: WordPieces) -> "PreparedPair":
        """Cut into word pieces; a pair too long for the network is rejected by its name."""
        encoded = word_pieces.encode(example.tokens1, example.tokens2)
        if len(encoded.pieces) > LONGEST:
            raise FormatError(
                f"pair {example.id} of {example.corpus} has {len(encoded.pieces)} word pieces, "
                f"the network reads at most {LONGEST} at once"
            )
        pieces1 = [word_pieces.of(token) for token in example.tokens1]
        pieces2 = [word_pieces.of(token) for token in example.tokens2]
        border = len(pieces1)
        return cls(
            example,
            encoded,
            _spans(encoded.first_piece[:border], pieces1),
            _spans(encoded.first_piece[border:], pieces2),
            surface_features(
                example.tokens1, example.tokens2, pieces1, pieces2, example.chunks1, example.chunks2
            ),
        )

    def with_hidden_pieces(self, share: float, rng: random.Random) -> "PreparedPair":
        """The same with some word pieces hidden from the encoder; the surface stays as it is."""
        pieces = [
            _HIDDEN_PIECE if shape != _SPECIAL and rng.random() < share else piece
            for piece, shape in zip(self.encoded.pieces, self.encoded.shapes, strict=True)
        ]
        return replace(self, encoded=self.encoded._replace(pieces=pieces))


def _spans(here: Sequence[int], pieces: Sequence[Sequence[int]]) -> Spans:
    return [(begin, begin + len(own)) for begin, own in zip(here, pieces, strict=True)]


@dataclass(frozen=True)
class Targets:
    """What the network should say of a batch; -1 where nothing is asked."""

    link: Tensor
    """(pairs, chunks 1, chunks 2): 1 where the gold links."""
    relation: Tensor
    score: Tensor
    alone: Tensor
    """Of both sides, one after the other, as `PairLogits` gives them."""
    starts: Tensor


def inputs_of(pairs: Sequence[PreparedPair]) -> PairInputs:
    """Pad pairs to one batch."""
    width = max(len(pair.encoded.pieces) for pair in pairs)
    rows = np.zeros((4, len(pairs), width), np.int64)
    for row, pair in enumerate(pairs):
        encoded = pair.encoded
        rows[:, row, : len(encoded.pieces)] = (
            encoded.pieces,
            encoded.shapes,
            encoded.segments,
            [1] * len(encoded.pieces),
        )
    pieces, shapes, segments, mask = torch.from_numpy(rows)
    side1 = _side(
        [pair.spans1 for pair in pairs],
        [pair.encoded.before[: len(pair.spans1)] for pair in pairs],
        [pair.example.chunks1 for pair in pairs],
        width,
    )
    side2 = _side(
        [pair.spans2 for pair in pairs],
        [pair.encoded.before[len(pair.spans1) :] for pair in pairs],
        [pair.example.chunks2 for pair in pairs],
        width,
    )
    cells = side1.last.shape[1], side2.last.shape[1]
    surface = torch.zeros(len(pairs), *cells, len(SURFACE))
    for row, pair in enumerate(pairs):
        count1, count2, _ = pair.surface.shape
        surface[row, :count1, :count2] = torch.from_numpy(pair.surface)
    return PairInputs(pieces, shapes, segments, mask, side1, side2, surface)


def _side(
    spans: Sequence[Spans],
    before: Sequence[Sequence[int]],
    chunks: Sequence[Positions],
    width: int,
) -> Side:
    """Pad one side; an empty sentence still gets a place, where there is no token and no chunk."""
    pairs, most_tokens, most_chunks = len(spans), _most(spans), _most(chunks)
    pool = np.zeros((pairs, most_tokens, width), np.float32)
    places = np.zeros((2, pairs, most_tokens), np.int64)
    inside = np.zeros((pairs, most_chunks, most_tokens), np.float32)
    last = np.zeros((pairs, most_chunks), np.int64)
    is_token = np.zeros((pairs, most_tokens), bool)
    is_chunk = np.zeros((pairs, most_chunks), bool)
    for row, (own_spans, own_before, own_chunks) in enumerate(
        zip(spans, before, chunks, strict=True)
    ):
        for token, (begin, end) in enumerate(own_spans):
            pool[row, token, begin:end] = 1 / (end - begin)
        tokens, count = len(own_spans), len(own_chunks)
        places[:, row, :tokens] = [begin for begin, _ in own_spans], own_before
        is_token[row, :tokens] = True
        inside[row, :count, :tokens] = membership(own_chunks, tokens)
        last[row, :count] = [chunk[-1] for chunk in own_chunks]
        is_chunk[row, :count] = True
    here, previous = torch.from_numpy(places)
    tensors = map(torch.from_numpy, (is_token, inside, last, is_chunk))
    return Side(torch.from_numpy(pool), here, previous, *tensors)


def _most(sequences: Sequence[Sequence[Any]]) -> int:
    return max(1, *map(len, sequences))


def targets_of(pairs: Sequence[PreparedPair], inputs: PairInputs) -> Targets:
    """The labels of a batch, padded as its inputs are."""
    size = inputs.is_cell.shape
    link, relation, score = (
        torch.zeros(size),
        torch.full(size, UNKNOWN),
        torch.full(size, UNKNOWN),
    )
    for row, pair in enumerate(pairs):
        for one in pair.example.links:
            at = row, one.chunk1, one.chunk2
            link[at], relation[at], score[at] = 1, one.relation, one.score
    examples = [pair.example for pair in pairs]
    alone = [
        _padded([example.alone1 for example in examples], inputs.side1.last.shape[1]),
        _padded([example.alone2 for example in examples], inputs.side2.last.shape[1]),
    ]
    starts = [
        _padded([_starts(e, e.tokens1, e.chunks1) for e in examples], inputs.side1.here.shape[1]),
        _padded([_starts(e, e.tokens2, e.chunks2) for e in examples], inputs.side2.here.shape[1]),
    ]
    return Targets(
        link,
        relation,
        score,
        torch.cat([side.flatten() for side in alone]),
        torch.cat([side.flatten() for side in starts]),
    )


def _starts(example: Example, tokens: Sequence[str], chunks: Positions) -> list[int]:
    if not example.teaches_chunks:
        return [UNKNOWN] * len(tokens)
    begins = {chunk[0] for chunk in chunks}
    # A sentence's first token begins a chunk whatever the network says.
    return [UNKNOWN if not token else int(token in begins) for token in range(len(tokens))]


def _padded(rows: Sequence[Sequence[int]], width: int) -> Tensor:
    return torch.tensor([[*row, *[UNKNOWN] * (width - len(row))] for row in rows])


def shuffled_batches(
    pairs: Sequence[PreparedPair], size: int, rng: random.Random
) -> Iterator[list[PreparedPair]]:
    """Batches of pairs of near lengths, in no order."""
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    batches = []
    for begin in range(0, len(shuffled), size * _POOL):
        pool = sorted(
            shuffled[begin : begin + size * _POOL], key=lambda pair: len(pair.encoded.pieces)
        )
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    rng.shuffle(batches)
    yield from batches
