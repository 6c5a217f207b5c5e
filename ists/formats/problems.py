"""Problems in files of pairs: values that a reader raises and a checker collects."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ists.errors import FormatError
from ists.pairs import EDITIONS, Edition, SentencePair

REPEATED_ID = "this id is already in the file, expected each id once"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a line of a file."""

    file: str
    line: int | None
    pair_id: str | None
    reason: str

    def __str__(self) -> str:
        return str(self.error())

    def error(self) -> FormatError:
        """Return the problem as an exception."""
        reason = self.reason if self.pair_id is None else f"pair {self.pair_id}: {self.reason}"
        return FormatError(reason, self.file, self.line)


class Scanned(NamedTuple):
    """A pair, or None if it could not be read, and the problems of its lines."""

    pair: SentencePair | None
    problems: tuple[Problem, ...] = ()


def reject_unknown(edition: str) -> None:
    """Raise a `ValueError` for an unknown edition, which would silently get another's rules."""
    if edition not in EDITIONS:
        raise ValueError(f"edition is {edition!r}, expected one of {', '.join(EDITIONS)}")


def valid_pairs(scanned: Iterable[Scanned], edition: Edition) -> Iterator[SentencePair]:
    """Yield the pairs of a file; raise its first problem."""
    seen: set[str] = set()
    for pair, problems in scanned:
        for problem in problems:
            raise problem.error()
        if pair is None:
            continue
        for problem in faults_of(pair, edition):
            raise problem.error()
        if pair.id in seen:
            raise repeated_id(pair).error()
        seen.add(pair.id)
        yield pair


def problems_of(pair: SentencePair, edition: Edition) -> Iterator[Problem]:
    """Return the violations of well-formedness in a pair, by the rules of an edition."""
    return (problem_at(pair, *misuse) for misuse in pair.problems(edition))


def faults_of(pair: SentencePair, edition: Edition) -> Iterator[Problem]:
    """Yield the problems that make a pair unusable for all commands but the checker and scorer.

    Gaps and many-to-many alignments are accepted. Rejected is what violates the rules of both
    editions and, in the 2015 edition only, a token number past the end of its sentence.
    """
    yield from problems_of(pair, "2016")
    if edition == "2015":
        yield from (problem_at(pair, *misuse) for misuse in pair.stray_tokens())


def problem_at(pair: SentencePair, place: int | None, reason: str) -> Problem:
    """Return a problem of one of a pair's alignments, or of the whole pair."""
    file = pair.origin.file if pair.origin else ""
    return Problem(file, pair.line_of(place), pair.id, reason)


def in_line_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems in the order of their lines; those without a line first."""
    return sorted(problems, key=lambda problem: problem.line or 0)


def repeated_id(pair: SentencePair) -> Problem:
    """Return the problem of a pair whose id is already in the file."""
    return problem_at(pair, None, REPEATED_ID)
