"""Tables of the tokens, chunks and cells of many pairs, with the indices of each pair's part.

Most tables are long: the rows of all pairs are concatenated. Tables with two axes per pair, such as
the cosines of tokens with tokens, are padded to the longest pair; the padding is never used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ists.aligner.surface import Chunks
from ists.arrays import Floats

Places = NDArray[np.intp]
Spans = Sequence[tuple[int, int]]
"""For each token, its first word piece and the one after its last."""


class Groups(NamedTuple):
    """Rows of a table in groups, such as tokens in chunks.

    All groups are reduced in parallel: their first members, then their second ones, and so on.
    This is faster than numpy's `reduceat`, which works group by group and column by column. Groups
    are sorted by size, largest first, so the groups with a k-th member are always a prefix.
    """

    layers: list[Places]
    """The k-th member of every group that has one, for each k."""
    sizes: Floats
    order: Places
    """For each group, its index in the sorted order."""

    @classmethod
    def of(cls, groups: Sequence[Sequence[int]]) -> "Groups":
        """Build from the row indices of each group; no group may be empty."""
        sizes = np.array([len(group) for group in groups])
        members = np.fromiter(chain.from_iterable(groups), np.intp, int(sizes.sum()))
        largest_first = np.argsort(-sizes, kind="stable")
        begins = (np.cumsum(sizes) - sizes)[largest_first]
        larger = len(sizes) - np.cumsum(np.bincount(sizes))
        return cls(
            [members[begins[:count] + k] for k, count in enumerate(larger[:-1].tolist())],
            sizes[largest_first].astype(np.float32),
            np.argsort(largest_first),
        )

    def best(self, rows: Floats) -> Floats:
        """(groups, …): the maxima over each group."""
        best = rows.take(self.layers[0], 0)
        for layer in self.layers[1:]:
            larger = best[: len(layer)]
            np.maximum(larger, rows.take(layer, 0), out=larger)
        return best.take(self.order, 0)

    def mean(self, rows: Floats) -> Floats:
        """(groups, …): the means over each group."""
        sums = rows.take(self.layers[0], 0)
        if len(self.layers) > 1:
            others = rows.take(self.layers[1], 0)
            for layer in self.layers[2:]:
                others[: len(layer)] += rows.take(layer, 0)
            sums[: len(others)] += others
        sums /= self.sizes[:, None]
        return sums.take(self.order, 0)


class Padding(NamedTuple):
    """Converts a long table to a padded one."""

    pairs: int
    height: int
    places: Places
    """For each row of the long table, its row in the flattened padded table."""

    @classmethod
    def of(cls, counts: Sequence[int]) -> "Padding":
        """Build from the number of rows of each pair."""
        height = max(counts)
        every = [range(k * height, k * height + count) for k, count in enumerate(counts)]
        return cls(len(counts), height, np.fromiter(chain.from_iterable(every), np.intp))

    def __call__(self, rows: Floats) -> Floats:
        """(pairs, height, …)"""
        table = np.zeros((self.pairs * self.height, *rows.shape[1:]), np.float32)
        table[self.places] = rows
        return table.reshape(self.pairs, self.height, *rows.shape[1:])


@dataclass(frozen=True, eq=False)
class Side:
    """Sentence 1 or sentence 2 of every pair."""

    tokens: Floats
    """(pairs, tokens, 384), padded"""
    lengths: list[int]
    """For each pair, its number of tokens."""
    sentences: Floats
    """(pairs, 384): the mean of the token vectors."""
    means: Floats
    """(chunks of all pairs, 384): the mean token vector of each chunk."""
    vectors: Floats
    """(chunks of all pairs, 768): mean and last token vector (mostly the head's)."""
    chunks: list[slice]
    """For each pair, the slice of its chunks."""
    groups: Groups
    """The tokens of each chunk, as rows of the flattened padded table."""
    lasts: Places
    """The last token of each chunk, as a row of the flattened padded table."""
    padding: Padding
    """Padding of the chunk table."""

    @classmethod
    def of(
        cls, hidden: Floats, begins: Sequence[int], spans: Sequence[Spans], chunks: Sequence[Chunks]
    ) -> "Side":
        """Build from the hidden states of all pairs, their offsets, token spans and chunks."""
        lengths, counts = [len(own) for own in spans], [len(own) for own in chunks]
        longest = max(lengths)
        pieces = [range(b + x, b + y) for b, own in zip(begins, spans, strict=True) for x, y in own]
        tokens = Padding.of(lengths)(Groups.of(pieces).mean(hidden))
        rows = _rows(tokens)
        in_table = [[k * longest + t for t in c] for k, own in enumerate(chunks) for c in own]
        groups = Groups.of(in_table)
        lasts = np.array([own[-1] for own in in_table])
        means = groups.mean(rows)
        return cls(
            tokens,
            lengths,
            tokens.sum(1) / np.array(lengths, np.float32)[:, None],
            means,
            np.concatenate([means, rows.take(lasts, 0)], 1),
            [slice(*edge) for edge in pairwise(begins_of(counts))],
            groups,
            lasts,
            Padding.of(counts),
        )

    def best(self, table: Floats) -> Floats:
        """(pairs, chunks, …), padded: the maxima over each chunk's tokens, the second axis."""
        return self.padding(self.groups.best(_rows(table)))

    def mean(self, table: Floats) -> Floats:
        """(pairs, chunks, …), padded: the means over each chunk's tokens."""
        return self.padding(self.groups.mean(_rows(table)))

    def last(self, table: Floats) -> Floats:
        """(pairs, chunks, …), padded: the last of each chunk's tokens."""
        return self.padding(_rows(table).take(self.lasts, 0))


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells of all pairs, row by row: a chunk of sentence 1 with one of sentence 2."""

    sizes: list[tuple[int, int]]
    """For each pair, its numbers of rows and columns."""
    begins: list[int]
    """The offset of each pair's cells, and the total number of cells."""
    rows_by_pair: list[slice]
    columns_by_pair: list[slice]
    row: Places
    """The chunk of sentence 1 of each cell."""
    column: Places
    """The chunk of sentence 2 of each cell."""
    padded: tuple[Places, Places, Places]
    """Each cell in a padded table: its pair, its row and its column there."""
    first: Places
    """The cells that have a later neighbour on the diagonal."""
    second: Places
    """The later neighbours of the cells in `first`."""
    rows: Groups
    """The cells of each row."""
    columns: Groups
    """The cells of each column."""

    @classmethod
    def of(cls, side1: Side, side2: Side) -> "Grid":
        """Build the grid of the chunks of two sides."""
        count1, count2 = (
            np.array([own.stop - own.start for own in side.chunks]) for side in (side1, side2)
        )
        sizes = list(zip(count1.tolist(), count2.tolist(), strict=True))
        begins = begins_of([n1 * n2 for n1, n2 in sizes])
        pair = np.repeat(np.arange(len(sizes)), count1 * count2)
        width = count2[pair]
        i, j = np.divmod(np.arange(len(pair)) - np.array(begins)[pair], width)
        first = np.flatnonzero((i < count1[pair] - 1) & (j < width - 1))
        rows, columns = [], []
        for begin, (n1, n2) in zip(begins[:-1], sizes, strict=True):
            end = begin + n1 * n2
            rows += [range(at, at + n2) for at in range(begin, end, n2)]
            columns += [range(at, end, n2) for at in range(begin, begin + n2)]
        return cls(
            sizes,
            begins,
            side1.chunks,
            side2.chunks,
            i + (np.cumsum(count1) - count1)[pair],
            j + (np.cumsum(count2) - count2)[pair],
            (pair, i, j),
            first,
            first + width[first] + 1,
            Groups.of(rows),
            Groups.of(columns),
        )

    def of_pair(self, number: int, cells: Floats) -> Floats:
        """(rows, columns, …): the cells of one pair."""
        return cells[self.begins[number] : self.begins[number + 1]].reshape(
            *self.sizes[number], *cells.shape[1:]
        )


def _rows(table: Floats) -> Floats:
    return table.reshape(-1, table.shape[-1])


def begins_of(sizes: Sequence[int]) -> list[int]:
    """Return the offsets of consecutive parts of the given sizes, with the total at the end."""
    return [0, *accumulate(sizes)]
