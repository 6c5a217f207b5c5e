"""Decoding and encoding of text files: UTF-8, in which the official files have invalid bytes.

Invalid bytes are decoded to lone surrogates and encoded to the same bytes again (PEP 383); nothing
is replaced or dropped.
"""

import json
from collections.abc import Iterator
from typing import BinaryIO

from ists.errors import FormatError

LONGEST_LINE = 16 << 20
"""Maximum length of a line in bytes, so that a file without line breaks does not fill memory."""
_SKIP_SIZE = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode(data: bytes) -> str:
    """Decode UTF-8; invalid bytes become surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


def is_utf8(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def encode(text: str) -> bytes:
    """Encode text as UTF-8; surrogate escapes become the original bytes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        sign = text[error.start]
        raise FormatError(f"U+{ord(sign):04X} is not a character, UTF-8 cannot encode it") from None


def shown(text: str, longest: int = 60) -> str:
    """Quote a piece of input for a message, on one line and truncated."""
    text = text.strip()
    return repr(text if len(text) <= longest else text[:longest] + "…")


def shown_value(value: object) -> str:
    """Describe a decoded JSON value for a message; a list or an object by its kind."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    return shown(str(value))


def reject_unwritable(text: str) -> str:
    """Return the text of a JSON string; raise a `FormatError` if a text file cannot hold it.

    Escapes can name a NUL, by which binary files are recognised, and lone surrogates. Those that
    stand for bytes that are not UTF-8 are allowed.
    """
    reject_nul(encode(text))
    return text


def reject_nul(data: bytes) -> bytes:
    """Return the bytes; raise a `FormatError` if they have a NUL."""
    if b"\0" in data:
        raise FormatError("has a NUL character (U+0000), expected text")
    return data


def numbered_lines(stream: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines; a line that is too long is truncated.

    A truncated line is one byte longer than allowed, so that `reject_endless` detects it. A byte
    order mark at the beginning of the file is dropped.
    """
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        if number == 1 and line.startswith(_BYTE_ORDER_MARK):
            line = line.removeprefix(_BYTE_ORDER_MARK)
            if not line.endswith(b"\n"):  # it may have been truncated
                line += stream.readline(len(_BYTE_ORDER_MARK))
            if not line:
                return
        yield number, line
        if len(line) > longest:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_SKIP_SIZE)


def reject_endless(line: bytes, longest: int = LONGEST_LINE) -> bytes:
    """Return the line; raise a `FormatError` if it is too long."""
    if len(line) > longest:
        raise FormatError(f"a line over {longest >> 20} MiB, expected one sentence per line")
    return line
