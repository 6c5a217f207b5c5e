"""The pair head in numpy: chunk × chunk scores from the encoder's hidden states.

Pairs are computed in batches (tables), because the overhead of a numpy call exceeds the arithmetic
of one pair. A cell is a chunk of sentence 1 with a chunk of sentence 2. No result depends on what
else is in the table or on the processor's BLAS kernel: nothing is summed over more than one pair,
and the matrix products are exact (see `ists.aligner.exact`). The computation is the same as in
training (`ists.train.aligner.network`) without dropout; a test compares both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from ists.aligner.exact import Linear, Wholes, cosines, unit, unit_grid
from ists.aligner.scores import TableScores
from ists.aligner.surface import Chunks
from ists.aligner.tables import Grid, Side, Spans, begins_of
from ists.arrays import Floats
from ists.compiled import kernels
from ists.scored_pair import PairScores

_CELLS = 1024
"""Minimum cells of a full table: fewer cost more calls per cell, more exceed the CPU cache."""
_PIECES = 768
"""The same of word pieces: pairs of few chunks would otherwise fill it with many tokens."""
_FAR = np.float32(-4)
"""Padding value, lower than every cosine."""
_HALF = np.float32(0.5)
_ROOT_HALF = np.float32(sqrt(0.5))
_NORM_EPS = np.float32(1e-5)


class ReadPair(NamedTuple):
    """Encoder output and chunks of a pair; both sentences have chunks."""

    hidden: Floats
    """(pieces, 384) of ``[CLS] s1 [SEP] s2 [SEP]``"""
    spans1: Spans
    """For each token, its first piece and the one after its last."""
    spans2: Spans
    chunks1: Chunks
    chunks2: Chunks
    surface: Floats
    """Surface features from `ists.aligner.surface`."""


class _Norm(NamedTuple):
    """Layer normalisation."""

    gain: Floats
    bias: Floats


@dataclass(frozen=True, eq=False)
class PairHead:
    """The layers of the head."""

    projected: int
    left: Linear
    """Of a chunk of sentence 1: its projection, and its contribution to the cells of its row."""
    right: Linear
    """The same for a chunk of sentence 2 and its column."""
    compare: Linear
    """Of a cell: differences and products of the projections, cosines, surface features."""
    norm: _Norm
    mix: Linear
    """Weights of the cell itself in the mixing layer."""
    mix_row: Linear
    """Weights of the maxima of its row."""
    mix_column: Linear
    """Weights of the maxima of its column."""
    mix_earlier: Linear
    """Weights of its earlier neighbour on the diagonal."""
    mix_later: Linear
    """Weights of its later neighbour on the diagonal."""
    answers: Linear
    """Output layer of a cell: logits of link, relation and score."""
    alone: Linear

    @classmethod
    def of(cls, weights: Mapping[str, Floats]) -> "PairHead":
        """Build the head from float32 arrays by parameter name without the prefix ``pairs.``."""

        def linear(*names: str) -> Linear:
            matrices = [weights[f"{name}.weight"] for name in names]
            nothing = [np.zeros(len(matrix), np.float32) for matrix in matrices]
            biases = [weights.get(f"{name}.bias", nothing[k]) for k, name in enumerate(names)]
            return Linear.of(np.concatenate(matrices).T, np.concatenate(biases))

        own, row, column, earlier, later = np.split(weights["mix.weight"], 5, axis=1)
        observe = np.concatenate([weights["compare.weight"], weights["observe.weight"]], 1)
        nothing = np.zeros(len(own), np.float32)
        return cls(
            len(weights["project.bias"]),
            linear("project", "left"),
            linear("project", "right"),
            Linear.of(observe.T, nothing),
            _Norm(weights["norm.weight"], weights["norm.bias"]),
            Linear.of(own.T, nothing),
            Linear.of(row.T, weights["mix.bias"]),
            Linear.of(column.T, nothing),
            Linear.of(earlier.T, nothing),
            Linear.of(later.T, nothing),
            linear("link", "relation", "score"),
            linear("alone"),
        )

    def logits(self, pairs: Sequence[ReadPair]) -> list[PairScores]:
        """Return the logits of every chunk of sentence 1 with every chunk of sentence 2."""
        return _by_pair(pairs, self._logits)

    def probabilities(self, pairs: Sequence[ReadPair]) -> list[PairScores]:
        """Return the scores as probabilities instead of logits."""
        return _by_pair(pairs, lambda table: self._logits(table).as_probabilities())

    def _logits(self, pairs: Sequence[ReadPair]) -> TableScores:
        side1, side2 = _sides(pairs)
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
        alic1 = self.alone(np.concatenate([grid.rows.best(cell), p1], 1))[:, 0]
        alic2 = self.alone(np.concatenate([grid.columns.best(cell), p2], 1))[:, 0]
        sentence = np.einsum("nd,nd->n", unit(side1.sentences), unit(side2.sentences))
        return TableScores(
            grid, logits[:, 0], logits[:, 1:7], logits[:, 7:], alic1, alic2, sentence
        )

    def _mixed(self, cell: Floats, grid: Grid) -> Floats:
        """Mix each cell with the maxima of its row and column and its diagonal neighbours.

        The products for a row's or column's maxima are computed once per row or column, those for a
        neighbour only where it exists.
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
    """Yield the pair indices of each table; pairs are sorted by length, to reduce padding."""
    table: list[int] = []
    cells = pieces = 0
    for number in sorted(range(len(pairs)), key=lambda number: len(pairs[number].hidden)):
        table.append(number)
        cells += len(pairs[number].chunks1) * len(pairs[number].chunks2)
        pieces += len(pairs[number].hidden)
        if cells >= _CELLS or pieces >= _PIECES:
            yield table
            table, cells, pieces = [], 0, 0
    if table:
        yield table


