"""Reasons that rest on what words mean: names, phrases and words that correspond."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ists.labeler.evidence.comparison import Comparison
from ists.labeler.evidence.links import Link
from ists.labeler.evidence.units import UnitKind
from ists.labeler.reasons import (
    ALL,
    EQUI,
    NOTHING,
    OPPO,
    REL,
    SIMI,
    SPE1,
    Reason,
    ReasonKind,
)
from ists.lexicon import PlaceRole, RelationKind, WordRelation
from ists.pairs import Relation, exchanged

_SAME = ALL - OPPO
_SURE_SYNONYM = 0.74
_SURE_KIND = {1: 0.7, 2: 0.6}
"""By the length of the path: below this strength a relation through rarer senses needs a label that
supports it.
"""
_COMMON = {1: 0.71, 2: 0.6, 3: 0.51, 4: 0.43}
"""By the length of the path, the strength from which on a kind is one in the common senses."""
_MASS = frozenset({"noun.substance", "noun.food"})
_TOO_ALIKE = ("noun.time", "noun.quantity")
"""Classes of which any two words are of a kind: a minute, an hour."""


@dataclass(frozen=True, slots=True)
class _Saying:
    """How a relation is stated about the first word and the second, and for which labels."""

    kind: ReasonKind
    text: str
    supports: frozenset[Relation]
    settles: frozenset[Relation] = REL
    covers: bool = True
    """Whether words that stand in this relation may well say the same."""
    is_directed: bool = False
    """Whether it reads from the first word to the second and not back."""


_FORMS = _Saying(ReasonKind.OTHER_FORM, "'{0}' and '{1}' are forms of the same word", _SAME)
_SPELLINGS = _Saying(
    ReasonKind.OTHER_SPELLING, "'{0}' and '{1}' are spellings of the same word", _SAME
)
_SLIP = _Saying(
    ReasonKind.OTHER_SPELLING,
    "'{0}' and '{1}' look like spellings of one word",
    _SAME - SIMI - REL,
    settles=NOTHING,
)
_SYNONYMS = _Saying(ReasonKind.SYNONYM, "'{0}' means the same as '{1}'", _SAME)
_STANDS_FOR = _Saying(ReasonKind.ABBREVIATION, "'{0}' stands for '{1}'", _SAME)
_ONE_PLACE = _Saying(ReasonKind.SAME_PLACE, "'{0}' and '{1}' name the same place", _SAME)
_OF_ONE_PLACE = _Saying(ReasonKind.SAME_PLACE, "'{0}' and '{1}' refer to the same place", _SAME)
_CLOSE = _Saying(ReasonKind.CLOSE, "'{0}' and '{1}' are close in meaning", _SAME, SIMI | REL)
_WORD_FAMILY = _Saying(
    ReasonKind.WORD_FAMILY, "'{0}' and '{1}' belong to one word family", _SAME, covers=False
)
_RELATED = _Saying(
    ReasonKind.RELATED, "'{0}' and '{1}' are related in meaning", SIMI | REL, SIMI | REL
)
_TWO_OF_A_KIND = _Saying(
    ReasonKind.SAME_KIND, "'{0}' and '{1}' are two of a kind", SIMI | REL, SIMI | REL
)
_EXCLUDING = _Saying(ReasonKind.OPPOSITE, "'{0}' and '{1}' exclude each other", OPPO, OPPO)
_OPPOSITES = _Saying(ReasonKind.OPPOSITE, "'{0}' is the opposite of '{1}'", OPPO, OPPO)
_OPPOSITE_PARTS = replace(_OPPOSITES, supports=SIMI, settles=SIMI)
_INSTEAD = _Saying(ReasonKind.OTHER_WORD, "one says '{0}', the other '{1}'", SIMI, SIMI)
_OTHER_PLACE = _Saying(
    ReasonKind.OTHER_PLACE, "'{0}' is another place than '{1}'", SIMI | REL, SIMI | REL
)
_OF_TWO_PLACES = replace(_OTHER_PLACE, text="'{0}' and '{1}' refer to two places")
_NARROWER = SPE1 | SIMI | REL
_KIND_OF = _Saying(
    ReasonKind.MORE_SPECIFIC, "'{0}' is a kind of '{1}'", SPE1, SPE1, is_directed=True
)
_EXAMPLE_OF = replace(
    _KIND_OF, text="'{0}' is an example of '{1}'", supports=_NARROWER, settles=_NARROWER
)
_IMPLIES = replace(_EXAMPLE_OF, text="'{0}' implies '{1}'")
_PLACE_IN = _Saying(
    ReasonKind.PART, "'{0}' is a place in '{1}'", _NARROWER, _NARROWER, is_directed=True
)
_PLACE_OF = replace(_PLACE_IN, text="'{0}' refers to a part of what '{1}' refers to")
_PART_OF = _Saying(
    ReasonKind.PART, "'{0}' is part of '{1}'", SIMI | REL, SIMI | REL, is_directed=True
)
_BRINGS_ABOUT = _Saying(
    ReasonKind.CAUSE,
    "'{0}' brings about '{1}'",
    EQUI | SIMI | REL,
    SIMI | REL,
    covers=False,
    is_directed=True,
)
_DESCRIBES = replace(_RELATED, kind=ReasonKind.ATTRIBUTE, supports=REL, settles=REL)

_SAYINGS = {
    RelationKind.SAME_LEMMA: (_FORMS,),
    RelationKind.DEMONYM: (_OF_ONE_PLACE,),
    RelationKind.FAMILY: (_CLOSE,),
    RelationKind.SIMILAR: (_CLOSE,),
    RelationKind.DERIVED: (_WORD_FAMILY,),
    RelationKind.PERTAINYM: (_WORD_FAMILY,),
    RelationKind.NEAR: (_RELATED,),
    RelationKind.ENTAILS: (_IMPLIES,),
    RelationKind.CAUSES: (_BRINGS_ABOUT,),
    RelationKind.ATTRIBUTE: (_DESCRIBES,),
}
_READ_BACKWARDS = frozenset(
    {
        RelationKind.HYPERNYM,
        RelationKind.WHOLE,
        RelationKind.ENTAILED_BY,
        RelationKind.CAUSED_BY,
    }
)


def meanings(comparison: Comparison) -> Iterator[Reason]:
    """What the units that correspond mean to each other."""
    for link in comparison.links:
        for relation in link.relations if not link.is_equal else ():
            turned = relation.kind in _READ_BACKWARDS
            read = link.turned() if turned else link
            forwards = relation.reversed() if turned else relation
            for saying in _sayings(comparison, read, forwards):
                yield _reason(saying, link, turned)


def _sayings(comparison: Comparison, link: Link, relation: WordRelation) -> Iterator[_Saying]:
    kind = relation.kind
    if kind is RelationKind.SPELLING:
        yield _SLIP if relation.distance else _SPELLINGS
    elif kind is RelationKind.SYNONYM:
        sure = relation.strength >= _SURE_SYNONYM
        yield _SYNONYMS if sure else replace(_SYNONYMS, supports=_SAME - SIMI - REL)
    elif kind is RelationKind.ACRONYM:
        yield _abbreviation(link)
    elif kind is RelationKind.HYPONYM:
        yield from _kinds(comparison, link, relation)
    elif kind is RelationKind.SAME_PLACE:
        yield _ONE_PLACE if _are_places(comparison, link) else _OF_ONE_PLACE
    elif kind is RelationKind.OTHER_PLACE:
        yield _OTHER_PLACE if _are_places(comparison, link) else _OF_TWO_PLACES
    elif kind is RelationKind.PART:
        if not link.one.kind is link.two.kind is UnitKind.PLACE:
            if not _is_mass(comparison, link):
                yield _PART_OF
        else:
            yield _PLACE_IN if _are_places(comparison, link) else _PLACE_OF
    elif kind is RelationKind.ANTONYM:
        yield from _opposites(comparison, link, relation)
    elif kind is RelationKind.CONTRAST:
        if _are_of_a_kind(comparison, link):
            yield _TWO_OF_A_KIND
            yield _EXCLUDING
    elif kind is RelationKind.COHYPONYM:
        if _are_of_a_kind(comparison, link, without=_TOO_ALIKE):
            yield _TWO_OF_A_KIND
    else:
        yield from _SAYINGS.get(kind, ())


def _are_places(comparison: Comparison, link: Link) -> bool:
    """Whether both are places themselves and neither names people: Kenya, not Kenyan."""
    places = comparison.knowledge.lexicon.places
    return all(
        any(reading.role is not PlaceRole.PEOPLE for reading in places.lookup(unit.text))
        for unit in (link.one, link.two)
    )


def _are_of_a_kind(comparison: Comparison, link: Link, without: tuple[str, ...] = ()) -> bool:
    """Whether two nouns share a class in their common senses: not *snow* and *field*."""
    classes1, classes2 = _classes(comparison, link, senses=2)
    first = classes1[:1] + classes2[:1]
    if any(name in without for name in first):
        return False
    nouns = all(name.startswith("noun.") for name in first)
    return not (nouns and first and set(classes1).isdisjoint(classes2))


def _is_mass(comparison: Comparison, link: Link) -> bool:
    """Whether one of two nouns names a substance, which is no part of anything: water and ice."""
    return any(not _MASS.isdisjoint(classes) for classes in _classes(comparison, link, senses=1))


def _classes(comparison: Comparison, link: Link, senses: int) -> list[tuple[str, ...]]:
    """WordNet's classes of the most frequent senses of both words."""
    find = comparison.knowledge.lexicon.wordnet.lexicographer_files
    return [find(unit.text, unit.part, senses) for unit in (link.one, link.two)]


