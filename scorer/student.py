"""Student's t distribution: the p-values of correlations and t-tests."""

from math import exp, isinf, lgamma, log

_PRECISION = 1e-15
_MOST_TERMS = 10_000
_TINY = 1e-300


def tail(t: float, df: float) -> float:
    """Return the probability of a value above `t` with `df` degrees of freedom."""
    if isinf(t):
        return 0.0 if t > 0 else 1.0
    whole = df + t * t
    beyond = _incomplete_beta(df / 2, 0.5, df / whole, t * t / whole) / 2
    return beyond if t >= 0 else 1 - beyond


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularised incomplete beta function; `rest` is 1 - x, but more precise."""
    if not x or not rest:
        return 1.0 if x else 0.0
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly
        return 1 - _incomplete_beta(b, a, rest, x)
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest)
    return exp(front) / (a * _fraction(a, b, x))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    value, ratio, inverse = 1.0, 1.0, 0.0
    for term in range(1, _MOST_TERMS):
        half = term // 2
        if term % 2:
            factor = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            factor = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        inverse = 1 / ((1 + factor * inverse) or _TINY)
        ratio = (1 + factor / ratio) or _TINY
        value *= ratio * inverse
        if abs(ratio * inverse - 1) < _PRECISION:
            break
    return value
