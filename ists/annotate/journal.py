"""The journal beside a ``.wa`` file: all that happened, one line an event, written before the file.

It holds what the format has no place for: chunks that are not linked yet, links without a label,
the step a pair has reached, notes, and what can be undone. A line is appended and brought to the
disk before anything else changes, so that a server killed at any moment has lost at most the
action it was about to confirm. A line cut off in the middle is the one that was being written then.
"""

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from ists.errors import FormatError

SUFFIX = ".journal"
_HEADER = {"journal": "ists annotate", "version": 1}

Event = dict[str, Any]


class Journal:
    """An open journal; nobody else can open it meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: FileIO = path.open("a+b", buffering=0)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise FormatError(f"cannot be written: {reason}", str(path)) from None
        try:
            _lock(self._file, path)
            self.events = self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> list[Event]:
        self._file.seek(0)
        data = self._file.readall()
        self.length = data.rfind(b"\n") + 1
        self.cut_back(self.length)
        lines = data[: self.length].split(b"\n")[:-1]
        events = [self._parsed(line, number) for number, line in enumerate(lines, start=1)]
        if events and events[0] != _HEADER:
            raise self.fault("is no journal of ists annotate, expected its first line", 0)
        return events[1:]

    def _parsed(self, line: bytes, number: int) -> Event:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            raise FormatError("is no JSON object, expected an event", str(self.path), number)
        return event

    def fault(self, reason: str, place: int) -> FormatError:
        """Something wrong with an event, by its number from 1; 0 is the first line, the header."""
        return FormatError(reason, str(self.path), place + 1)

    def append(self, events: Iterable[Event]) -> None:
        """Write events down for good, or none of them if the disk refuses."""
        before = self.length
        records = events if before else (_HEADER, *events)
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
        try:
            while data:
                written = self._file.write(data) or 0
                data = data[written:]
                self.length += written
            os.fsync(self._file.fileno())
        except OSError:
            self.cut_back(before)
            raise

    def cut_back(self, length: int) -> None:
        """Forget what was appended since the journal had this length."""
        self._file.truncate(length)
        self.length = length

    def close(self) -> None:
        """Let others open it; one that has nothing to tell is removed."""
        if not self.length:
            with suppress(OSError):
                self.path.unlink()
        self._file.close()


def _lock(file: FileIO, path: Path) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        reason = "is in use by another ists annotate, expected one at a time"
        raise FormatError(reason, str(path)) from None