def _kinds(comparison: Comparison, link: Link, relation: WordRelation) -> Iterator[_Saying]:
    """The first word is the narrower one; if only by a step, the two are close as well.

    Only a label that calls the first chunk more specific goes with a kind, and only one in
    their common senses: a *lake* is no kind of *water*.
    """
    sure = relation.strength >= _SURE_KIND.get(relation.distance, 0.0)
    close = link.has(RelationKind.SYNONYM, RelationKind.SIMILAR, RelationKind.FAMILY)
    if link.one.names_one:
        yield _EXAMPLE_OF
        return
    classes1, classes2 = _classes(comparison, link, senses=1)
    if classes1 == classes2 or relation.strength >= _COMMON.get(relation.distance, 0.0):
        yield _KIND_OF
    if sure and not close:
        yield _RELATED
    if close:
        yield replace(_CLOSE, supports=EQUI | SIMI | REL)
    elif relation.distance == 1:
        yield replace(_CLOSE, supports=EQUI)


def _abbreviation(link: Link) -> _Saying:
    """The shorter one stands for the longer one."""
    first, second = link.one.text, link.two.text
    if not _shortens(first, second):
        return _SYNONYMS  # GOP, Republicans; cop, police officer
    if len(first) <= len(second):
        return _STANDS_FOR
    return replace(_STANDS_FOR, text="'{1}' stands for '{0}'")


