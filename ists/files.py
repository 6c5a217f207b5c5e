"""Opening what a user names: a path or ``-``; output appears whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

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
        _refuse_binary(sys.stdin.buffer, "<stdin>")
        yield sys.stdin.buffer
        return
    if Path(path).is_dir():
        raise FormatError("is a directory, expected a file", str(path))
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 (only opening may fail with this error)
    except (OSError, ValueError) as error:
        raise FormatError(_reason(error), str(path)) from None
    with stream:
        _refuse_binary(stream, str(path))
        yield stream


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
    file is left behind.
    """
    if str(path) == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    # A link keeps pointing where it points, and a device such as /dev/null is no file to replace.
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise FormatError("is a directory, expected a file name for the output", str(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            yield stream
        return
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be written: {_reason(error)}", str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        Path(beside).chmod(_usual_mode(target))
        Path(beside).replace(target)
    except BaseException as error:
        with suppress(OSError):
            Path(beside).unlink()
        if isinstance(error, OSError) and error.filename is None:  # a full disk names no file
            raise FormatError(f"cannot be written: {_reason(error)}", str(path)) from None
        raise


def _usual_mode(target: Path) -> int:
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
