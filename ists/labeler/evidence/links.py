"""Links between two chunks: which unit of one corresponds to which unit of the other."""

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ists.labeler.evidence.unit_relations import relations_of
from ists.labeler.evidence.units import (
    ARTICLES,
    Cut,
    Unit,
    UnitKind,
    is_telling,
    measures,
    text_of,
)
from ists.labeler.phrases import Phrase
from ists.labeler.reasons import Reason, ReasonKind
from ists.labeler.words import WordKnowledge
from ists.lexicon import (
    AmountRelation,
    QuantityKind,
    QuantityMatch,
    RelationKind,
    WordRelation,
    compare_amounts,
    is_function_word,
    is_joined,
)
from ists.pairs import Relation

_AS_ONE = frozenset({RelationKind.SYNONYM, RelationKind.HYPONYM, RelationKind.HYPERNYM})
"""Relations of a phrase that say more than what its words share with other words."""
_LONGEST_NAME = 10
_MOST_COMPARED = 2500
"""Maximum pairs of words; longer chunks are compared by equal words alone."""
_SHORT_FORM = WordRelation(RelationKind.ACRONYM, 1, 0.93)
_SPELLING = WordRelation(RelationKind.SPELLING, 0, 0.96)
_AS_A_WHOLE, _EQUAL, _FORMS, _PHRASES, _OTHERS = range(5)
"""What is linked first: names and values, then words by how close they are."""
_ONE_THING = frozenset({RelationKind.SAME_LEMMA, RelationKind.SPELLING, RelationKind.ACRONYM})


@dataclass(frozen=True, slots=True)
class Link:
    """Two units that correspond, and what they are to each other, the strongest first."""

    one: Unit
    two: Unit
    relations: tuple[WordRelation, ...] = ()
    """Empty for amounts, measures and times, which are compared by value."""

    @property
    def is_equal(self) -> bool:
        """Whether both say the same letters, capitals apart."""
        return self.one.text.casefold() == self.two.text.casefold()

    @property
    def measured(self) -> AmountRelation:
        """The relation of two measures; incomparable for other units."""
        return compare_amounts(self.one.measure, self.two.measure).relation

    def has(self, *kinds: RelationKind) -> bool:
        """Whether one of these relations holds."""
        return any(relation.kind in kinds for relation in self.relations)

    def turned(self) -> "Link":
        """The same link, read from the second chunk to the first."""
        return Link(self.two, self.one, tuple(r.reversed() for r in self.relations))

    def reason(
        self,
        kind: ReasonKind,
        text: str,
        supports: frozenset[Relation],
        settles: frozenset[Relation],
        covers: bool = True,
    ) -> Reason:
        """A reason about the two units; it `covers` them if it explains why they are one."""
        return Reason(
            kind,
            text,
            supports,
            settles,
            words1=(self.one.text,),
            words2=(self.two.text,),
            places1=self.one.places,
            places2=self.two.places,
            covers=covers,
        )


_Ranked = tuple[tuple[float, ...], Link]


def find_links(
    one: Phrase, two: Phrase, cut1: Cut, cut2: Cut, knowledge: WordKnowledge
) -> tuple[Link, ...]:
    """Links of which no two share a word, in the order of the first chunk; the best are taken."""
    taken1: set[int] = set()
    taken2: set[int] = set()
    links: list[Link] = []
    candidates = _candidates(one, two, cut1, cut2, knowledge)
    for _, link in sorted(candidates, key=lambda ranked: ranked[0]):
        if taken1.isdisjoint(link.one.places) and taken2.isdisjoint(link.two.places):
            taken1 |= link.one.places
            taken2 |= link.two.places
            links.append(link)
    return tuple(sorted(links, key=lambda link: link.one.start))


def find_compounds(
    links: tuple[Link, ...], cut: Cut, knowledge: WordKnowledge
) -> Iterator[tuple[Unit, Unit]]:
    """Phrases of the first chunk that are a kind of the word they share with the second.

    Only where no other word of the phrase answers anything: *tabby cat* against *cat*.
    """
    for phrase in cut.phrases:
        inside = [link for link in links if not link.one.places.isdisjoint(phrase.places)]
        if len(inside) != 1 or not inside[0].one.places <= phrase.places:
            continue
        named = phrase.text.istitle() and not inside[0].two.text.istitle()  # the White House
        if inside[0].is_equal and not named:
            relations = relations_of(phrase, inside[0].two, knowledge)
            if any(relation.kind is RelationKind.HYPONYM for relation in relations):
                yield phrase, inside[0].two


