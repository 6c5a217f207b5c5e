"""Opening what a user names: a path or ``-``; output appears whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from ists.errors import FormatError

STANDARD_STREAM = "-"
_GZIP_MAGIC = b"\x1f\x8b"
_PEEK = 4096


@contextmanager
def open_input(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file (or standard input for ``-``) for reading text as bytes.

    Compressed and binary files are refused here, once for every reader: decoding them would only
    lead to an error message about some innocent line.
    """
    if str(path) == STANDARD_STREAM:
        stream = _standard(sys.stdin, "<stdin>")
        _refuse_binary(stream, "<stdin>")
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
        _refuse_binary(file, str(path))
        yield file


def _standard(stream: TextIO | None, name: str) -> BinaryIO:
    if stream is None:
        raise FormatError("is closed", name)
    return stream.buffer


def _refuse_binary(stream: BinaryIO, name: str) -> None:
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

    Whatever goes wrong before the end, an existing file keeps its old content and no half-written
    file is left behind. What is no file to replace, such as a pipe, is written as it comes.
    """
    try:
        if is_standard_output(path):
            stream = _standard(sys.stdout, "<stdout>")
            yield stream
            stream.flush()
        elif not can_be_replaced(path):
            with Path(path).open("wb") as device:
                yield device
        else:
            with _replacing(path) as beside:
                yield beside
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename not in (None, str(path)):
            raise
        raise unwritable(path, error) from None


def is_standard_output(path: str | Path) -> bool:
    """Whether what is written there comes where results are printed."""
    return str(path) in (STANDARD_STREAM, "/dev/stdout")


def can_be_replaced(path: str | Path) -> bool:
    """Whether a file may take the place of what is named; a stream or a device has none."""
    name = str(path)
    return name != STANDARD_STREAM and not name.startswith("/dev/") and not _is_pipe(path)


def refuse_no_folder(path: Path) -> None:
    """What is to be looked through must be there, and be a folder."""
    if not path.is_dir():
        reason = "is a file, expected a folder" if path.exists() else "no such folder"
        raise FormatError(reason, str(path))


def refuse_replacing(output: str | Path, inputs: Iterable[str]) -> None:
    """A result must not take the place of what it was made from: that would be lost."""
    if not can_be_replaced(output):
        return
    for file in inputs:
        with suppress(OSError, ValueError):  # what is not there is not replaced
            if Path(output).samefile(file):
                raise FormatError("is read by this command, expected another name", str(output))


def _is_pipe(path: str | Path) -> bool:
    try:
        return Path(path).is_fifo()
    except ValueError:  # a NUL in the name: opening it will say so
        return False


def unwritable(path: str | Path, error: Exception) -> FormatError:
    """What to tell of an output that the system refuses."""
    return FormatError(f"cannot be written: {_reason(error)}", str(path))


@contextmanager
def _replacing(path: str | Path) -> Iterator[BinaryIO]:
    target = Path(os.path.realpath(path))  # a link goes on pointing where it points
    if target.is_dir():
        raise FormatError("is a directory, expected a file name for the output", str(path))
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        Path(beside).chmod(usual_mode(target))
        Path(beside).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(beside).unlink()
        raise


def usual_mode(target: Path) -> int:
    """The mode `open` would give: mkstemp's private 0600 is not what users of a result expect."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return (getattr(error, "strerror", None) or str(error)).lower()
