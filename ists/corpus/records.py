"""JSONL files of the corpus: one object per line, with type-checked access to its fields."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ists.errors import FormatError
from ists.formats.problems import REPEATED_ID
from ists.formats.rows import rows
from ists.formats.text import shown

Value = TypeVar("Value")
_LARGEST_NUMBER = 10**9


@dataclass(frozen=True)
class Fields:
    """A JSON object; a missing field or one of another type raises a `FormatError`."""

    values: dict[str, Any]

    def text(self, key: str) -> str:
        """Return a string."""
        return str(self._take(key, str, "a string"))

    def matching(self, key: str, pattern: str, expected: str) -> str:
        """Return a string that matches a pattern."""
        text = self.text(key)
        if not re.fullmatch(pattern, text):
            raise FormatError(f"'{key}' is {shown(text)}, expected {expected}")
        return text

    def number(self, key: str) -> int:
        """Return a whole number from 1."""
        number = self._take(key, int, "a number from 1")
        if isinstance(number, bool) or not 0 < number < _LARGEST_NUMBER:
            raise FormatError(f"'{key}' is {shown(str(number))}, expected a number from 1")
        return int(number)

    def items(self, key: str) -> list[Any]:
        """Return a list."""
        found: list[Any] = self._take(key, list, "a list")
        return found

    def objects(self, key: str) -> "list[Fields]":
        """Return a list of objects."""
        items = self.items(key)
        for item in items:
            if not isinstance(item, dict):
                raise FormatError(f"'{key}' has {shown(str(item))}, expected objects")
        return [Fields(item) for item in items]

    def tokens(self, key: str) -> tuple[int, ...]:
        """Return a list of token numbers."""
        return token_numbers(self.items(key), key)

    def _take(self, key: str, kind: type, expected: str) -> Any:
        if key not in self.values:
            raise FormatError(f"no '{key}', expected {expected}")
        if not isinstance(self.values[key], kind):
            raise FormatError(f"'{key}' is {shown(str(self.values[key]))}, expected {expected}")
        return self.values[key]


def token_numbers(items: object, key: str) -> tuple[int, ...]:
    """Check and return a list of token numbers, from 1."""
    if not isinstance(items, list) or not all(
        type(item) is int and 0 < item < _LARGEST_NUMBER for item in items
    ):
        raise FormatError(f"'{key}' has {shown(str(items))}, expected token numbers from 1")
    return tuple(items)


def read(path: Path, parse: Callable[[Fields, str, int], Value]) -> Iterator[Value]:
    """Yield the values of a file; `parse` gets a line's fields, the file name and the line number.

    The first error, or a repeated id, raises a `FormatError` with its line.
    """
    seen: set[str] = set()
    for row in rows(path, "jsonl"):
        try:
            fields = Fields(row.record())
            value = parse(fields, row.file, row.line)
            if fields.text("id") in seen:
                raise FormatError(f"pair {fields.text('id')}: {REPEATED_ID}")
        except FormatError as error:
            raise FormatError(error.reason, row.file, row.line) from None
        seen.add(fields.text("id"))
        yield value
