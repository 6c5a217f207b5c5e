"""A chunk cut into the units that carry meaning: amounts, times, names, phrases and words.

``$1.65 billion`` is one amount, ``goes down`` one verb and ``United Kingdom`` one name; their
words mean nothing by themselves and are compared with nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ists.labeler.phrases import Determiner, Phrase, PhraseKind
from ists.labeler.words import Word, WordKnowledge
from ists.lexicon import (
    Amount,
    AmountKind,
    Bound,
    DateKind,
    DateMention,
    PartOfSpeech,
    PlaceRole,
    Quantity,
    QuantityKind,
    amounts,
)


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


LIGHT_VERBS = word_set("be become bring come do get give go have keep let make put seem set take")
ARTICLES = word_set("a an the")
NOT = word_set("not n't")
_PARTICLES = word_set(
    "about across along apart around aside away back by down in into off on out over through "
    "to together under up upon with without at for after"
)
LONGEST = 120
"""Letters: longer words are noise and are not looked up."""
_LONGEST_PHRASE = 4
_MEASURES = frozenset(AmountKind) - {
    AmountKind.COUNT,
    AmountKind.ORDINAL,
    AmountKind.SCORE,
    AmountKind.YEAR,
}
_BEFORE_YEARS = word_set("in since by until till from of before after during early late mid around")


_NEGATING_BOUNDS = word_set("no not n't")
_NEGATED_BOUNDS = {Bound.AT_LEAST: Bound.AT_MOST, Bound.AT_MOST: Bound.AT_LEAST}
_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_ROMAN = {
    tens + ones: 10 * at + value
    for at, tens in enumerate(("", "X", "XX", "XXX"))
    for value, ones in enumerate(_ONES)
    if tens + ones
}
_PREPOSITIONS = frozenset(
    {("according", "to"), ("due", "to"), ("next", "to"), ("owing", "to"), ("thanks", "to")}
)
"""Prepositions of two words, of which the first looks like a word with a meaning."""


class UnitKind(StrEnum):
    """What a unit is."""

    WORD = "word"
    PHRASE = "phrase"  # goes down, prime minister: an entry of WordNet
    PLACE = "place"
    NAME = "name"  # an abbreviation or what it stands for
    AMOUNT = "amount"
    MEASURE = "measure"  # two hours, 3 pm: an amount with its unit
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Unit:
    """Words ``start`` to ``end`` (exclusive) of a chunk, as one thing."""

    kind: UnitKind
    start: int
    end: int
    text: str
    part: PartOfSpeech | None = None
    """The part of speech it has here; None where the chunk does not show it."""
    is_light: bool = False
    """A word that says next to nothing by itself: go, have, take; *due* before *to*."""
    names_one: bool = False
    """The name of one individual."""
    amount: Quantity | None = None
    counts: bool = False
    """Of an amount: whether the word that follows is what it counts."""
    is_numeral: bool = False
    """Of an amount: whether it numbers what stands before: *World War II*, *chapter 4*."""
    time: DateMention | None = None
    measure: Amount | None = None

    @property
    def places(self) -> frozenset[int]:
        """The places of its words."""
        return frozenset(range(self.start, self.end))

    @property
    def is_single(self) -> bool:
        """Whether it is one word."""
        return self.end - self.start == 1


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk in units that do not overlap, and other ways to read some of its words."""

    units: tuple[Unit, ...]
    phrases: tuple[Unit, ...]
    """What WordNet lists as one: *prime minister*."""
    verbs: tuple[Unit, ...]
    """The verbs inside of phrasal verbs: the *shut* of *shut down*."""


def is_telling(word: Word) -> bool:
    """Whether a word carries content: no grammar, and no negation either."""
    return word.is_content and not word.denies


def cut(phrase: Phrase, knowledge: WordKnowledge) -> Cut:
    """Cut a chunk into units."""
    taken: set[int] = set()
    units: list[Unit] = []
    for unit in (
        *_times(phrase),
        *_amounts(phrase),
        *_places(phrase, knowledge),
        *_phrasal_verbs(phrase, knowledge),
    ):
        if taken.isdisjoint(unit.places):
            taken |= unit.places
            units.append(unit)
    words = [
        word_unit(phrase, at, knowledge)
        for at, word in enumerate(phrase.words)
        if at not in taken and is_telling(word)
    ]
    return Cut(
        units=tuple(sorted([*units, *words], key=lambda unit: unit.start)),
        phrases=tuple(_phrases_beside(units, _phrases(phrase, knowledge))),
        verbs=tuple(_verbs_inside(phrase, units, knowledge)),
    )


