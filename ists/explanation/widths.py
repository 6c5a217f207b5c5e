"""Estimated width of text in a browser.

For each character, the table has the wider glyph of two common sans-serif fonts, rounded up: a box
may be slightly too wide, but is never too narrow for its text.
"""

import unicodedata
from functools import lru_cache

_THOUSANDTHS = {
    300: "'Iijl",
    360: " ,./:;\\f|",
    420: "!()-[]rt",
    480: '"',
    540: "*J`sz",
    600: "?L_ckvxy",
    660: "0123456789$FTabdeghnopqu{}",
    720: "ABEKPSVXYZ",
    780: "&CDGHNRU",
    840: "#+<=>OQ^w~",
    900: "M",
    960: "%",
    1020: "@Wm",
}
_WIDTH = {sign: width / 1000 for width, signs in _THOUSANDTHS.items() for sign in signs}
_WIDE = 1.1
_CAPITAL = 0.9
_OTHER = 0.72


@lru_cache(maxsize=1 << 14)
def text_width(text: str, size: float) -> float:
    """Estimated width of a text at this font size."""
    return size * sum(_sign_width(sign) for sign in text)


@lru_cache(maxsize=1 << 12)
def _sign_width(sign: str) -> float:
    known = _WIDTH.get(sign)
    if known is not None:
        return known
    if unicodedata.combining(sign):
        return 0.0
    base = unicodedata.normalize("NFD", sign)[0]
    if base != sign and base in _WIDTH:
        return _WIDTH[base]
    if unicodedata.east_asian_width(sign) in "WFA" or unicodedata.category(sign) == "So":
        return _WIDE
    return _CAPITAL if sign.isupper() else _OTHER


def wrapped(text: str, size: float, width: float) -> tuple[str, ...]:
    """Wrap a text into lines of at most this width; longer words are split."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if text_width(longer, size) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _cut(word, size, width)
        lines += full
    return (*lines, line)


def _cut(word: str, size: float, width: float) -> list[str]:
    pieces = [""]
    for sign in word:
        if pieces[-1] and text_width(pieces[-1] + sign, size) > width:
            pieces.append("")
        pieces[-1] += sign
    return pieces
