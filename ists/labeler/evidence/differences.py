"""Reasons that rest on what one chunk has and the other lacks, and on grammar."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ists.labeler.evidence.comparison import Comparison, Side, is_in
from ists.labeler.evidence.deciding import reverses
from ists.labeler.evidence.links import Link
from ists.labeler.evidence.units import NOT, Unit, is_telling, text_of
from ists.labeler.evidence.wording import is_spelled, readings
from ists.labeler.reasons import (
    ALL,
    EQUI,
    MORE_SPECIFIC,
    NOTHING,
    OPPO,
    SIMI,
    Reason,
    ReasonKind,
    one_sided,
    only,
    quoted,
)
from ists.labeler.signs import HEDGES
from ists.lexicon import FunctionClass, PartOfSpeech, RelationKind
from ists.pairs import Flag, Relation

_NARROWING = frozenset({FunctionClass.DETERMINER, FunctionClass.PRONOUN, FunctionClass.PARTICLE})
_ALIKE = frozenset(
    {
        RelationKind.EQUAL,
        RelationKind.SAME_LEMMA,
        RelationKind.SPELLING,
        RelationKind.SYNONYM,
        RelationKind.ACRONYM,
        RelationKind.SAME_PLACE,
        RelationKind.DEMONYM,
        RelationKind.FAMILY,
        RelationKind.SIMILAR,
        RelationKind.DERIVED,
        RelationKind.HYPONYM,
        RelationKind.HYPERNYM,
    }
)
"""Relations of words that say the same, or nearly."""
_SAYING_NOTHING = frozenset(("a", "an", "the", "to", "'s", "'"))


def negation(comparison: Comparison) -> Iterator[Reason]:
    """A negation in one chunk only; where the other has the opposite word, the two may agree."""
    if not comparison.one_is_negated or _may_be_denied_twice(comparison):
        return
    for own, other in comparison.sides:
        denying = [
            word.text for at, word in enumerate(own.words) if word.denies and at not in own.linked
        ]
        opposites = [link for link in comparison.links if link.has(RelationKind.ANTONYM)]
        for link in opposites:
            read = link if own.sentence == 1 else link.turned()
            if _is_just_negated(own, read.one):
                text = f"'not {read.one.text}' amounts to '{read.two.text}'"
                settles = NOTHING if own.missing or other.missing else EQUI
                yield link.reason(ReasonKind.NEGATION, text, EQUI, settles)
        if own.is_negated and denying and not opposites and _agree_otherwise(comparison):
            yield _negating(own, denying, OPPO | SIMI)


def denial(comparison: Comparison) -> Iterator[Reason]:
    """A verb such as deny or fail, in one chunk only, that turns what both of them say."""
    for own, other in () if _may_be_denied_twice(comparison) else comparison.sides:
        denying = tuple(
            unit.text
            for unit in own.rest
            if own.words[unit.start].doubts and unit.part is not PartOfSpeech.NOUN  # a bus stop
        )
        if denying and comparison.links and not other.missing:
            yield _negating(own, denying, OPPO)


def _may_be_denied_twice(comparison: Comparison) -> bool:
    """Whether more than the chunks themselves may deny them: [gave up] [smoking]."""
    return comparison.one.is_denied_outside or comparison.two.is_denied_outside


def _agree_otherwise(comparison: Comparison) -> bool:
    """Whether the chunks say the same or nearly the same without a negation.

    *Can't talk* is not the negation of *busy*.
    """
    if comparison.links:
        alike = all(map(_is_alike, comparison.links)) and any(r.relations for r in comparison.links)
        return alike and not (comparison.one.missing and comparison.two.missing)
    rest1, rest2 = (
        [word for word in side.words if not word.denies]
        for side in (comparison.one, comparison.two)
    )
    if any(map(is_telling, (*rest1, *rest2))):
        return False
    forms1, forms2 = (readings(rest) | {word.lemma for word in rest} for rest in (rest1, rest2))
    return not forms1.isdisjoint(forms2)


def _is_alike(link: Link) -> bool:
    return not link.relations or link.is_equal or link.has(*_ALIKE)


def _negating(own: Side, words: Sequence[str], relations: frozenset[Relation]) -> Reason:
    text = f"{quoted(words)} negates it in sentence {own.sentence}"
    return one_sided(own.sentence, ReasonKind.NEGATION, text, words, relations, relations)


def _is_just_negated(own: Side, unit: Unit) -> bool:
    """Whether *not* stands before a unit, with nothing but grammar between them."""
    before = [word.lower for word in own.words[: unit.start] if not is_telling(word)]
    close = not any(is_telling(word) for word in own.words[: unit.start])
    return close and not NOT.isdisjoint(before)


def directions(comparison: Comparison) -> Iterator[Reason]:
    """Function words that point opposite ways: before and after, to and from."""
    if comparison.one_is_negated:
        return
    for word1, word2 in comparison.opposed_function_words():
        text = f"'{word1}' is the opposite of '{word2}'"
        relations = OPPO | SIMI
        yield Reason(ReasonKind.OPPOSITE, text, relations, relations, (word1,), (word2,))


def compounds(comparison: Comparison) -> Iterator[Reason]:
    """Phrases of one chunk that are a kind of what the other one says."""
    for own, _ in comparison.sides:
        relation = MORE_SPECIFIC[own.sentence]
        for narrow, broad in own.compounds:
            text = f"'{narrow.text}' is a kind of '{broad.text}'"
            kind = ReasonKind.MORE_SPECIFIC if own.sentence == 1 else ReasonKind.MORE_GENERAL
            words = (narrow.text,), (broad.text,)
            words1, words2 = words if own.sentence == 1 else words[::-1]
            yield Reason(kind, text, relation, relation, words1, words2)


def additions(comparison: Comparison) -> Iterator[Reason]:
    """What only one chunk says, beside something that they have in common.

    It does not settle which one is more specific where the other chunk adds something as well.
    """
    for own, other in comparison.sides:
        inside = {at for phrase, _ in own.compounds for at in phrase.places}
        added = _not_said(own, other)
        apart = [
            unit
            for unit in added
            if inside.isdisjoint(unit.places) and not _is_replaced(unit, own, other)
        ]
        yield from _added(comparison, own, added, SIMI)
        for reason in _added(comparison, own, apart, MORE_SPECIFIC[own.sentence]):
            yield replace(reason, settles=NOTHING) if _not_said(other, own) else reason


def _not_said(own: Side, other: Side) -> list[Unit]:
    return [unit for unit in own.missing if not is_in(own, unit, other.said)]


def _added(
    comparison: Comparison, own: Side, units: Sequence[Unit], relation: frozenset[Relation]
) -> Iterator[Reason]:
    said = [unit for unit in units if comparison.is_said_elsewhere(own, unit)]
    new = [unit for unit in units if unit not in said]
    for opening, stated in (("only", new), ("here only", said)):
        if stated:
            texts = tuple(dict.fromkeys(_texts(own, stated)))
            yield only(own.sentence, texts, relation, opening, needs_company=True)


def _texts(own: Side, units: Sequence[Unit]) -> Iterator[str]:
    """The texts of units; those that a hyphen joins count as one: *second - hand*."""
    spans: list[tuple[int, int]] = []
    for unit in units:
        if spans and [word.text for word in own.words[spans[-1][1] : unit.start]] == ["-"]:
            spans[-1] = spans[-1][0], unit.end
        else:
            spans.append((unit.start, unit.end))
    for start, end in spans:
        yield text_of(own.phrase, start, end)


def _is_replaced(unit: Unit, own: Side, other: Side) -> bool:
    """Whether the last unit of a chunk stands where the other chunk has another last unit.

    A name does not stand where a common word is: it adds who or what is meant.
    """
    return _is_last(unit, own) and any(
        _is_last(rival, other) and rival.names_one == unit.names_one for rival in other.missing
    )


def _is_last(unit: Unit, side: Side) -> bool:
    return not any(is_telling(word) for word in side.words[unit.end :])


def modality(comparison: Comparison) -> Iterator[Reason]:
    """A modal verb or a word of doubt in one chunk only."""
    for own, other in comparison.sides:
        if own.modals and not other.modals:
            yield only(
                own.sentence, own.modals, SIMI, _opening(own.modals, other), needs_company=True
            )
        doubts = _doubts(own)
        if doubts and not _doubts(other):
            text = (
                f"sentence {other.sentence} states it as a fact, "
                f"sentence {own.sentence} says {quoted(doubts)}"
            )
            yield one_sided(own.sentence, ReasonKind.FLAG, text, doubts, ALL, flag=Flag.FACT)


def grammatical_number(comparison: Comparison) -> Iterator[Reason]:
    """One thing against several of it."""
    for link in comparison.links:
        words = [
            side.words[unit.end - 1]
            for side, unit in ((comparison.one, link.one), (comparison.two, link.two))
            if _is_counted(side, unit)
        ]
        singular = [word.text for word in words if not word.is_plural]
        plural = [word.text for word in words if word.is_plural]
        if link.has(RelationKind.SAME_LEMMA) and singular and plural:
            text = f"'{singular[0]}' is one, '{plural[0]}' are several"
            words1, words2 = (link.one.text,), (link.two.text,)
            yield Reason(ReasonKind.GRAMMAR, text, SIMI, SIMI, words1, words2)


def _is_counted(side: Side, unit: Unit) -> bool:
    """Whether a unit is a noun that its chunk has once."""
    last = side.words[unit.end - 1]
    if unit.names_one or (unit.part or last.pos) is not PartOfSpeech.NOUN:
        return False
    return [word.lemma for word in side.words].count(last.lemma) == 1


def function_words(comparison: Comparison) -> Iterator[Reason]:
    """Function words that set chunks of the same content apart."""
    one, two = comparison.one, comparison.two
    if not comparison.links or one.missing or two.missing:
        return
    first, second = one.phrase.preposition, two.phrase.preposition
    if first and second and first != second:
        text = f"one says '{first}', the other '{second}'"
        turns = reverses(first) != reverses(second) and not comparison.one_is_negated
        kind, relations = (
            (ReasonKind.OPPOSITE, SIMI | OPPO) if turns else (ReasonKind.GRAMMAR, SIMI)
        )
        yield Reason(kind, text, relations, relations, (first,), (second,), is_last_resort=True)
    for own, other in comparison.sides:
        words = tuple(_narrowing(own, other))
        if words:
            relations = MORE_SPECIFIC[own.sentence] | SIMI
            yield only(own.sentence, words, relations, _opening(words, other), is_last_resort=True)


def _narrowing(own: Side, other: Side) -> Iterator[str]:
    for at, word in enumerate(own.words):
        if at in own.linked or (at and own.words[at - 1].denies):
            continue  # half of it, 50 % of it; not all of it
        narrows = word.function in _NARROWING and word.lower not in _SAYING_NOTHING
        if narrows and not is_spelled(word.text, other.words):
            yield word.text


def _opening(words: Sequence[str], other: Side) -> str:
    """Return the wording for words of one chunk, which the other sentence may have elsewhere."""
    return "here only" if any(word.lower() in other.elsewhere for word in words) else "only"


def _doubts(side: Side) -> tuple[str, ...]:
    return tuple(
        word.text for word in side.words if word.text in side.modals or word.lower in HEDGES
    )
