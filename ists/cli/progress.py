"""Progress display for commands that read a file of aligned pairs."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from ists.cli.running import Terminal

_STEP = 250
_READ_SIZE = 1 << 20
_MARKS = {".wa": b"<sentence ", ".jsonl": b"\n", ".ndjson": b"\n", ".xml": b"<pair "}
"""Bytes that occur once per pair in a file."""

Item = TypeVar("Item")


def watched(items: Iterable[Item], file: str, watcher: Terminal) -> Iterator[Item]:
    """Yield the items of a file and show the progress; on a terminal also the total."""
    watcher.begin(0, _count_pairs(Path(file)) if sys.stderr.isatty() else None)
    count = 0
    for count, item in enumerate(items, start=1):
        yield item
        if not count % _STEP:
            watcher.advance(_STEP)
    watcher.advance(count % _STEP)


def _count_pairs(file: Path) -> int | None:
    mark = _MARKS.get(file.suffix.lower())
    if mark is None or not file.is_file():
        return None
    with file.open("rb") as stream:
        return sum(data.count(mark) for data in iter(lambda: stream.read(_READ_SIZE), b""))
