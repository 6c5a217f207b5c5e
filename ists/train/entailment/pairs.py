"""Sentence pairs with judgements of entailment (SNLI, SICK) or similarity (SICK, STS)."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from ists.errors import FormatError
from ists.files import open_input
from ists.formats.text import decode, numbered_lines
from ists.seen import fingerprint
from ists.train.ratings import ENTAILMENTS, Entailment, read_rated, tokenized


class JudgedPair(NamedTuple):
    """Two tokenised sentences, with at least one of the two judgements."""

    tokens1: tuple[str, ...]
    tokens2: tuple[str, ...]
    entailment: Entailment | None
    """What the first sentence says of the second."""
    rating: float | None
    """The similarity, from 0 to 5."""

    @property
    def fingerprint(self) -> str:
        """The hash of the text, by which equal pairs are found."""
        return fingerprint(" ".join(self.tokens1), " ".join(self.tokens2))


def read_judged(path: Path, without: Collection[str] = ()) -> list[JudgedPair]:
    """Read a file of SNLI (label, premise, hypothesis), of the STS tasks or of SICK.

    ``without``: fingerprints of pairs that are left out.
    """
    pairs = _read_snli(path) if _is_snli(path) else _read_rated(path)
    return [pair for pair in pairs if pair.fingerprint not in without]


def _is_snli(path: Path) -> bool:
    with open_input(path) as stream:
        return decode(stream.readline()).split("\t")[0] in ENTAILMENTS


def _read_snli(path: Path) -> list[JudgedPair]:
    pairs = []
    with open_input(path) as stream:
        for number, line in numbered_lines(stream):
            try:
                pairs.append(_snli_pair(decode(line).rstrip("\r\n").split("\t")))
            except FormatError as error:
                raise FormatError(error.reason, str(path), number) from None
    return pairs


def _snli_pair(columns: list[str]) -> JudgedPair:
    if len(columns) < 3 or columns[0] not in ENTAILMENTS:
        raise FormatError(
            f"expected {', '.join(ENTAILMENTS)}, then two sentences, separated by tabs"
        )
    return JudgedPair(*tokenized(columns[1], columns[2]), ENTAILMENTS[columns[0]], None)


def _read_rated(path: Path) -> list[JudgedPair]:
    return [
        JudgedPair(pair.tokens1, pair.tokens2, pair.entailment, pair.rating)
        for pair in read_rated(path).pairs
    ]
