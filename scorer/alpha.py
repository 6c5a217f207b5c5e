"""Krippendorff's α: agreement of any number of annotators, of whom some may lack a value."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import permutations
from typing import NamedTuple


class Alpha(NamedTuple):
    """Krippendorff's α with the disagreements that it is computed from."""

    units: int
    """Units with values of at least two annotators."""
    values: int
    observed: float
    expected: float

    @property
    def value(self) -> float | None:
        """Return α; None without units, or if all values are equal."""
        return 1 - self.observed / self.expected if self.expected else None

    def to_dict(self) -> dict[str, float | None]:
        """Return α, its parts and its counts as plain values."""
        return {"alpha": self.value, **self._asdict()}


class NominalAlpha:
    """α of labels, of which two are equal or different; units are added one at a time."""

    def __init__(self) -> None:
        self._units = 0
        self._disagreement = 0.0
        self._counts: Counter[Hashable] = Counter()

    def add(self, values: Sequence[Hashable]) -> None:
        """Add the annotators' values of one unit; a single value cannot be compared."""
        if len(values) < 2:
            return
        self._units += 1
        self._counts.update(values)
        different = sum(one != two for one, two in permutations(values, 2))
        self._disagreement += different / (len(values) - 1)

    def result(self) -> Alpha:
        """Return α of the units so far."""
        n = self._counts.total()
        if n < 2:
            return Alpha(0, 0, 0.0, 0.0)
        same = sum(count * count for count in self._counts.values())
        return Alpha(self._units, n, self._disagreement / n, (n * n - same) / (n * (n - 1)))


class IntervalAlpha:
    """α of numbers, whose difference is squared; units are added one at a time."""

    def __init__(self) -> None:
        self._units = self._values = 0
        self._disagreement = self._sum = self._squares = 0.0

    def add(self, values: Sequence[float]) -> None:
        """Add the annotators' values of one unit; a single value cannot be compared."""
        if len(values) < 2:
            return
        self._units += 1
        self._values += len(values)
        self._sum += sum(values)
        self._squares += sum(value * value for value in values)
        different = sum((one - two) ** 2 for one, two in permutations(values, 2))
        self._disagreement += different / (len(values) - 1)

    def result(self) -> Alpha:
        """Return α of the units so far."""
        n = self._values
        if n < 2:
            return Alpha(0, 0, 0.0, 0.0)
        expected = 2 * (n * self._squares - self._sum**2) / (n * (n - 1))
        return Alpha(self._units, n, self._disagreement / n, max(expected, 0.0))


def nominal_alpha(units: Iterable[Sequence[Hashable]]) -> Alpha:
    """Return α of labels; a unit has the values of those annotators who have one."""
    counts = NominalAlpha()
    for values in units:
        counts.add(values)
    return counts.result()


def interval_alpha(units: Iterable[Sequence[float]]) -> Alpha:
    """Return α of numbers; a unit has the values of those annotators who have one."""
    counts = IntervalAlpha()
    for values in units:
        counts.add(values)
    return counts.result()
