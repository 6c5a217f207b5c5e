"""What a reader found wrong: one value for a reader that stops and a checker that goes on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ists.errors import FormatError
from ists.pairs import Edition, SentencePair

REPEATED_ID = "this id stands in the file before, expected each id once"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault at one line of a file."""

    file: str
    line: int | None
    pair_id: str | None
    reason: str

    def __str__(self) -> str:
        return str(self.error())

    def error(self) -> FormatError:
        """The same as an exception."""
        reason = self.reason if self.pair_id is None else f"pair {self.pair_id}: {self.reason}"
        return FormatError(reason, self.file, self.line)


class Scanned(NamedTuple):
    """A pair as far as it could be read, and what is wrong with its lines."""

    pair: SentencePair | None
    problems: tuple[Problem, ...] = ()


def sound_pairs(scanned: Iterable[Scanned], edition: Edition) -> Iterator[SentencePair]:
    """The pairs of a file, up to the first fault, which is raised."""
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
    """The rules of well-formedness that a pair breaks, by an edition of the task."""
    return (problem_at(pair, *misuse) for misuse in pair.problems(edition))


def faults_of(pair: SentencePair, edition: Edition) -> Iterator[Problem]:
    """What makes a pair unusable for every command but the checker and the scorer.

    Gaps and many-to-many alignments are values like any other. What no edition calls well-formed is
    a fault, and so is a token past its sentence, but that the 2016 edition does not look.
    """
    yield from problems_of(pair, "2016")
    if edition == "2015":
        yield from (problem_at(pair, *misuse) for misuse in pair.stray_tokens())


def problem_at(pair: SentencePair, place: int | None, reason: str) -> Problem:
    """A problem of one of a pair's alignments, or of the pair as a whole."""
    file = pair.origin.file if pair.origin else ""
    return Problem(file, pair.line_of(place), pair.id, reason)


def repeated_id(pair: SentencePair) -> Problem:
    """The problem of a pair whose id stood before in the same file."""
    return problem_at(pair, None, REPEATED_ID)
