"""How far a command has come with a file of aligned pairs, for a person at a terminal."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from ists.cli.running import Terminal

_AT_ONCE = 250
_READ_SIZE = 1 << 20
_MARKS = {".wa": b"<sentence ", ".jsonl": b"\n", ".ndjson": b"\n", ".xml": b"<pair "}
"""What a file has once for each pair."""

Item = TypeVar("Item")


def watched(items: Iterable[Item], file: str, watcher: Terminal) -> Iterator[Item]:
    """The items of a file, counted on their way; at a terminal, how many there will be."""
    watcher.begin(0, _pairs_in(Path(file)) if sys.stderr.isatty() else None)
    count = 0
    for count, item in enumerate(items, start=1):
        yield item
        if not count % _AT_ONCE:
            watcher.advance(_AT_ONCE)
    watcher.advance(count % _AT_ONCE)


def _pairs_in(file: Path) -> int | None:
    mark = _MARKS.get(file.suffix.lower())
    if mark is None or not file.is_file():
        return None
    with file.open("rb") as stream:
        return sum(data.count(mark) for data in iter(lambda: stream.read(_READ_SIZE), b""))
