"""The pair head in numpy: chunk × chunk scores from the encoder's hidden states.

Many pairs go through it together, their chunks and cells in common tables, because a call of numpy
costs more than the sums of one pair. Still no result depends on what else is in the table: nothing
is summed over more than one pair, rows are multiplied in tiles of equal height (see `_Layer`), and
tokens with tokens pair by pair. The same sums as in training (`ists.train.pair_network`), without
the dropout; a test holds them together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from ists.aligner.scores import PairScores, TableScores
from ists.aligner.surface import Chunks, Floats
from ists.aligner.tables import Grid, Side, Spans, begins_of

_CELLS = 1024
"""Cells that make a table full: of fewer, a cell costs more calls; more would leave the cache."""
_TILE = 64
"""Rows in one product."""
_FAR = np.float32(-4)
"""Below every cosine: stands where there is no token."""
_SMALL = np.float32(1e-6)
_HALF = np.float32(0.5)
_ROOT_HALF = np.float32(sqrt(0.5))
_NORM_EPS = np.float32(1e-5)


class ReadPair(NamedTuple):
    """A pair as the encoder has read it; both its sentences have chunks."""

    hidden: Floats
    """(pieces, 384) of ``[CLS] s1 [SEP] s2 [SEP]``"""
    spans1: Spans
    """The first piece of each token, and the one after its last."""
    spans2: Spans
    chunks1: Chunks
    chunks2: Chunks
    surface: Floats
    """As `ists.aligner.surface` gives it."""


class _Layer(NamedTuple):
    """A matrix and what is added."""

    matrix: Floats  # (inputs, outputs)
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        """The rows' products, each the same in any company.

        BLAS picks another way of summing for another number of rows; so it is always given as many.
        """
        whole = len(rows) - len(rows) % _TILE
        products = np.empty((len(rows), self.matrix.shape[1]), np.float32)
        if whole:
            tiles = rows[:whole].reshape(-1, _TILE, rows.shape[1])
            np.matmul(tiles, self.matrix, out=products[:whole].reshape(-1, _TILE, len(self.bias)))
        if whole < len(rows):
            tile = np.zeros((_TILE, rows.shape[1]), np.float32)
            tile[: len(rows) - whole] = rows[whole:]
            products[whole:] = (tile @ self.matrix)[: len(rows) - whole]
        products += self.bias
        return products


@dataclass(frozen=True, eq=False)
class PairHead:
    """The layers of the head."""

    projected: int
    left: _Layer
    """A chunk of sentence 1: its projection, and its part in the cells of its row."""
    right: _Layer
    """A chunk of sentence 2 likewise."""
    compare: _Layer
    """A cell: how the projections differ, the cosines, the surface."""
    norm: _Layer
    """Gain and bias."""
    mix: _Layer
    """What a cell is mixed from: itself,"""
    mix_row: _Layer
    """the maxima of its row"""
    mix_column: _Layer
    """and of its column,"""
    mix_earlier: _Layer
    """its earlier neighbour on the diagonal,"""
    mix_later: _Layer
    """and its later one."""
    answers: _Layer
    """A cell: link, relation, score."""
    alone: _Layer

    @classmethod
    def of(cls, weights: Mapping[str, Floats]) -> "PairHead":
        """From float32 arrays by their names in training without ``pairs.``."""

        def linear(*names: str) -> _Layer:
            matrices = [weights[f"{name}.weight"] for name in names]
            nothing = [np.zeros(len(matrix), np.float32) for matrix in matrices]
            biases = [weights.get(f"{name}.bias", nothing[k]) for k, name in enumerate(names)]
            return _Layer(np.concatenate(matrices).T.copy(), np.concatenate(biases))

        own, row, column, earlier, later = np.split(weights["mix.weight"], 5, axis=1)
        observe = np.concatenate([weights["compare.weight"], weights["observe.weight"]], 1)
        nothing = np.zeros(len(own), np.float32)
        return cls(
            len(weights["project.bias"]),
            linear("project", "left"),
            linear("project", "right"),
            _Layer(observe.T.copy(), nothing),
            _Layer(weights["norm.weight"], weights["norm.bias"]),
            _Layer(own.T.copy(), nothing),
            _Layer(row.T.copy(), weights["mix.bias"]),
            _Layer(column.T.copy(), nothing),
            _Layer(earlier.T.copy(), nothing),
            _Layer(later.T.copy(), nothing),
            linear("link", "relation", "score"),
            linear("alone"),
        )

    def logits(self, pairs: Sequence[ReadPair]) -> list[PairScores]:
        """Score every chunk of sentence 1 with every chunk of sentence 2, pair by pair."""
        return _by_pair(pairs, self._logits)

    def probabilities(self, pairs: Sequence[ReadPair]) -> list[PairScores]:
        """The same as probabilities."""
        return _by_pair(pairs, lambda table: self._logits(table).as_probabilities())

    def _logits(self, pairs: Sequence[ReadPair]) -> TableScores:
        hidden = np.concatenate([pair.hidden for pair in pairs])
        begins = begins_of([len(pair.hidden) for pair in pairs])[:-1]
        side1 = Side.of(hidden, begins, [p.spans1 for p in pairs], [p.chunks1 for p in pairs])
        side2 = Side.of(hidden, begins, [p.spans2 for p in pairs], [p.chunks2 for p in pairs])
        grid = Grid.of(side1, side2)
        chunks1, chunks2 = self.left(side1.vectors), self.right(side2.vectors)
        p1, p2 = chunks1[:, : self.projected], chunks2[:, : self.projected]
        surface = [pair.surface.reshape(-1, pair.surface.shape[-1]) for pair in pairs]
        a, b = p1[grid.row], p2[grid.column]
        cosines = _cosine_features(side1, side2, p1, p2)[grid.padded]
        observed = [np.abs(a - b), a * b, cosines, np.concatenate(surface)]
        x = self.compare(np.concatenate(observed, 1))
        x += chunks1[:, self.projected :][grid.row]
        x += chunks2[:, self.projected :][grid.column]
        cell = _gelu(_layer_norm(x, self.norm))
        cell += _gelu(self._mixed(cell, grid))
        logits = self.answers(cell)
        alone1 = self.alone(np.concatenate([grid.rows.best(cell), p1], 1))[:, 0]
        alone2 = self.alone(np.concatenate([grid.columns.best(cell), p2], 1))[:, 0]
        sentence = np.einsum("nd,nd->n", _unit(side1.sentences), _unit(side2.sentences))
        return TableScores(
            grid, logits[:, 0], logits[:, 1:7], logits[:, 7:], alone1, alone2, sentence
        )

    def _mixed(self, cell: Floats, grid: Grid) -> Floats:
        """A cell with its row's and column's maxima and its neighbours on the diagonal.

        What is the same for a whole row or column is multiplied once, and a neighbour only where
        there is one.
        """
        mixed = self.mix(cell)
        mixed += self.mix_row(grid.rows.best(cell)).take(grid.row, 0)
        mixed += self.mix_column(grid.columns.best(cell)).take(grid.column, 0)
        mixed[grid.second] += self.mix_earlier(cell.take(grid.first, 0))
        mixed[grid.first] += self.mix_later(cell.take(grid.second, 0))
        return mixed


def _by_pair(
    pairs: Sequence[ReadPair], scores: Callable[[Sequence[ReadPair]], TableScores]
) -> list[PairScores]:
    found: dict[int, PairScores] = {}
    for numbers in _tables(pairs):
        table = scores([pairs[number] for number in numbers])
        found.update(zip(numbers, table.by_pair(), strict=True))
    return [found[number] for number in range(len(pairs))]


def _tables(pairs: Sequence[ReadPair]) -> Iterator[list[int]]:
    """The numbers of the pairs in each table: pairs of like lengths, for little padding."""
    table: list[int] = []
    cells = 0
    for number in sorted(range(len(pairs)), key=lambda number: len(pairs[number].hidden)):
        table.append(number)
        cells += len(pairs[number].chunks1) * len(pairs[number].chunks2)
        if cells >= _CELLS:
            yield table
            table, cells = [], 0
    if table:
        yield table


def _cosine_features(side1: Side, side2: Side, p1: Floats, p2: Floats) -> Floats:
    """(pairs, chunks 1, chunks 2, 9), padded: in the order of training, views of the cosines."""
    tokens1, tokens2 = _unit(side1.tokens), _unit(side2.tokens)
    cosines = _products(
        [own[:n] for own, n in zip(tokens1, side1.lengths, strict=True)],
        [own[:n] for own, n in zip(tokens2, side2.lengths, strict=True)],
    )
    turned = _turned(cosines)
    to_chunk1, to_chunk2 = side1.best(cosines), _turned(side2.best(turned))
    best1, best2 = side1.mean(to_chunk2), _turned(side2.mean(_turned(to_chunk1)))
    anywhere1, anywhere2 = cosines.max(2, keepdims=True), turned.max(2, keepdims=True)
    mean1, mean2 = _unit(side1.means), _unit(side2.means)
    p1, p2 = _unit(p1), _unit(p2)
    return np.stack(
        [
            best1,
            best2,
            side1.best(to_chunk2),
            _turned(side2.mean(_turned(side1.mean(cosines)))),
            _turned(side2.last(_turned(side1.last(cosines)))),
            _products([mean1[own] for own in side1.chunks], [mean2[own] for own in side2.chunks]),
            _products([p1[own] for own in side1.chunks], [p2[own] for own in side2.chunks]),
            side1.mean(anywhere1) - best1,
            _turned(side2.mean(anywhere2)) - best2,
        ],
        -1,
    )


def _products(rows1: Sequence[Floats], rows2: Sequence[Floats]) -> Floats:
    """(pairs, rows 1, rows 2), padded: the products of each pair's rows.

    Pair by pair: a product of padded rows would depend on the longest pair of the table.
    """
    size = len(rows1), max(map(len, rows1)), max(map(len, rows2))
    table = np.full(size, _FAR)
    for own, a, b in zip(table, rows1, rows2, strict=True):
        np.matmul(a, b.T, out=own[: len(a), : len(b)])
    return table


def _turned(table: Floats) -> Floats:
    return table.swapaxes(1, 2)


def _unit(x: Floats) -> Floats:
    unit: Floats = x / np.maximum(np.sqrt(np.einsum("...d,...d->...", x, x)), _SMALL)[..., None]
    return unit


def _layer_norm(x: Floats, norm: _Layer) -> Floats:
    x -= x.mean(-1, keepdims=True)
    x /= np.sqrt(np.einsum("nd,nd->n", x, x) / np.float32(x.shape[1]) + _NORM_EPS)[:, None]
    x *= norm.matrix
    x += norm.bias
    return x


def _gelu(x: Floats) -> Floats:
    gelu = _erf(x * _ROOT_HALF)
    gelu += 1
    gelu *= x
    gelu *= _HALF
    return gelu


def _erf(x: Floats) -> Floats:
    """Abramowitz and Stegun 7.1.26: wrong by less than 1.5e-7, which is float32's own grain."""
    t = np.abs(x)
    t *= np.float32(0.3275911)
    t += 1
    np.reciprocal(t, out=t)
    poly = t * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        poly += np.float32(factor)
        poly *= t
    np.multiply(x, x, out=t)
    np.negative(t, out=t)
    poly *= np.exp(t, out=t)
    np.subtract(1, poly, out=poly)
    return np.copysign(poly, x, out=poly)
