"""Correlations between system and gold scores, and significance tests of their differences.

Which test to use (appendix B of STSS-131): one system on two data sets, Fisher's r-to-z; two
systems on one data set, Steiger's Z, since both correlate with the same gold scores; one
correlation against those of many raters, the one-sample t-test; two sets of correlations, the
two-sample t-test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, erfc, inf, isfinite, sqrt
from statistics import mean, variance
from typing import TYPE_CHECKING

from ists.errors import UndefinedError
from scorer.student import tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

FEWEST_PAIRS = 4
"""Fisher's z has the standard error 1 / √(n − 3)."""
_FEWEST_IN_SAMPLE = 2


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient over n pairs and its two-sided p-value."""

    r: float
    p: float
    n: int

    def to_dict(self) -> dict[str, float]:
        return {"r": self.r, "p": self.p}


@dataclass(frozen=True)
class Significance:
    """Result of a significance test: the statistic and its one-sided p-values."""

    statistic: float
    p_less: float
    """Probability of a statistic this low or lower if there is no difference."""
    p_greater: float
    df: float | None = None
    """Degrees of freedom of a t-test; None for a z-test."""

    @property
    def p(self) -> float:
        """The two-sided p-value."""
        return min(1.0, 2 * min(self.p_less, self.p_greater))

    def to_dict(self) -> dict[str, float]:
        name = "z" if self.df is None else "t"
        freedom = {} if self.df is None else {"df": self.df}
        one_sided = {"p_less": self.p_less, "p_greater": self.p_greater}
        return {name: self.statistic, **freedom, "p": self.p, **one_sided}


def pearson(gold: Sequence[float], system: Sequence[float]) -> Correlation:
    """Compute Pearson's product-moment correlation."""
    _require_correlatable(gold, system)
    return _correlation(gold, system)


def spearman(gold: Sequence[float], system: Sequence[float]) -> Correlation:
    """Compute Spearman's rank correlation; tied scores get their mean rank."""
    _require_correlatable(gold, system)
    return _correlation(mean_ranks(gold), mean_ranks(system))


def mean_ranks(scores: "ArrayLike") -> "NDArray[np.float64]":
    """Return the rank of each score; tied scores get the mean of their ranks."""
    import numpy as np

    _, group, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    return ranks


def fisher_z(r1: float, n1: int, r2: float, n2: int) -> Significance:
    """Test the difference of two correlations from independent samples."""
    _require_pairs(min(n1, n2))
    if r1 == r2:
        return _z_test(0.0)
    error = sqrt(1 / (n1 - 3) + 1 / (n2 - 3))
    return _z_test((_fisher(r1) - _fisher(r2)) / error)


def steiger_z(r1: float, r2: float, r12: float, n: int) -> Significance:
    """Test the difference of two correlations with the same gold over the same n pairs.

    ``r12`` is the correlation between the two systems. Steiger's (1980) equation 14: the covariance
    of the two is estimated at their mean. (The values the STSS-131 appendix gives under this name
    are within .01 of it: its calculator seems to use the approximation of Meng, Rosenthal and
    Rubin.)
    """
    _require_pairs(n)
    z1, z2 = _fisher(r1), _fisher(r2)
    if not is_triangle(r1, r2, r12):
        raise UndefinedError(
            f"correlations of {r1:.3f}, {r2:.3f} and {r12:.3f} cannot belong to one data set"
        )
    if r1 == r2:
        return _z_test(0.0)
    middle = (r1 + r2) / 2
    rest = 1 - middle**2
    covariance = r12 * (1 - 2 * middle**2) - middle**2 * (1 - 2 * middle**2 - r12**2) / 2
    return _z_test((z1 - z2) * sqrt((n - 3) / (2 - 2 * covariance / rest**2)))


def steiger_bounds(r1: float, r2: float, n: int) -> tuple[Significance, Significance]:
    """Return Steiger's test with the smallest and the largest |z| over all possible ``r12``."""
    low, high = third_side(r1, r2)
    middle = (r1 + r2) / 2
    sides = [low, high]
    if middle and low < (turn := (2 * middle**2 - 1) / middle**2) < high:
        sides.append(turn)  # the covariance is smallest here
    outcomes = [steiger_z(r1, r2, side, n) for side in sides]
    return (
        min(outcomes, key=lambda outcome: abs(outcome.statistic)),
        max(outcomes, key=lambda outcome: abs(outcome.statistic)),
    )