def _phrases_beside(units: list[Unit], phrases: Iterable[Unit]) -> Iterator[Unit]:
    """The phrases that are not part of a unit, nor of a name such as *Second World War*.

    A name may have a numeral in it; other phrases contain no unit.
    """
    names: set[int] = set()
    for phrase in phrases:
        inside = [unit for unit in units if not unit.places.isdisjoint(phrase.places)]
        inside = [unit for unit in inside if unit.kind is not UnitKind.PHRASE]
        numbered = phrase.names_one and all(
            unit.kind is UnitKind.AMOUNT and unit.places < phrase.places for unit in inside
        )
        if (inside and not numbered) or phrase.places <= names:
            continue
        if inside:
            names |= phrase.places
        yield phrase


def text_of(phrase: Phrase, start: int, end: int) -> str:
    """Words of a chunk as written."""
    return " ".join(word.text for word in phrase.words[start:end])


def word_unit(phrase: Phrase, at: int, knowledge: WordKnowledge) -> Unit:
    """One word of a chunk."""
    word = phrase.words[at]
    part = _part_here(phrase, at, knowledge)
    lemma = knowledge.lexicon.lemma(word.text, PartOfSpeech.VERB) if word.can_be_verb else ""
    following = phrase.words[at + 1].lower if at + 1 < len(phrase.words) else ""
    light = (word.lower, following) in _PREPOSITIONS or (
        lemma in LIGHT_VERBS and part in (None, PartOfSpeech.VERB)
    )
    named = word.is_name or (word.text.isupper() and len(word.text) > 1)
    return Unit(UnitKind.WORD, at, at + 1, word.text, part, light, named)


def _times(phrase: Phrase) -> Iterator[Unit]:
    for mention in phrase.dates:
        if mention.kind is DateKind.YEAR and not _is_year(phrase, mention.start):
            continue
        text = text_of(phrase, mention.start, mention.end)
        yield Unit(UnitKind.TIME, mention.start, mention.end, text, time=mention)


def _is_year(phrase: Phrase, at: int) -> bool:
    """``in 1990`` is a year, ``1990 people`` are not."""
    if phrase.words[at].lower.endswith("s"):
        return True
    before = phrase.words[at - 1].lower if at else ""
    return before in _BEFORE_YEARS or not _counts(phrase, at + 1)


def _counts(phrase: Phrase, end: int) -> bool:
    """Whether something to be counted follows a number."""
    return any(is_telling(word) for word in phrase.words[end:])


def _amounts(phrase: Phrase) -> Iterator[Unit]:
    for found in phrase.quantities:
        amount = _with_negated_bound(phrase, found)
        text = text_of(phrase, amount.start, amount.end)
        counts = _counts(phrase, amount.end)
        if text.lower() == "a couple" and not counts:
            continue  # two people, not two of something
        numeral = not counts and _is_numeral(phrase, amount)
        yield Unit(
            UnitKind.AMOUNT,
            amount.start,
            amount.end,
            text,
            amount=amount,
            counts=counts,
            is_numeral=numeral,
        )
    for at, word in enumerate(phrase.words):
        value = _ROMAN.get(word.text)
        if value and at and is_telling(phrase.words[at - 1]):
            roman = Quantity(value, QuantityKind.ORDINAL, start=at, end=at + 1)
            yield Unit(UnitKind.AMOUNT, at, at + 1, word.text, amount=roman, is_numeral=True)


def _is_numeral(phrase: Phrase, amount: Quantity) -> bool:
    """Whether a number is the last part of a name: *Room 12*, *chapter four*."""
    if amount.kind is not QuantityKind.CARDINAL or amount.bound is not Bound.EXACT:
        return False
    before = phrase.words[amount.start - 1] if amount.start else None
    if before is None or not before.is_content:
        return False
    return before.pos is PartOfSpeech.NOUN or before.text[:1].isupper()


def _with_negated_bound(phrase: Phrase, amount: Quantity) -> Quantity:
    """*Not more than 8* is a bound, of the other side than *more than 8*."""
    before = phrase.words[amount.start - 1].lower if amount.start else ""
    if before not in _NEGATING_BOUNDS or amount.bound not in _NEGATED_BOUNDS:
        return amount
    return replace(amount, bound=_NEGATED_BOUNDS[amount.bound], start=amount.start - 1)


