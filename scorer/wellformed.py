"""Check whether a file is well-formed, and count its pairs, alignments and labels."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ists.errors import FormatError
from ists.formats.problems import (
    Problem,
    Scanned,
    in_line_order,
    problem_at,
    problems_of,
    repeated_id,
)
from ists.pairs import Edition, SentencePair


@dataclass
class Statistics:
    """Counts of the pairs, alignments and labels of a checked file."""

    pairs: int = 0
    alignments: int = 0
    labels: Counter[str] = field(default_factory=Counter)

    def count(self, scanned: Scanned) -> None:
        """Add one pair."""
        self.pairs += 1
        if scanned.pair is None:
            return
        self.alignments += len(scanned.pair.alignments)
        self.labels.update(alignment.label for alignment in scanned.pair.alignments)


def check(
    scanned: Iterable[Scanned],
    edition: Edition = "2015",
    guidelines: bool = False,
    statistics: Statistics | None = None,
) -> Iterator[Problem]:
    """Yield all problems of a file, in line order.

    An error that stops the reader is yielded as the last problem.
    """
    seen: set[str] = set()
    try:
        for item in scanned:
            if statistics is not None:
                statistics.count(item)
            found = list(item.problems)
            if item.pair is not None:
                found += problems_of(item.pair, edition)
                if guidelines:
                    found += _guideline_problems(item.pair, {problem.reason for problem in found})
                if item.pair.id in seen:
                    found.append(repeated_id(item.pair))
                seen.add(item.pair.id)
            yield from in_line_order(found)
    except FormatError as error:
        yield Problem(error.file, error.line, None, error.reason)


def _guideline_problems(pair: SentencePair, known: set[str]) -> Iterator[Problem]:
    for place, reason in (*pair.violations(), *pair.stray_tokens()):
        if reason not in known:
            yield problem_at(pair, place, reason)
