"""Resumable output: a run that was stopped is continued by the next one.

During the run, OUT.part holds the output so far, and OUT.journal records how many of its bytes are
valid and which input, options and model it was made from. OUT is created only at the end. A run
that was killed leaves both files; the next one with the same input, options and model truncates
OUT.part to the length in the journal and continues. If any of these differs, the run is rejected
with the differences.
"""

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
from ists.files import OPEN_FILES_CAN_BE_MOVED, lock, unwritable, usual_mode
from ists.formats.jsonl import line_of
from ists.formats.rows import RejectedItem

_FORMAT = 1
_SECONDS_BETWEEN = 1.0
"""Least time between two updates of the journal, each of which syncs the files to disk."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND
_FLAGS |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)  # it has another name on Windows
_TO_CONTINUE = "restore it, or start again with --restart"


@dataclass(frozen=True)
class Progress:
    """Progress of a run, as the journal records it."""

    items: int = 0
    """Input items processed, rejected ones included."""
    bytes: int = 0
    """Length of the output."""
    rejected: int = 0
    rejected_bytes: int = 0
    """Length of the list of rejected items."""
    complete: bool = False


class ResumableOutput:
    """Output file that is written in blocks and created when complete, in this run or a later."""

    def __init__(self, path: str | Path, identity: Mapping[str, Any], restart: bool) -> None:
        self._name = str(path)
        # A symbolic link is kept and its target written.
        self._target = Path(os.path.realpath(path) if Path(path).is_symlink() else path)
        self._identity = json.loads(json.dumps(identity))
        self._restart = restart
        self._part = _AppendOnlyFile(add_suffix(self._target, ".part"))
        self.errors = add_suffix(self._target, ".errors.jsonl")
        self._rejected = _AppendOnlyFile(add_suffix(self.errors, ".part"))
        self._journal = add_suffix(self._target, ".journal")
        self._noted, self._noted_at = Progress(), 0.0
        self.progress = Progress()
        self.kept = False
        """Whether the run was stopped and can be resumed."""
        self.locked = False
        """Whether the file is locked against a second run."""

    def __enter__(self) -> "ResumableOutput":
        if self._target.is_dir():
            raise FormatError("is a directory, expected a file name for the output", self._name)
        with self._wrap_os_errors():
            self._part.open()
            try:
                self.locked = self._part.lock(self._name)
                self.progress = self._read_earlier()
                if not self.progress.complete:
                    self._part.truncate(self.progress.bytes)
                    if self._rejected.path.exists():
                        self._rejected.open()
                        self._rejected.truncate(self.progress.rejected_bytes)
                    self._update_journal()
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
                with self._wrap_os_errors():
                    self._finish()
            elif self.progress.items:
                self._keep()
            else:
                self._drop()
        finally:
            self._close()

    def write(self, outcomes: list[bytes | RejectedItem]) -> None:
        """Append the outcomes of a block of items."""
        data = b"".join(outcome for outcome in outcomes if isinstance(outcome, bytes))
        rejected = [outcome for outcome in outcomes if isinstance(outcome, RejectedItem)]
        with self._wrap_os_errors():
            self._part.append(data)
            lines = b"".join(line_of(rejected_record(one)) for one in rejected)
            if lines:
                self._rejected.open()
                self._rejected.append(lines)
            self.progress = replace(
                self.progress,
                items=self.progress.items + len(outcomes),
                bytes=self.progress.bytes + len(data),
                rejected=self.progress.rejected + len(rejected),
                rejected_bytes=self.progress.rejected_bytes + len(lines),
            )
            if time.monotonic() - self._noted_at >= _SECONDS_BETWEEN:
                self._update_journal()

    def begin(self, head: bytes) -> None:
        """Write the format's header, before the first item."""
        with self._wrap_os_errors():
            self._part.append(head)
        self.progress = replace(self.progress, bytes=self.progress.bytes + len(head))

    def end(self, foot: bytes) -> None:
        """Write the format's footer, after the last item, and mark the run as complete."""
        with self._wrap_os_errors():
            self._part.append(foot)
        whole = self.progress.bytes + len(foot)
        self.progress = replace(self.progress, bytes=whole, complete=True)

    @contextmanager
    def _wrap_os_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise unwritable(self._name, error) from None

    def _read_earlier(self) -> Progress:
        if self._restart:
            self._rejected.path.unlink(missing_ok=True)
            return Progress()
        try:
            text = self._journal.read_text(encoding="utf-8")
        except FileNotFoundError:
            if self._part.size():
                raise IstsError(
                    f"{self._part.path}: already exists, but has no journal: "
                    "remove it, or start again with --restart"
                ) from None
            return Progress()
        progress, identity = _parse_journal(text, self._journal)
        if identity != self._identity:
            reasons = "; ".join(differences(identity, self._identity))
            raise IstsError(
                f"{self._name}: a run was stopped after {progress.items} items and cannot be "
                f"resumed: {reasons}. To continue, {_TO_CONTINUE}"
            )
        if progress.complete:
            return progress
        if self._part.size() < progress.bytes or self._rejected.size() < progress.rejected_bytes:
            raise IstsError(
                f"{self._part.path}: shorter than recorded in its journal: {_TO_CONTINUE}"
            )
        return progress

    def _update_journal(self) -> None:
        """Sync the output to disk, then update the journal."""
        self._part.sync()
        self._rejected.sync()
        record = {"format": _FORMAT, "run": self._identity, "done": asdict(self.progress)}
        fresh = add_suffix(self._journal, ".new")
        with fresh.open("wb") as stream:
            stream.write(line_of(record))
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(self._journal)
        self._noted, self._noted_at = self.progress, time.monotonic()

    def _keep(self) -> None:
        try:
            self._update_journal()
        except OSError:  # such as a full disk: the last journal entry is still valid
            self.progress = self._noted
        self.kept = True

    def _drop(self) -> None:
        self._close_before_move()
        with suppress(OSError):
            for path in (self._part.path, self._rejected.path, self._journal):
                path.unlink(missing_ok=True)

    def _finish(self) -> None:
        """Move the files to their final names; if this is interrupted, the next run finishes it."""
        self._update_journal()
        self._close_before_move()
        if not self.progress.rejected:
            self.errors.unlink(missing_ok=True)  # left by an earlier run
        elif self._rejected.path.exists():
            self._rejected.path.replace(self.errors)
        if self._part.size() == self.progress.bytes:
            self._part.path.chmod(usual_mode(self._target))
            self._part.path.replace(self._target)
        else:  # an earlier run has already moved it
            self._part.path.unlink()
        self._journal.unlink()

    def _close_before_move(self) -> None:
        """Close the files now on systems that cannot move open ones; elsewhere keep the lock."""
        if not OPEN_FILES_CAN_BE_MOVED:
            self._close()

    def _close(self) -> None:
        self._part.close()
        self._rejected.close()


