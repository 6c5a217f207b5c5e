"""Scores of a table of sentence pairs: logits and probabilities.

Scores are computed for a whole table of pairs at once (see `ists.aligner.tables`).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ists.aligner.tables import Grid
from ists.arrays import Floats, softmax
from ists.scored_pair import PairScores

_HALF = np.float32(0.5)


class TableScores(NamedTuple):
    """Logits or probabilities of all chunk pairs of a table of sentence pairs."""

    grid: Grid
    link: Floats  # (cells,)
    relation: Floats  # (cells, 6)
    score: Floats  # (cells, 5)
    alic1: Floats  # (chunks 1,)
    alic2: Floats  # (chunks 2,)
    sentence: Floats  # (pairs,)

    def by_pair(self) -> Iterator[PairScores]:
        """Yield the scores of each pair."""
        rows, columns = self.grid.rows_by_pair, self.grid.columns_by_pair
        for number, (own1, own2) in enumerate(zip(rows, columns, strict=True)):
            yield PairScores(
                self.grid.of_pair(number, self.link),
                self.grid.of_pair(number, self.relation),
                self.grid.of_pair(number, self.score),
                self.alic1[own1],
                self.alic2[own2],
                float(self.sentence[number]),
            )

    def as_probabilities(self) -> "TableScores":
        """Convert logits to probabilities; the sentence cosines are unchanged."""
        return self._replace(
            link=_link_probability(self.link, self.grid),
            relation=softmax(self.relation),
            score=softmax(self.score),
            alic1=_sigmoid(self.alic1),
            alic2=_sigmoid(self.alic2),
        )


def _link_probability(link: Floats, grid: Grid) -> Floats:
    """Return the mean of two softmaxes, over a cell's row and its column, each with a 0 logit."""
    return (_choice(link, grid, 1) + _choice(link, grid, 0)) * _HALF


def _choice(link: Floats, grid: Grid, axis: int) -> Floats:
    """Softmax with an additional 0 logit, over each row (axis 1) or each column (axis 0)."""
    lines, line = (grid.rows, grid.row) if axis else (grid.columns, grid.column)
    top = np.maximum(lines.best(link), 0)
    powers = np.exp(link - top[line])
    sums = [grid.of_pair(number, powers).sum(axis) for number in range(len(grid.sizes))]
    chosen: Floats = powers / (np.concatenate(sums) + np.exp(-top))[line]
    return chosen


def _sigmoid(x: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(x, -30, 30)))).astype(np.float32)
