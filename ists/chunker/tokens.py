"""Text to tokens.

The task's files are tokenised already: cutting them at white space is the only numbering the scorer
accepts. Ordinary prose is not. ``auto`` decides line by line:

1. A line is *tokenised* if a comma, a full stop or the like stands alone in it, or a clitic such as
   ``'s`` or ``n't``: it is cut at white space.
2. Else it is *prose* if a word carries punctuation that a tokeniser would cut off: a comma, a
   quotation mark, a bracket, a clitic, or a full stop at the end of the line that is no part of an
   abbreviation. spaCy's English tokeniser cuts it.
3. Else there is nothing to cut off, and white space will do.

A full stop inside the line says nothing: headlines are full of ``Gov.`` and ``U.S.``
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

Tokenization = Literal["auto", "whitespace", "spacy"]
TOKENIZATIONS: tuple[Tokenization, ...] = ("auto", "whitespace", "spacy")

_STANDS_ALONE = re.compile(r"[.,;:?!]+|``|''|['’](?:s|re|ve|ll|d|m)|n['’]t", re.IGNORECASE)
_ATTACHED = re.compile(
    r"[\"'`(\[{“‘«]+\w.*"  # an opening sign before a word
    r"|.*\w[.?!,]*[\"'”’)\]}»]+[.,;:?!]*"  # a closing sign after it
    r"|.*\w[,;:!?]+"
    r"|.*\w(?:n['’]t|['’](?:s|re|ve|ll|d|m))",
    re.IGNORECASE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_FULL_STOP = re.compile(r".*\w\.+")
_ABBREVIATION = re.compile(
    r"\w|(?:\w\.)+\w?|[A-Z][a-z]?"
    r"|(?:Bros|Capt|Col|Corp|Dept|Gen|Gov|Hon|Inc|Ltd|Maj|Mrs|Prof|Rep|Rev|Sen|Sgt|Univ|etc|vs)"
)

_MOST_WORDS = 1 << 18
"""spaCy remembers every word it ever met: after so many, another one begins with none."""


def tokenize(line: str, how: Tokenization = "auto") -> tuple[str, ...]:
    """The tokens of a line of text."""
    if how == "spacy" or (how == "auto" and is_prose(line)):
        return _spacy_tokens(line)
    return tuple(line.split())


def is_prose(line: str) -> bool:
    """Whether a line needs a tokeniser (see above)."""
    words = line.split()
    if any(_STANDS_ALONE.fullmatch(word) for word in words):
        return False
    return any(map(_ATTACHED.fullmatch, words)) or _ends_with_full_stop(words)


def _ends_with_full_stop(words: list[str]) -> bool:
    if not words or not _FULL_STOP.fullmatch(words[-1]):
        return False
    return not _ABBREVIATION.fullmatch(words[-1].rstrip("."))


def _spacy_tokens(line: str) -> tuple[str, ...]:
    # Bytes that are no UTF-8 are lone surrogates here, which spaCy does not take: it cuts a copy in
    # which they are letters, as they mostly were in some other encoding.
    found = _spacy_tokenizer()(_SURROGATE.sub("x", line))
    tokens = (line[begin:end] for begin, end in found)
    return tuple(token for token in tokens if not token.isspace())


@cache
def _spacy_tokenizer() -> Callable[[str], list[tuple[int, int]]]:
    """spaCy's rules for English; importing it takes a second, so only prose pays for it."""
    import spacy

    nlp = spacy.blank("en")

    def cut(line: str) -> list[tuple[int, int]]:
        found = [(token.idx, token.idx + len(token)) for token in nlp.tokenizer(line)]
        if len(nlp.vocab) > _MOST_WORDS:
            _spacy_tokenizer.cache_clear()
        return found

    return cut
