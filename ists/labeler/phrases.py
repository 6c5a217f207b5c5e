"""Chunks analysed for the labeller: content words, head and grammar."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from ists.labeler import signs
from ists.labeler.meaning import Meaning
from ists.labeler.words import Word, WordKnowledge
from ists.lazy import lazy
from ists.lexicon import (
    AmountKind,
    Bound,
    DateKind,
    DateMention,
    FunctionClass,
    PartOfSpeech,
    Quantity,
    dates,
    function_class,
    quantities,
)
from ists.lexicon.spelling import trigram_text


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_INDEFINITE = frozenset(("a", "an"))
_DEFINITE = frozenset(("the", "this", "that", "these", "those"))
_POSSESSIVE = _words("my your his her its our their 's '")
_STATIC_PLACE = _words("in on at inside within atop upon")
_NEAR_PLACE = _words("near by beside alongside around next")
_MOVING = _words("to into onto toward towards through down along for")
_ATTACHED = '"“”,;:!?()'
_AFTER_LETTER = frozenset(("and", "or", "&", ",", ".", ";"))


_CACHED_PHRASES = 8192  # of some 4 KB each


class PhraseKind(StrEnum):
    """The broad type of a chunk, judged by word lists."""

    NOUN = "noun"
    VERB = "verb"
    PREPOSITION = "preposition"
    NUMBER = "number"
    OTHER = "other"


class Determiner(StrEnum):
    """The first word of a noun phrase."""

    NONE = "none"
    INDEFINITE = "indefinite"
    DEFINITE = "definite"
    POSSESSIVE = "possessive"
    QUANTIFIER = "quantifier"


@dataclass(frozen=True)
class Phrase:
    """An analysed chunk."""

    words: tuple[Word, ...]
    content: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[DateMention, ...]
    kind: PhraseKind
    preposition: str
    determiner: Determiner
    compiled: Any = field(default=None, init=False, compare=False, repr=False)
    """The chunk as the extension takes it, once it is needed."""

    @lazy
    def is_wordless(self) -> bool:
        """Whether the chunk is punctuation only, which the guidelines leave NOALI."""
        return not self.signs & signs.WORDED

    @lazy
    def signs(self) -> int:
        """The signs of all its words."""
        found = 0
        for word in self.words:
            found |= word.signs
        return found

    @lazy
    def head(self) -> Word | None:
        """The word the chunk is about: the last content word, or the last verb of a verb chain."""
        if not self.content:
            return None
        if self.kind is PhraseKind.VERB:
            verbs = [word for word in self.content if word.can_be_verb]
            return verbs[-1] if verbs else self.content[-1]
        return self.content[-1]

    @lazy
    def text(self) -> str:
        """The chunk in lower case."""
        return " ".join(word.lower for word in self.words)

    @lazy
    def tokens(self) -> frozenset[str]:
        """All words in lower case."""
        return frozenset(word.lower for word in self.words)

    @lazy
    def functions(self) -> frozenset[str]:
        """The function words in lower case."""
        return frozenset(word.lower for word in self.words if not word.is_content)

    @lazy
    def content_lowers(self) -> tuple[str, ...]:
        """The content words in lower case."""
        return tuple(word.lower for word in self.content)

    @lazy
    def content_texts(self) -> tuple[str, ...]:
        """The content words as written."""
        return tuple(word.text for word in self.content)

    @lazy
    def lemmas(self) -> frozenset[str]:
        """The lemmas of the content words."""
        return frozenset(word.lemma for word in self.content)

    @lazy
    def trigram_text(self) -> str:
        """The content words, for their character trigrams."""
        return trigram_text(" ".join(self.content_lowers) or self.text)

    @lazy
    def date_values(self) -> dict[DateKind, frozenset[int]]:
        """The parts of a date that the chunk gives."""
        values: dict[DateKind, frozenset[int]] = {}
        for mention in self.dates:
            values[mention.kind] = values.get(mention.kind, frozenset()) | {mention.value}
        return values

    @lazy
    def count(self) -> float:
        """How many things the chunk names: the number, 1 for a/an, -1 for a plural, else 0."""
        if self.quantities:
            return self.quantities[0].value
        if self.kind is PhraseKind.VERB or self.head is None:
            return 0.0
        if self.head.is_plural:
            return -1.0
        return 1.0 if self.determiner is Determiner.INDEFINITE else 0.0

    @lazy
    def meaning(self) -> Meaning:
        """The meaning of the chunk as a whole."""
        return Meaning.of([word.text for word in self.words])

    @lazy
    def is_time(self) -> bool:
        """Whether the chunk names a time: a date, an hour, a part of the day."""
        hour = self.meaning.amount
        return (
            bool(self.dates)
            or (hour is not None and hour.kind is AmountKind.CLOCK)
            or (self.head is not None and self.head.field == "noun.time")
        )

    @lazy
    def is_negated(self) -> bool:
        """Whether the number of negations is odd."""
        return sum([word.denies for word in self.words]) % 2 == 1

    @lazy
    def grammar(self) -> tuple[float, ...]:
        """The grammatical features of the chunk, in the order of `GRAMMAR`."""
        head, shown, content = self.head, self.signs, self.content
        names = [word.is_name for word in content]
        return (
            self.kind is PhraseKind.NOUN,
            self.kind is PhraseKind.VERB,
            self.kind is PhraseKind.PREPOSITION,
            self.kind is PhraseKind.NUMBER,
            self.determiner is Determiner.INDEFINITE,
            self.determiner is Determiner.DEFINITE,
            self.determiner is Determiner.POSSESSIVE,
            bool(self.words) and self.words[0].lower == "to",
            bool(shown & signs.BE),
            bool(shown & signs.HAVE),
            bool(shown & signs.MODAL),
            bool(shown & signs.HEDGE),
            self.is_negated,
            bool(shown & signs.DOUBTS),
            bool(shown & signs.JOINT),
            bool(shown & signs.PUNCTUATION),
            bool(shown & signs.PRONOUN),
            bool(shown & signs.GROUP),
            head is not None and head.is_plural,
            head is not None and head.ending == "ing",
            head is not None and head.ending == "ed",
            head is not None and head.is_place,
            head is not None and head.is_name,
            sum(names),
            sum([word.is_place for word in content]),
            bool(self.quantities),
            bool(self.dates),
            sum([word.text.isupper() and len(word.text) > 1 for word in content]),
            head is not None and head.text[:1].isupper(),
            self.determiner is Determiner.QUANTIFIER,
            len(self.words) > 1 and self.words[-1].function is FunctionClass.PREPOSITION,
            bool(self.quantities) and self.quantities[0].bound is not Bound.EXACT,
        )


GRAMMAR = (
    ("noun phrase", "the chunk looks like a noun phrase"),
    ("verb chain", "the chunk looks like a verb chain"),
    ("prepositional", "the chunk opens with a preposition"),
    ("bare number", "the chunk is a number and no more"),
    ("indefinite", "the chunk has a or an"),
    ("definite", "the chunk has the, this, that"),
    ("possessive", "the chunk opens with a possessive"),
    ("to", "the chunk opens with to"),
    ("be", "a form of be is in the chunk"),
    ("have", "a form of have is in the chunk"),
    ("modal", "a modal verb is in the chunk"),
    ("hedge", "a word makes it a plan, a claim or a suspicion"),
    ("negated", "the chunk is negated"),
    ("denying verb", "a verb such as deny or fail is in the chunk"),
    ("list", "the chunk joins things with and, or, a comma"),
    ("punctuation", "there is punctuation inside"),
    ("pronoun", "there is a pronoun"),
    ("group word", "a group, a pair, a row of something"),
    ("head plural", "the head is a plural"),
    ("head -ing", "the head is an -ing form"),
    ("head -ed", "the head is an -ed form"),
    ("head place", "the head names a place or its people"),
    ("head name", "the head is a name WordNet does not know"),
    ("names", "how many such names"),
    ("places", "how many words name places"),
    ("quantity", "the chunk says a quantity"),
    ("date", "the chunk says a date"),
    ("capitals", "how many words in capitals only"),
    ("head capitalised", "the head begins with a capital"),
    ("quantifier", "the chunk opens with some, all, many or the like"),
    ("particle", "the chunk ends with a particle: looking up"),
    ("inexact", "the quantity is a bound or an estimate"),
)


class PhraseReader:
    """Analyses chunks, with a cache."""

    def __init__(self, knowledge: WordKnowledge) -> None:
        self.knowledge = knowledge
        self._read = lru_cache(maxsize=_CACHED_PHRASES)(self._read_uncached)

    def read(self, tokens: Sequence[str]) -> Phrase:
        """Return the analysed phrase of these tokens."""
        return self._read(tuple(tokens))

    def _read_uncached(self, tokens: tuple[str, ...]) -> Phrase:
        return read_phrase(tokens, self.knowledge)


def read_phrase(tokens: Sequence[str], knowledge: WordKnowledge) -> Phrase:
    """Analyse the tokens of one chunk."""
    tokens = tuple(map(without_punctuation, tokens))
    words = tuple(
        _as_letter(word) if _is_letter_name(tokens, at) else word
        for at, word in enumerate(map(knowledge.word, tokens))
    )
    content = tuple(word for word in words if word.is_content)
    found = quantities(tokens)
    preposition = _preposition(words)
    return Phrase(
        words=words,
        content=content,
        quantities=found,
        dates=dates(tokens),
        kind=_kind(words, content, preposition, found),
        preposition=preposition,
        determiner=_determiner(words),
    )


def without_punctuation(token: str) -> str:
    """Return a token without the quotation marks, commas and the like that are attached to it.

    Text that is split at white space has such tokens. A full stop may be part of an abbreviation
    and is kept, except after a single letter.
    """
    bare = token.strip(_ATTACHED)
    if len(bare) == 2 and bare[0].isalpha() and bare[1] == ".":
        return bare[0]
    return bare if any(map(str.isalnum, bare)) else token


def _is_letter_name(tokens: Sequence[str], at: int) -> bool:
    """Return whether an "a" names a thing, as in "bulb A" and "A and C": no noun follows it."""
    if tokens[at].lower() != "a" or tokens == ("a",):
        return False
    following = tokens[at + 1 :]
    return not following or following[0] in _AFTER_LETTER


def _as_letter(word: Word) -> Word:
    return replace(word, function=None, names_one=True)


def preposition_class(preposition: str) -> str:
    """Prepositions that are often interchangeable: in the park, at the park."""
    if preposition in _STATIC_PLACE:
        return "static"
    if preposition in _NEAR_PLACE:
        return "near"
    return "moving" if preposition in _MOVING else preposition


def _preposition(words: Sequence[Word]) -> str:
    first = words[0] if words else None
    if first is None or first.function is not FunctionClass.PREPOSITION:
        return ""
    if first.lower == "to" and len(words) > 1 and _is_base_verb(words[1]):
        return ""
    return first.lower


def _is_base_verb(word: Word) -> bool:
    return word.can_be_verb and word.pos is PartOfSpeech.VERB and not word.ending


def _kind(
    words: Sequence[Word],
    content: Sequence[Word],
    preposition: str,
    found: Sequence[Quantity],
) -> PhraseKind:
    if preposition:
        return PhraseKind.PREPOSITION
    if not content:
        auxiliary = any(word.function is FunctionClass.AUXILIARY for word in words)
        return PhraseKind.VERB if auxiliary else PhraseKind.OTHER
    if len(found) == 1 and all(word.is_number for word in content):
        return PhraseKind.NUMBER
    first = words[0]
    if first.function is FunctionClass.AUXILIARY or (first.lower == "to"):
        return PhraseKind.VERB
    if first.function is not None:
        return PhraseKind.NOUN
    last = content[-1]
    verbal = content[0].pos is PartOfSpeech.VERB or content[0].ending in ("ing", "ed")
    if verbal and content[0].can_be_verb and (len(content) == 1 or not _is_noun(last)):
        return PhraseKind.VERB
    return PhraseKind.NOUN


def _is_noun(word: Word) -> bool:
    return word.pos is PartOfSpeech.NOUN or not word.is_known


def _determiner(words: Sequence[Word]) -> Determiner:
    for word in words:
        if word.lower in _INDEFINITE:
            return Determiner.INDEFINITE
        if word.lower in _DEFINITE:
            return Determiner.DEFINITE
        if word.lower in _POSSESSIVE:
            return Determiner.POSSESSIVE
        if function_class(word.text) is FunctionClass.DETERMINER:
            return Determiner.QUANTIFIER
        if word.is_content:
            return Determiner.NONE
    return Determiner.NONE
