"""The aligner's network in torch: the encoder, the boundary head, and the head for chunk pairs.

At run time the encoder and the boundary head are an ONNX file; the pair head is numpy
(`ists.aligner.pair_head`): the same computation with the same names of weights. A test compares the
two.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.aligner.surface import SURFACE
from ists.pairs import LINKING
from ists.scored_pair import SCORES
from ists.train.encoder import HIDDEN, BoundaryHead, Encoder

PROJECTED, CELL = 128, 192
NEURAL = (
    "mean of best token cosines 1",
    "mean of best token cosines 2",
    "best token cosine",
    "mean token cosine",
    "last tokens' cosine",
    "chunk cosine",
    "projected cosine",
    "better elsewhere 1",
    "better elsewhere 2",
)
_FAR = -4.0
"""Padding value for cosines where there is no token or chunk: lower than every cosine."""


@dataclass(frozen=True)
class Side:
    """One sentence of every pair of a batch, padded."""

    pool: Tensor
    """(pairs, tokens, pieces): a token's vector is the mean of its pieces."""
    first_piece: Tensor
    """(pairs, tokens): the first piece of each token."""
    before: Tensor
    """(pairs, tokens): the first piece of the token before."""
    is_token: Tensor
    inside: Tensor
    """(pairs, chunks, tokens): 1 where the token is in the chunk."""
    last: Tensor
    """(pairs, chunks): the last token of each chunk."""
    is_chunk: Tensor


@dataclass(frozen=True)
class PairInputs:
    """A batch of sentence pairs as input of the network."""

    pieces: Tensor
    shapes: Tensor
    segments: Tensor
    mask: Tensor
    side1: Side
    side2: Side
    surface: Tensor
    """(pairs, chunks 1, chunks 2, features), see `ists.aligner.surface`."""

    @property
    def is_cell(self) -> Tensor:
        """(pairs, chunks 1, chunks 2): whether the cell is a pair of chunks, not padding."""
        return self.side1.is_chunk[:, :, None] & self.side2.is_chunk[:, None, :]


@dataclass(frozen=True)
class CellLogits:
    """The pair head's output for all chunk pairs of a batch."""

    link: Tensor
    """(pairs, chunks 1, chunks 2)"""
    relation: Tensor
    """(…, 6), in the order of `ists.pairs.LINKING`"""
    score: Tensor
    """(…, 5): the scores 1 to 5"""
    alone1: Tensor
    """(pairs, chunks 1): ALIC against NOALI"""
    alone2: Tensor
    cosines: Tensor
    """(…, 9), in the order of `NEURAL`"""
    sentence: Tensor
    """(pairs,): the cosine of the sentences' mean token vectors"""


class PairHead(nn.Module):
    """Head for every chunk pair, which is a cell of the chunks × chunks matrix.

    The first layer gets the vectors of both chunks, their difference, token cosines and surface
    features; it is a sum of parts computed once per chunk and parts computed once per pair. The
    second layer also gets the maxima of the cell's row and column and its neighbours on the
    diagonal, because alignments are one-to-one and mostly in order.
    """

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.project = nn.Linear(2 * HIDDEN, PROJECTED)
        self.left = nn.Linear(2 * HIDDEN, CELL)
        self.right = nn.Linear(2 * HIDDEN, CELL, bias=False)
        self.compare = nn.Linear(2 * PROJECTED, CELL, bias=False)
        self.observe = nn.Linear(len(NEURAL) + len(SURFACE), CELL, bias=False)
        self.norm = nn.LayerNorm(CELL)
        self.mix = nn.Linear(5 * CELL, CELL)
        self.link = nn.Linear(CELL, 1)
        self.relation = nn.Linear(CELL, len(LINKING))
        self.score = nn.Linear(CELL, len(SCORES))
        self.alone = nn.Linear(CELL + PROJECTED, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, inputs: PairInputs) -> CellLogits:
        """Return the logits of a batch; ``hidden``: (pairs, pieces, HIDDEN)."""
        side1, side2 = inputs.side1, inputs.side2
        tokens1, tokens2 = side1.pool @ hidden, side2.pool @ hidden
        mean1, chunk1 = _chunk_vectors(tokens1, side1)
        mean2, chunk2 = _chunk_vectors(tokens2, side2)
        chunk1, chunk2 = self.dropout(chunk1), self.dropout(chunk2)
        projected1, projected2 = self.project(chunk1), self.project(chunk2)
        within, elsewhere = _token_cosines(tokens1, tokens2, side1, side2)
        whole = [_cosines(mean1, mean2), _cosines(projected1, projected2)]
        cosines = torch.stack([*within, *whole, *elsewhere], -1)
        a, b = projected1[:, :, None], projected2[:, None, :]
        x = self.left(chunk1)[:, :, None] + self.right(chunk2)[:, None, :]
        x = x + self.compare(torch.cat([(a - b).abs(), a * b], -1))
        x = x + self.observe(torch.cat([cosines, inputs.surface], -1))
        cell = self.dropout(F.gelu(self.norm(x)))
        is_cell = inputs.is_cell[..., None]
        cell = cell + self.dropout(F.gelu(self.mix(_with_context(cell, is_cell))))
        low = cell.masked_fill(~is_cell, _FAR)
        return CellLogits(
            link=self.link(cell).squeeze(-1),
            relation=self.relation(cell),
            score=self.score(cell),
            alone1=self.alone(torch.cat([low.amax(2), projected1], -1)).squeeze(-1),
            alone2=self.alone(torch.cat([low.amax(1), projected2], -1)).squeeze(-1),
            cosines=cosines,
            sentence=F.cosine_similarity(_mean_token(tokens1, side1), _mean_token(tokens2, side2)),
        )


