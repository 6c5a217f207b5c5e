"""How far figures can be trusted: bootstrap intervals and paired randomisation tests.

Both draw on the per-pair counts alone; no pair is judged again. Every number is determined by the
seed and the order of the gold's pairs.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.measures import Measures
from scorer.report import Report
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS

_TAIL = 2.5
_CELLS_AT_ONCE = 4_000_000

Array = NDArray[np.float64]


class Interval(NamedTuple):
    """A 95 % bootstrap interval."""

    low: float
    high: float


class Comparison(NamedTuple):
    """Two systems, how far the second is ahead of the first, and how likely that is by chance."""

    first: str
    second: str
    difference: Measures
    p: Measures


def bootstrap(report: Report, samples: int, seed: int = DEFAULT_SEED) -> list[Interval]:
    """Intervals of the four F1 over samples of the pairs, drawn with replacement."""
    counts = _matrix(report, [pair.id for pair in report.pairs])
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
    """Paired approximate randomisation: swap the systems' answers pair by pair, at random.

    The p-value is the share of trials whose difference is at least as large as the true one, with
    the customary one added above and below, so that it is never 0.
    """
    ids = list(dict.fromkeys(pair.id for report in (first, second) for pair in report.pairs))
    counts1, counts2 = _matrix(first, ids), _matrix(second, ids)
    sum1, sum2, gap = counts1.sum(0), counts2.sum(0), counts1 - counts2
    difference = _f1(sum2) - _f1(sum1)
    generator = np.random.default_rng(seed)
    as_large = np.zeros(len(difference))
    for size in _batches(trials, len(ids)):
        moved = generator.integers(0, 2, size=(size, len(ids)), dtype=np.int8) @ gap
        shuffled = _f1(sum2 + moved) - _f1(sum1 - moved)
        as_large += (np.abs(shuffled) >= np.abs(difference) - 1e-12).sum(0)
    p = (as_large + 1) / (trials + 1)
    return Comparison(
        first.system, second.system, Measures(*difference.tolist()), Measures(*p.tolist())
    )


def _matrix(report: Report, ids: list[str]) -> Array:
    rows = {
        pair.id: (*pair.precision_hits, *pair.recall_hits, pair.system, pair.gold)
        for pair in report.pairs
    }
    nothing = (0.0,) * 10
    return np.array([rows.get(pair_id, nothing) for pair_id in ids], dtype=np.float64)


def _f1(sums: Array) -> Array:
    """The four F1 of rows of summed counts."""
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
