"""Gold pairs as tensors: word pieces padded to batches, and their labels."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ists.aligner.surface import SURFACE, membership, surface_features
from ists.arrays import Floats
from ists.encoder import LONGEST, SHAPES, EncoderInput, WordPieces
from ists.errors import FormatError
from ists.scored_pair import Positions
from ists.train.aligner.network import PairInputs, Side
from ists.train.batching import encoder_batch
from ists.train.gold import UNKNOWN, Example

_MASK_PIECE = 103
"""The mask token of the vocabulary."""
_SPECIAL = SHAPES.index("special")

Spans = list[tuple[int, int]]
"""For every token, the range of its pieces."""


@dataclass(frozen=True)
class PreparedPair:
    """An example with the inputs of the network."""

    example: Example
    encoded: EncoderInput
    spans1: Spans
    spans2: Spans
    surface: Floats

    @classmethod
    def of(cls, example: Example, word_pieces: WordPieces) -> "PreparedPair":
        """Split into word pieces; raise a `FormatError` if the pair is too long for the network."""
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

    def with_masked_pieces(self, share: float, rng: random.Random) -> "PreparedPair":
        """Mask a share of the word pieces; the surface features do not change."""
        pieces = [
            _MASK_PIECE if shape != _SPECIAL and rng.random() < share else piece
            for piece, shape in zip(self.encoded.pieces, self.encoded.shapes, strict=True)
        ]
        return replace(self, encoded=self.encoded._replace(pieces=pieces))


def _spans(first_pieces: Sequence[int], pieces: Sequence[Sequence[int]]) -> Spans:
    return [(begin, begin + len(own)) for begin, own in zip(first_pieces, pieces, strict=True)]


@dataclass(frozen=True)
class Targets:
    """The labels of a batch; `UNKNOWN` where there is none."""

    link: Tensor
    """(pairs, chunks 1, chunks 2): 1 for gold links."""
    relation: Tensor
    score: Tensor
    alone: Tensor
    """Of the chunks of sentence 1, then of sentence 2, as in `PairLogits`."""
    starts: Tensor
    teaches_links: Tensor
    """(pairs,): whether the links of the pair count."""


def inputs_of(pairs: Sequence[PreparedPair]) -> PairInputs:
    """Pad pairs to a batch."""
    batch = encoder_batch([pair.encoded for pair in pairs])
    width = batch.pieces.shape[1]
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
    return PairInputs(batch.pieces, batch.shapes, batch.segments, batch.mask, side1, side2, surface)


def _side(
    spans: Sequence[Spans],
    before: Sequence[Sequence[int]],
    chunks: Sequence[Positions],
    width: int,
) -> Side:
    """Pad one sentence of each pair; an empty sentence has one padding token and chunk."""
    pairs, most_tokens, most_chunks = len(spans), _longest(spans), _longest(chunks)
    pool = np.zeros((pairs, most_tokens, width), np.float32)
    first_pieces = np.zeros((2, pairs, most_tokens), np.int64)
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
        first_pieces[:, row, :tokens] = [begin for begin, _ in own_spans], own_before
        is_token[row, :tokens] = True
        inside[row, :count, :tokens] = membership(own_chunks, tokens)
        last[row, :count] = [chunk[-1] for chunk in own_chunks]
        is_chunk[row, :count] = True
    first_piece, previous = torch.from_numpy(first_pieces)
    tensors = map(torch.from_numpy, (is_token, inside, last, is_chunk))
    return Side(torch.from_numpy(pool), first_piece, previous, *tensors)


def _longest(sequences: Sequence[Sequence[Any]]) -> int:
    return max(1, *map(len, sequences))


def targets_of(pairs: Sequence[PreparedPair], inputs: PairInputs) -> Targets:
    """Return the labels of a batch, padded as its inputs."""
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
        _padded(
            [_starts(e, e.tokens1, e.chunks1) for e in examples], inputs.side1.first_piece.shape[1]
        ),
        _padded(
            [_starts(e, e.tokens2, e.chunks2) for e in examples], inputs.side2.first_piece.shape[1]
        ),
    ]
    return Targets(
        link,
        relation,
        score,
        torch.cat([side.flatten() for side in alone]),
        torch.cat([side.flatten() for side in starts]),
        torch.tensor([example.teaches_links for example in examples]),
    )


def _starts(example: Example, tokens: Sequence[str], chunks: Positions) -> list[int]:
    if not example.teaches_chunks:
        return [UNKNOWN] * len(tokens)
    begins = {chunk[0] for chunk in chunks}
    # The first token of a sentence always begins a chunk: nothing to predict.
    return [UNKNOWN if not token else int(token in begins) for token in range(len(tokens))]


def _padded(rows: Sequence[Sequence[int]], width: int) -> Tensor:
    return torch.tensor([[*row, *[UNKNOWN] * (width - len(row))] for row in rows])
