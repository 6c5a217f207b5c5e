"""Hashes of the tokens of sentence pairs, which show pairs with other sentences than the gold's.

The figures are computed from token numbers alone: links between the tokens of other sentences, or
of sentences that were tokenised differently, are compared with the gold's all the same. Hashes take
little time and memory for each pair. White space does not count, as layouts differ in it; for that
reason, the token ``a:2b`` and the two tokens ``a`` and ``b`` may have the same hash.
"""

from collections.abc import Sequence

from ists.errors import FormatError
from ists.formats.problems import Problem
from ists.formats.text import encode
from ists.pairs import SentencePair

UNKNOWN = 0
"""The hash of a pair without tokens: it may have any."""

_BEGIN, _BETWEEN, _END = b"<source>\n", b"</source><translation>", b"</translation>"
_WHITE_SPACE = b" \t\r\n"


def hash_of_usual(block: bytes) -> int:
    """Return the hash of the tokens of a `.wa` file's block in the usual layout."""
    begin = block.find(_BEGIN)
    return _hash(block[begin : block.find(_END, begin)])


def hash_of_sections(source: str | None, translation: str | None) -> int:
    """Return the hash of the token sections of a block in any layout."""
    if source is None or translation is None:
        return UNKNOWN
    try:
        sections = encode(source), encode(translation)
    except FormatError:  # no `.wa` file can have these tokens
        return UNKNOWN
    return _hash(_BEGIN + _BETWEEN.join(sections))


def hash_of_pair(pair: SentencePair) -> int:
    """Return the hash of the tokens of a pair."""
    return hash_of_sections(_section(pair.sentence1.tokens), _section(pair.sentence2.tokens))


def _section(tokens: Sequence[str] | None) -> str | None:
    if tokens is None:
        return None
    return "".join([f"{number}{token}:" for number, token in enumerate(tokens, start=1)])


def _hash(sections: bytes) -> int:
    return hash(sections.translate(None, _WHITE_SPACE))


def other_tokens(file: str, line: int | None, pair_id: str, gold: str) -> Problem:
    """Return the problem of a system's pair whose tokens are not those of the gold."""
    return Problem(file, line, pair_id, f"the tokens are not those of {gold}")
