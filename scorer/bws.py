"""Best–worst scaling: people name the best and the worst of a few items; all items get scores.

As STR-2021 was annotated (Louviere and Woodworth's method): items are drawn into tuples, an item's
score is the share of its tuples in which it was the best minus the share in which it was the worst,
and how far the scores can be trusted is told by splitting the annotations in two halves, again and
again, and correlating the scores of the halves.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING, TypeVar

from ists.errors import UndefinedError

if TYPE_CHECKING:  # drawing and scoring do without it
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_SIZE = 4
DEFAULT_PER_ITEM = 8
DEFAULT_SPLITS = 1000
DEFAULT_SEED = 1
_FEWEST_IN_TUPLE = 2
_TRADES = 100_000
_CANDIDATES = 4
"""Designs of which the one is taken that lets the fewest pairs of items meet again."""

Item = TypeVar("Item", bound=Hashable)
Design = list[tuple[int, ...]]


@dataclass(frozen=True)
class Annotation:
    """One answer: the items that were shown, which of them is the best, which the worst."""

    items: tuple[str, ...]
    best: str
    worst: str


@dataclass(frozen=True)
class ItemScore:
    """What the answers say of one item."""

    best: int = 0
    worst: int = 0
    shown: int = 0

    @property
    def difference(self) -> float:
        """The share of best minus the share of worst, from -1 to 1."""
        return (self.best - self.worst) / self.shown

    @property
    def score(self) -> float:
        """The same from 0 to 1."""
        return (self.difference + 1) / 2


@dataclass(frozen=True)
class Reliability:
    """Spearman correlations of the two halves' scores, one a split."""

    correlations: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The split-half reliability."""
        return sum(self.correlations) / len(self.correlations)


def draw_tuples(
    items: Sequence[Item],
    size: int = DEFAULT_SIZE,
    per_item: int = DEFAULT_PER_ITEM,
    seed: int = DEFAULT_SEED,
) -> list[tuple[Item, ...]]:
    """Tuples in which each item stands ``per_item`` times, or once more where it cannot be even.

    No item stands twice in a tuple, and no two tuples hold the same items.
    """
    if len(set(items)) < len(items):
        raise UndefinedError("an item stands twice in the list")
    if not _FEWEST_IN_TUPLE <= size <= len(items):
        raise UndefinedError(f"tuples of {size} items cannot be drawn from {len(items)} items")
    count = -(-len(items) * per_item // size)
    possible = comb(len(items), size)
    if count > possible:
        raise UndefinedError(
            f"{len(items)} items make {possible} different tuples of {size}, "
            f"but {count} are needed for {per_item} an item"
        )
    random = Random(seed)
    if 2 * count > possible:
        # What a balanced choice leaves out is balanced as well, and far easier to draw.
        left_out = set(map(_key, _balanced(len(items), size, possible - count, random)))
        design = [one for one in combinations(range(len(items)), size) if one not in left_out]
        random.shuffle(design)
    else:
        design = _balanced(len(items), size, count, random)
    return [tuple(items[index] for index in one) for one in design]


def score_items(annotations: Iterable[Annotation]) -> dict[str, ItemScore]:
    """The score of every item that was shown, in the order of their first tuple."""
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
    """Split-half reliability: the answers to each tuple are dealt out to two halves at random.

    Each half scores the items by itself; items that only one half has seen are left out of that
    split. Of an odd number of answers, chance says which half gets one more.
    """
    import numpy as np

    answers = _Answers.of(annotations)
    generator = np.random.default_rng(seed)
    return Reliability(
        tuple(answers.split_half(answers.half(generator)) for _ in progress(range(splits)))
    )


@dataclass(frozen=True)
class _Answers:
    """Annotations as numbers: one row an answer, items and tuples by their place."""

    items: int
    group: "NDArray[np.int64]"
    """The tuple that was shown."""
    best: "NDArray[np.int64]"
    worst: "NDArray[np.int64]"
    shown: "NDArray[np.int64]"
    """The items shown, all answers in a row,"""
    shown_in: "NDArray[np.int64]"
    """and the answer that each of them belongs to."""

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
        """Which answers go to the first half: of each tuple, half of its answers."""
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
        """Spearman's correlation of the scores by the first half and by the rest."""
        import numpy as np
        from scipy.stats import rankdata

        (scores1, shown1), (scores2, shown2) = (self._scores(first), self._scores(~first))
        both = (shown1 > 0) & (shown2 > 0)
        if not both.any() or not np.ptp(scores1[both]) or not np.ptp(scores2[both]):
            raise UndefinedError("too few annotations: a half of them does not tell items apart")
        return float(np.corrcoef(rankdata(scores1[both]), rankdata(scores2[both]))[0, 1])

    def _scores(self, mine: "NDArray[np.bool_]") -> "tuple[NDArray[np.float64], NDArray[np.int64]]":
        import numpy as np

        shown, best, worst = (
            np.bincount(places, minlength=self.items)
            for places in (self.shown[mine[self.shown_in]], self.best[mine], self.worst[mine])
        )
        return (best - worst) / np.maximum(shown, 1), shown


def _balanced(items: int, size: int, count: int, random: Random) -> Design:
    return min((_dealt(items, size, count, random) for _ in range(_CANDIDATES)), key=_meetings)


def _dealt(items: int, size: int, count: int, random: Random) -> Design:
    """Deal out the shuffled items, round by round."""
    design: Design = []
    known: set[tuple[int, ...]] = set()
    deck: list[int] = []
    while len(design) < count:
        hand, deck = _deal(deck, items, size, random)
        if _key(hand) in known:
            hand = _exchanged(hand, design, known, random)
        known.add(_key(hand))
        design.append(hand)
    return design


def _exchanged(
    hand: tuple[int, ...], design: Design, known: set[tuple[int, ...]], random: Random
) -> tuple[int, ...]:
    """A tuple that is drawn already trades an item with another until both are new."""
    for _ in range(_TRADES):
        place = random.randrange(len(design))
        other = design[place]
        mine, theirs = random.choice(hand), random.choice(other)
        if mine in other or theirs in hand:
            continue
        one = tuple(theirs if item == mine else item for item in hand)
        two = tuple(mine if item == theirs else item for item in other)
        if _key(one) != _key(two) and not {_key(one), _key(two)} & known:
            known.remove(_key(other))
            known.add(_key(two))
            design[place] = two
            return one
    raise UndefinedError("no balanced tuples were found: ask for fewer an item")


def _deal(
    deck: list[int], items: int, size: int, random: Random
) -> tuple[tuple[int, ...], list[int]]:
    """One tuple and what is left of the round; too small a rest is filled up from the next."""
    if len(deck) >= size:
        return tuple(deck[-size:]), deck[:-size]
    fresh = [item for item in range(items) if item not in deck]
    random.shuffle(fresh)
    cut = size - len(deck)
    rest = [*fresh[cut:], *deck]
    random.shuffle(rest)
    return (*deck, *fresh[:cut]), rest


def _key(one: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(one))


def _meetings(design: Design) -> int:
    """How often pairs of items meet again after their first tuple."""
    together = Counter(pair for one in design for pair in combinations(_key(one), 2))
    return sum(count - 1 for count in together.values())
