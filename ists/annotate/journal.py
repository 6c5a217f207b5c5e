"""Journal of a ``.wa`` file: one event per line, written before the file itself.

It holds what the format cannot represent: chunks that are not linked yet, links without a label,
the current step of a pair, notes, and the undo history. A line is appended and synced to disk
before anything else changes, so that a server killed at any moment loses at most the action that it
has not confirmed yet. An incomplete last line is an event that was being written then; it is
dropped.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from ists.errors import FormatError
from ists.files import lock

SUFFIX = ".journal"
_HEADER = {"journal": "ists annotate", "version": 1}

Event = dict[str, Any]


class Journal:
    """An open journal, locked against other processes."""

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
        events = [_event(line, self.path, number) for number, line in enumerate(lines, start=1)]
        if events and events[0] != _HEADER:
            raise self.fault("not the first line of a journal of ists annotate", 0)
        return events[1:]

    def fault(self, reason: str, place: int) -> FormatError:
        """Return the error for an event, by its number from 1; 0 is the header line."""
        return FormatError(reason, str(self.path), place + 1)

    def append(self, events: Iterable[Event]) -> None:
        """Append events and sync them to disk; if this fails, none of them is kept."""
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
        """Truncate the journal to an earlier length."""
        self._file.truncate(length)
        self.length = length

    def close(self) -> None:
        """Close the journal; remove it if it is empty."""
        if not self.length:
            with suppress(OSError):
                self.path.unlink()
        self._file.close()


def read_notes(path: Path) -> dict[str, str]:
    """Return the notes in a journal by pair id, without locking it; no journal has no notes."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError:
        return {}
    notes = {}
    for number, line in enumerate(lines, start=1):
        event = _event(line, path, number)
        if isinstance(event.get("note"), str):
            notes[str(event.get("pair"))] = event["note"]
    return notes


def _event(line: bytes, path: Path, number: int) -> Event:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise FormatError("not a JSON object, expected an event", str(path), number)
    return event


def _lock(file: FileIO, path: Path) -> None:
    try:
        lock(file.fileno())
    except OSError:
        reason = "is in use by another ists annotate process"
        raise FormatError(reason, str(path)) from None
