"""Text of a file as people see it in pictures and pages."""

import unicodedata

from ists.errors import printable

_REPLACEMENT = "\ufffd"


def displayed(text: str) -> str:
    """Return a text for display: U+FFFD for bytes that are not UTF-8, escapes for control signs.

    Any kind of space is a plain space.
    """
    if text.isprintable():
        return text
    return "".join(map(_sign, text))


def _sign(sign: str) -> str:
    category = unicodedata.category(sign)
    if category == "Cs":  # an invalid byte is a lone surrogate (see `ists.formats.text`)
        return _REPLACEMENT
    return " " if category == "Zs" else printable(sign)
