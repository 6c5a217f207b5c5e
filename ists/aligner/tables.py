"""Sentences, chunks and cells of many pairs in long tables, and where each pair's own part is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ists.aligner.surface import Chunks, Floats

Places = NDArray[np.intp]
Spans = Sequence[tuple[int, int]]
"""Of each token: its first word piece, and the one after its last."""


class Groups(NamedTuple):
    """The chunks of a sentence as groups of its tokens."""

    order: Places
    """The tokens, chunk by chunk."""
    starts: Places
    """Where in `order` each chunk begins."""
    sizes: Floats
    last: Places
    """The last token of each chunk."""

    @classmethod
    def of(cls, chunks: Chunks) -> "Groups":
        """The groups of chunks given as token positions."""
        sizes = [len(chunk) for chunk in chunks]
        return cls(
            np.array([token for chunk in chunks for token in chunk], np.intp),
            np.array(begins_of(sizes)[:-1], np.intp),
            np.array(sizes, np.float32),
            np.array([chunk[-1] for chunk in chunks], np.intp),
        )

    def best(self, rows: Floats) -> Floats:
        """(chunks, …): the maxima over each chunk's tokens, which stand on the first axis."""
        best: Floats = np.maximum.reduceat(rows[self.order], self.starts, 0)
        return best

    def mean(self, rows: Floats) -> Floats:
        """(chunks, …): the means over each chunk's tokens."""
        means: Floats = np.add.reduceat(rows[self.order], self.starts, 0)
        means /= self.sizes.reshape(-1, *[1] * (rows.ndim - 1))
        return means


@dataclass(frozen=True, eq=False)
class Side:
    """One sentence of every pair."""

    tokens: list[Floats]
    """Of each pair: the vectors of its tokens."""
    sentences: Floats
    """(pairs, 384): the mean token."""
    means: Floats
    """(chunks of all pairs, 384): the mean token of each chunk."""
    vectors: Floats
    """(chunks of all pairs, 768): that, and the last token, which is mostly the head."""
    chunks: list[slice]
    """Of each pair: where its chunks stand."""
    groups: list[Groups]
    """Of each pair: which tokens make its chunks."""

    @classmethod
    def of(cls, tokens: list[Floats], chunks: Sequence[Chunks]) -> "Side":
        """From the token vectors of every pair and the chunks they make."""
        groups = [Groups.of(own) for own in chunks]
        means = np.concatenate([g.mean(t) for g, t in zip(groups, tokens, strict=True)])
        heads = np.concatenate([t[g.last] for g, t in zip(groups, tokens, strict=True)])
        return cls(
            tokens,
            np.stack([t.mean(0) for t in tokens]),
            means,
            np.concatenate([means, heads], 1),
            [slice(*edge) for edge in pairwise(begins_of([len(g.starts) for g in groups]))],
            groups,
        )


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells of all pairs, row by row: a chunk of sentence 1 with one of sentence 2."""

    sizes: list[tuple[int, int]]
    """Of each pair: its rows and columns."""
    begins: list[int]
    """Where the cells of each pair begin."""
    row: Places
    """The chunk of sentence 1 of each cell."""
    column: Places
    """The chunk of sentence 2 of each cell."""
    first: Places
    """The cells that have a later neighbour on the diagonal,"""
    second: Places
    """and these neighbours."""
    row_starts: Places
    by_column: Places
    """The cells in the order of their columns,"""
    column_starts: Places
    """and where in that order each column begins."""

    @classmethod
    def of(cls, side1: Side, side2: Side) -> "Grid":
        """Of the chunks of two sides."""
        count1, count2 = ([len(g.starts) for g in side.groups] for side in (side1, side2))
        width = np.repeat(count2, count1)
        row_starts = np.cumsum(width) - width
        row = np.repeat(np.arange(len(width)), width)
        place = np.arange(len(row)) - row_starts[row]
        column = np.repeat([own.start for own in side2.chunks], count1)[row] + place
        last_row = np.repeat([own.stop - 1 for own in side1.chunks], count1)[row]
        first = np.flatnonzero((row < last_row) & (place < width[row] - 1))
        height = np.repeat(count1, count2)
        sizes = list(zip(count1, count2, strict=True))
        return cls(
            sizes,
            begins_of([n1 * n2 for n1, n2 in sizes]),
            row,
            column,
            first,
            first + width[row[first]] + 1,
            row_starts,
            np.argsort(column, kind="stable"),
            np.cumsum(height) - height,
        )

    def best_of_row(self, cells: Floats) -> Floats:
        """(chunks 1, …): the maxima over each row."""
        best: Floats = np.maximum.reduceat(cells, self.row_starts, 0)
        return best

    def best_of_column(self, cells: Floats) -> Floats:
        """(chunks 2, …): the maxima over each column."""
        best: Floats = np.maximum.reduceat(cells[self.by_column], self.column_starts, 0)
        return best

    def of_pair(self, number: int, cells: Floats) -> Floats:
        """(rows, columns, …): the cells of one pair."""
        return cells[self.begins[number] : self.begins[number + 1]].reshape(*self.sizes[number], -1)


def token_vectors(hidden: Floats, spans1: Spans, spans2: Spans) -> tuple[Floats, Floats]:
    """The mean of each token's word pieces, in both sentences of a pair."""
    # The piece after a sentence's last token begins a sum of its own, which nobody asks for.
    spans = (*spans1, (spans1[-1][1], spans2[0][0]), *spans2, (spans2[-1][1], len(hidden)))
    means = np.add.reduceat(hidden, [first for first, _ in spans], 0)
    means /= np.array([end - first for first, end in spans], np.float32)[:, None]
    return means[: len(spans1)], means[len(spans1) + 1 : -1]


def begins_of(sizes: Sequence[int]) -> list[int]:
    """Where each of several parts begins, and last where the last one ends."""
    return [0, *accumulate(sizes)]
