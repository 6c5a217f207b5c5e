"""Rows of a file: lines of text, TSV or JSON, records of CSV, or rows of Parquet.

A row that cannot be read does not stop the reading: it is yielded as `RejectedItem`, in its place,
and the caller decides.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ists.errors import FormatError
from ists.files import STANDARD_STREAM, open_input
from ists.formats import csv, shown_name
from ists.formats.text import (
    decode,
    is_utf8,
    numbered_lines,
    reject_endless,
    reject_nul,
    shown_value,
)

TEXT = "txt"
PARQUET = "parquet"
CSV = "csv"
TABLES = ("tsv", CSV, "jsonl", PARQUET)
"""Formats of tables, with several columns per row."""
_EXTENSIONS = {"tsv": "tsv", "csv": CSV, "jsonl": "jsonl", "ndjson": "jsonl", "parquet": PARQUET}
LONGEST = 1 << 20
"""Maximum length of a line in bytes; a sentence is never longer."""
_SHOWN_OF_ENDLESS = 1000
_PAIR_OF_WA = re.compile(rb'\s*<sentence\s+id="')
_XML = re.compile(rb"\s*<(?:\?xml\s|ists>)")
_ROWS_AT_ONCE = 1024
_NOT_UTF_8 = (
    "is not valid UTF-8, and later lines may not be: the bytes are kept as they are; if the file "
    "has another encoding, convert it to UTF-8 first"
)

Item = TypeVar("Item")


class Row(NamedTuple):
    """A raw row: the bytes of a line or record, or a dictionary of values by column."""

    file: str
    line: int
    content: Any
    warnings: tuple[str, ...] = ()
    """Messages about how the row is read, with file and line."""

    def rejected(self, error: FormatError) -> "RejectedItem":
        """Return the row as rejected, with its error."""
        placed = FormatError(error.reason, error.file or self.file, self.line)
        return RejectedItem(placed, self._as_text())

    def cells(self, format: str) -> list[str]:
        """Return the cells of a line of TSV or a record of CSV."""
        if format != CSV:
            return decode(self.text()).rstrip("\r\n").split("\t")
        if len(self.content) > LONGEST:
            raise FormatError(
                f"a record of more than {LONGEST >> 20} MiB, expected two sentences; is a quote "
                "not closed?"
            )
        return csv.parse(decode(reject_nul(self.content)))

    def text(self) -> bytes:
        """Return the bytes of a line; raise a `FormatError` if it is too long or has a NUL."""
        return reject_nul(reject_endless(self.content, LONGEST))

    def record(self) -> dict[str, Any]:
        """Return the JSON object of a line, or the values of a Parquet row by column."""
        if isinstance(self.content, dict):
            return self.content
        try:
            record = json.loads(decode(self.text()).removeprefix("\ufeff"))
        except RecursionError:
            raise FormatError("invalid JSON: nested too deeply") from None
        except ValueError as error:
            raise FormatError(f"invalid JSON: {str(error)[:80]}") from None
        if not isinstance(record, dict):
            raise FormatError(f"{shown_value(record)}, expected a JSON object")
        return record

    def _as_text(self) -> str:
        if isinstance(self.content, dict):
            return json.dumps(self.content, default=str)
        text = decode(self.content)
        return text.rstrip("\r\n") if len(text) <= LONGEST else text[:_SHOWN_OF_ENDLESS] + "…"


class RejectedItem(NamedTuple):
    """A row that was rejected, and why."""

    error: FormatError
    text: str


def raise_rejected(items: Iterable[Item | RejectedItem]) -> Iterator[Item]:
    """Yield the items; raise the error of the first rejected one."""
    for item in items:
        if isinstance(item, RejectedItem):
            raise item.error
        yield item


def table_format(path: str | Path) -> str | None:
    """Return the format of a table by its extension; None if it is not a table."""
    name = str(path)
    return _EXTENSIONS.get(name.rpartition(".")[2].lower()) if name != STANDARD_STREAM else None


def rows(path: str | Path, format: str, columns: Iterable[str] = ()) -> Iterator[Row]:
    """Yield the rows of a file; `columns` are those to read from a Parquet file."""
    if format == PARQUET:
        yield from _parquet_rows(path, list(columns))
        return
    name = shown_name(path)
    with open_input(path) as stream:
        lines = numbered_lines(stream, LONGEST)
        begun, is_valid = False, True
        for number, line in csv.records(lines, LONGEST) if format == CSV else lines:
            if format == "jsonl" and not line.strip():
                continue
            if format == TEXT and not begun and line.strip():
                begun = True
                _reject_other_format(line, name)
            if is_valid and not is_utf8(line):
                is_valid = False  # one warning per file
                warning = str(FormatError(_NOT_UTF_8, name, number))
                yield Row(name, number, line, (warning,))
            else:
                yield Row(name, number, line)


def _reject_other_format(line: bytes, name: str) -> None:
    """Raise a `FormatError` if a file of sentences begins as a file of another format does."""
    if _PAIR_OF_WA.match(line):
        found = "an aligned file (.wa)"
    elif _XML.match(line):
        found = "an XML file"
    elif _is_json_object(line):
        found = "a file of JSON objects (.jsonl)"
    else:
        return
    raise FormatError(f"is {found}, expected one sentence per line", name)


def _is_json_object(line: bytes) -> bool:
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        return bool(json.loads(line))
    except (ValueError, RecursionError):
        return False


def count_rows(path: str | Path) -> int:
    """Return the number of rows of a Parquet file by its metadata."""
    with open_parquet(path) as table:
        count: int = table.metadata.num_rows
        return count


def column(path: str | Path, name: str) -> Iterator[Any]:
    """Yield the values of a column of a Parquet file; None for each row if it is missing."""
    with open_parquet(path) as table:
        if name not in table.schema_arrow.names:
            yield from repeat(None, table.metadata.num_rows)
            return
        number = 0
        try:
            for batch in table.iter_batches(columns=[name]):
                yield from batch.column(0).to_pylist()
                number += batch.num_rows
        except (OSError, ValueError) as error:  # pyarrow's own classes are among these
            raise damaged(path, number + 1, error) from None


def _parquet_rows(path: str | Path, columns: list[str]) -> Iterator[Row]:
    name = str(path)
    with open_parquet(path) as table:
        there = [column for column in columns if column in table.schema_arrow.names]
        number = 0
        try:
            for batch in table.iter_batches(_ROWS_AT_ONCE, columns=there):
                for record in batch.to_pylist():
                    number += 1
                    yield Row(name, number, record)
        except (OSError, ValueError) as error:  # pyarrow's own classes are among these
            raise damaged(path, number + 1, error) from None


def damaged(path: str | Path, line: int, error: Exception) -> FormatError:
    """Return the error for a table that is damaged at or shortly after this row."""
    reason = " ".join(str(error).split())[:120]
    return FormatError(f"the table is damaged: {reason}", str(path), line)


def open_parquet(path: str | Path) -> Any:
    """Open a Parquet file; the caller closes it."""
    if str(path) == STANDARD_STREAM:
        raise FormatError("Parquet cannot be read from a pipe, expected a file", shown_name(path))
    try:
        from pyarrow import parquet
    except ImportError:
        raise FormatError(
            "Parquet needs pyarrow, which is not installed: pip install 'ists[frames]'", str(path)
        ) from None
    if Path(path).is_dir():
        raise FormatError("is a directory, expected a file", str(path))
    try:
        return parquet.ParquetFile(path)
    except FileNotFoundError:
        raise FormatError("no such file or folder", str(path)) from None
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:120]
        raise FormatError(f"is not a Parquet file: {reason}", str(path)) from None