def is_triangle(r1: float, r2: float, r12: float) -> bool:
    """Return whether three variables can have these pairwise correlations."""
    low, high = third_side(r1, r2)
    return low - 1e-9 <= r12 <= high + 1e-9


def third_side(r1: float, r2: float) -> tuple[float, float]:
    """Return the smallest and largest correlation two systems can have with each other."""
    spread = sqrt((1 - r1**2) * (1 - r2**2))
    return r1 * r2 - spread, r1 * r2 + spread


def one_sample_t(r: float, others: Sequence[float]) -> Significance:
    """Test one correlation against a set of them, such as those of human raters."""
    _require_spread(others)
    return _t_test((r - mean(others)) / sqrt(variance(others) / len(others)), len(others) - 1)


def two_sample_t(first: Sequence[float], second: Sequence[float]) -> Significance:
    """Compare two sets of correlations with Welch's t-test (variances may be unequal)."""
    _require_spread(first, alone=False)
    _require_spread(second, alone=False)
    if len({*first}) == len({*second}) == 1:
        raise UndefinedError("the correlations within each set are all the same: t is undefined")
    error1, error2 = variance(first) / len(first), variance(second) / len(second)
    whole = error1 + error2
    df = whole**2 / (error1**2 / (len(first) - 1) + error2**2 / (len(second) - 1))
    return _t_test((mean(first) - mean(second)) / sqrt(whole), df)


def _require_correlatable(gold: Sequence[float], system: Sequence[float]) -> None:
    if len(gold) != len(system):
        raise UndefinedError(f"{len(gold)} scores cannot be correlated with {len(system)}")
    _require_pairs(len(gold))
    for name, scores in (("gold", gold), ("system", system)):
        if min(scores) == max(scores):
            raise UndefinedError(
                f"all {name} scores are {scores[0]:g}: the correlation is undefined"
            )


def _correlation(gold: "ArrayLike", system: "ArrayLike") -> Correlation:
    import numpy as np

    with np.errstate(all="ignore"):  # very large scores overflow
        values = [np.asarray(scores, np.float64) for scores in (gold, system)]
        deviations = [own - own.mean() for own in values]
        one, two = (own / np.linalg.norm(own) for own in deviations)
        r = float(np.clip(one @ two, -1, 1))
    if not isfinite(r):
        raise UndefinedError("the scores are too large or too close: the correlation is undefined")
    df = len(one) - 2
    t = inf if abs(r) == 1 else abs(r) * sqrt(df / ((1 - r) * (1 + r)))
    return Correlation(r, 2 * tail(t, df), len(one))


def _require_pairs(n: int) -> None:
    if n < FEWEST_PAIRS:
        raise UndefinedError(f"{n} pairs, expected at least {FEWEST_PAIRS} for a test")


def _require_spread(figures: Sequence[float], alone: bool = True) -> None:
    if len(figures) < _FEWEST_IN_SAMPLE:
        raise UndefinedError(
            f"{len(figures)} correlations, expected at least {_FEWEST_IN_SAMPLE} for a t-test"
        )
    if alone and min(figures) == max(figures):
        raise UndefinedError(f"all correlations are {figures[0]:g}: t is undefined")


def _fisher(r: float) -> float:
    if not -1 <= r <= 1:
        raise UndefinedError(f"{r:g} is not a correlation, expected a number from -1 to 1")
    if abs(r) == 1:
        raise UndefinedError(f"a correlation of {r:g} has no Fisher z: the test is undefined")
    return atanh(r)


def _z_test(z: float) -> Significance:
    return Significance(z, erfc(-z / sqrt(2)) / 2, erfc(z / sqrt(2)) / 2)


def _t_test(t: float, df: float) -> Significance:
    return Significance(t, tail(-t, df), tail(t, df), df)
