"""The rows of a file of any kind: lines of text, TSV or JSON, or the rows of a Parquet table.

A row that cannot be read does not end the reading: whoever reads gets it as `Refused`, in its
place, and decides.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ists.errors import FormatError
from ists.files import STANDARD_STREAM, open_input
from ists.formats import shown_name
from ists.formats.text import decode, numbered_lines, refuse_endless, shown

PARQUET = "parquet"
TABLES = ("tsv", "jsonl", PARQUET)
"""Files that hold more than a sentence in a row."""
_EXTENSIONS = {"tsv": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": PARQUET}
LONGEST = 1 << 20
"""Bytes of a line to be read: more than this is no sentence."""
_SHOWN_OF_ENDLESS = 1000
_ROWS_AT_ONCE = 1024

Item = TypeVar("Item")


class Row(NamedTuple):
    """One row as it stands in its file: the bytes of a line, or a record by column."""

    file: str
    line: int
    content: Any

    def refused(self, error: FormatError) -> "Refused":
        """The row with what is wrong with it."""
        placed = FormatError(error.reason, error.file or self.file, self.line)
        return Refused(placed, self._as_text())

    def columns(self) -> list[bytes]:
        """The columns of a line of TSV."""
        return self.text().rstrip(b"\r\n").split(b"\t")

    def text(self) -> bytes:
        """The bytes of a line."""
        return refuse_endless(self.content, LONGEST)

    def record(self) -> dict[str, Any]:
        """The JSON object of a line, or the columns of a table's row."""
        if isinstance(self.content, dict):
            return self.content
        try:
            record = json.loads(decode(self.text()).removeprefix("\ufeff"))
        except RecursionError:
            raise FormatError("no JSON: nested too deeply") from None
        except ValueError as error:
            raise FormatError(f"no JSON: {str(error)[:80]}") from None
        if not isinstance(record, dict):
            raise FormatError(f"{shown(str(record))}, expected a JSON object")
        return record

    def _as_text(self) -> str:
        if isinstance(self.content, dict):
            return json.dumps(self.content, default=str)
        text = decode(self.content)
        return text.rstrip("\r\n") if len(text) <= LONGEST else text[:_SHOWN_OF_ENDLESS] + "…"


class Refused(NamedTuple):
    """What cannot be read or worked on, and why."""

    error: FormatError
    text: str


def sound(items: Iterable[Item | Refused]) -> Iterator[Item]:
    """The items up to the first refused one, whose error is raised."""
    for item in items:
        if isinstance(item, Refused):
            raise item.error
        yield item


def table_format(path: str | Path) -> str | None:
    """The kind of table a file name promises, if any."""
    name = str(path)
    return _EXTENSIONS.get(name.rpartition(".")[2].lower()) if name != STANDARD_STREAM else None


def rows(path: str | Path, format: str, columns: Iterable[str] = ()) -> Iterator[Row]:
    """The rows of a file, one at a time; `columns` are those that a Parquet file is asked for."""
    if format == PARQUET:
        yield from _parquet_rows(path, list(columns))
        return
    name = shown_name(path)
    with open_input(path) as stream:
        for number, line in numbered_lines(stream, LONGEST):
            if format == "jsonl" and not line.strip():
                continue
            yield Row(name, number, line)


def count_rows(path: str | Path) -> int:
    """The number of rows of a Parquet file, by its own word."""
    with open_parquet(path) as table:
        count: int = table.metadata.num_rows
        return count


def column(path: str | Path, name: str) -> Iterator[Any]:
    """One column of a Parquet file from top to bottom; of a file without it, None for each row."""
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
    """What to tell of a table that breaks off at this row, or soon after it."""
    reason = " ".join(str(error).split())[:120]
    return FormatError(f"the table is damaged: {reason}", str(path), line)


def open_parquet(path: str | Path) -> Any:
    """A Parquet file, to be closed like any other."""
    if str(path) == STANDARD_STREAM:
        raise FormatError("Parquet is not read from a pipe, expected a file", shown_name(path))
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
        raise FormatError(f"is no Parquet file: {reason}", str(path)) from None
