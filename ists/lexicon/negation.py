"""Negation: negating tokens, negated phrases, and words with a negative affix."""

from collections.abc import Sequence

from ists.lexicon.spelling import lowered

_FULL_WORDS = "no not n't never none nobody nothing nowhere neither nor without cannot non nope"
_WITHOUT_APOSTROPHE = (
    "dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt "
    "shouldnt"
)
# Verbs that negate their complement: "denies role", "fails to agree".
_IMPLICIT_VERBS = (
    "deny denies denied denying refuse refuses refused refusing fail fails failed failing "
    "reject rejects rejected rejecting lack lacks lacked lacking avoid avoids avoided avoiding "
    "prevent prevents prevented preventing decline declines declined declining "
    "cancel cancels cancelled canceled cancelling ban bans banned banning "
    "halt halts halted halting stop stops stopped stopping end ends ended ending"
)
_FULL = frozenset((*_FULL_WORDS.split(), *_WITHOUT_APOSTROPHE.split()))
_IMPLICIT = frozenset(_IMPLICIT_VERBS.split())
_NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "anti", "anti-", "de")
_SHORTEST_ROOT = 4


def is_negation(word: str) -> bool:
    """Return whether a token is a negation: not, n't, no, never, without, can't, cannot."""
    form = lowered(word)
    return form in _FULL or (form.endswith("n't") and len(form) > 3) or word == "nt"


def is_implicit_negation(word: str) -> bool:
    """Return whether a verb negates its complement: deny, refuse, fail."""
    return word.lower() in _IMPLICIT


def negations(tokens: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the negating tokens."""
    return tuple(at for at, token in enumerate(tokens) if is_negation(token))


def is_negated(tokens: Sequence[str]) -> bool:
    """Return whether a phrase is negated; two negations cancel each other ("not without")."""
    return len(negations(tokens)) % 2 == 1


def is_negated_form(a: str, b: str) -> bool:
    """Return whether the words differ by a negative affix: happy/unhappy, careful/careless."""
    a, b = a.lower(), b.lower()
    if a[-3:] == b[-3:]:
        shorter, longer = (a, b) if len(a) <= len(b) else (b, a)
        same_root = longer.endswith(shorter) and len(shorter) >= _SHORTEST_ROOT
        return same_root and longer[: -len(shorter)] in _NEGATIVE_PREFIXES
    full, empty = (a, b) if b.endswith("less") else (b, a)
    return (
        full.endswith("ful")
        and empty.endswith("less")
        and full[:-3] == empty[:-4]
        and len(full) > _SHORTEST_ROOT + 2
    )
