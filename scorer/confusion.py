"""Label confusions: which labels the system gave where the gold has which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ists.pairs import Flag, Relation
from scorer.measures import Annotation, Labels, Link, PairCounts, Tokens, overlaps, weighted

NONE = "none"
"""Label in the confusion matrix for a link that the other file lacks."""

Cells = dict[tuple[str, str], tuple[float, float]]
"""For gold label × system label: the weight in the gold and in the system."""

_NOTHING = 1e-9


@dataclass(frozen=True)
class LabelCounts:
    """Gold label × system label, summed over pairs.

    ``none`` means that the other file lacks the link. An unaligned token has the weight 1.
    """

    cells: Cells

    @classmethod
    def of(cls, pairs: Iterable[PairCounts]) -> "LabelCounts":
        """Return the sums over pairs."""
        tally = LabelTally()
        for pair in pairs:
            tally.add(pair)
        return tally.counts()

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


class LabelTally:
    """Accumulates the label confusions of pairs; the pairs added are not kept."""

    def __init__(self) -> None:
        self._cells: Cells = {}

    def add(self, pair: PairCounts) -> None:
        """Add the confusions of one pair."""
        for labels, (in_gold, in_system) in label_cells(pair).items():
            _add(self._cells, labels, in_gold, in_system)

    def counts(self) -> LabelCounts:
        """Return the sums of all pairs added."""
        return LabelCounts(dict(self._cells))


def label_cells(pair: PairCounts) -> Cells:
    """Return the label confusions of one pair."""
    gold, system = pair.annotations
    skip1, skip2 = gold.punctuation1, gold.punctuation2
    gold_links, _ = weighted(gold.links, skip1, skip2)
    system_links, _ = weighted(system.links, skip1, skip2)
    cells: Cells = {}
    for theirs, ours, shared in overlaps(gold_links, system_links):
        labels = main_label(theirs.labels), main_label(ours.labels)
        _add(cells, labels, shared * theirs.weight, shared * ours.weight)
    if pair.gold - pair.recall_hits.ali > _NOTHING or (
        pair.system - pair.precision_hits.ali > _NOTHING
    ):
        _count_unmatched(cells, gold_links, system_links)
    if gold.lone or system.lone:
        _count_lone_tokens(gold, system, cells)
    return cells


@lru_cache(maxsize=1 << 12)
def main_label(labels: Labels) -> str:
    """Return the relation among a link's labels, or an unknown label or flag if it has none."""
    for relation in Relation:
        if relation.value in labels:
            return relation.value
    unknown = labels - set(Flag.__members__)
    return min(unknown) if unknown else "FACT" if "FACT" in labels else "POL"


def _count_unmatched(
    cells: Cells, gold_links: Sequence[Link], system_links: Sequence[Link]
) -> None:
    """Add the links that only one file has: the rest of each label's mass."""
    for label, mass in _by_label(gold_links).items():
        rest = mass - sum([cell[0] for (row, _), cell in cells.items() if row == label])
        if rest > _NOTHING:
            _add(cells, (label, NONE), rest, 0.0)
    for label, mass in _by_label(system_links).items():
        rest = mass - sum([cell[1] for (_, column), cell in cells.items() if column == label])
        if rest > _NOTHING:
            _add(cells, (NONE, label), 0.0, rest)


def _by_label(links: Iterable[Link]) -> dict[str, float]:
    masses: dict[str, float] = {}
    for link in links:
        label = main_label(link.labels)
        masses[label] = masses.get(label, 0.0) + link.mass
    return masses


def _count_lone_tokens(gold: Annotation, system: Annotation, cells: Cells) -> None:
    for side, skip in ((1, gold.punctuation1), (2, gold.punctuation2)):
        in_gold = _lone_labels(gold, side, skip)
        in_system = _lone_labels(system, side, skip)
        for token in in_gold.keys() | in_system.keys():
            theirs, ours = in_gold.get(token, NONE), in_system.get(token, NONE)
            _add(cells, (theirs, ours), float(theirs != NONE), float(ours != NONE))


def _lone_labels(annotation: Annotation, side: int, skip: Tokens) -> dict[int, str]:
    return {
        token: main_label(lone.labels)
        for lone in annotation.lone
        if lone.side == side
        for token in lone.tokens
        if token not in skip
    }


def _add(cells: Cells, labels: tuple[str, str], in_gold: float, in_system: float) -> None:
    old_gold, old_system = cells.get(labels, (0.0, 0.0))
    cells[labels] = (old_gold + in_gold, old_system + in_system)
