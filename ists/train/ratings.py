"""Sentence pairs with human ratings of their similarity: files of the STS tasks and of SICK."""

from dataclasses import dataclass, replace
from enum import IntEnum
from math import isfinite
from pathlib import Path

from ists.chunker.tokens import tokenize
from ists.errors import FormatError
from ists.files import open_input
from ists.formats.text import decode, numbered_lines, shown
from ists.pairs import MAX_SCORE

_SICK_HEADER = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score")


class Entailment(IntEnum):
    """What one sentence says of another."""

    ENTAILMENT = 0
    NEUTRAL = 1
    CONTRADICTION = 2


ENTAILMENTS = {name.lower(): value for name, value in Entailment.__members__.items()}
"""By the labels that data sets use."""


@dataclass(frozen=True)
class RatedPair:
    """Two tokenised sentences and their rating, from 0 to 5."""

    tokens1: tuple[str, ...]
    tokens2: tuple[str, ...]
    rating: float
    entailment: Entailment | None = None
    """What the first sentence says of the second, where the data set has it (SICK)."""

    @property
    def sentences(self) -> frozenset[tuple[str, ...]]:
        """The two sentences without order, by which equal pairs are found."""
        return frozenset((self.tokens1, self.tokens2))


@dataclass(frozen=True)
class RatedSet:
    """A data set, whose pairs were rated by the same people on the same scale."""

    name: str
    pairs: tuple[RatedPair, ...]

    def without(self, others: "list[RatedSet]") -> "RatedSet":
        """Return the set without pairs that others contain: the STS tasks repeat some."""
        known = {pair.sentences for other in others for pair in other.pairs}
        kept = tuple(pair for pair in self.pairs if pair.sentences not in known)
        return RatedSet(self.name, kept)


def read_rated(path: Path) -> RatedSet:
    """Read a file of the STS tasks (score, sentence 1, sentence 2) or, by its header, of SICK."""
    pairs = []
    with open_input(path) as stream:
        is_sick = False
        for number, line in numbered_lines(stream):
            columns = decode(line).rstrip("\r\n").split("\t")
            if number == 1 and tuple(columns[: len(_SICK_HEADER)]) == _SICK_HEADER:
                is_sick = True
                continue
            try:
                pairs.append(_sick_pair(columns) if is_sick else _sts_pair(columns))
            except FormatError as error:
                raise FormatError(error.reason, str(path), number) from None
    if len(pairs) < 2:
        raise FormatError("has fewer than two rated pairs, expected at least two", str(path))
    return RatedSet(f"{path.parent.name}/{path.name.split('.')[0]}", tuple(pairs))


def _sts_pair(columns: list[str]) -> RatedPair:
    if len(columns) < 3:
        raise FormatError(
            f"{shown(' '.join(columns))} has {len(columns)} columns, expected score, sentence 1 "
            "and sentence 2, separated by tabs"
        )
    return _pair(columns[1], columns[2], _number(columns[0]))


def _sick_pair(columns: list[str]) -> RatedPair:
    if len(columns) < len(_SICK_HEADER):
        raise FormatError(f"has {len(columns)} columns, expected {', '.join(_SICK_HEADER)}")
    # Relatedness is rated from 1 to 5.
    pair = _pair(columns[1], columns[2], (_number(columns[3]) - 1) * MAX_SCORE / (MAX_SCORE - 1))
    if len(columns) == len(_SICK_HEADER):
        return pair
    label = columns[len(_SICK_HEADER)].lower()
    if label not in ENTAILMENTS:
        raise FormatError(f"judgement '{label}', expected {', '.join(ENTAILMENTS)}")
    return replace(pair, entailment=ENTAILMENTS[label])


def _pair(one: str, two: str, rating: float) -> RatedPair:
    if not 0 <= rating <= MAX_SCORE:
        raise FormatError(f"rating {rating:g}, expected a number from 0 to {MAX_SCORE}")
    return RatedPair(*tokenized(one, two), rating)


def tokenized(one: str, two: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens of two sentences; raise a `FormatError` if one is empty."""
    tokens1, tokens2 = tuple(tokenize(one, "auto")), tuple(tokenize(two, "auto"))
    if not (tokens1 and tokens2):
        raise FormatError("a sentence is empty, expected two sentences")
    return tokens1, tokens2


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise FormatError(f"{shown(text)} is not a rating, expected a number")
    return number