def _sides(pairs: Sequence[ReadPair]) -> tuple[Side, Side]:
    """Return both sentences of every pair; the joined hidden states are not kept."""
    hidden = np.concatenate([pair.hidden for pair in pairs])
    begins = begins_of([len(pair.hidden) for pair in pairs])[:-1]
    return (
        Side.of(hidden, begins, [p.spans1 for p in pairs], [p.chunks1 for p in pairs]),
        Side.of(hidden, begins, [p.spans2 for p in pairs], [p.chunks2 for p in pairs]),
    )


def _cosine_features(side1: Side, side2: Side, p1: Floats, p2: Floats) -> Floats:
    """(pairs, chunks 1, chunks 2, 9), padded: cosine features, in the order used in training."""
    by_token = _products(_unit_tokens(side1), _unit_tokens(side2))
    turned = _turned(by_token)
    to_chunk1, to_chunk2 = side1.best(by_token), _turned(side2.best(turned))
    best1, best2 = side1.mean(to_chunk2), _turned(side2.mean(_turned(to_chunk1)))
    anywhere1, anywhere2 = by_token.max(2, keepdims=True), turned.max(2, keepdims=True)
    mean1, mean2 = unit_grid(side1.means), unit_grid(side2.means)
    unit1, unit2 = unit_grid(p1), unit_grid(p2)
    return np.stack(
        [
            best1,
            best2,
            side1.best(to_chunk2),
            _turned(side2.mean(_turned(side1.mean(by_token)))),
            _turned(side2.last(_turned(side1.last(by_token)))),
            _products([mean1[own] for own in side1.chunks], [mean2[own] for own in side2.chunks]),
            _products([unit1[own] for own in side1.chunks], [unit2[own] for own in side2.chunks]),
            side1.mean(anywhere1) - best1,
            _turned(side2.mean(anywhere2)) - best2,
        ],
        -1,
    )


def _unit_tokens(side: Side) -> list[Wholes]:
    """Return the tokens of each pair for `cosines`; they take more memory than the rest."""
    tokens = unit_grid(side.tokens)
    return [own[:n] for own, n in zip(tokens, side.lengths, strict=True)]


def _products(rows1: Sequence[Wholes], rows2: Sequence[Wholes]) -> Floats:
    """(pairs, rows 1, rows 2), padded: the cosines of each pair's rows."""
    size = len(rows1), max(map(len, rows1)), max(map(len, rows2))
    table = np.full(size, _FAR)
    for own, a, b in zip(table, rows1, rows2, strict=True):
        own[: len(a), : len(b)] = cosines(a, b)
    return table


def _turned(table: Floats) -> Floats:
    return table.swapaxes(1, 2)


def _layer_norm(x: Floats, norm: _Norm) -> Floats:
    x -= x.mean(-1, keepdims=True)
    x /= np.sqrt(np.einsum("nd,nd->n", x, x) / np.float32(x.shape[1]) + _NORM_EPS)[:, None]
    x *= norm.gain
    x += norm.bias
    return x


def _gelu(x: Floats) -> Floats:
    if kernels is not None:
        x = np.ascontiguousarray(x)
        poly, power = np.empty_like(x), np.empty_like(x)
        kernels.begin_gelu(x, poly, power)
        kernels.end_gelu(x, np.exp(power, out=power), poly)
        return poly
    gelu = _erf(x * _ROOT_HALF)
    gelu += 1
    gelu *= x
    gelu *= _HALF
    return gelu


def _erf(x: Floats) -> Floats:
    """Approximate erf by Abramowitz and Stegun 7.1.26: error below 1.5e-7, about float32's."""
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