def _candidates(
    one: Phrase, two: Phrase, cut1: Cut, cut2: Cut, knowledge: WordKnowledge
) -> Iterator[_Ranked]:
    if len(one.words) * len(two.words) > _MOST_COMPARED:
        yield from _equal_units(cut1, cut2, knowledge)
        return
    for short, long, turned in ((one, two, False), (two, one, True)):
        for first, second in _spelled_out(short, long, knowledge):
            link = Link(*((second, first) if turned else (first, second)), (_SHORT_FORM,))
            yield _rank(_AS_A_WHOLE, link, 1.0), link
        for first, second in _joined(short, long):
            link = Link(*((second, first) if turned else (first, second)), (_SPELLING,))
            yield _rank(_AS_A_WHOLE, link, 1.0), link
    for unit1 in (*cut1.units, *cut1.phrases):
        for unit2 in (*cut2.units, *cut2.phrases):
            yield from _link(unit1, unit2, knowledge)
    yield from _link_measures(one, two)
    for units1, units2 in ((cut1.verbs, (*cut2.verbs, *cut2.units)), (cut1.units, cut2.verbs)):
        for unit1 in units1:
            for unit2 in units2:
                yield from _link_forms(unit1, unit2, knowledge)


def _equal_units(cut1: Cut, cut2: Cut, knowledge: WordKnowledge) -> Iterator[_Ranked]:
    """Links of equal units, in their order: all that is looked for in chunks of any length."""
    places: dict[str, list[Unit]] = {}
    for unit in reversed(cut2.units):
        places.setdefault(unit.text.casefold(), []).append(unit)
    for unit in cut1.units:
        others = places.get(unit.text.casefold())
        if others:
            yield from _link(unit, others.pop(), knowledge)


def _spelled_out(
    short: Phrase, long: Phrase, knowledge: WordKnowledge
) -> Iterator[tuple[Unit, Unit]]:
    """Abbreviations of one chunk with the words of the other that they stand for."""
    acronyms = knowledge.lexicon.acronyms
    texts = [word.text for word in long.words]
    for at, word in enumerate(short.words):
        capitals = sum(sign.isupper() for sign in word.text)
        if not word.is_content or (capitals < 2 and not acronyms.expansions(word.text)):
            continue  # no abbreviation
        for size in range(min(_LONGEST_NAME, len(texts)), 1, -1):
            for start in range(len(texts) - size + 1):
                end = start + size
                if _stands_for(word.text, texts[start:end], knowledge):
                    name = Unit(UnitKind.NAME, start, end, text_of(long, start, end))
                    yield Unit(UnitKind.NAME, at, at + 1, word.text), name


def _stands_for(short: str, long: Sequence[str], knowledge: WordKnowledge) -> bool:
    """Whether a word abbreviates others. Initials alone prove it for names and entries of WordNet.

    What names a place stands for no other name: *US* is not *Under Siege*.
    """
    lexicon = knowledge.lexicon
    if is_function_word(long[0]) or is_function_word(long[-1]) or short in long:
        return False  # United Nations and the
    if not lexicon.acronyms.abbreviates(short, long):
        return False
    text = " ".join(long)
    if text.casefold() in lexicon.acronyms.expansions(short):
        return True
    if lexicon.places.lookup(short):
        return bool(lexicon.places.lookup(text))
    strong = [word for word in long if not is_function_word(word)]
    return all(word[:1].isupper() for word in strong) or lexicon.knows(text)


def _joined(short: Phrase, long: Phrase) -> Iterator[tuple[Unit, Unit]]:
    """Words of one chunk that the other writes in two or three: *airstrike* and *air strike*."""
    texts = [word.text for word in long.words]
    for at, word in enumerate(short.words):
        for size in (2, 3) if is_telling(word) else ():
            for start in range(len(texts) - size + 1):
                end = start + size
                whole = all(text[:1].isalnum() for text in texts[start:end])
                if whole and is_joined([word.text], texts[start:end]):
                    name = Unit(UnitKind.NAME, start, end, text_of(long, start, end))
                    yield Unit(UnitKind.NAME, at, at + 1, word.text), name


def _link(one: Unit, two: Unit, knowledge: WordKnowledge) -> Iterator[_Ranked]:
    """The link of two units, if there is one, with its rank."""
    if one.text.casefold() == two.text.casefold():
        link = Link(one, two, relations_of(one, two, knowledge))
        yield _rank(_AS_A_WHOLE if len(one.places) > 1 else _EQUAL, link, 1.0), link
    elif UnitKind.AMOUNT in (one.kind, two.kind):
        yield from _link_amounts(one, two)
    elif one.kind is two.kind is UnitKind.TIME:
        yield from _link_times(one, two)
    elif not (_is_inside(one, two) or _is_inside(two, one)):
        yield from _link_meanings(one, two, knowledge)