class _AppendOnlyFile:
    """Append-only file that can be truncated and locked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def open(self) -> None:
        if self._handle is None:
            self._handle = os.open(self.path, _FLAGS, 0o666)

    def lock(self, output: str) -> bool:
        try:
            locked = lock(self._open_stream)
            still_there = self.path.stat().st_ino == os.fstat(self._open_stream).st_ino
        except OSError:
            still_there = False
        if not still_there:
            raise IstsError(f"{output}: another run is writing this file")
        return locked

    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def truncate(self, size: int) -> None:
        os.ftruncate(self._open_stream, size)

    def append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._open_stream, view) :]

    def sync(self) -> None:
        if self._handle is not None:
            os.fsync(self._handle)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @property
    def _open_stream(self) -> int:
        assert self._handle is not None  # noqa: S101 (`open` comes first)
        return self._handle


def auxiliary_files(path: str | Path) -> tuple[Path, ...]:
    """Return the paths of the auxiliary files of an output, during the run or after it."""
    target = Path(os.path.realpath(path))
    errors = add_suffix(target, ".errors.jsonl")
    return (
        add_suffix(target, ".part"),
        add_suffix(target, ".journal"),
        errors,
        add_suffix(errors, ".part"),
    )


def add_suffix(path: Path, suffix: str) -> Path:
    """Return the path with a suffix appended to its name."""
    return Path(f"{path}{suffix}")  # `with_name` would fail for the root


def rejected_record(rejected: RejectedItem) -> dict[str, Any]:
    """Return the record of a rejected item in the errors file."""
    error = rejected.error
    return {
        "file": error.file,
        "line": error.line,
        "reason": error.reason,
        "input": rejected.text,
    }


def _parse_journal(text: str, journal: Path) -> tuple[Progress, dict[str, Any]]:
    try:
        record = json.loads(text)
        if record["format"] != _FORMAT:
            raise ValueError
        return Progress(**record["done"]), dict(record["run"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise IstsError(f"{journal}: not a journal of ists: start again with --restart") from None


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Describe the differences between the identities of an earlier run and this one."""
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
