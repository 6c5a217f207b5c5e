"""Output that survives its writer: what is done stays done, and the rest is appended.

Beside OUT stand, as long as the run is under way, OUT.part with what was written and OUT.journal,
which says how much of it counts and what it was made from. OUT appears at the end, whole. A run
that was killed leaves both; the next one with the same input, options and model cuts OUT.part back
to what the journal vouches for and goes on. What differs is named, and nothing is mixed.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from ists.errors import FormatError, IstsError
from ists.files import unwritable, usual_mode
from ists.formats.jsonl import line_of
from ists.formats.rows import Refused

_FORMAT = 1
_SECONDS_BETWEEN = 1.0
"""The journal is brought up to date this often: more would only wear the disk."""
_ANEW = "put it back, or begin anew with --restart"


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    items: int = 0
    """Of the input, refused ones included."""
    bytes: int = 0
    """Of the output."""
    refused: int = 0
    refused_bytes: int = 0
    """Of the list of refused items."""
    complete: bool = False


class ResumableOutput:
    """A file that is written in blocks and appears whole, in this run or a later one."""

    def __init__(self, path: str | Path, identity: Mapping[str, Any], restart: bool) -> None:
        self._name = str(path)
        self._target = Path(os.path.realpath(path))  # a link goes on pointing where it points
        self._identity = json.loads(json.dumps(identity))
        self._restart = restart
        self._part = _Appended(beside(self._target, ".part"))
        self.errors = beside(self._target, ".errors.jsonl")
        self._refused = _Appended(beside(self.errors, ".part"))
        self._journal = beside(self._target, ".journal")
        self._noted, self._noted_at = Progress(), 0.0
        self.progress = Progress()
        self.kept = False
        """Whether a run that stops leaves something to go on from."""

    def __enter__(self) -> "ResumableOutput":
        if self._target.is_dir():
            raise FormatError("is a directory, expected a file name for the output", self._name)
        with self._told():
            self._part.open()
            try:
                self._part.lock(self._name)
                self.progress = self._earlier()
                if not self.progress.complete:
                    self._part.cut(self.progress.bytes)
                    if self._refused.path.exists():
                        self._refused.open()
                        self._refused.cut(self.progress.refused_bytes)
                    self._note()
            except BaseException:
                self._close()
                raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                with self._told():
                    self._finish()
            elif self.progress.items:
                self._keep()
            else:
                self._drop()
        finally:
            self._close()

    def write(self, outcomes: list[bytes | Refused]) -> None:
        """Append the outcomes of some items."""
        data = b"".join(outcome for outcome in outcomes if isinstance(outcome, bytes))
        refused = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
        with self._told():
            self._part.append(data)
            lines = b"".join(line_of(refused_record(one)) for one in refused)
            if lines:
                self._refused.open()
                self._refused.append(lines)
            self.progress = replace(
                self.progress,
                items=self.progress.items + len(outcomes),
                bytes=self.progress.bytes + len(data),
                refused=self.progress.refused + len(refused),
                refused_bytes=self.progress.refused_bytes + len(lines),
            )
            if time.monotonic() - self._noted_at >= _SECONDS_BETWEEN:
                self._note()

    def begin(self, head: bytes) -> None:
        """Write what stands before the first item."""
        with self._told():
            self._part.append(head)
        self.progress = replace(self.progress, bytes=self.progress.bytes + len(head))

    def end(self, foot: bytes) -> None:
        """Write what stands after the last item; nothing is left to do."""
        with self._told():
            self._part.append(foot)
        whole = self.progress.bytes + len(foot)
        self.progress = replace(self.progress, bytes=whole, complete=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise unwritable(self._name, error) from None

    def _earlier(self) -> Progress:
        if self._restart:
            self._refused.path.unlink(missing_ok=True)
            return Progress()
        try:
            text = self._journal.read_text(encoding="utf-8")
        except FileNotFoundError:
            if self._part.size():
                raise IstsError(
                    f"{self._part.path}: stands in the way, and there is no journal beside it: "
                    "remove it, or begin anew with --restart"
                ) from None
            return Progress()
        progress, identity = _parsed(text, self._journal)
        if identity != self._identity:
            reasons = "; ".join(differences(identity, self._identity))
            raise IstsError(
                f"{self._name}: a run was stopped after {progress.items} items and cannot be "
                f"resumed: {reasons}. To go on, {_ANEW}"
            )
        if progress.complete:
            return progress
        if self._part.size() < progress.bytes or self._refused.size() < progress.refused_bytes:
            raise IstsError(f"{self._part.path}: is shorter than its journal says: {_ANEW}")
        return progress

    def _note(self) -> None:
        """Bring the journal up to date, after what it vouches for has reached the disk."""
        self._part.sync()
        self._refused.sync()
        record = {"format": _FORMAT, "run": self._identity, "done": asdict(self.progress)}
        fresh = beside(self._journal, ".new")
        with fresh.open("wb") as stream:
            stream.write(line_of(record))
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(self._journal)
        self._noted, self._noted_at = self.progress, time.monotonic()

    def _keep(self) -> None:
        try:
            self._note()
        except OSError:  # a full disk: the journal's last word still holds
            self.progress = self._noted
        self.kept = True

    def _drop(self) -> None:
        with suppress(OSError):
            for path in (self._part.path, self._refused.path, self._journal):
                path.unlink(missing_ok=True)

    def _finish(self) -> None:
        """Put everything in its place; should this be cut short, the next run finishes it."""
        self._note()
        if not self.progress.refused:
            self.errors.unlink(missing_ok=True)  # an earlier run's, and of another output
        elif self._refused.path.exists():
            self._refused.path.replace(self.errors)
        if self._part.size() == self.progress.bytes:
            self._part.path.chmod(usual_mode(self._target))
            self._part.path.replace(self._target)
        else:  # it is in its place already
            self._part.path.unlink()
        self._journal.unlink()

    def _close(self) -> None:
        self._part.close()
        self._refused.close()


class _Appended:
    """A file of ours that grows, and is cut back to what counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def open(self) -> None:
        if self._handle is None:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._handle = os.open(self.path, flags, 0o666)

    def lock(self, output: str) -> None:
        try:
            fcntl.flock(self._opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            still_there = self.path.stat().st_ino == os.fstat(self._opened).st_ino
        except OSError:
            still_there = False
        if not still_there:
            raise IstsError(f"{output}: another run is writing this file")

    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def cut(self, size: int) -> None:
        os.ftruncate(self._opened, size)

    def append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._opened, view) :]

    def sync(self) -> None:
        if self._handle is not None:
            os.fsync(self._handle)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @property
    def _opened(self) -> int:
        assert self._handle is not None  # noqa: S101 (`open` comes first)
        return self._handle


