"""Where the items of a run come from, and what proves that they are still the same."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ists.errors import FormatError
from ists.files import STANDARD_STREAM, open_input
from ists.formats.rows import PARQUET, Refused, count_rows, table_format
from ists.formats.sentences import (
    InputPair,
    InputSentence,
    looks_bracketed,
    scan_pairs,
    scan_sentences,
    scan_two_files,
    unequal,
)

_READ_SIZE = 1 << 20


class Fingerprint(NamedTuple):
    """What a file holds, in short."""

    file: str
    sha256: str
    rows: int


class Source(Protocol):
    """A sequence of items that can be gone through again."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files it is read from."""

    def items(self) -> Iterator[Any]:
        """The items from the beginning; what cannot be read comes as `Refused`, in its place."""

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """What the files hold now."""

    def options(self) -> Mapping[str, Any]:
        """How the files are read."""


@dataclass(frozen=True)
class Pairs:
    """Sentence pairs: two text files, or one table."""

    files: tuple[str, ...]
    format: str | None
    """Of the table; none for two text files."""
    bracketed: bool | None

    @classmethod
    def of(cls, first: str, second: str | None, format: str | None, chunks: str | None) -> "Pairs":
        """The pairs of S1 and S2, or of one table; `chunks` is ``auto``, ``given`` or as it looks.

        Text files are looked through for brackets. Of a pipe, which can be read only once, and of
        a table nothing is read before its turn: the first line tells.
        """
        bracketed = None if chunks is None else chunks == "given"
        if second is None:
            return cls((first,), format or table_format(first), bracketed)
        if bracketed is None:
            bracketed = _all_bracketed(first, second)
        return cls((first, second), None, bracketed)

    def items(self) -> Iterator[InputPair | Refused]:
        """The pairs from the beginning."""
        if self.format is None:
            first, second = self.files
            return scan_two_files(first, second, self.bracketed)
        return scan_pairs(self.files[0], self.format, self.bracketed)

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """What the files hold; two of different length are refused before any work is done."""
        found = tuple(_fingerprint(file, self.format) for file in self.files)
        if len({one.rows for one in found}) > 1:
            raise unequal((found[0].file, found[0].rows), (found[1].file, found[1].rows))
        return found

    def options(self) -> Mapping[str, Any]:
        """How the files are read."""
        return {"--from": self.format, "--chunks": self.bracketed}


@dataclass(frozen=True)
class Sentences:
    """Single sentences: the lines of a text file, or a column of a table."""

    file: str
    format: str
    column: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The one file."""
        return (self.file,)

    def items(self) -> Iterator[InputSentence | Refused]:
        """The sentences from the beginning."""
        return scan_sentences(self.file, self.format, self.column)

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """What the file holds."""
        return (_fingerprint(self.file, self.format),)

    def options(self) -> Mapping[str, Any]:
        """How the file is read."""
        return {"--from": self.format, "--column": self.column}


def can_be_read_again(source: Source) -> bool:
    """Whether a later run can begin where this one stopped: a pipe is gone when it is read."""
    return all(map(_is_regular, source.files))


def _is_regular(file: str) -> bool:
    if file == STANDARD_STREAM:
        return False
    try:
        return stat.S_ISREG(Path(file).stat().st_mode)
    except (OSError, ValueError):
        return True  # opening it will say what is wrong


def _all_bracketed(first: str, second: str) -> bool | None:
    if not (_is_regular(first) and _is_regular(second)):
        return None
    looks = [looks_bracketed(file) for file in (first, second)]
    if any(looks) and not all(looks):
        with_, without = (first, second) if looks[0] else (second, first)
        raise FormatError(
            f"is bracketed, but {without} is not: expected chunks in both files or in none", with_
        )
    return all(looks)


def _fingerprint(file: str, format: str | None) -> Fingerprint:
    """Hashing costs a second for what takes an hour to align."""
    if format == PARQUET:
        rows = count_rows(file)
        with Path(file).open("rb") as table:
            digest = sha256()
            while data := table.read(_READ_SIZE):
                digest.update(data)
        return Fingerprint(file, digest.hexdigest(), rows)
    digest = sha256()
    lines, last = 0, b"\n"
    with open_input(file) as stream:
        while data := stream.read(_READ_SIZE):
            digest.update(data)
            lines += data.count(b"\n")
            last = data[-1:]
    return Fingerprint(file, digest.hexdigest(), lines + (last != b"\n"))
