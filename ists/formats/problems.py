"""What a reader found wrong: one value for a reader that stops and a checker that goes on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ists.errors import FormatError
from ists.pairs import Edition, SentencePair


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
    """A pair as far as it could be read, and every line of it that could not."""

    pair: SentencePair
    problems: tuple[Problem, ...] = ()


def sound_pairs(scanned: Iterable[Scanned], edition: Edition) -> Iterator[SentencePair]:
    """The pairs of a file, up to the first fault, which is raised.

    Gaps and many-to-many alignments are values like any other; what no edition calls well-formed,
    a repeated id and, but for the 2016 edition, a token past its sentence are faults.
    """
    seen: set[str] = set()
    for pair, problems in scanned:
        for problem in (*problems, *problems_of(pair, edition, only_faults=True)):
            raise problem.error()
        if pair.id in seen:
            raise repeated_id(pair).error()
        seen.add(pair.id)
        yield pair


def problems_of(
    pair: SentencePair, edition: Edition, only_faults: bool = False
) -> Iterator[Problem]:
    """The rules of an edition that a pair breaks, as problems with their lines."""
    rules = pair.problems("2016" if only_faults else edition)
    for index, reason in rules:
        yield problem_at(pair, index, reason)
    if only_faults and edition == "2015":
        for index, reason in pair.stray_tokens():
            yield problem_at(pair, index, reason)


def problem_at(pair: SentencePair, index: int | None, reason: str) -> Problem:
    """A problem of one of a pair's alignments, or of the pair as a whole."""
    file = pair.origin.file if pair.origin else ""
    return Problem(file, pair.line_of(index), pair.id, reason)


def repeated_id(pair: SentencePair) -> Problem:
    """The problem of a pair whose id stood before in the same file."""
    return problem_at(pair, None, "this id stands in the file before, expected each id once")
