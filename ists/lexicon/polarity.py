"""Polarity of a chunk: how often it is negated, how strongly, and where.

``did n't win`` is negated once in its verb chain, ``no survivors`` in its determiner, ``not without
hope`` twice, which cancels out. ``hardly`` and ``few`` are weak negations; ``fail to``, ``refuse
to`` and ``lack`` are implicit ones. Forms without an apostrophe are included: ``dont``, ``wont``,
``isnt``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ists.lexicon.spelling import lowered


class NegationPlace(StrEnum):
    """The position of the first full negation of a chunk."""

    NONE = "none"
    VERB = "verb"  # does n't open, cannot, is not
    DETERMINER = "determiner"  # no dogs, none of them, nobody, neither
    ADVERB = "adverb"  # never, nowhere, no longer
    PREPOSITION = "preposition"  # without, except
    PLAIN = "plain"  # a not or non without a verb: not a doctor, anything but


@dataclass(frozen=True, slots=True)
class Polarity:
    """The negations of a chunk."""

    negators: int = 0
    """Number of full negations: not, n't, no, never, nobody, without."""
    weak: int = 0
    """Number of weak negations: hardly, barely, few, little."""
    implicit: int = 0
    """Number of implicit negations: fail to, refuse, lack, avoid, unable."""
    place: NegationPlace = NegationPlace.NONE

    @property
    def parity(self) -> int:
        """1 if the number of full and implicit negations is odd, else 0."""
        return (self.negators + self.implicit) % 2

    @property
    def sign(self) -> float:
        """From 1 (plain) to -1 (negated): weak negation alone is -0.5, weakened negation 0.5."""
        sign = -1.0 if self.parity else 1.0
        return -0.5 * sign if self.weak % 2 else sign

    def is_opposed_to(self, other: "Polarity") -> bool:
        """Return whether exactly one of two chunks is negated."""
        return self.parity != other.parity


PLAIN = Polarity()

_AUXILIARIES = (
    "do does did is are was were has have had will would can could should must might need may "
    "shall ought am be been being wo ca sha ai dare"
)
_UNCUT = (
    "dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt "
    "shouldnt mustnt neednt aint shant mightnt cannot"
)
_DETERMINERS = "no none nobody nothing neither noone no-one nought naught nil"
_ADVERBS = "never nowhere nor nope nay"
_PREPOSITIONS = "without sans"
_WEAK = "hardly barely scarcely rarely seldom few little infrequently"

# Words that always negate; then verbs that do so only before "to", or before a gerund.
_DENYING = (
    "deny denies denied denying refuse refuses refused refusing lack lacks lacked lacking "
    "avoid avoids avoided avoiding prevent prevents prevented preventing reject rejects rejected "
    "rejecting refrain refrains refrained refraining forbid forbids forbade forbidden prohibit "
    "prohibits prohibited prohibiting unable unwilling impossible incapable"
)
_DENYING_BEFORE_TO = (
    "fail fails failed failing decline declines declined declining forget forgets forgot forgotten "
    "forgetting neglect neglects neglected neglecting omit omits omitted omitting cease ceases "
    "ceased"
)
_DENYING_BEFORE_ING = "stop stops stopped stopping quit quits ceased cease ceases"
# Phrases with a negation word that do not negate: "nothing but", "no doubt", "not only".
_IDIOMS = (
    ("no", "doubt"),
    ("no", "matter"),
    ("no", "wonder"),
    ("not", "only"),
    ("not", "just"),
    ("not", "least"),
    ("no", "fewer", "than"),
    ("no", "less", "than"),
    ("not", "less", "than"),
    ("no", "more", "than"),
    ("not", "more", "than"),
    ("nothing", "but"),
    ("no", "later", "than"),
    ("no", "sooner"),
    ("no", "."),
    ("without", "fail"),
    ("without", "doubt"),
    ("without", "a", "doubt"),
    ("a", "few"),
    ("a", "little"),
    ("quite", "a", "few"),
    ("the", "little"),
)
_FEW_AFTER = frozenset(("a", "the", "last", "next", "first", "past", "these", "those", "every"))

