"""Tokenisation of plain words as spaCy does it, without importing spaCy.

Importing spaCy takes longer than loading a model. For a line of ordinary words, each with at most
one punctuation mark or ``'s`` at its end, its English rules have a simple result, which this
module returns. All other lines are left to spaCy.
"""

import re
from functools import cache

from ists.resources import data_path

_PLAIN_WORD = re.compile(
    r"([A-Za-z]+|[0-9]+)([,;:?!]?)"
    r"|([A-Za-z]+)('s)"
    r"|([A-Za-z]+[a-z]|[0-9]+)(\.)"  # capitals before a full stop may be an abbreviation
)


def plain_tokens(line: str) -> tuple[str, ...] | None:
    """Return the tokens of a line of plain words; None if spaCy is needed."""
    exceptions = _exceptions()
    tokens: list[str] = []
    for chunk in line.split():
        found = _PLAIN_WORD.fullmatch(chunk)
        if found is None or chunk in exceptions:
            return None
        word, *ending = filter(None, found.groups())
        if word in exceptions:
            return None
        tokens += (word, *ending)
    return tuple(tokens)


@cache
def _exceptions() -> frozenset[str]:
    """The plain words for which spaCy's English tokeniser has a rule of its own."""
    return frozenset(data_path("lexicon", "spacy_words.txt").read_text(encoding="utf-8").split())
