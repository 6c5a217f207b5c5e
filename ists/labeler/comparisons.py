"""Features of two chunks as wholes: opposition, negation, amounts, names, certainty, opinion.

The features of `ists.labeler.features` use the closest relation of each word. These compare whole
chunks and take the rest of the sentences into account: "is n't" and "is" are not opposed if "open"
and "closed" are next to them.
"""

from functools import lru_cache

from ists.labeler.phrases import Phrase
from ists.labeler.views import PairView
from ists.lexicon import (
    AmountRelation,
    NameMatch,
    are_converse,
    are_opposite_limits,
    compare_amounts,
    factuality_differs,
    known_opposition,
    name_match,
    position,
    time_limit,
)

NAME_MATCHES = (
    NameMatch.SAME,
    NameMatch.SURNAME,
    NameMatch.ACRONYM,
    NameMatch.PARTIAL,
    NameMatch.DIFFERENT,
)
ONE_WAY_COMPARISONS = (
    ("amount inside", "this chunk's amount lies inside the bounds of the other's"),
    ("names more", "this chunk names the other's and more: Putin and Obama"),
)
MUTUAL_COMPARISONS = (
    ("opposed", "strongest opposition of two words, amounts or limits of time of the chunks"),
    ("opposed heads", "opposition of the heads"),
    ("denial differs", "one chunk is denied, the other is not"),
    ("turned round", "opposed or denied but not both: the chunks say opposite things"),
    ("opposed elsewhere", "strongest opposition of two words of other chunks"),
    ("denial differs elsewhere", "the rest of one sentence is denied, that of the other is not"),
    ("cancelled", "turned round here and once more elsewhere"),
    ("converse", "words whose roles are crossed: buy, sell"),
    ("amounts equal", "the same amount, whatever the words"),
    ("amounts opposed", "at least, at most"),
    ("amounts differ", "two different amounts of one kind"),
    ("amounts apart", "two amounts that cannot be compared"),
    ("amounts near", "how near the amounts are, from 0 to 1"),
    *(
        (f"names {one.value}", f"what two names are to each other: {one.value}")
        for one in NAME_MATCHES
    ),
    ("quantifiers differ", "difference of the shares that quantifiers state: all, some"),
    ("certainty differs", "a fact against a plan, a report or a possibility"),
    ("opinions differ", "difference of the expressed opinions"),
    ("opinions opposed", "one chunk praises, the other blames"),
    ("genders differ", "one chunk speaks of a man, the other of a woman: Mr and Mrs, him and her"),
    ("limits differ", "prepositions that set other limits to a time: until, by, at"),
    ("persons differ", "pronouns of different persons: my and her"),
    ("positions differ", "prepositions that give a place other positions: at, behind, near"),
)
_OPPOSED_FROM = 0.55
_OPPOSED_LIMITS = 0.6
_CACHED = 1 << 15
AMOUNT_RELATIONS = (
    AmountRelation.EQUAL,
    AmountRelation.OPPOSED,
    AmountRelation.DIFFERENT,
    AmountRelation.INCOMPARABLE,
)


