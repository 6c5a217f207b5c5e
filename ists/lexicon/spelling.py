"""Spelling similarity: misspellings by one letter, and words joined or split (``acouch``)."""

from collections.abc import Sequence
from functools import lru_cache

from ists.compiled import kernels
from ists.sets import jaccard

_CACHED_TEXTS = 8192
_NO_SEPARATORS = str.maketrans("", "", " -.")
_SHORTEST_SLIP = 5  # in shorter words one letter makes another word: cat, car


def lowered(word: str) -> str:
    """Return a word in lower case, with straight apostrophes."""
    return word.lower().replace("’", "'")


def is_one_edit_apart(a: str, b: str) -> bool:
    """Return whether one insertion, deletion, substitution or transposition turns `a` into `b`."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    if len(a) > len(b):
        a, b = b, a
    at = 0
    while at < len(a) and a[at] == b[at]:
        at += 1
    if len(a) < len(b):
        return a[at:] == b[at + 1 :]
    swapped = a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :]
    return swapped or a[at + 1 :] == b[at + 1 :]


def is_likely_slip(a: str, b: str) -> bool:
    """Return whether two longer words are likely a word and its misspelling.

    Differences in digits or in a plural s are not misspellings.
    """
    a, b = a.lower(), b.lower()
    if a[:1] != b[:1] or min(len(a), len(b)) < _SHORTEST_SLIP:
        return False
    if not (a.isalpha() and b.isalpha()) or a + "s" == b or b + "s" == a:
        return False
    return is_one_edit_apart(a, b)


def is_joined(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two token lists differ only in spaces, hyphens and dots: ``acouch``.

    False if there are digits: 1.5 is not 15, and 2-1 is not 21.
    """
    if list(one) == list(other):
        return False
    letters = letters_of(one)
    return bool(letters) and letters == letters_of(other)


def letters_of(tokens: Sequence[str]) -> str:
    """Return the letters in lower case without spaces, hyphens and dots; empty if others occur."""
    letters = "".join(tokens).translate(_NO_SEPARATORS).lower()
    return letters if letters.isalpha() else ""


def trigram_text(text: str) -> str:
    """Return a text as `trigram_overlap` takes it: in lower case, with marked edges."""
    return f" {' '.join(text.lower().split())} "


def trigram_overlap(one: str, other: str) -> float:
    """Return the Jaccard index of the character trigrams of two texts; each has at least one."""
    if kernels is not None:
        overlap: float = kernels.trigram_overlap(one, other)
        return overlap
    return jaccard(_trigrams(one), _trigrams(other))


@lru_cache(maxsize=_CACHED_TEXTS)
def _trigrams(text: str) -> frozenset[str]:
    return frozenset(text[at : at + 3] for at in range(max(1, len(text) - 2)))
