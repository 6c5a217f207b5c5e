"""Input of a run: its items, and fingerprints of its files to detect changes."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ists.files import STANDARD_STREAM, open_input
from ists.formats.columns import Choice
from ists.formats.rows import PARQUET, RejectedItem, count_rows, table_format
from ists.formats.sentences import (
    InputLine,
    InputPair,
    alike,
    looks_bracketed,
    scan_pairs,
    scan_sentences,
    scan_two_files,
    unequal_lengths,
)
from ists.models import sha256_of

_READ_SIZE = 1 << 20


class Fingerprint(NamedTuple):
    """Hash and number of rows of a file."""

    file: str
    sha256: str
    rows: int


class Source(Protocol):
    """Input items that can be iterated again from the beginning."""

    @property
    def files(self) -> tuple[str, ...]:
        """The input files."""

    def items(self) -> Iterator[Any]:
        """Iterate over all items; one that cannot be read is yielded as `RejectedItem`."""

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Compute the fingerprints of the files."""

    def options(self) -> Mapping[str, Any]:
        """Return the options that determine how the files are read."""


@dataclass(frozen=True)
class Pairs:
    """Sentence pairs: two text files, or one table."""

    files: tuple[str, ...]
    format: str | None
    """Format of the table; None for two text files."""
    bracketed: bool | None
    columns: Choice | None = None
    """Columns of the sentences; None to find them by their names or content."""

    @classmethod
    def of(
        cls,
        first: str,
        second: str | None,
        format: str | None,
        chunks: str | None,
        columns: Choice | None = None,
    ) -> "Pairs":
        """Return the pairs of S1 and S2, or of a table; `chunks` is ``auto``, ``given`` or None.

        With None, brackets are detected: in text files by reading them in advance; in tables and
        pipes, which are not read in advance, by the first lines when the items are read.
        """
        bracketed = None if chunks is None else chunks == "given"
        if second is None:
            return cls((first,), format or table_format(first), bracketed, columns)
        if bracketed is None:
            bracketed = _all_bracketed(first, second)
        return cls((first, second), None, bracketed)

    def items(self) -> Iterator[InputPair | RejectedItem]:
        """Iterate over all pairs."""
        if self.format is None:
            first, second = self.files
            return scan_two_files(first, second, self.bracketed)
        return scan_pairs(self.files[0], self.format, self.bracketed, self.columns)

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Compute the fingerprints; text files of different length are an error."""
        found = tuple(_fingerprint(file, self.format) for file in self.files)
        if len({one.rows for one in found}) > 1:
            raise unequal_lengths((found[0].file, found[0].rows), (found[1].file, found[1].rows))
        return found

    def options(self) -> Mapping[str, Any]:
        """Return the options that determine how the files are read."""
        chosen = {} if self.columns is None else {"--columns": ",".join(self.columns)}
        return {"--from": self.format, "--chunks": self.bracketed, **chosen}


@dataclass(frozen=True)
class Sentences:
    """Single sentences: the lines of a text file, or a column of a table."""

    file: str
    format: str
    column: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The input file."""
        return (self.file,)

    def items(self) -> Iterator[InputLine | RejectedItem]:
        """Iterate over all sentences."""
        return scan_sentences(self.file, self.format, self.column)

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Compute the fingerprint of the file."""
        return (_fingerprint(self.file, self.format),)

    def options(self) -> Mapping[str, Any]:
        """Return the options that determine how the file is read."""
        return {"--from": self.format, "--column": self.column}


def can_be_read_again(source: Source) -> bool:
    """Return whether all input files are regular files, which a later run can read again."""
    return all(map(_is_regular, source.files))


def _is_regular(file: str) -> bool:
    if file == STANDARD_STREAM:
        return False
    try:
        return stat.S_ISREG(Path(file).stat().st_mode)
    except (OSError, ValueError):
        return True  # opening the file will raise the error


def _all_bracketed(first: str, second: str) -> bool | None:
    if not (_is_regular(first) and _is_regular(second)):
        return None
    one, two = ((file, looks_bracketed(file)) for file in (first, second))
    return alike(one, two)


def _fingerprint(file: str, format: str | None) -> Fingerprint:
    """Hash a file and count its rows; this takes a second for input that takes an hour to align."""
    if format == PARQUET:
        rows = count_rows(file)
        return Fingerprint(file, sha256_of(Path(file)), rows)
    digest = sha256()
    lines, last = 0, b"\n"
    with open_input(file) as stream:
        while data := stream.read(_READ_SIZE):
            digest.update(data)
            lines += data.count(b"\n")
            last = data[-1:]
    return Fingerprint(file, digest.hexdigest(), lines + (last != b"\n"))
