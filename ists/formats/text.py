"""Text as the official files hold it: UTF-8, with some bytes that are not.

Bytes that are no UTF-8 travel through Python strings as lone surrogates and come out as the same
bytes (PEP 383); nothing is replaced or dropped on the way.
"""

from collections.abc import Iterator
from typing import BinaryIO

from ists.errors import FormatError

LONGEST_LINE = 16 << 20
"""Bytes a line may have: without an end, a file of one line would have to fit into memory."""
_PASSED_OVER_AT_ONCE = 1 << 20


def decode(data: bytes) -> str:
    """Bytes to text; whatever is not UTF-8 is kept as surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Text back to the bytes it came from."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        sign = text[error.start]
        raise FormatError(f"U+{ord(sign):04X} is no character, UTF-8 cannot hold it") from None


def shown(text: str, longest: int = 60) -> str:
    """A piece of the user's text for a message: quoted, on one line, not too long."""
    text = text.strip()
    return repr(text if len(text) <= longest else text[:longest] + "…")


def numbered_lines(stream: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; of an endless one only the beginning is held in memory.

    Such a line comes one byte longer than it may be, for `refuse_endless` to find.
    """
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        yield number, line
        if len(line) > longest:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_PASSED_OVER_AT_ONCE)


def refuse_endless(line: bytes, longest: int = LONGEST_LINE) -> bytes:
    """The line, if it is not longer than lines may be."""
    if len(line) > longest:
        raise FormatError(f"a line of more than {longest >> 20} MiB, expected one sentence a line")
    return line
