"""Word knowledge, all of it local: WordNet, numbers, dates, places, acronyms, negation, spelling.

``Lexicon.load()`` is the one door::

    lexicon = Lexicon.load()
    lexicon.relate("dogs", "animal")            # WordRelation(HYPONYM, distance 2, …)
    lexicon.relate("EU", "European Union")      # WordRelation(ACRONYM, …)
    lexicon.lemma("abducted")                   # "abduct"
    lexicon.quantity(["at", "least", "ten"])    # Quantity(10, bound AT_LEAST)

Loading costs nothing: each table is read when first asked of, and all lexicons of one folder
share it. Relations are read from the first word to the second: ``HYPONYM`` says that the *first*
is the more specific one.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from ists.lexicon.acronyms import Acronyms
from ists.lexicon.dates import DateKind, DateMatch, DateMention, compare_dates, dates
from ists.lexicon.function_words import (
    FunctionClass,
    are_opposite,
    content_words,
    function_class,
    function_prefix,
    is_function_word,
)
from ists.lexicon.morphology import PartOfSpeech, normal_form
from ists.lexicon.negation import (
    is_implicit_negation,
    is_negated,
    is_negated_form,
    is_negation,
    is_weak_negation,
    negations,
)
from ists.lexicon.numbers import (
    Bound,
    Quantity,
    QuantityKind,
    QuantityMatch,
    quantities,
    quantity,
)
from ists.lexicon.places import PlaceMention, PlaceName, PlaceRole, Places
from ists.lexicon.relations import UNRELATED, RelationKind, WordRelation
from ists.lexicon.spelling import is_joined, is_likely_slip, is_one_edit_apart, trigram_similarity
from ists.lexicon.word_sets import WordSets
from ists.lexicon.wordnet import WordNet
from ists.resources import data_path

__all__ = [
    "UNRELATED",
    "Acronyms",
    "Bound",
    "DateKind",
    "DateMatch",
    "DateMention",
    "FunctionClass",
    "Lexicon",
    "PartOfSpeech",
    "PlaceMention",
    "PlaceName",
    "PlaceRole",
    "Places",
    "Quantity",
    "QuantityKind",
    "QuantityMatch",
    "RelationKind",
    "WordNet",
    "WordRelation",
    "WordSets",
    "are_opposite",
    "compare_dates",
    "content_words",
    "dates",
    "function_class",
    "function_prefix",
    "is_function_word",
    "is_implicit_negation",
    "is_joined",
    "is_likely_slip",
    "is_negated",
    "is_negated_form",
    "is_negation",
    "is_one_edit_apart",
    "is_weak_negation",
    "negations",
    "normal_form",
    "quantities",
    "quantity",
    "trigram_similarity",
]

_CACHED_PAIRS = 32768
_CACHED_WORDS = 8192
_KIND_OF_MATCH = {
    QuantityMatch.EQUAL: WordRelation(RelationKind.SAME_QUANTITY, 0, 0.97),
    QuantityMatch.APPROXIMATE: WordRelation(RelationKind.ABOUT_QUANTITY, 1, 0.8),
    QuantityMatch.DIFFERENT: WordRelation(RelationKind.OTHER_QUANTITY, 1, 0.6),
    QuantityMatch.INCOMPARABLE: WordRelation(RelationKind.OTHER_QUANTITY, 2, 0.3),
}


class Lexicon:
    """Everything we know of single words and short phrases."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = None if folder is None else Path(folder)
        self._pair = lru_cache(maxsize=_CACHED_PAIRS)(self._find_relations)

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "Lexicon":
        """The lexicon of a folder (default: the one shipped), shared between all who ask."""
        return _shared_lexicon(None if folder is None else str(folder))

    @cached_property
    def wordnet(self) -> WordNet:
        """The WordNet table; touch it to load it ahead of time, and to meet its errors early."""
        return WordNet.load(self._path("wordnet.table"))

    @cached_property
    def places(self) -> Places:
        """Countries, regions, cities and their people."""
        return Places.load(self._path("places.tsv"))

    @cached_property
    def acronyms(self) -> Acronyms:
        """Abbreviations and the initials rule."""
        return Acronyms.load(self._path("acronyms.tsv"))

    @cached_property
    def word_sets(self) -> WordSets:
        """Word families and closed sets."""
        return WordSets.load(self._path("word_sets.tsv"))

    def lemma(self, word: str, pos: PartOfSpeech | None = None) -> str:
        """The base form of a word: ``dies`` → ``die``; unknown words are lower-cased."""
        if is_function_word(word) and function_class(word) is not FunctionClass.AUXILIARY:
            return normal_form(word)
        return self.wordnet.lemma(word, pos)

    def knows(self, word: str) -> bool:
        """Whether WordNet has the word or phrase, in any inflection."""
        return word in self.wordnet

    def parts_of_speech(self, word: str) -> tuple[PartOfSpeech, ...]:
        """The parts of speech a word can have, commonest first; empty for unknown words."""
        return () if is_function_word(word) else self.wordnet.parts_of_speech(word)

    def classes(self, word: str) -> tuple[str, ...]:
        """WordNet's broad classes of the commonest senses: ``noun.person``, ``verb.motion``."""
        return () if is_function_word(word) else self.wordnet.lexicographer_files(word)

    def relate(self, a: str, b: str) -> WordRelation:
        """The strongest relation from one word or phrase to another."""
        found = self._pair(a, b)
        return found[0] if found else UNRELATED

    def relations(self, a: str, b: str) -> tuple[WordRelation, ...]:
        """All relations from one word or phrase to another, strongest first, one of each kind."""
        return self._pair(a, b)

    def quantity(self, tokens: Sequence[str]) -> Quantity | None:
        """The first quantity in a list of tokens, or None."""
        return quantity(tokens)

    def quantities(self, tokens: Sequence[str]) -> tuple[Quantity, ...]:
        """Every quantity in a list of tokens."""
        return quantities(tokens)

    def dates(self, tokens: Sequence[str]) -> tuple[DateMention, ...]:
        """Every part of a date in a list of tokens."""
        return dates(tokens)

    def place_mentions(self, tokens: Sequence[str]) -> tuple[PlaceMention, ...]:
        """Every place named in a list of tokens, the longest names first."""
        return self.places.mentions(tokens)

    def abbreviates(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Whether two token lists are equal once abbreviations are spelled out, on either side."""
        return self.acronyms.match(one, other)

    def _path(self, name: str) -> Path:
        return data_path("lexicon", name) if self._folder is None else self._folder / name

    def _find_relations(self, a: str, b: str) -> tuple[WordRelation, ...]:
        functions = is_function_word(a), is_function_word(b)
        if normal_form(a) == normal_form(b) and functions[0] == functions[1]:
            return (WordRelation(RelationKind.EQUAL, 0, 1.0),)
        if any(functions):
            return self._relate_function_words(a, b)
        best: dict[RelationKind, WordRelation] = {}
        for relation in (
            *self.wordnet.relations(a, b),
            self.places.relate(a, b),
            _relate_quantities(a, b),
            self._relate_sets(a, b),
            self._relate_written(a, b),
        ):
            if relation and relation.strength > best.get(relation.kind, UNRELATED).strength:
                best[relation.kind] = relation
        return tuple(sorted(best.values(), key=lambda relation: -relation.strength))

    def _relate_function_words(self, a: str, b: str) -> tuple[WordRelation, ...]:
        """Grammar has no synsets: WordNet would take *in* for indium and *us* for a country."""
        if are_opposite(a, b):
            return (WordRelation(RelationKind.ANTONYM, 1, 0.88),)
        auxiliaries = {function_class(a), function_class(b)} == {FunctionClass.AUXILIARY}
        if auxiliaries and self.lemma(a) == self.lemma(b):
            return (WordRelation(RelationKind.SAME_LEMMA, 0, 0.98),)
        return ()

    def _relate_sets(self, a: str, b: str) -> WordRelation:
        """By the words as they stand, else by their lemmas: ``dies`` counts as ``die``."""
        return self.word_sets.relate(self._set_member(a), self._set_member(b))

    def _set_member(self, word: str) -> str:
        form = normal_form(word)
        return form if form in self.word_sets else self.lemma(word)

    def _relate_written(self, a: str, b: str) -> WordRelation:
        """What the letters alone show: abbreviations, joined words, affixes, slips."""
        one, other = a.split(), b.split()
        if self.acronyms.match(one, other):
            return WordRelation(RelationKind.ACRONYM, 1, 0.93)
        if is_joined(one, other) or is_joined([self.lemma(a)], [self.lemma(b)]):
            return WordRelation(RelationKind.SPELLING, 0, 0.96)
        if is_negated_form(a, b):
            return WordRelation(RelationKind.ANTONYM, 1, 0.8)
        if is_likely_slip(a, b) and not (self.knows(a) and self.knows(b)):
            return WordRelation(RelationKind.SPELLING, 1, 0.85)
        return UNRELATED


def _relate_quantities(a: str, b: str) -> WordRelation:
    one, other = _whole_quantity(a), _whole_quantity(b)
    if one is None or other is None:
        return UNRELATED
    return _KIND_OF_MATCH[one.compare(other)]


@lru_cache(maxsize=_CACHED_WORDS)
def _whole_quantity(text: str) -> Quantity | None:
    """The quantity a text is, all of it: ``ten dogs`` is more than a number."""
    tokens = text.split()
    found = quantity(tokens)
    return found if found and (found.start, found.end) == (0, len(tokens)) else None


@lru_cache(maxsize=8)
def _shared_lexicon(folder: str | None) -> Lexicon:
    return Lexicon(folder)
