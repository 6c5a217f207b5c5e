"""The pair head in numpy: chunk × chunk scores from the encoder's hidden states.

Many pairs go through it together, their chunks and cells in long tables, because a call of numpy
costs more than the sums of one pair. Still no result depends on what else is in the table: nothing
is summed over more than one pair, and products are made in tiles of equal height (see `_Layer`).
The same sums as in training (`ists.train.pair_network`), without the dropout; a test holds them
together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from ists.aligner.surface import Chunks, Floats
from ists.aligner.tables import Grid, Side, Spans, token_vectors

_AT_ONCE = 24
"""Pairs in one table: the tables of more would not stay in the processor's cache."""
_TILE = 64
"""Rows in one product."""
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


@dataclass(frozen=True)
class PairScores:
    """Logits of all chunk pairs of a sentence pair."""

    link: Floats  # (n1, n2)
    relation: Floats  # (n1, n2, 6): EQUI OPPO SPE1 SPE2 SIMI REL
    score: Floats  # (n1, n2, 5): 1..5
    alone1: Floats  # (n1,): ALIC against NOALI
    alone2: Floats  # (n2,)
    sentence: float  # cosine of the sentences' mean token vectors


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
    """A cell's part in itself, in its later and in its earlier neighbour on the diagonal."""
    mix_row: _Layer
    mix_column: _Layer
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
            _Layer(np.concatenate([own, earlier, later]).T.copy(), np.tile(nothing, 3)),
            _Layer(row.T.copy(), weights["mix.bias"]),
            _Layer(column.T.copy(), nothing),
            linear("link", "relation", "score"),
            linear("alone"),
        )

    def score(self, pairs: Sequence[ReadPair]) -> Iterator[PairScores]:
        """Score every chunk of sentence 1 with every chunk of sentence 2, pair by pair."""
        for begin in range(0, len(pairs), _AT_ONCE):
            yield from self._score(pairs[begin : begin + _AT_ONCE])

    def _score(self, pairs: Sequence[ReadPair]) -> Iterator[PairScores]:
        tokens = [token_vectors(pair.hidden, pair.spans1, pair.spans2) for pair in pairs]
        side1 = Side.of([one for one, _ in tokens], [pair.chunks1 for pair in pairs])
        side2 = Side.of([two for _, two in tokens], [pair.chunks2 for pair in pairs])
        grid = Grid.of(side1, side2)
        chunks1, chunks2 = self.left(side1.vectors), self.right(side2.vectors)
        p1, p2 = chunks1[:, : self.projected], chunks2[:, : self.projected]
        surface = [pair.surface.reshape(-1, pair.surface.shape[-1]) for pair in pairs]
        a, b = p1[grid.row], p2[grid.column]
        cosines = _cosine_features(side1, side2, p1, p2)
        observed = [np.abs(a - b), a * b, cosines, np.concatenate(surface)]
        x = self.compare(np.concatenate(observed, 1))
        x += chunks1[grid.row, self.projected :]
        x += chunks2[grid.column, self.projected :]
        cell = _gelu(_layer_norm(x, self.norm))
        cell += _gelu(self._mixed(cell, grid))
        logits = self.answers(cell)
        alone1 = self.alone(np.concatenate([grid.best_of_row(cell), p1], 1))[:, 0]
        alone2 = self.alone(np.concatenate([grid.best_of_column(cell), p2], 1))[:, 0]
        sentence = np.einsum("nd,nd->n", _unit(side1.sentences), _unit(side2.sentences))
        for number, own1, own2 in zip(range(len(pairs)), side1.chunks, side2.chunks, strict=True):
            own = grid.of_pair(number, logits)
            yield PairScores(
                own[..., 0],
                own[..., 1:7],
                own[..., 7:],
                alone1[own1],
                alone2[own2],
                float(sentence[number]),
            )

    def _mixed(self, cell: Floats, grid: Grid) -> Floats:
        """A cell with its row's and column's maxima and its neighbours on the diagonal.

        What is the same for a whole row or column is multiplied once, and neighbours are looked up
        after they are multiplied.
        """
        own, earlier, later = np.split(self.mix(cell), 3, axis=1)
        mixed = own + self.mix_row(grid.best_of_row(cell))[grid.row]
        mixed += self.mix_column(grid.best_of_column(cell))[grid.column]
        mixed[grid.second] += earlier[grid.first]
        mixed[grid.first] += later[grid.second]
        return mixed


def link_probability(link: Floats) -> Floats:
    """The mean of the row's and the column's choice among their cells and none (logit 0)."""
    return (_choice(link, 1) + _choice(link, 0)) * _HALF


def _choice(link: Floats, axis: int) -> Floats:
    top = np.maximum(link.max(axis, keepdims=True), 0)
    e = np.exp(link - top)
    chosen: Floats = e / (e.sum(axis, keepdims=True) + np.exp(-top))
    return chosen


def _cosine_features(side1: Side, side2: Side, p1: Floats, p2: Floats) -> Floats:
    """(cells, 9), in the order of training: views of the token × token cosines, and of the chunks'.

    Pair by pair: a product of all tokens with all would mostly be of tokens that never meet.
    """
    mean1, mean2 = _unit(side1.means), _unit(side2.means)
    p1, p2 = _unit(p1), _unit(p2)
    found = []
    for own1, own2, chunks1, chunks2, tokens1, tokens2 in zip(
        side1.chunks,
        side2.chunks,
        side1.groups,
        side2.groups,
        map(_unit, side1.tokens),
        map(_unit, side2.tokens),
        strict=True,
    ):
        cosines = tokens1 @ tokens2.T
        to_chunk1 = chunks1.best(cosines)  # (chunks 1, tokens 2)
        to_chunk2 = chunks2.best(cosines.T)  # (chunks 2, tokens 1)
        best1, best2 = chunks1.mean(to_chunk2.T), chunks2.mean(to_chunk1.T).T
        found.append(
            np.stack(
                [
                    best1,
                    best2,
                    chunks2.best(to_chunk1.T).T,
                    chunks2.mean(chunks1.mean(cosines).T).T,
                    cosines[np.ix_(chunks1.last, chunks2.last)],
                    mean1[own1] @ mean2[own2].T,
                    p1[own1] @ p2[own2].T,
                    chunks1.mean(cosines.max(1))[:, None] - best1,
                    chunks2.mean(cosines.max(0))[None] - best2,
                ],
                -1,
            ).reshape(-1, 9)
        )
    return np.concatenate(found)


def _unit(x: Floats) -> Floats:
    unit: Floats = x / np.maximum(np.sqrt(np.einsum("nd,nd->n", x, x)), _SMALL)[:, None]
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
