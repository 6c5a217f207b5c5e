"""Compare a chunk segmentation with the gold segmentation.

A chunk is correct only if both its boundaries are. Boundaries are scored separately as well, which
distinguishes small shifts from completely different chunks. Boundary errors are counted by the
token after the missing or extra boundary.
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
    """Counts of spans or boundaries: in both files, in the gold, in the system."""

    both: int = 0
    gold: int = 0
    system: int = 0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(self.both + other.both, self.gold + other.gold, self.system + other.system)

    @property
    def precision(self) -> float:
        """The share of the system's spans that are in the gold."""
        return self.both / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold's spans that the system found."""
        return self.both / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.gold + self.system
        return 2 * self.both / total if total else 0.0

    def to_dict(self) -> dict[str, float]:
        """Return precision, recall and F1 with their counts."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "both": self.both,
            "gold": self.gold,
            "system": self.system,
        }


class Confusion(NamedTuple):
    """A boundary before a given token that the system lacks or has in addition."""

    kind: Literal["missing", "extra"]
    before: str


class Example(NamedTuple):
    """An occurrence of a confusion: line number and the chunks around it in both files."""

    line: int
    gold: str
    system: str


@dataclass
class ChunkReport:
    """Comparison of two segmentations of the same sentences."""

    sentences: int = 0
    identical: int = 0
    chunks: Agreement = Agreement()
    boundaries: Agreement = Agreement()
    confusions: Counter[Confusion] = field(default_factory=Counter)
    examples: dict[Confusion, list[Example]] = field(default_factory=dict)

    def to_dict(self, most: int = 10) -> dict[str, Any]:
        """Return the figures and the most frequent confusions with examples."""
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
        """Return the most frequent confusions, ties in alphabetical order."""
        ranked = sorted(self.confusions.items(), key=lambda item: (-item[1], item[0]))
        return ranked[:most]


def compare_chunks(
    gold: Iterable[Chunks], system: Iterable[Chunks], name: str = "the system's file"
) -> ChunkReport:
    """Compare two segmentations line by line; the tokens must be the same."""
    report = ChunkReport()
    for line, (theirs, ours) in enumerate(zip_longest(gold, system), start=1):
        if theirs is None or ours is None:
            reason = f"has {'more' if theirs is None else 'fewer'} lines than the gold"
            raise FormatError(reason, name, line)
        tokens = [token for chunk in theirs for token in chunk]
        if tokens != [token for chunk in ours for token in chunk]:
            raise FormatError("the tokens differ from those of the gold", name, line)
        _add(report, line, tokens, theirs, ours)
    if not report.sentences:
        raise FormatError("no line to compare", name)
    return report


def compare_typed(
    gold: Iterable[Iterable[TypedSpan]], system: Iterable[Iterable[TypedSpan]]
) -> dict[str, Agreement]:
    """Compare typed chunks such as CoNLL-2000's; counts per type, and ``all`` for their sum."""
    counts: dict[str, Agreement] = {"all": Agreement()}
    for theirs, ours in zip(map(set, gold), map(set, system), strict=True):
        counts["all"] += _agreement(theirs, ours)
        for type_ in {span[2] for span in theirs | ours}:
            parts = ({span for span in spans if span[2] == type_} for spans in (theirs, ours))
            counts[type_] = counts.get(type_, Agreement()) + _agreement(*parts)
    return counts


def _add(report: ChunkReport, line: int, tokens: list[str], gold: Chunks, system: Chunks) -> None:
    gold_spans, system_spans = set(_spans(gold)), set(_spans(system))
    # The boundary at the sentence start is always correct; counting it would inflate the figures.
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
            seen.append(Example(line, _render_around(gold, start), _render_around(system, start)))


def _agreement(gold: set[Any], system: set[Any]) -> Agreement:
    return Agreement(len(gold & system), len(gold), len(system))


def _spans(chunks: Chunks) -> Iterator[tuple[int, int]]:
    ends = list(accumulate(len(chunk) for chunk in chunks))
    return zip([0, *ends], ends, strict=False)


def _render_around(chunks: Chunks, position: int) -> str:
    """Render the chunks on both sides of a position in brackets."""
    touching = [
        chunk
        for chunk, (start, end) in zip(chunks, _spans(chunks), strict=True)
        if start <= position <= end
    ]
    return render(touching)