def _chunk_vectors(tokens: Tensor, side: Side) -> tuple[Tensor, Tensor]:
    """Return the mean of each chunk's tokens, and the mean joined with its last token.

    The last token is mostly the head of the chunk.
    """
    size = side.inside.sum(-1, keepdim=True).clamp(min=1)
    mean = side.inside @ tokens / size
    last = tokens.gather(1, side.last[..., None].expand(-1, -1, tokens.shape[-1]))
    return mean, torch.cat([mean, last], -1)


def _mean_token(tokens: Tensor, side: Side) -> Tensor:
    present = side.is_token[..., None].float()
    return (tokens * present).sum(1) / present.sum(1).clamp(min=1)


def _cosines(x: Tensor, y: Tensor) -> Tensor:
    return F.normalize(x, dim=-1, eps=1e-6) @ F.normalize(y, dim=-1, eps=1e-6).transpose(1, 2)


def _token_cosines(
    tokens1: Tensor, tokens2: Tensor, side1: Side, side2: Side
) -> tuple[list[Tensor], list[Tensor]]:
    """Return the first five and the last two of `NEURAL`, from the token × token cosines."""
    cosines = _cosines(tokens1, tokens2)
    cosines = cosines.masked_fill(~(side1.is_token[:, :, None] & side2.is_token[:, None, :]), _FAR)
    outside1, outside2 = side1.inside == 0, side2.inside == 0
    share1 = side1.inside / side1.inside.sum(-1, keepdim=True).clamp(min=1)
    share2 = side2.inside / side2.inside.sum(-1, keepdim=True).clamp(min=1)
    to_chunk2 = cosines[:, :, None, :].masked_fill(outside2[:, None], _FAR).amax(-1)
    to_chunk1 = cosines[:, None, :, :].masked_fill(outside1[..., None], _FAR).amax(2)
    best1 = share1 @ to_chunk2
    best2 = to_chunk1 @ share2.transpose(1, 2)
    top = to_chunk1[:, :, None, :].masked_fill(outside2[:, None], _FAR).amax(-1)
    mean = share1 @ cosines @ share2.transpose(1, 2)
    rows = cosines.gather(1, side1.last[..., None].expand(-1, -1, cosines.shape[2]))
    heads = rows.gather(2, side2.last[:, None, :].expand(-1, rows.shape[1], -1))
    anywhere1 = share1 @ cosines.amax(2, keepdim=True)
    anywhere2 = (share2 @ cosines.amax(1)[..., None]).transpose(1, 2)
    return [best1, best2, top, mean, heads], [anywhere1 - best1, anywhere2 - best2]


def _with_context(cell: Tensor, is_cell: Tensor) -> Tensor:
    """Join each cell with the maxima of its row and column and its neighbours on the diagonal."""
    low = cell.masked_fill(~is_cell, _FAR)
    row = low.amax(2, keepdim=True).expand_as(cell)
    column = low.amax(1, keepdim=True).expand_as(cell)
    known = cell.masked_fill(~is_cell, 0.0)
    earlier = F.pad(known, (0, 0, 1, 0, 1, 0))[:, :-1, :-1]
    later = F.pad(known, (0, 0, 0, 1, 0, 1))[:, 1:, 1:]
    return torch.cat([cell, row, column, earlier, later], -1)


@dataclass(frozen=True)
class PairLogits:
    """The network's output for a batch."""

    cells: CellLogits
    start1: Tensor
    """(pairs, tokens 1): whether a chunk begins at the token."""
    start2: Tensor


class AlignerNetwork(nn.Module):
    """The encoder, which reads both sentences together, with the two heads."""

    def __init__(self, dropout: float = 0.1, head_dropout: float = 0.3) -> None:
        super().__init__()
        self.encoder = Encoder(dropout)
        self.boundary = BoundaryHead(dropout)
        self.pairs = PairHead(head_dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: PairInputs) -> PairLogits:
        """Return the logits of a batch."""
        hidden = self.encoder(inputs.pieces, inputs.shapes, inputs.segments, inputs.mask)
        return PairLogits(
            self.pairs(hidden, inputs),
            self._starts(hidden, inputs.side1),
            self._starts(hidden, inputs.side2),
        )

    def _starts(self, hidden: Tensor, side: Side) -> Tensor:
        rows = torch.arange(len(hidden))[:, None]
        first, before = hidden[rows, side.first_piece], hidden[rows, side.before]
        logits: Tensor = self.boundary(self.dropout(first), self.dropout(before))
        return logits