def _shortens(first: str, second: str) -> bool:
    """Whether the letters of one are in the other, in their order and from the first letter on."""
    short, long = sorted((first.lower(), second.lower()), key=len)
    rest = iter(long)
    return short[:1] == long[:1] and all(letter in rest for letter in short if letter.isalpha())


def _opposites(comparison: Comparison, link: Link, relation: WordRelation) -> Iterator[_Saying]:
    """Opposites make chunks OPPO; in chunks that are similar they are what sets these apart.

    Where one of the chunks is negated as well, the two cancel each other.
    """
    if comparison.one_is_negated:
        return
    yield _OPPOSITES
    if link.has(RelationKind.CONTRAST, RelationKind.COHYPONYM):
        return  # stated as two of a kind
    alone = len(comparison.links) == 1
    yield _INSTEAD if alone or relation.distance > 2 else _OPPOSITE_PARTS


def _reason(saying: _Saying, link: Link, turned: bool) -> Reason:
    if saying is _FORMS and not link.one.is_single:
        saying = replace(saying, text=saying.text + "s")
    texts = link.one.text, link.two.text
    if turned and saying.is_directed:
        texts = link.two.text, link.one.text
    reason = link.reason(
        saying.kind, saying.text.format(*texts), saying.supports, saying.settles, saying.covers
    )
    if not turned:
        return reason
    kind = reason.kind
    return replace(
        reason,
        kind=ReasonKind.MORE_GENERAL if kind is ReasonKind.MORE_SPECIFIC else kind,
        supports=frozenset(map(exchanged, saying.supports)),
        settles=frozenset(map(exchanged, saying.settles)),
    )