def written_beside(path: str | Path) -> tuple[Path, ...]:
    """What may stand beside an output, during the run or after it."""
    target = Path(os.path.realpath(path))
    errors = beside(target, ".errors.jsonl")
    return beside(target, ".part"), beside(target, ".journal"), errors, beside(errors, ".part")


def beside(path: Path, suffix: str) -> Path:
    """A file of the same name with more at its end."""
    return Path(f"{path}{suffix}")  # the root, too, which has no name


def refused_record(refused: Refused) -> dict[str, Any]:
    """A refused item as the list of them holds it."""
    error = refused.error
    return {
        "file": error.file,
        "line": error.line,
        "reason": error.reason,
        "input": refused.text,
    }


def _parsed(text: str, journal: Path) -> tuple[Progress, dict[str, Any]]:
    try:
        record = json.loads(text)
        if record["format"] != _FORMAT:
            raise ValueError
        return Progress(**record["done"]), dict(record["run"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise IstsError(f"{journal}: is no journal of ists: begin anew with --restart") from None


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What has changed since a run was begun, in words."""
    reasons = []
    for key in {**then, **now}:
        old, new = then.get(key), now.get(key)
        if old == new:
            continue
        if key.startswith("input"):
            gone = "is not given now" if key in then else "was not given then"
            reasons.append(f"{key} {'has changed' if key in then and key in now else gone}")
        elif key == "model":
            reasons.append("the model has changed")
        else:
            reasons.append(f"{key} was {json.dumps(old)} and is {json.dumps(new)}")
    return reasons
