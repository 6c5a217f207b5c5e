"""Tokenisation.

The task's files are already tokenised and must be split at white space to get the scorer's token
numbers. Ordinary prose is not tokenised. ``auto`` decides line by line:

1. A line is *tokenised* if a punctuation mark such as a comma or full stop, or a clitic such as
   ``'s`` or ``n't``, is a separate word: it is split at white space.
2. Else it is *prose* if a word has punctuation that a tokeniser would split off: a comma, a
   quotation mark, a bracket, a clitic, or a full stop at the end of the line that is not part of an
   abbreviation. It is split by spaCy's English tokeniser.
3. Else there is nothing to split off, and the line is split at white space.

A full stop inside the line is no evidence: headlines often have ``Gov.`` and ``U.S.``
"""

import re
from typing import Literal

from ists.chunker import rule_tokens
from ists.chunker.simple_words import plain_tokens

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
_FULL_STOP = re.compile(r".*[\w%]\.+")
_ABBREVIATION = re.compile(
    r"\w|(?:\w\.)+\w?|[A-Z][a-z]?"
    r"|(?:Bros|Capt|Col|Corp|Dept|Gen|Gov|Hon|Inc|Ltd|Maj|Mrs|Prof|Rep|Rev|Sen|Sgt|Univ|etc|vs)"
)
_UNIT_WITH_STOP = re.compile(r"[a-z]\.")


def tokenize(line: str, how: Tokenization = "auto") -> tuple[str, ...]:
    """Split a line of text into tokens."""
    if how not in TOKENIZATIONS:
        raise ValueError(f"tokens is {how!r}, expected one of {', '.join(TOKENIZATIONS)}")
    if how == "spacy":
        return _spacy_tokens(line)
    if how == "auto" and is_prose(line):
        return _with_final_stop(_spacy_tokens(line))
    return tuple(line.split())


def is_prose(line: str) -> bool:
    """Return whether a line needs a tokeniser (see the module's docstring)."""
    words = line.split()
    if any(_STANDS_ALONE.fullmatch(word) for word in words):
        return False
    return any(map(_ATTACHED.fullmatch, words)) or _ends_with_full_stop(words)


def _ends_with_full_stop(words: list[str]) -> bool:
    if not words or not _FULL_STOP.fullmatch(words[-1]):
        return False
    return not _ABBREVIATION.fullmatch(words[-1].rstrip("."))


def _spacy_tokens(line: str) -> tuple[str, ...]:
    plain = plain_tokens(line)
    if plain is not None:
        return plain
    # Bytes that are not UTF-8 are lone surrogates here, which no rule of spaCy's expects: replace
    # them by a letter, which they mostly were in some other encoding, and slice the original line.
    found = rule_tokens.spans(_SURROGATE.sub("x", line))
    tokens = (line[begin:end] for begin, end in found)
    return tuple(token for token in tokens if not token.isspace())


def _with_final_stop(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Split off the full stop of a line that ends with an abbreviated unit: ``$ 2.3 m .``

    spaCy takes any single letter with a full stop for an abbreviation.
    """
    if len(tokens) > 1 and _UNIT_WITH_STOP.fullmatch(tokens[-1]) and tokens[-2][-1].isdigit():
        return (*tokens[:-1], tokens[-1][0], ".")
    return tokens