def measures(phrase: Phrase, exact_only: bool = True) -> Iterator[Unit]:
    """Amounts with their units; a night is no certain number of hours."""
    for found in amounts(phrase.meaning.tokens):
        exact = found.is_exact or not exact_only
        if found.kind in _MEASURES and exact and found.unit != "night":
            text = text_of(phrase, found.start, found.end)
            yield Unit(UnitKind.MEASURE, found.start, found.end, text, measure=found)


def _places(phrase: Phrase, knowledge: WordKnowledge) -> Iterator[Unit]:
    for mention in knowledge.lexicon.place_mentions([word.text for word in phrase.words]):
        words = phrase.words[mention.start : mention.end]
        if any(is_telling(word) for word in words):
            text = text_of(phrase, mention.start, mention.end)
            named = any(name.role is not PlaceRole.PEOPLE for name in mention.names)
            yield Unit(UnitKind.PLACE, mention.start, mention.end, text, names_one=named)


def _phrasal_verbs(phrase: Phrase, knowledge: WordKnowledge) -> Iterator[Unit]:
    if phrase.preposition or phrase.determiner is not Determiner.NONE:
        return
    for at, word in enumerate(phrase.words[:-1]):
        if word.can_be_verb and phrase.words[at + 1].lower in _PARTICLES:
            text = text_of(phrase, at, at + 2)
            if text.lower() == "going to" and at + 2 < len(phrase.words):
                continue  # the future of another verb
            if PartOfSpeech.VERB in _entries(text, knowledge):
                yield Unit(UnitKind.PHRASE, at, at + 2, text, PartOfSpeech.VERB)


def _verbs_inside(phrase: Phrase, units: list[Unit], knowledge: WordKnowledge) -> Iterator[Unit]:
    """The verbs of phrasal verbs, where they say something by themselves."""
    for unit in units:
        if unit.kind is UnitKind.PHRASE:
            verb = word_unit(phrase, unit.start, knowledge)
            if not verb.is_light and is_telling(phrase.words[unit.start]):
                yield verb


def _phrases(phrase: Phrase, knowledge: WordKnowledge) -> Iterator[Unit]:
    """Every run of words that WordNet lists as one, the longest first."""
    count = len(phrase.words)
    for size in range(min(_LONGEST_PHRASE, count), 1, -1):
        for start in range(count - size + 1):
            words = phrase.words[start : start + size]
            if words[0].lower in ARTICLES or not any(is_telling(word) for word in words):
                continue
            text = text_of(phrase, start, start + size)
            parts = _entries(text, knowledge)
            if parts:
                part = parts[0] if len(parts) == 1 else None
                named = knowledge.lexicon.wordnet.is_name(text)
                yield Unit(UnitKind.PHRASE, start, start + size, text, part, names_one=named)


def _entries(text: str, knowledge: WordKnowledge) -> tuple[PartOfSpeech, ...]:
    """As what WordNet lists a run of words; not joined (*is land*: island) into one word."""
    wordnet = knowledge.lexicon.wordnet
    if len(text) > LONGEST:
        return ()
    return tuple(
        part
        for part, bases in wordnet.morphology.bases(text).items()
        if any(" " in base or "-" in base for base in bases)
    )


def _part_here(phrase: Phrase, at: int, knowledge: WordKnowledge) -> PartOfSpeech | None:
    """The part of speech of a word, judged by the type of its chunk."""
    word = phrase.words[at]
    parts = knowledge.lexicon.parts_of_speech(word.text[:LONGEST])
    if len(parts) == 1:
        return parts[0]
    if phrase.kind is PhraseKind.VERB:
        is_verb = word is phrase.head and PartOfSpeech.VERB in parts
        return PartOfSpeech.VERB if is_verb else None
    is_last = not any(is_telling(later) for later in phrase.words[at + 1 :])
    if not is_last and parts and parts[0] is PartOfSpeech.ADJECTIVE:
        return PartOfSpeech.ADJECTIVE
    is_noun_phrase = phrase.preposition or phrase.determiner is not Determiner.NONE
    if is_noun_phrase and is_last and PartOfSpeech.NOUN in parts and word.ending != "ing":
        return PartOfSpeech.NOUN
    return None
