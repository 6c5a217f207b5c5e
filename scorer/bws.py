"""Best–worst scaling: item scores from annotators' choices of the best and the worst item.

The method of Louviere and Woodworth, as used for STR-2021: items are drawn into tuples; an item's
score is the share of its tuples in which it was chosen as best minus the share in which it was
chosen as worst. Reliability is the mean correlation between the scores of two random halves of the
annotations.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING, TypeVar

from ists.errors import UndefinedError
from scorer.correlation import mean_ranks

if TYPE_CHECKING:  # drawing and scoring do not need numpy
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_SIZE = 4
DEFAULT_PER_ITEM = 8
DEFAULT_SPLITS = 1000
DEFAULT_SEED = 1
_FEWEST_IN_TUPLE = 2
_MAX_SWAPS = 100_000
_CANDIDATES = 4
"""Number of random designs; the one with the fewest repeated item pairs is chosen."""

Item = TypeVar("Item", bound=Hashable)
Design = list[tuple[int, ...]]


@dataclass(frozen=True)
class Annotation:
    """One answer: the items shown, the best of them and the worst."""

    items: tuple[str, ...]
    best: str
    worst: str


@dataclass(frozen=True)
class ItemScore:
    """Counts of one item: times chosen as best, times chosen as worst, times shown."""

    best: int = 0
    worst: int = 0
    shown: int = 0

    @property
    def difference(self) -> float:
        """The share of best minus the share of worst, from -1 to 1."""
        return (self.best - self.worst) / self.shown

    @property
    def score(self) -> float:
        """`difference` rescaled to the range 0 to 1."""
        return (self.difference + 1) / 2


@dataclass(frozen=True)
class Reliability:
    """Spearman correlations between the scores of the two halves, one per split."""

    correlations: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The split-half reliability: the mean over all splits."""
        return sum(self.correlations) / len(self.correlations)


def draw_tuples(
    items: Sequence[Item],
    size: int = DEFAULT_SIZE,
    per_item: int = DEFAULT_PER_ITEM,
    seed: int = DEFAULT_SEED,
) -> list[tuple[Item, ...]]:
    """Draw tuples in which each item occurs ``per_item`` times, or once more to fill the last.

    No item occurs twice in a tuple, and no two tuples have the same items.
    """
    if len(set(items)) < len(items):
        raise UndefinedError("an item occurs twice in the list")
    if not _FEWEST_IN_TUPLE <= size <= len(items):
        raise UndefinedError(f"tuples of {size} items cannot be drawn from {len(items)} items")
    count = -(-len(items) * per_item // size)
    possible = comb(len(items), size)
    if count > possible:
        raise UndefinedError(
            f"{len(items)} items make {possible} different tuples of {size}, "
            f"but {count} are needed for {per_item} per item"
        )
    random = Random(seed)
    if 2 * count > possible:
        # The complement of a balanced design is balanced too, and much faster to draw.
        left_out = set(map(_key, _draw_balanced(len(items), size, possible - count, random)))
        design = [one for one in combinations(range(len(items)), size) if one not in left_out]
        random.shuffle(design)
    else:
        design = _draw_balanced(len(items), size, count, random)
    return [tuple(items[index] for index in one) for one in design]


def score_items(annotations: Iterable[Annotation]) -> dict[str, ItemScore]:
    """Return the counts of every item that was shown, in order of first occurrence."""
    best: Counter[str] = Counter()
    worst: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for annotation in annotations:
        best[annotation.best] += 1
        worst[annotation.worst] += 1
        shown.update(annotation.items)
    return {item: ItemScore(best[item], worst[item], count) for item, count in shown.items()}


def reliability(
    annotations: Sequence[Annotation],
    splits: int = DEFAULT_SPLITS,
    seed: int = DEFAULT_SEED,
    progress: Callable[[Iterable[int]], Iterable[int]] = lambda numbers: numbers,
) -> Reliability:
    """Compute split-half reliability: each tuple's answers are split at random into two halves.

    The items are scored on each half separately; items that occur in only one half are left out of
    that split. If the number of answers is odd, the extra one goes to a random half.
    """
    import numpy as np

    answers = _Answers.of(annotations)
    generator = np.random.default_rng(seed)
    return Reliability(
        tuple(answers.split_half(answers.half(generator)) for _ in progress(range(splits)))
    )


@dataclass(frozen=True)
class _Answers:
    """Annotations as arrays: one row per answer, items and tuples as indices."""

    items: int
    group: "NDArray[np.int64]"
    """The index of the tuple that was shown."""
    best: "NDArray[np.int64]"
    worst: "NDArray[np.int64]"
    shown: "NDArray[np.int64]"
    """The items shown, concatenated over all answers."""
    shown_in: "NDArray[np.int64]"
    """For each element of `shown`, the index of its answer."""

    @classmethod
    def of(cls, annotations: Sequence[Annotation]) -> "_Answers":
        import numpy as np

        place = {item: number for number, item in enumerate(score_items(annotations))}
        groups: dict[frozenset[str], int] = {}
        return cls(
            len(place),
            np.array([groups.setdefault(frozenset(a.items), len(groups)) for a in annotations]),
            np.array([place[a.best] for a in annotations]),
            np.array([place[a.worst] for a in annotations]),
            np.array([place[item] for a in annotations for item in a.items]),
            np.array([number for number, a in enumerate(annotations) for _ in a.items]),
        )

    def half(self, generator: "np.random.Generator") -> "NDArray[np.bool_]":
        """Return a mask of the answers in the first half: half of each tuple's answers."""
        import numpy as np

        sizes = np.bincount(self.group)
        first_of = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        order = np.argsort(self.group + generator.random(len(self.group)))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order)) - first_of[self.group[order]]
        wanted = (sizes + generator.integers(0, 2, len(sizes))) // 2
        chosen: NDArray[np.bool_] = place < wanted[self.group]
        return chosen

    def split_half(self, first: "NDArray[np.bool_]") -> float:
        """Return Spearman's correlation between the item scores of the two halves."""
        import numpy as np

        (scores1, shown1), (scores2, shown2) = (self._scores(first), self._scores(~first))
        both = (shown1 > 0) & (shown2 > 0)
        if not both.any() or not np.ptp(scores1[both]) or not np.ptp(scores2[both]):
            raise UndefinedError("too few annotations: one half does not distinguish the items")
        return float(np.corrcoef(mean_ranks(scores1[both]), mean_ranks(scores2[both]))[0, 1])

    def _scores(self, half: "NDArray[np.bool_]") -> "tuple[NDArray[np.float64], NDArray[np.int64]]":
        import numpy as np

        shown, best, worst = (
            np.bincount(places, minlength=self.items)
            for places in (self.shown[half[self.shown_in]], self.best[half], self.worst[half])
        )
        return (best - worst) / np.maximum(shown, 1), shown


