"""What two units are to each other, as far as it can be trusted in the sense they have here.

WordNet relates senses, not words. A relation counts only if it holds for the part of speech that
the chunks show, through senses that are common, and over a short path; a light verb has too many
senses for any of them to count. What is left may be stated to a reader as a fact.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from ists.labeler.evidence.units import LONGEST, Unit, UnitKind, word_set
from ists.labeler.words import WordKnowledge
from ists.lexicon import (
    Lexicon,
    PartOfSpeech,
    RelationKind,
    WordRelation,
    is_likely_slip,
    is_negated_form,
    is_one_edit_apart,
    normal_form,
)
from ists.lexicon.oppositions import known_opposition

_LEAST = {
    RelationKind.SYNONYM: {0: 0.64},
    RelationKind.SIMILAR: {1: 0.6, 2: 0.6},
    RelationKind.DERIVED: {1: 0.6},
    RelationKind.PERTAINYM: {1: 0.6},
    RelationKind.ENTAILS: {1: 0.65},
    RelationKind.CAUSES: {1: 0.6},
    RelationKind.PART: {1: 0.6},
    RelationKind.ATTRIBUTE: {1: 0.55},
    RelationKind.COHYPONYM: {2: 0.38},
    RelationKind.ANTONYM: {1: 0.6, 2: 0.55, 3: 0.5, 4: 0.5},
}
"""By the length of the path, the strength from which on a relation of WordNet counts."""
_LEAST_OF_NOUNS = {1: 0.61, 2: 0.5, 3: 0.52, 4: 0.44}
_LEAST_OF_VERBS = {1: 0.68, 2: 0.58}
_MIRRORED = {
    RelationKind.HYPERNYM: RelationKind.HYPONYM,
    RelationKind.ENTAILED_BY: RelationKind.ENTAILS,
    RelationKind.CAUSED_BY: RelationKind.CAUSES,
    RelationKind.WHOLE: RelationKind.PART,
}
_ACROSS_PARTS = frozenset({RelationKind.DERIVED, RelationKind.PERTAINYM, RelationKind.ATTRIBUTE})
"""Relations between words of two parts of speech."""
_OF_NAMES = frozenset(
    {RelationKind.SYNONYM, RelationKind.HYPONYM, RelationKind.HYPERNYM, RelationKind.DERIVED}
)
_TOO_BROAD = word_set(
    "thing entity object act action activity event state unit whole matter change"
)
_KINDS = frozenset({RelationKind.HYPONYM, RelationKind.HYPERNYM})
_CONFIRMING = _KINDS | {RelationKind.SYNONYM, RelationKind.SIMILAR}
_DECIDED = _CONFIRMING | {RelationKind.ANTONYM, RelationKind.CONTRAST, RelationKind.SPELLING}
_SURE_SISTERS = 0.5
_NOUN_AND_VERB = {PartOfSpeech.NOUN, PartOfSpeech.VERB}
_EQUAL = WordRelation(RelationKind.EQUAL, 0, 1.0)
_SAME_LEMMA = WordRelation(RelationKind.SAME_LEMMA, 0, 0.98)
_SPELLING = WordRelation(RelationKind.SPELLING, 0, 0.96)
_SLIP = WordRelation(RelationKind.SPELLING, 1, 0.85)
_SHORT_FORM = WordRelation(RelationKind.ACRONYM, 1, 0.93)
_NEGATED_FORM = WordRelation(RelationKind.ANTONYM, 1, 0.8)
_RELATED = WordRelation(RelationKind.NEAR, 2, 0.5)
_LISTED_OPPOSITES = WordRelation(RelationKind.ANTONYM, 1, 0.88)
_SURE_PREFIXES = ("un", "non", "non-")


def relations_of(one: Unit, two: Unit, knowledge: WordKnowledge) -> tuple[WordRelation, ...]:
    """Every relation of two units that can be stated as a fact, the strongest first."""
    lexicon = knowledge.lexicon
    if one.text.casefold() == two.text.casefold():
        return (_EQUAL,)
    if _plain(one.text) == _plain(two.text):
        return (_SPELLING,)
    if max(len(one.text), len(two.text)) > LONGEST:
        return ()
    if one.kind is two.kind is UnitKind.PLACE:
        found = lexicon.places.relate(one.text, two.text)
        return (found,) if found else ()
    if _have_one_lemma(one, two, lexicon):
        return (_SAME_LEMMA,)
    sensible = tuple(_sensible(one, two, lexicon))
    kept = [*sensible, *_tabled(one, two, lexicon, sensible), *_written(one, two, lexicon)]
    if _are_listed_opposites(one, two, kept):
        kept.append(_LISTED_OPPOSITES)
    return tuple(sorted(kept, key=lambda relation: -relation.strength))


def _are_listed_opposites(one: Unit, two: Unit, others: Sequence[WordRelation]) -> bool:
    """Whether the table of opposites calls two units poles, and nothing else relates them so."""
    if one.is_light or two.is_light or any(known.kind in _DECIDED for known in others):
        return False
    return known_opposition(one.text.lower(), two.text.lower()) >= 1


def _have_one_lemma(one: Unit, two: Unit, lexicon: Lexicon) -> bool:
    """Whether two units are forms of one word, as the parts of speech they have here."""
    if normal_form(one.text) == normal_form(two.text):
        return True  # a possessive: the bank's, the bank
    lemmas = lexicon.wordnet.morphology.lemmas
    return not lemmas(one.text, one.part).isdisjoint(lemmas(two.text, two.part))


def _plain(text: str) -> str:
    """A text without accents, capitals and the point of an abbreviation."""
    signs = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in signs if not unicodedata.combining(sign)).rstrip(".")


def _sensible(one: Unit, two: Unit, lexicon: Lexicon) -> Iterator[WordRelation]:
    """What WordNet says of the two in a sense that they may have here."""
    if one.is_light or two.is_light:
        return
    part, alike = _common_part(one, two, lexicon)
    named = one.names_one or two.names_one
    found = lexicon.wordnet.relations(one.text, two.text, part if alike else None)
    mutual = {relation.kind for relation in found} >= _KINDS
    for relation in found:
        if not alike and relation.kind not in _ACROSS_PARTS:
            continue
        if named and relation.kind not in _OF_NAMES:
            continue
        if relation.strength < _least(relation, one, two, part, lexicon):
            continue
        if relation.kind is RelationKind.SYNONYM and is_one_edit_apart(
            lexicon.lemma(one.text), lexicon.lemma(two.text)
        ):
            yield _SPELLING  # colour, color
        elif mutual and relation.kind in _KINDS:
            yield WordRelation(RelationKind.SIMILAR, 1, relation.strength)  # rescue, save
        else:
            yield relation


def _common_part(one: Unit, two: Unit, lexicon: Lexicon) -> tuple[PartOfSpeech | None, bool]:
    """The part of speech both have here, None where it is open; and whether there is one."""
    if one.part is not None and two.part is not None:
        return one.part, one.part is two.part
    known, other = (one, two) if one.part is not None else (two, one)
    if known.part is None:
        return None, True
    return known.part, known.part in lexicon.parts_of_speech(other.text)


def _least(
    relation: WordRelation, one: Unit, two: Unit, part: PartOfSpeech | None, lexicon: Lexicon
) -> float:
    kind = _MIRRORED.get(relation.kind, relation.kind)
    if kind is not RelationKind.HYPONYM:
        return _LEAST.get(kind, {}).get(relation.distance, 2.0)
    broader = two if relation.kind is RelationKind.HYPONYM else one
    if lexicon.lemma(broader.text) in _TOO_BROAD:
        return 2.0
    nouns = part is PartOfSpeech.NOUN or (
        part is None and _holds(relation, one, two, PartOfSpeech.NOUN, lexicon)
    )
    return (_LEAST_OF_NOUNS if nouns else _LEAST_OF_VERBS).get(relation.distance, 2.0)


def _holds(
    relation: WordRelation, one: Unit, two: Unit, part: PartOfSpeech, lexicon: Lexicon
) -> bool:
    found = lexicon.wordnet.relations(one.text, two.text, part)
    return any(other.kind is relation.kind for other in found)


def _tabled(
    one: Unit, two: Unit, lexicon: Lexicon, sensible: tuple[WordRelation, ...]
) -> Iterator[WordRelation]:
    """What our own sets of words say: opposites, members of one kind, words of one family.

    What WordNet calls the same or a kind of the other is no opposite: *beat* and *defeated*.
    """
    members = lexicon.entry(one.text).set_member, lexicon.entry(two.text).set_member
    relation = lexicon.word_sets.relate(*members)
    if not relation:
        return
    light = one.is_light or two.is_light
    if relation.kind is RelationKind.FAMILY:
        if not light:
            yield relation if _is_close(one, two, lexicon, sensible) else _RELATED
    elif any(known.kind in _CONFIRMING for known in sensible):
        return
    elif {one.part, two.part} != _NOUN_AND_VERB and (
        not light or relation.kind is RelationKind.ANTONYM
    ):
        yield relation


def _is_close(one: Unit, two: Unit, lexicon: Lexicon, sensible: tuple[WordRelation, ...]) -> bool:
    """Whether two words of a family mean much the same: *dead* and *died*, not *river* and *lake*.

    Of two nouns that WordNet knows, it has to say so as well.
    """
    parts = [lexicon.parts_of_speech(unit.text) for unit in (one, two)]
    nouns = all(found and found[0] is PartOfSpeech.NOUN for found in parts)
    if not nouns:
        return True
    if any(relation.kind in _CONFIRMING for relation in sensible):
        return True
    return any(
        relation.kind is RelationKind.COHYPONYM and relation.strength >= _SURE_SISTERS
        for relation in sensible
    )


def _written(one: Unit, two: Unit, lexicon: Lexicon) -> Iterator[WordRelation]:
    """What the letters alone show: short forms, joined words, slips, negative prefixes.

    Short forms of single words only: what stands for several words is found with its chunk.
    """
    first, second = lexicon.entry(one.text), lexicon.entry(two.text)
    alike = len(first.tokens) == len(second.tokens) and first.may_abbreviate(second)
    if alike and lexicon.acronyms.match(first.tokens, second.tokens):
        yield _SHORT_FORM
    elif first.is_joined(second):
        yield _SPELLING
    elif not (first.is_known and second.is_known) and is_likely_slip(one.text, two.text):
        yield _SLIP
    elif _is_negated_form(one, two, lexicon):
        yield _NEGATED_FORM


def _is_negated_form(one: Unit, two: Unit, lexicon: Lexicon) -> bool:
    """*unhappy* and *happy*; not *impress* and *press*, nor *unions* and *ions*."""
    if not is_negated_form(one.text, two.text):
        return False
    longer = max(one.text.lower(), two.text.lower(), key=len)
    common = set(lexicon.parts_of_speech(one.text)) & set(lexicon.parts_of_speech(two.text))
    return bool(common - {PartOfSpeech.NOUN}) and (
        longer.startswith(_SURE_PREFIXES) or longer.endswith("less")
    )
