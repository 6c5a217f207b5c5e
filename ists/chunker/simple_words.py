"""Tokenisation of common words as spaCy does it, at a lower cost than by all of its rules.

Its English tokeniser strips punctuation from both ends of a word, looks the rest up in a table of
special words, and splits it at hyphens. This module does the same for Latin letters, digits and
common punctuation; lines with anything else are left to `ists.chunker.rule_tokens`.
"""

import re

from ists.chunker.rule_tokens import special_words

_UPPER = "A-ZÀ-ÖØ-Þ"
_LOWER = "a-zß-öø-ÿ"
_LETTER = _UPPER + _LOWER
_NUMBER = r"[0-9]+(?:[.,:][0-9]+)*"
_INFIX = "(?:--|[-–—/])"

_MIXED = f"[0-9{_LETTER}]+"
_UNITS = (
    "km|m|dm|cm|mm|ha|nm|yd|in|ft|kg|g|mg|t|lb|oz|m/s|km/h|kmh|mph|hPa|Pa|mbar|mb|MB|kb|KB|gb|GB|"
    "tb|TB|T|G|M|K|%"
)

_OPENING = re.compile(r"[\"'“‘’(\[$£€#]|(?:US|[AC])\$")
_CLOSING = re.compile(
    r"(?:[,;:?!\"'”’)\]]"
    rf"|(?<=[0-9])(?:{_UNITS})"
    rf"|(?<=[0-9{_LETTER}])['’][sS]"
    r"|\.\.+"
    rf"|(?:(?<=[0-9{_LOWER},;:?!\"'”’)\]%])|(?<=[{_UPPER}][{_UPPER}]))\.)$"
)
_EMOTICON = re.compile(r"[:;]['’]?[)\]]|\):|[(\[][-o]?[:;]|(?<![0-9])8\)|''|’’")
_WORD = re.compile(
    rf"[{_LETTER}]+(?:{_INFIX}[{_LETTER}]+)*"
    rf"|{_NUMBER}(?:(?:-[{_LETTER}]+)*|(?:-{_NUMBER})*)"
    rf"|[{_LETTER}]+['’][{_LETTER}]+"
    rf"|@?{_MIXED}(?:[-/&_]{_MIXED})*"
    rf"|{_NUMBER}[{_LETTER}]+"
    r"|(?:[A-Z]\.)+(?:[A-Z]?|-[a-z]+)"
    r"|--?|[&.%–—/|]"
)
_BETWEEN = re.compile(rf"(?<=[0-9{_LETTER}])({_INFIX})(?=[{_LETTER}])|(?<=[0-9])(-)(?=[0-9])")


def plain_tokens(line: str) -> tuple[str, ...] | None:
    """Return the tokens of a line of common words; None if all rules are needed."""
    tokens: list[str] = []
    for chunk in line.split():
        found = _split(chunk)
        if found is None:
            return None
        tokens += found
    return tuple(tokens)


def _split(chunk: str) -> list[str] | None:
    """Split text without white space; None if all rules are needed."""
    special = special_words()
    if chunk.isascii() and chunk.isalpha() and chunk not in special:
        return [chunk]
    if _EMOTICON.search(chunk):
        return None
    before, word, after = _strip(chunk)
    if word in special:
        inner = special[word]
    elif not word or _WORD.fullmatch(word):
        inner = [part for part in _BETWEEN.split(word) if part]
    else:
        return None
    after.reverse()
    tokens = [*before, *inner, *after]
    if word in special:
        joined = _have_special_word([*before, inner[0]]) or _have_special_word([inner[-1], *after])
    else:
        joined = _have_special_word(tokens)
    return None if joined else tokens


def _have_special_word(tokens: list[str]) -> bool:
    """Return whether neighbours are a special word, which spaCy joins again: ``ex-`` ``Gov.``"""
    special = special_words()
    return any(
        "".join(tokens[at : at + size]) in special
        for size in (2, 3)
        for at in range(len(tokens) - size + 1)
    )


def _strip(text: str) -> tuple[list[str], str, list[str]]:
    """Strip punctuation from both ends, up to a special word; closing signs outermost first.

    Each turn strips a sign from each end, as spaCy does: this decides between a full stop and an
    abbreviation.
    """
    special = special_words()
    before: list[str] = []
    after: list[str] = []
    while text and text not in special:
        opening = _OPENING.match(text)
        start = opening.end() if opening else 0
        if start and text[start:] in special:
            return [*before, text[:start]], text[start:], after
        closing = _CLOSING.search(text, start)
        end = closing.start() if closing else len(text)
        if closing and text[:end] in special:
            return before, text[:end], [*after, text[end:]]
        if not opening and not closing:
            break
        if opening:
            before.append(text[:start])
        if closing:
            after.append(text[end:])
        text = text[start:end]
    return before, text, after
