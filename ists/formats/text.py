"""Text as the official files hold it: UTF-8, with some bytes that are not.

Bytes that are no UTF-8 travel through Python strings as lone surrogates and come out as the same
bytes (PEP 383); nothing is replaced or dropped on the way.
"""

from ists.errors import FormatError


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