def _draw_balanced(items: int, size: int, count: int, random: Random) -> Design:
    return min(
        (_draw_design(items, size, count, random) for _ in range(_CANDIDATES)),
        key=_count_repeated_pairs,
    )


def _draw_design(items: int, size: int, count: int, random: Random) -> Design:
    """Draw tuples without replacement from the shuffled items, round by round."""
    design: Design = []
    known: set[tuple[int, ...]] = set()
    remaining: list[int] = []
    while len(design) < count:
        drawn, remaining = _draw_tuple(remaining, items, size, random)
        if _key(drawn) in known:
            drawn = _replace_duplicate(drawn, design, known, random)
        known.add(_key(drawn))
        design.append(drawn)
    return design


def _replace_duplicate(
    drawn: tuple[int, ...], design: Design, known: set[tuple[int, ...]], random: Random
) -> tuple[int, ...]:
    """Swap an item of a duplicate tuple with one of another tuple, so that both are new."""
    for _ in range(_MAX_SWAPS):
        place = random.randrange(len(design))
        other = design[place]
        mine, theirs = random.choice(drawn), random.choice(other)
        if mine in other or theirs in drawn:
            continue
        one = tuple(theirs if item == mine else item for item in drawn)
        two = tuple(mine if item == theirs else item for item in other)
        if _key(one) != _key(two) and not {_key(one), _key(two)} & known:
            known.remove(_key(other))
            known.add(_key(two))
            design[place] = two
            return one
    raise UndefinedError("no balanced tuples were found: use fewer tuples per item")


def _draw_tuple(
    remaining: list[int], items: int, size: int, random: Random
) -> tuple[tuple[int, ...], list[int]]:
    """Draw one tuple; return it and the items left, starting the next round if too few are left."""
    if len(remaining) >= size:
        return tuple(remaining[-size:]), remaining[:-size]
    fresh = [item for item in range(items) if item not in remaining]
    random.shuffle(fresh)
    cut = size - len(remaining)
    rest = [*fresh[cut:], *remaining]
    random.shuffle(rest)
    return (*remaining, *fresh[:cut]), rest


def _key(one: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(one))


def _count_repeated_pairs(design: Design) -> int:
    """Count the repeated item pairs: occurrences of a pair after its first tuple."""
    together = Counter(pair for one in design for pair in combinations(_key(one), 2))
    return sum(count - 1 for count in together.values())
