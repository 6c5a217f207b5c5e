"""Word pieces: the units that the encoder reads, as BERT splits words into them.

A word is normalised (control characters and accents removed, lower case), split at punctuation, and
each part is cut into the longest pieces of the vocabulary, from left to right. The vocabulary is
that of a ``tokenizer.json`` as written by the library *tokenizers*, with which a test compares.
"""

import json
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from ists.errors import ModelError

UNKNOWN = 100
"""The piece of a word that the vocabulary cannot spell."""
_INSIDE = "##"
"""Prefix of pieces that continue a word."""
_LONGEST_WORD = 100
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Ranges of ideographs, each of which is a word."""


class Vocabulary:
    """The word pieces of a tokenizer file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pieces(self, text: str) -> list[int]:
        """Return the ids of the pieces of a text; empty if it has no printable characters."""
        return [piece for word in _words(text) for piece in self._split(word)]

    def _split(self, word: str) -> list[int]:
        whole = self._ids.get(word)
        if whole is not None:
            return [whole]
        if len(word) > _LONGEST_WORD:
            return [UNKNOWN]
        pieces: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._ids.get(prefix + word[start:end])
                if piece is not None:
                    break
            else:
                return [UNKNOWN]
            pieces.append(piece)
            start, prefix = end, _INSIDE
        return pieces

    @cached_property
    def _ids(self) -> dict[str, int]:
        try:
            model = json.loads(self._file.read_bytes())["model"]
            if model["type"] != "WordPiece":
                raise ValueError(f"its model is {model['type']!r}, expected 'WordPiece'")
            vocabulary: dict[str, int] = model["vocab"]
            if not set(map(type, vocabulary.values())) <= {int}:
                raise ValueError("a number of a piece is not an integer")
            return vocabulary
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{self._file}: not a tokenizer: {error}") from None


def _words(text: str) -> Iterator[str]:
    """Yield the words and punctuation marks of a text, normalised."""
    if text.isascii() and text.isalnum():
        yield text.lower()
        return
    word = ""
    for sign in _normalised(text):
        if sign == " " or _is_punctuation(sign):
            if word:
                yield word
            if sign != " ":
                yield sign
            word = ""
        else:
            word += sign
    if word:
        yield word


def _normalised(text: str) -> str:
    """Remove control characters and accents, isolate ideographs, and lower the case."""
    clean = "".join(map(_cleaned, text))
    bare = (
        sign for sign in unicodedata.normalize("NFD", clean) if unicodedata.category(sign) != "Mn"
    )
    # One character at a time: the lower case of a whole Greek word has another final sigma.
    return "".join(sign.lower() for sign in bare)


def _cleaned(sign: str) -> str:
    if sign in "\t\n\r":
        return " "
    if sign == "\ufffd" or unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if sign.isspace():
        return " "
    code = ord(sign)
    is_ideograph = code >= _CJK[1][0] and any(first <= code <= last for first, last in _CJK)
    return f" {sign} " if is_ideograph else sign


def _is_punctuation(sign: str) -> bool:
    if sign.isascii():
        return not sign.isalnum() and sign.isprintable() and sign != " "
    return unicodedata.category(sign).startswith("P")
