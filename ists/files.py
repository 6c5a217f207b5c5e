"""Open input and output by path or ``-``; output files are replaced atomically."""

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from ists.errors import FormatError

STANDARD_STREAM = "-"
_STDOUT = "<stdout>"
_GZIP_MAGIC = b"\x1f\x8b"
_PEEK = 4096
_UNFINISHED = ".ists-tmp"
"""Suffix of a file that is still being written."""
_LONGEST_PREFIX = 64
_TRIES = 5
OPEN_FILES_CAN_BE_MOVED = os.name != "nt"
_LOCKED_BYTE = 1 << 30
"""Windows locks byte ranges against reading, so a byte far past the content is locked."""


@contextmanager
def open_input(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file (or standard input for ``-``) for reading text as bytes.

    Compressed and binary files are rejected here, once for every reader: decoding them would only
    lead to an error message about an arbitrary line.
    """
    if str(path) == STANDARD_STREAM:
        stream = _standard(sys.stdin, "<stdin>")
        _reject_binary(stream, "<stdin>")
        yield stream
        return
    if not str(path):
        raise FormatError("the name of a file is empty")
    if Path(path).is_dir():
        raise FormatError("is a directory, expected a file", str(path))
    try:
        file = Path(path).open("rb")  # noqa: SIM115 (only opening may fail with this error)
    except (OSError, ValueError) as error:
        raise FormatError(_reason(error), str(path)) from None
    with file:
        _reject_binary(file, str(path))
        yield file


def _standard(stream: TextIO | None, name: str) -> BinaryIO:
    if stream is None:
        raise FormatError("is closed", name)
    return stream.buffer


def _reject_binary(stream: BinaryIO, name: str) -> None:
    peek = getattr(stream, "peek", None)
    if peek is None:
        return
    head = peek(_PEEK)[:_PEEK]
    if head.startswith(_GZIP_MAGIC):
        raise FormatError("is gzip-compressed, expected text: gunzip it first", name)
    if b"\0" in head:
        raise FormatError("is a binary file (it has NUL bytes), expected text", name)


@contextmanager
def atomic_output(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file (or standard output for ``-``) for writing; rename it into place at the end.

    On an error an existing file keeps its content and the temporary file is removed; the temporary
    file of a killed process is removed by the next run. A pipe or device is written directly.
    """
    try:
        if is_standard_output(path):
            stream = _standard(sys.stdout, _STDOUT)
            yield stream
            stream.flush()
        elif not can_be_replaced(path):
            with Path(path).open("wb") as device:
                yield device
        else:
            with _replacing(path) as temporary:
                yield temporary
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename not in (None, str(path)):
            raise
        raise unwritable(path, error) from None


def is_standard_output(path: str | Path) -> bool:
    """Return whether a path means standard output."""
    return str(path) in (STANDARD_STREAM, "/dev/stdout")


def can_be_replaced(path: str | Path) -> bool:
    """Return whether a path can be replaced by a new file; a stream, pipe or device cannot."""
    name = str(path)
    return name != STANDARD_STREAM and not name.startswith("/dev/") and not _is_pipe(path)


def reject_no_folder(path: Path) -> None:
    """Raise a `FormatError` if a path is not an existing folder."""
    if not path.is_dir():
        reason = "is a file, expected a folder" if path.exists() else "no such folder"
        raise FormatError(reason, str(path))


def reject_replacing(output: str | Path, inputs: Iterable[str]) -> None:
    """Raise a `FormatError` if the output would overwrite one of the inputs."""
    if not can_be_replaced(output):
        return
    for file in inputs:
        with suppress(OSError, ValueError):  # a missing file cannot be overwritten
            if Path(output).samefile(file):
                raise FormatError("is read by this command, expected another name", str(output))


def _is_pipe(path: str | Path) -> bool:
    try:
        return Path(path).is_fifo()
    except ValueError:  # a NUL in the name: opening it will raise the error
        return False


def unwritable(path: str | Path, error: Exception) -> FormatError:
    """Return the error for an output file that cannot be written."""
    name = _STDOUT if str(path) == STANDARD_STREAM else str(path)
    return FormatError(f"cannot be written: {_reason(error)}", name)


@contextmanager
def named_standard_output() -> Iterator[None]:
    """In this block, an error of writing to standard output is a `FormatError` that names it."""
    if sys.stdout is None:
        yield
        return
    with redirect_stdout(cast(TextIO, _NamedOutput(sys.stdout))):
        yield


class _NamedOutput:
    """Standard output as text, whose errors name it: an `OSError` of a stream names no file."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write text."""
        with _naming_errors():
            return self._stream.write(text)

    def flush(self) -> None:
        """Write what is still in the buffer."""
        with _naming_errors():
            self._stream.flush()


@contextmanager
def _naming_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the reader has seen enough
        raise
    except OSError as error:
        raise unwritable(STANDARD_STREAM, error) from None


@contextmanager
def _replacing(path: str | Path) -> Iterator[BinaryIO]:
    target = Path(os.path.realpath(path))  # a symbolic link is kept, its target replaced
    if target.is_dir():
        raise FormatError("is a directory, expected a file name for the output", str(path))
    try:
        _remove_stale(target)
        handle, temporary = _make_temporary(target)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            if OPEN_FILES_CAN_BE_MOVED:  # it stays locked until it is renamed
                _rename_into_place(temporary, target)
        if not OPEN_FILES_CAN_BE_MOVED:
            _rename_into_place(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _rename_into_place(temporary: Path, target: Path) -> None:
    temporary.chmod(usual_mode(target))
    temporary.replace(target)


def _make_temporary(target: Path) -> tuple[int, Path]:
    """Create a temporary file in the folder of a target, locked while it is written."""
    import tempfile  # slow to import, and not needed for reading

    handle, name = tempfile.mkstemp(_UNFINISHED, _prefix(target), target.parent)
    for _ in range(_TRIES):
        try:
            lock(handle)
        except BlockingIOError:  # another run has removed it as stale just now
            locked = False
        except OSError:  # a file system without locks
            break
        else:
            locked = True
        if locked and Path(name).exists():
            break
        os.close(handle)
        handle, name = tempfile.mkstemp(_UNFINISHED, _prefix(target), target.parent)
    return handle, Path(name)


def _remove_stale(target: Path) -> None:
    """Remove the temporary files of killed runs: those that no process has locked."""
    for file in target.parent.glob(f"{glob.escape(_prefix(target))}*{_UNFINISHED}"):
        with suppress(OSError):
            with file.open("rb+") as stream:
                stale = lock(stream.fileno())
                if stale and OPEN_FILES_CAN_BE_MOVED:
                    file.unlink()
            if stale and not OPEN_FILES_CAN_BE_MOVED:
                file.unlink()


def _prefix(target: Path) -> str:
    return f".{target.name[:_LONGEST_PREFIX]}."


def usual_mode(target: Path) -> int:
    """Return the mode that `open` would give, instead of mkstemp's 0600."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def lock(handle: int) -> bool:
    """Lock an open file until it is closed; raise an `OSError` if another process has the lock.

    Return False if the system has no file locks: then two processes may use the file at once.
    """
    if (fcntl := _module("fcntl")) is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    if (msvcrt := _module("msvcrt")) is not None:
        place = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, place, os.SEEK_SET)
        return True
    return False


def _module(name: str) -> Any:
    """Import a module that not every system has; None if it is missing."""
    try:
        return import_module(name)
    except ImportError:
        return None


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return (getattr(error, "strerror", None) or str(error)).lower()
