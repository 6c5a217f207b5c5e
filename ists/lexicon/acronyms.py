"""Abbreviations: whether one phrase is an abbreviation of another.

Two sources: the initials rule (``EU`` for European Union; ``Kenya SC`` for Kenya Supreme Court) and
the table ``data/lexicon/acronyms.tsv`` for other abbreviations (``govt``, ``GOP``).
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ists.lexicon.places import read_rows
from ists.resources import data_path

_LINKING_WORDS = frozenset(("a", "an", "and", "at", "for", "in", "of", "on", "the", "to"))
_WORDS_IN_LOWER_CASE = frozenset({"aids", "who"})  # acronyms only in capitals
_MAX_LETTERS = 8
_CACHED_PAIRS = 8192


class Acronyms:
    """The table of abbreviations and the initials rule."""

    def __init__(self, long_forms: dict[str, tuple[str, ...]]) -> None:
        self._long_forms = long_forms
        self._matches = lru_cache(maxsize=_CACHED_PAIRS)(self._find_match)

    @classmethod
    def load(cls, path: str | Path | None = None) -> "Acronyms":
        """Read the table at `path`, or the one shipped."""
        rows = read_rows(
            data_path("lexicon", "acronyms.tsv") if path is None else path, ["short", "long"]
        )
        return cls(
            {
                _bare(row["short"]): tuple(long.casefold() for long in row["long"].split(","))
                for row in rows
            }
        )

    def expansions(self, word: str) -> tuple[str, ...]:
        """Return the long forms of an abbreviation in the table, in lower case."""
        if word in _WORDS_IN_LOWER_CASE:
            return ()
        return self._long_forms.get(_bare(word), ())

    def match(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Return whether two token lists are equal once abbreviations are expanded.

        There must be at least one abbreviation; all other tokens must be equal, ignoring case.
        """
        if len(one) == len(other) == 1:  # the common case: initials need two words
            short, long = one[0], other[0]
            return self.abbreviates(short, [long]) or self.abbreviates(long, [short])
        return self._matches(tuple(one), tuple(other))

    def _find_match(self, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
        return self._align(one, other, False)

    def _align(self, one: tuple[str, ...], other: tuple[str, ...], abbreviated: bool) -> bool:
        if not one or not other:
            return abbreviated and not one and not other
        if one[0].casefold() == other[0].casefold() and self._align(
            one[1:], other[1:], abbreviated
        ):
            return True
        return any(
            self.abbreviates(short[0], long[:size]) and self._align(short[1:], long[size:], True)
            for short, long in ((one, other), (other, one))
            for size in range(1, min(len(long), _MAX_LETTERS + 4) + 1)
        )

    def abbreviates(self, short: str, long: Sequence[str]) -> bool:
        """Return whether one token abbreviates a sequence of tokens."""
        expansions = self.expansions(short)
        if expansions and " ".join(long).casefold() in expansions:
            return True
        return len(long) > 1 and spells_initials(short, long)


def may_be_initials(word: str) -> bool:
    """Return whether a word looks like the initials of other words: EU, BoE, D.C."""
    if len(word) < 2 or word.islower():
        return False
    letters = word.replace(".", "")
    if not 2 <= len(letters) <= _MAX_LETTERS or not letters.isalpha():
        return False
    return sum(letter.isupper() for letter in letters) >= 2


def spells_initials(short: str, long: Sequence[str]) -> bool:
    """Return whether `short` (in capitals, dots allowed) is the initials of two or more words.

    Linking words may be included or not, as in ``BoE`` and ``DRC``.
    """
    if len(long) < 2 or not may_be_initials(short) or long[0] in _LINKING_WORDS:
        return False
    letters = short.replace(".", "")
    words = [part for token in long for part in token.split("-") if part]
    every = "".join(word[0] for word in words).casefold()
    strong = "".join(word[0] for word in words if word.casefold() not in _LINKING_WORDS).casefold()
    return letters.casefold() in (every, strong) and len(strong) >= 2


def _bare(word: str) -> str:
    return word.replace(".", "").casefold()