class Comparisons:
    """The comparisons of one sentence pair."""

    def __init__(self, view: PairView) -> None:
        self._one = [phrase.meaning for phrase in view.one.phrases]
        self._two = [phrase.meaning for phrase in view.two.phrases]
        self._view = view
        self._denied = sum(m.denied for m in self._one), sum(m.denied for m in self._two)
        self._amounts = {
            (i, j): compare_amounts(one.amount, two.amount)
            for i, one in enumerate(self._one)
            if one.amount
            for j, two in enumerate(self._two)
            if two.amount
        }
        self._opposed = {
            (i, j): strength
            for i, one in enumerate(view.one.phrases)
            for j, two in enumerate(view.two.phrases)
            if (strength := opposition_of_chunks(one, two)) > 0
        }

    def features(self, i: int, j: int) -> tuple[float, ...]:
        """Return the one-way features of both sides and the mutual ones of chunks `i` and `j`."""
        one, two = self._one[i], self._two[j]
        amounts = self._amounts.get((i, j))
        relation = amounts.relation if amounts else None
        names = name_match(one.tokens, two.tokens)
        opposed, heads = self._opposition(i, j)
        elsewhere = max(
            (x for (a, b), x in self._opposed.items() if a != i and b != j), default=0.0
        )
        differs = one.denied != two.denied
        rest = (self._denied[0] - one.denied + self._denied[1] - two.denied) % 2 == 1
        turned = (opposed >= _OPPOSED_FROM) != differs
        turned_elsewhere = (elsewhere >= _OPPOSED_FROM) != rest
        return (
            relation is AmountRelation.INSIDE1,
            names is NameMatch.COORDINATED1,
            *one.features,
            relation is AmountRelation.INSIDE2,
            names is NameMatch.COORDINATED2,
            *two.features,
            opposed,
            heads,
            differs,
            turned,
            elsewhere,
            rest,
            turned and turned_elsewhere,
            is_converse(one.converses, two.converses),
            *(relation is kind for kind in AMOUNT_RELATIONS),
            amounts.ratio if amounts else 0.0,
            *(names is kind for kind in NAME_MATCHES),
            _difference(one.quantifier, two.quantifier),
            factuality_differs(one.tokens, two.tokens),
            abs(one.opinion - two.opinion),
            one.opinion * two.opinion < 0,
            None not in (one.gender, two.gender) and one.gender is not two.gender,
            self._limits_differ(i, j),
            bool(one.persons and two.persons) and one.persons.isdisjoint(two.persons),
            self._positions_differ(i, j),
        )

    def _limits_differ(self, i: int, j: int) -> bool:
        """Return whether two chunks set different limits to a time."""
        one, two = self._view.one.phrases[i], self._view.two.phrases[j]
        limits = {time_limit(one.preposition), time_limit(two.preposition)}
        return len(limits) == 2 and None not in limits and one.is_time and two.is_time

    def _positions_differ(self, i: int, j: int) -> bool:
        """Return whether two chunks give one place different positions: behind, near."""
        one, two = self._view.one.phrases[i], self._view.two.phrases[j]
        positions = {position(one.preposition), position(two.preposition)}
        return len(positions) == 2 and None not in positions and not (one.is_time or two.is_time)

    def _opposition(self, i: int, j: int) -> tuple[float, float]:
        """Return the strongest opposition of two words, and that of the heads."""
        one, two = self._view.one.phrases[i], self._view.two.phrases[j]
        knowledge = self._view.knowledge
        strongest = self._opposed.get((i, j), 0.0)
        heads = 0.0
        for word in one.content:
            for other in two.content:
                strength = knowledge.match(word.text, other.text).opposite
                strongest = max(strongest, strength)
                if word is one.head and other is two.head:
                    heads = max(strength, known_opposition(word.lower, other.lower))
        return strongest, heads


def opposition_of_chunks(one: Phrase, two: Phrase) -> float:
    """Return the strongest opposition by the table, by affixes, of amounts or of limits of time."""
    own, other = one.meaning, two.meaning
    if compare_amounts(own.amount, other.amount).relation is AmountRelation.OPPOSED:
        return 1.0
    strength = 0.0
    if own.clues.may_oppose(other.clues):
        strength = _strongest_opposition(own.words, other.words)
    if strength < _OPPOSED_LIMITS and _limits_opposed(one, two):
        return _OPPOSED_LIMITS
    return strength


def _limits_opposed(one: Phrase, two: Phrase) -> bool:
    """Return whether two chunks set opposite limits to a time: by nine, after nine."""
    return are_opposite_limits(one.preposition, two.preposition) and one.is_time and two.is_time


def _difference(share1: float | None, share2: float | None) -> float:
    return 0.0 if share1 is None or share2 is None else abs(share1 - share2)


@lru_cache(maxsize=_CACHED)
def _strongest_opposition(words1: tuple[str, ...], words2: tuple[str, ...]) -> float:
    return max((known_opposition(a, b) for a in words1 for b in words2), default=0.0)


def is_converse(words1: tuple[str, ...], words2: tuple[str, ...]) -> bool:
    """Return whether a word of one chunk is the converse of one of the other."""
    return any(are_converse(a, b) for a in words1 for b in words2)