def _link_meanings(one: Unit, two: Unit, knowledge: WordKnowledge) -> Iterator[_Ranked]:
    link = Link(one, two, relations_of(one, two, knowledge))
    if not link.relations:
        return
    strongest = link.relations[0]
    several = not (one.is_single and two.is_single)
    if strongest.kind is RelationKind.SAME_PLACE or (several and strongest.kind in _ONE_THING):
        level = _AS_A_WHOLE
    elif several and link.has(*_AS_ONE):
        both = not (one.is_single or two.is_single)
        level = _AS_A_WHOLE if both else _PHRASES
    else:
        level = _FORMS if strongest.kind in _ONE_THING else _OTHERS
    yield _rank(level, link, strongest.strength), link


def _link_forms(one: Unit, two: Unit, knowledge: WordKnowledge) -> Iterator[_Ranked]:
    """A link of words that are one word: all that counts for the verb of a phrasal verb."""
    link = Link(one, two, relations_of(one, two, knowledge))
    if link.has(RelationKind.EQUAL, RelationKind.SAME_LEMMA):
        yield _rank(_OTHERS, link, 0.5), link


def _is_inside(word: Unit, phrase: Unit) -> bool:
    """Whether a phrase has the word: *cat* and *tabby cat* meet by the word first."""
    return word.is_single and word.text.lower() in phrase.text.lower().split() and word != phrase


def _link_amounts(one: Unit, two: Unit) -> Iterator[_Ranked]:
    one, two = _numerals(one, two)
    if one.amount is None or two.amount is None:
        return
    if one.amount.kind is not two.amount.kind and (one.counts or two.counts):
        return  # 40 degrees, 40 %
    match = one.amount.compare(two.amount)
    if match is not QuantityMatch.INCOMPARABLE:
        link = Link(one, two)
        level = _AS_A_WHOLE if match is QuantityMatch.EQUAL else _OTHERS
        yield _rank(level, link, 0.5), link


def _numerals(one: Unit, two: Unit) -> tuple[Unit, Unit]:
    """A number after a name is compared with a rank by value: *War II*, *the Second War*."""
    numerals = [unit.is_numeral for unit in (one, two)]
    ranks = [_is_rank(unit) for unit in (one, two)]
    if any(numerals) and all(map(operator.or_, numerals, ranks)):
        return _as_cardinal(one), _as_cardinal(two)
    return one, two


def _is_rank(unit: Unit) -> bool:
    return unit.amount is not None and unit.amount.kind is QuantityKind.ORDINAL


def _as_cardinal(unit: Unit) -> Unit:
    if unit.amount is None:
        return unit
    return replace(unit, amount=replace(unit.amount, kind=QuantityKind.CARDINAL))


def _link_measures(one: Phrase, two: Phrase) -> Iterator[_Ranked]:
    """Links of equal amounts and of amounts in other units: *two hours*, *120 minutes*."""
    others = tuple(measures(two))
    for unit1 in measures(one):
        for unit2 in others:
            link = Link(unit1, unit2)
            counted = [_has_number(unit) for unit in (unit1, unit2)]
            match = link.measured
            if match is AmountRelation.EQUAL and any(counted) and not link.is_equal:
                yield _rank(_AS_A_WHOLE, link, 0.5), link
            elif match is AmountRelation.DIFFERENT and any(counted) and _differ_as_a_whole(link):
                yield _rank(_OTHERS, link, 0.5), link


def _has_number(unit: Unit) -> bool:
    """Whether a measure is more than an article and a noun: *a day* and *a night* are words."""
    return unit.text.split()[0].lower() not in ARTICLES


def _differ_as_a_whole(link: Link) -> bool:
    """Whether measures have other units, or are rates, so that their numbers alone say nothing.

    Degrees without a scale may be those of the other measure.
    """
    one, two = link.one.measure, link.two.measure
    if one is None or two is None:
        return False
    if one.per and two.per:
        return not (link.one.is_single or link.two.is_single)
    return one.unit != two.unit and "degree" not in (one.unit, two.unit)


def _link_times(one: Unit, two: Unit) -> Iterator[_Ranked]:
    if one.time is None or two.time is None or one.time.kind is not two.time.kind:
        return
    link = Link(one, two)
    level = _AS_A_WHOLE if one.time.value == two.time.value else _OTHERS
    yield _rank(level, link, 0.5), link


def _rank(level: int, link: Link, strength: float) -> tuple[float, ...]:
    """The lower, the sooner it is taken: by level, by words covered, by strength, by distance."""
    size = len(link.one.places) + len(link.two.places)
    apart = abs(link.one.start - link.two.start)
    starts = link.one.start, link.two.start
    return level, -size, -strength, apart, min(starts), max(starts), *starts
