"""What the scorer tells: the four measures, and views of the same counts from other sides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ists import __version__
from ists.formats.problems import Problem
from ists.pairs import Relation
from scorer.measures import NONE, Match, Measures, PairCounts, f1, ratios

NAMES = ("F1 Ali", "F1 Type", "F1 Score", "F1 Typ+Sco")


@dataclass(frozen=True)
class Report:
    """A system file judged by a gold file."""

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
    def precision(self) -> Measures:
        """Of the system's links, the share that is right."""
        return ratios(_sum(pair.precision_hits for pair in self.pairs), self.system_weight)

    @cached_property
    def recall(self) -> Measures:
        """Of the gold's links, the share that was found."""
        return ratios(_sum(pair.recall_hits for pair in self.pairs), self.gold_weight)

    @cached_property
    def f1(self) -> Measures:
        """The task's four measures."""
        return f1(self.precision, self.recall)

    @property
    def system_weight(self) -> float:
        """The weight of all of the system's links."""
        return sum(pair.system for pair in self.pairs)

    @property
    def gold_weight(self) -> float:
        """The weight of all of the gold's links."""
        return sum(pair.gold for pair in self.pairs)

    @cached_property
    def cells(self) -> dict[tuple[str, str], tuple[float, float]]:
        """Gold label × system label, over all pairs: the weight in the gold and in the system.

        ``none`` is a link the other file does not have. Tokens left alone count 1 each.
        """
        total: dict[tuple[str, str], tuple[float, float]] = {}
        for pair in self.pairs:
            for key, (in_gold, in_system) in pair.cells.items():
                old = total.get(key, (0.0, 0.0))
                total[key] = (old[0] + in_gold, old[1] + in_system)
        return total

    @property
    def labels(self) -> list[str]:
        """The labels that occur, the guidelines' order first, ``none`` last."""
        present = {label for key in self.cells for label in key} - {NONE}
        known = [relation.value for relation in Relation if relation.value in present]
        return [*known, *sorted(present - set(known)), NONE]

    def by_label(self) -> dict[str, dict[str, float]]:
        """Precision, recall and F1 of each label on its own, and its weight in the gold."""
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
        """For each gold label, the weight of each system label (weighted as in the gold).

        The row ``none`` holds the system's links that the gold does not have.
        """
        return {
            row: {
                col: self.cells.get((row, col), (0.0, 0.0))[1 if row == NONE else 0]
                for col in self.labels
            }
            for row in self.labels
        }

    def signature(self, **options: object) -> str:
        """One line that tells a reader of the figures how they came about."""
        parts: Mapping[str, object] = {
            "data": f"{self.gold.rpartition('/')[2]}#{self.digest[:8]}",
            "pairs": len(self.pairs) - len(self.unknown),
            "match": self.match,
            **options,
            "version": __version__,
        }
        return "|".join(["ists", *(f"{key}:{value}" for key, value in parts.items())])

    def to_dict(self) -> dict[str, Any]:
        """The report's figures, unrounded."""
        return {
            "file": self.system,
            "f1": self.f1._asdict(),
            "precision": self.precision._asdict(),
            "recall": self.recall._asdict(),
            "pairs": len(self.pairs) - len(self.unknown),
        }


def _sum(hits: Iterable[Measures]) -> Measures:
    return Measures(*(sum(column) for column in zip(*hits, strict=True)))
