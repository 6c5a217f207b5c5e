"""The scorer's report: the four measures, per-label figures and the confusion matrix."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import Any

from ists import __version__
from ists.formats.problems import Problem
from scorer.confusion import LabelCounts
from scorer.measures import Match, Measures, PairCounts, f1, ratios

NAMES = ("F1 Ali", "F1 Type", "F1 Score", "F1 Typ+Sco")


@dataclass(frozen=True)
class Totals:
    """Sums of the counts of scored pairs, and the figures derived from them."""

    pairs: int
    system: float
    """The weight of all of the system's links."""
    gold: float
    """The weight of all of the gold's links."""
    precision_hits: Measures
    recall_hits: Measures

    @classmethod
    def of(cls, pairs: Iterable[PairCounts]) -> "Totals":
        """Return the sums over pairs."""
        tally = Tally()
        for pair in pairs:
            tally.add(pair)
        return tally.totals()

    @cached_property
    def precision(self) -> Measures:
        """Share of the system's links that are in the gold."""
        return ratios(self.precision_hits, self.system)

    @cached_property
    def recall(self) -> Measures:
        """Share of the gold's links that the system found."""
        return ratios(self.recall_hits, self.gold)

    @cached_property
    def f1(self) -> Measures:
        """The four F1 measures of the task."""
        return f1(self.precision, self.recall)


class Tally:
    """Accumulates the sums of pairs; the pairs added are not kept."""

    def __init__(self) -> None:
        self._pairs = 0
        self._system = self._gold = 0.0
        self._precision = [0.0] * 4
        self._recall = [0.0] * 4

    def add(self, pair: PairCounts) -> None:
        """Add the counts of one pair."""
        self._pairs += 1
        self._system += pair.system
        self._gold += pair.gold
        self._precision = [*map(add, self._precision, pair.precision_hits)]
        self._recall = [*map(add, self._recall, pair.recall_hits)]

    def totals(self) -> Totals:
        """Return the sums of all pairs added."""
        return Totals(
            self._pairs,
            self._system,
            self._gold,
            Measures(*self._precision),
            Measures(*self._recall),
        )


@dataclass(frozen=True)
class Judgement:
    """Scores of a system file against a gold file, without the counts of each pair."""

    gold: str
    system: str
    totals: Totals
    missing: tuple[str, ...] = ()
    """Ids the gold has and the system lacks."""
    unknown: tuple[str, ...] = ()
    """Ids the system has and the gold lacks."""
    other_tokens: tuple[Problem, ...] = ()
    """The system's pairs whose tokens are not those of the gold."""

    @property
    def f1(self) -> Measures:
        """The four F1 measures of the task."""
        return self.totals.f1


@dataclass(frozen=True)
class Report:
    """Scores of a system file against a gold file, with the counts of each pair."""

    gold: str
    digest: str
    system: str
    match: Match
    pairs: tuple[PairCounts, ...]
    missing: tuple[str, ...] = ()
    """Ids the gold has and the system lacks."""
    unknown: tuple[str, ...] = ()
    """Ids the system has and the gold lacks."""
    other_tokens: tuple[Problem, ...] = ()
    """The system's pairs whose tokens are not those of the gold."""
    problems: tuple[Problem, ...] = ()

    @cached_property
    def totals(self) -> Totals:
        """The sums over all pairs."""
        return Totals.of(self.pairs)

    @property
    def precision(self) -> Measures:
        """Share of the system's links that are in the gold."""
        return self.totals.precision

    @property
    def recall(self) -> Measures:
        """Share of the gold's links that the system found."""
        return self.totals.recall

    @property
    def f1(self) -> Measures:
        """The four F1 measures of the task."""
        return self.totals.f1

    @property
    def system_weight(self) -> float:
        """The weight of all of the system's links."""
        return self.totals.system

    @property
    def gold_weight(self) -> float:
        """The weight of all of the gold's links."""
        return self.totals.gold

    @cached_property
    def label_counts(self) -> LabelCounts:
        """The label confusions of all pairs; counted only if they are asked for."""
        return LabelCounts.of(self.pairs)

    def by_label(self) -> dict[str, dict[str, float]]:
        """Return the figures of each label (see `LabelCounts`)."""
        return self.label_counts.by_label()

    def confusion(self) -> dict[str, dict[str, float]]:
        """Return the confusion matrix (see `LabelCounts`)."""
        return self.label_counts.confusion()

    def signature(self, **options: object) -> str:
        """Return a line with the gold file's hash, the options and the version."""
        pairs = len(self.pairs) - len(self.unknown)
        return signature(self.gold, self.digest, pairs, self.match, **options)

    def _repr_html_(self) -> str:
        """Return the four measures and the figures of each label for a notebook."""
        from scorer import tables

        parts = tables.measures_by_figure(self), tables.by_label(self)
        return "\n".join(map(tables.as_html, parts))

    def to_dict(self) -> dict[str, Any]:
        """Return the report's figures, unrounded."""
        return {
            "file": self.system,
            "f1": self.f1._asdict(),
            "precision": self.precision._asdict(),
            "recall": self.recall._asdict(),
            "pairs": len(self.pairs) - len(self.unknown),
        }


def signature(gold: str, digest: str, pairs: int, match: Match, **options: object) -> str:
    """Return a line with the gold file's name and hash, the options and the version."""
    data = f"{gold.rpartition('/')[2]}#{digest[:8]}"
    return format_signature(data=data, pairs=pairs, match=match, **options)


def format_signature(**parts: object) -> str:
    """Return the parts and the program's version in one line: ``ists|name:value|…|version:…``."""
    named = {**parts, "version": __version__}
    return "|".join(["ists", *(f"{name}:{value}" for name, value in named.items())])
