"""Bootstrap intervals and paired randomisation tests of the F1 measures.

Both use the per-pair counts only; no pair is scored again. The results are determined by the seed
and the order of the gold's pairs.
"""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.measures import Measures, PairCounts
from scorer.report import Report
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS

_TAIL = 2.5
_CELLS_AT_ONCE = 4_000_000
_COLUMNS = 10

Array = NDArray[np.float64]


class Interval(NamedTuple):
    """A 95 % bootstrap interval."""

    low: float
    high: float


class Comparison(NamedTuple):
    """Differences in F1 of the second system minus the first, and their p-values."""

    first: str
    second: str
    difference: Measures
    p: Measures


def bootstrap(report: Report, samples: int, seed: int = DEFAULT_SEED) -> list[Interval]:
    """Return intervals of the four F1 over samples of pairs, drawn with replacement."""
    return bootstrap_counts(_matrix(report, [pair.id for pair in report.pairs]), samples, seed)


def bootstrap_counts(counts: Array, samples: int, seed: int = DEFAULT_SEED) -> list[Interval]:
    """Compute `bootstrap` from counts, one row per pair (see `row_of`)."""
    pairs = len(counts)
    generator = np.random.default_rng(seed)
    shares = np.full(pairs, 1 / pairs)
    drawn = [
        _f1(generator.multinomial(pairs, shares, size=size) @ counts)
        for size in _batches(samples, pairs)
    ]
    low, high = np.percentile(np.concatenate(drawn), [_TAIL, 100 - _TAIL], axis=0)
    return [Interval(float(a), float(b)) for a, b in zip(low, high, strict=True)]


def compare(
    first: Report, second: Report, trials: int = DEFAULT_TRIALS, seed: int = DEFAULT_SEED
) -> Comparison:
    """Test the difference of two systems by paired approximate randomisation.

    In each trial the systems' outputs of random pairs are swapped.

    The p-value is the share of trials whose absolute difference is at least as large as the
    observed one, with 1 added to numerator and denominator, so that it is never 0.
    """
    ids = list(dict.fromkeys(pair.id for report in (first, second) for pair in report.pairs))
    counts = _matrix(first, ids), _matrix(second, ids)
    return compare_counts((first.system, second.system), counts, trials, seed)


def compare_counts(
    systems: tuple[str, str],
    counts: tuple[Array, Array],
    trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
) -> Comparison:
    """Compute `compare` from counts; row i of both arrays belongs to the same pair."""
    counts1, counts2 = counts
    sum1, sum2, gap = counts1.sum(0), counts2.sum(0), counts1 - counts2
    difference = _f1(sum2) - _f1(sum1)
    generator = np.random.default_rng(seed)
    as_large = np.zeros(len(difference))
    for size in _batches(trials, len(gap)):
        moved = generator.integers(0, 2, size=(size, len(gap)), dtype=np.int8) @ gap
        shuffled = _f1(sum2 + moved) - _f1(sum1 - moved)
        as_large += (np.abs(shuffled) >= np.abs(difference) - 1e-12).sum(0)
    p = (as_large + 1) / (trials + 1)
    return Comparison(*systems, Measures(*difference.tolist()), Measures(*p.tolist()))


def pairs_ahead(counts1: Array, counts2: Array) -> tuple[int, int]:
    """Return the number of pairs in which the first, and the second, has the higher Typ+Sco."""
    one, two = _f1(counts1)[:, 3], _f1(counts2)[:, 3]
    return int((one > two).sum()), int((two > one).sum())


class Rows:
    """Compact store of the counts of many pairs, added in any order, each with its own index."""

    def __init__(self) -> None:
        self._places = array("q")
        self._rows = array("d")

    def add(self, place: int, pair: PairCounts) -> None:
        """Add a pair."""
        self._places.append(place)
        self._rows.extend(row_of(pair))

    def counts(self) -> Array:
        """Return one row per pair, in order of index."""
        return self.at(self.places())

    def places(self) -> NDArray[np.int64]:
        """Return the sorted indices of the pairs added."""
        return np.sort(np.array(self._places, dtype=np.int64))

    def at(self, places: NDArray[np.int64]) -> Array:
        """Return the rows at the given indices, zeros where no pair was added."""
        own = np.array(self._places, dtype=np.int64)
        rows = np.array(self._rows, dtype=np.float64).reshape(-1, _COLUMNS)
        order = np.argsort(own, kind="stable")
        found = np.searchsorted(own[order], places)
        present = found < len(own)
        present[present] = own[order][found[present]] == places[present]
        selected = np.zeros((len(places), _COLUMNS))
        selected[present] = rows[order[found[present]]]
        return selected


def row_of(pair: PairCounts) -> tuple[float, ...]:
    """Return the counts that the four F1 are computed from."""
    return (*pair.precision_hits, *pair.recall_hits, pair.system, pair.gold)


def _matrix(report: Report, ids: list[str]) -> Array:
    rows = {pair.id: row_of(pair) for pair in report.pairs}
    nothing = (0.0,) * _COLUMNS
    return np.array([rows.get(pair_id, nothing) for pair_id in ids], dtype=np.float64)


def _f1(sums: Array) -> Array:
    """Return the four F1 for each row of summed counts."""
    precision = _ratio(sums[..., 0:4], sums[..., 8:9])
    recall = _ratio(sums[..., 4:8], sums[..., 9:10])
    return _ratio(2 * precision * recall, precision + recall)


def _ratio(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _batches(total: int, width: int) -> Iterator[int]:
    largest = max(1, _CELLS_AT_ONCE // max(1, width))
    while total > 0:
        yield min(total, largest)
        total -= largest