_VERB_NEGATORS = frozenset(_UNCUT.split())
_PLACE_OF = {
    **dict.fromkeys(_DETERMINERS.split(), NegationPlace.DETERMINER),
    **dict.fromkeys(_ADVERBS.split(), NegationPlace.ADVERB),
    **dict.fromkeys(_PREPOSITIONS.split(), NegationPlace.PREPOSITION),
}
_AUXILIARY = frozenset(_AUXILIARIES.split())
_WEAK_WORDS = frozenset(_WEAK.split())
_DENYING_WORDS = frozenset(_DENYING.split())
_BEFORE_TO = frozenset(_DENYING_BEFORE_TO.split())
_BEFORE_ING = frozenset(_DENYING_BEFORE_ING.split())
_ONLY_LITTLE = frozenset(("is", "was", "has", "had", "with", "of", "very", "so", "too", "there"))
_NEGATORS = frozenset(("no", "not", "anything")).union(
    _VERB_NEGATORS, _PLACE_OF, _WEAK_WORDS, _DENYING_WORDS, _BEFORE_TO, _BEFORE_ING
)
_OPENERS = {idiom[0] for idiom in _IDIOMS}
_CACHED_CHUNKS = 16384


def polarity(tokens: Sequence[str]) -> Polarity:
    """Return the full, weak and implicit negations of a chunk, and the place of the first."""
    return _read(tuple(tokens)) if any(map(may_negate, tokens)) else PLAIN


def polarity_differs(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether exactly one of two chunks is negated: ``is open``, ``is n't open``."""
    return polarity(one).is_opposed_to(polarity(other))


def may_negate(token: str) -> bool:
    """Return whether a word can be a negation, in any context: a fast filter."""
    word = lowered(token)
    return word in _NEGATORS or word.endswith("n't") or word.startswith("non")


@lru_cache(maxsize=_CACHED_CHUNKS)
def _read(tokens: tuple[str, ...]) -> Polarity:
    words = [lowered(token) for token in tokens]
    negators = weak = implicit = 0
    place = NegationPlace.NONE
    at = 0
    while at < len(words):
        skipped = _idiom(words, at)
        if skipped:
            at += skipped
            continue
        found = _negation_place(words, at)
        if found is not NegationPlace.NONE:
            negators += 1
            place = found if place is NegationPlace.NONE else place
        elif _is_weak(words, at):
            weak += 1
        elif _is_implicit(words, at):
            implicit += 1
        at += 1
    if not (negators or weak or implicit):
        return PLAIN
    return Polarity(negators, weak, implicit, place)


def _idiom(words: Sequence[str], at: int) -> int:
    """Return the length of a phrase at this token that only looks negated, or 0."""
    if words[at] not in _OPENERS:
        return 0
    return max(
        (len(idiom) for idiom in _IDIOMS if tuple(words[at : at + len(idiom)]) == idiom), default=0
    )


def _negation_place(words: Sequence[str], at: int) -> NegationPlace:
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else ""
    if word in _VERB_NEGATORS or word.endswith("n't"):
        return NegationPlace.VERB
    if word in ("no", "not") and after in ("longer", "more", "anymore", "any"):
        return NegationPlace.ADVERB if after == "longer" else _of_not(words, at)
    if word == "no" and after == "one":
        return NegationPlace.DETERMINER
    if word == "anything" and after == "but":  # anything but easy: not at all easy
        return NegationPlace.PLAIN
    if word == "not":
        return _of_not(words, at)
    if word == "non" or (word.startswith("non-") and len(word) > 4):
        return NegationPlace.PLAIN
    return _PLACE_OF.get(word, NegationPlace.NONE)


def _of_not(words: Sequence[str], at: int) -> NegationPlace:
    """Place a *not* beside an auxiliary or before *to* in the verb chain, a *no* at its noun."""
    if words[at] == "no":
        return NegationPlace.DETERMINER
    before = words[max(0, at - 2) : at]
    if any(
        word in _AUXILIARY or word in ("'s", "'re", "'m", "'ve", "'ll", "'d") for word in before
    ):
        return NegationPlace.VERB
    return NegationPlace.VERB if words[at + 1 : at + 2] == ["to"] else NegationPlace.PLAIN


def _is_weak(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if word not in _WEAK_WORDS:
        return False
    before = words[at - 1] if at else ""
    if word == "few":
        return before not in _FEW_AFTER
    if word == "little":  # a little dog is small, little hope is none
        return not before or before in _ONLY_LITTLE
    return True


def _is_implicit(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if word in _DENYING_WORDS:
        return True
    after = words[at + 1] if at + 1 < len(words) else ""
    if word in _BEFORE_TO:
        return after == "to"
    return word in _BEFORE_ING and after.endswith("ing") and len(after) > 5
