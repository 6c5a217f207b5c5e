"""Spelling closeness: slips of one letter, and words joined or split (``acouch``)."""

from collections.abc import Sequence

_NO_SEPARATORS = str.maketrans("", "", " -.")
_SHORTEST_SLIP = 5  # in shorter words one letter makes another word: cat, car


def is_one_edit_apart(a: str, b: str) -> bool:
    """Whether one letter added, dropped, changed, or two neighbours swapped, turn `a` into `b`."""
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
    """Whether two longish words differ as one word and its misspelling do.

    Digits never slip, and neither does a plural s: those differences mean something.
    """
    a, b = a.lower(), b.lower()
    if a[:1] != b[:1] or min(len(a), len(b)) < _SHORTEST_SLIP:
        return False
    if not (a.isalpha() and b.isalpha()) or a + "s" == b or b + "s" == a:
        return False
    return is_one_edit_apart(a, b)


def is_joined(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two token lists differ only in spaces, hyphens and dots: ``acouch`` ~ ``a couch``.

    Never with digits: 1.5 is not 15, and 2-1 is not 21.
    """
    if list(one) == list(other):
        return False
    letters = letters_of(one)
    return bool(letters) and letters == letters_of(other)


def letters_of(tokens: Sequence[str]) -> str:
    """All letters in lower case; none at all where there are other signs, spaces and such apart."""
    letters = "".join(tokens).translate(_NO_SEPARATORS).lower()
    return letters if letters.isalpha() else ""


def character_trigrams(text: str) -> frozenset[str]:
    """The trigrams of a text with its edges marked; short texts have at least one."""
    padded = f" {' '.join(text.lower().split())} "
    return frozenset(padded[at : at + 3] for at in range(max(1, len(padded) - 2)))


def trigram_similarity(a: str, b: str) -> float:
    """Shared trigrams against all (Jaccard): 1 for the same text, 0 for nothing in common."""
    one, other = character_trigrams(a), character_trigrams(b)
    return len(one & other) / len(one | other)
