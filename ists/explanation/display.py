"""Text of a file as people see it in pictures and pages."""

import re
import unicodedata

from ists.errors import printable

_REPLACEMENT = "\ufffd"
_WHOLE_NUMBER = re.compile(r"[0-9]+(?=\.0+$)")


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


def displayed_id(pair_id: str) -> str:
    """Return a pair's id for display; a whole number, as a table may write it, without ``.0``."""
    whole = _WHOLE_NUMBER.match(pair_id)
    return whole[0] if whole else displayed(pair_id)


def displayed_weight(weight: float) -> str:
    """Return a weight with at most one decimal: ``12``, ``12.5``."""
    return f"{weight:.1f}".removesuffix(".0")
