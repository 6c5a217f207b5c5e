"""The scorer's report: the four measures, per-label figures and the confusion matrix."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ists import __version__
from ists.formats.problems import Problem
from ists.pairs import Relation
from scorer.measures import NONE, Cells, Match, Measures, PairCounts, f1, ratios

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
    cells: Cells
    """Gold label × system label: the weight in the gold and in the system.

    ``none`` means that the other file lacks the link. An unaligned token has the weight 1.
    """

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

    @property
    def labels(self) -> list[str]:
        """The labels that occur: relations in the guidelines' order, unknown labels, ``none``."""
        present = {label for key in self.cells for label in key} - {NONE}
        known = [relation.value for relation in Relation if relation.value in present]
        return [*known, *sorted(present - set(known)), NONE]

    def by_label(self) -> dict[str, dict[str, float]]:
        """Return precision, recall and F1 of each label, and its weight in gold and system."""
        table = {}
        for label in self.labels[:-1]:
            hit_gold, hit_system = self.cells.get((label, label), (0.0, 0.0))
            in_gold = sum(gold for (row, _), (gold, _) in self.cells.items() if row == label)
            in_system = sum(system for (_, col), (_, system) in self.cells.items() if col == label)
            precision = hit_system / in_system if in_system else 0.0
            recall = hit_gold / in_gold if in_gold else 0.0
            both = precision + recall
            table[label] = {
                "precision": precision,
                "recall": recall,
                "f1": 2 * precision * recall / both if both else 0.0,
                "gold": in_gold,
                "system": in_system,
            }
        return table

    def confusion(self) -> dict[str, dict[str, float]]:
        """Return the weight of each system label for each gold label, weighted as in the gold.

        The row ``none`` has the system's links that the gold lacks, weighted as in the system.
        """
        return {
            row: {
                col: self.cells.get((row, col), (0.0, 0.0))[1 if row == NONE else 0]
                for col in self.labels
            }
            for row in self.labels
        }


class Tally:
    """Accumulates the sums of pairs; the pairs added are not kept."""

    def __init__(self) -> None:
        self._pairs = 0
        self._system = self._gold = 0.0
        self._precision = [0.0] * 4
        self._recall = [0.0] * 4
        self._cells: Cells = {}

    def add(self, pair: PairCounts) -> None:
        """Add the counts of one pair."""
        self._pairs += 1
        self._system += pair.system
        self._gold += pair.gold
        for place, hits in enumerate(pair.precision_hits):
            self._precision[place] += hits
        for place, hits in enumerate(pair.recall_hits):
            self._recall[place] += hits
        for key, (in_gold, in_system) in pair.cells.items():
            old = self._cells.get(key, (0.0, 0.0))
            self._cells[key] = (old[0] + in_gold, old[1] + in_system)

    def totals(self) -> Totals:
        """Return the sums of all pairs added."""
        return Totals(
            self._pairs,
            self._system,
            self._gold,
            Measures(*self._precision),
            Measures(*self._recall),
            dict(self._cells),
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

    @property
    def cells(self) -> Cells:
        """Gold label × system label, over all pairs (see `Totals`)."""
        return self.totals.cells

    @property
    def labels(self) -> list[str]:
        """The labels that occur (see `Totals`)."""
        return self.totals.labels

    def by_label(self) -> dict[str, dict[str, float]]:
        """Return the figures of each label (see `Totals`)."""
        return self.totals.by_label()

    def confusion(self) -> dict[str, dict[str, float]]:
        """Return the confusion matrix (see `Totals`)."""
        return self.totals.confusion()

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
