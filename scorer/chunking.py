"""How well one segmentation into chunks agrees with another.

A chunk counts as found only if both its ends are right. Boundaries are judged as well, because they
tell a chunker that is off by a word from one that is lost; and what goes wrong most is counted by
the word at which a boundary is missing or too many.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, zip_longest
from typing import Any, Literal, NamedTuple

from ists.errors import FormatError
from ists.formats.brackets import Chunks, render

_EXAMPLES_KEPT = 3

TypedSpan = tuple[int, int, str]
"""Begin, end and type."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of one kind of thing: found by both, in the gold, in the system."""

    both: int = 0
    gold: int = 0
    system: int = 0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(self.both + other.both, self.gold + other.gold, self.system + other.system)

    @property
    def precision(self) -> float:
        """Of the system's, the share that is right."""
        return self.both / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """Of the gold's, the share that was found."""
        return self.both / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.gold + self.system
        return 2 * self.both / total if total else 0.0

    def to_dict(self) -> dict[str, float]:
        """The three figures and the counts behind them."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "both": self.both,
            "gold": self.gold,
            "system": self.system,
        }


class Confusion(NamedTuple):
    """A boundary that is missing from the system, or extra in it, before a certain word."""

    kind: Literal["missing", "extra"]
    before: str


class Example(NamedTuple):
    """Where a confusion was seen, and what both made of the place."""

    line: int
    gold: str
    system: str


@dataclass
class ChunkReport:
    """Two segmentations of the same sentences compared."""

    sentences: int = 0
    identical: int = 0
    chunks: Agreement = Agreement()
    boundaries: Agreement = Agreement()
    confusions: Counter[Confusion] = field(default_factory=Counter)
    examples: dict[Confusion, list[Example]] = field(default_factory=dict)

    def to_dict(self, most: int = 10) -> dict[str, Any]:
        """The figures, and the commonest confusions with examples."""
        return {
            "sentences": self.sentences,
            "identical": self.identical,
            "chunks": self.chunks.to_dict(),
            "boundaries": self.boundaries.to_dict(),
            "confusions": [
                {
                    "kind": confusion.kind,
                    "before": confusion.before,
                    "count": count,
                    "examples": [example._asdict() for example in self.examples[confusion]],
                }
                for confusion, count in self.commonest(most)
            ],
        }

    def commonest(self, most: int = 10) -> list[tuple[Confusion, int]]:
        """What goes wrong most, in an order that does not depend on chance."""
        ranked = sorted(self.confusions.items(), key=lambda item: (-item[1], item[0]))
        return ranked[:most]


def compare_chunks(
    gold: Iterable[Chunks], system: Iterable[Chunks], name: str = "the system's file"
) -> ChunkReport:
    """Compare line by line; the tokens must be the same."""
    report = ChunkReport()
    for line, (theirs, ours) in enumerate(zip_longest(gold, system), start=1):
        if theirs is None or ours is None:
            reason = "has more lines than the gold" if theirs is None else "ends before the gold"
            raise FormatError(reason, name, line)
        tokens = [token for chunk in theirs for token in chunk]
        if tokens != [token for chunk in ours for token in chunk]:
            raise FormatError("the tokens are not those of the gold's line", name, line)
        _add(report, line, tokens, theirs, ours)
    if not report.sentences:
        raise FormatError("there is no line to compare", name)
    return report


def compare_typed(
    gold: Iterable[Iterable[TypedSpan]], system: Iterable[Iterable[TypedSpan]]
) -> dict[str, Agreement]:
    """Chunks of a typed scheme such as CoNLL-2000's, by type; ``all`` is the sum."""
    counts: dict[str, Agreement] = {"all": Agreement()}
    for theirs, ours in zip(map(set, gold), map(set, system), strict=True):
        counts["all"] += _agreement(theirs, ours)
        for type_ in {span[2] for span in theirs | ours}:
            parts = ({span for span in spans if span[2] == type_} for spans in (theirs, ours))
            counts[type_] = counts.get(type_, Agreement()) + _agreement(*parts)
    return counts


def _add(report: ChunkReport, line: int, tokens: list[str], gold: Chunks, system: Chunks) -> None:
    gold_spans, system_spans = set(_spans(gold)), set(_spans(system))
    # Every sentence has its first boundary; counting it would flatter everybody.
    gold_starts = {start for start, _ in gold_spans if start}
    system_starts = {start for start, _ in system_spans if start}
    report.sentences += 1
    report.identical += gold_spans == system_spans
    report.chunks += _agreement(gold_spans, system_spans)
    report.boundaries += _agreement(gold_starts, system_starts)
    for start in sorted(gold_starts ^ system_starts):
        kind: Literal["missing", "extra"] = "missing" if start in gold_starts else "extra"
        confusion = Confusion(kind, tokens[start].lower())
        report.confusions[confusion] += 1
        seen = report.examples.setdefault(confusion, [])
        if len(seen) < _EXAMPLES_KEPT:
            seen.append(Example(line, _around(gold, start), _around(system, start)))


def _agreement(gold: set[Any], system: set[Any]) -> Agreement:
    return Agreement(len(gold & system), len(gold), len(system))


def _spans(chunks: Chunks) -> Iterator[tuple[int, int]]:
    ends = list(accumulate(len(chunk) for chunk in chunks))
    return zip([0, *ends], ends, strict=False)


def _around(chunks: Chunks, position: int) -> str:
    """The chunks on both sides of a position, as brackets."""
    touching = [
        chunk
        for chunk, (start, end) in zip(chunks, _spans(chunks), strict=True)
        if start <= position <= end
    ]
    return render(touching)
