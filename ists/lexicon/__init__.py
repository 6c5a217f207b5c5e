"""Lexical resources, all local: WordNet, numbers, dates, places, acronyms, negation, spelling.

``Lexicon.load()`` is the entry point::

    lexicon = Lexicon.load()
    lexicon.relate("dogs", "animal")            # WordRelation(HYPONYM, distance 2, …)
    lexicon.relate("EU", "European Union")      # WordRelation(ACRONYM, …)
    lexicon.lemma("abducted")                   # "abduct"
    lexicon.quantity(["at", "least", "ten"])    # Quantity(10, bound AT_LEAST)

Each table is read on first use and shared between all lexicons of the same folder. Relations are
directed from the first word to the second: ``HYPONYM`` means that the *first* is more specific.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ists.compiled import kernels
from ists.lexicon.acronyms import Acronyms
from ists.lexicon.amounts import (
    Amount,
    AmountKind,
    AmountMatch,
    AmountRelation,
    amount,
    amounts,
    compare_amounts,
)
from ists.lexicon.converses import are_converse, has_converse
from ists.lexicon.dates import DateKind, DateMention, dates
from ists.lexicon.entries import Entry
from ists.lexicon.function_words import (
    FunctionClass,
    are_opposite,
    are_opposite_limits,
    function_class,
    is_function_word,
    position,
    time_limit,
)
from ists.lexicon.modality import Modality, ModalityKind, factuality_differs, modality
from ists.lexicon.morphology import PartOfSpeech, normal_form
from ists.lexicon.names import NameMatch, name_match
from ists.lexicon.negation import (
    is_implicit_negation,
    is_negated,
    is_negated_form,
    is_negation,
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
from ists.lexicon.opinion import opinion
from ists.lexicon.oppositions import (
    OppositionClues,
    known_opposition,
    opposable_phrases,
    opposition,
    opposition_clues,
)
from ists.lexicon.persons import Gender, gender, persons
from ists.lexicon.places import PlaceMention, PlaceName, PlaceRole, Places
from ists.lexicon.polarity import NegationPlace, Polarity, polarity, polarity_differs
from ists.lexicon.quantifiers import quantified_share
from ists.lexicon.relations import EQUAL, UNRELATED, RelationKind, WordRelation
from ists.lexicon.spelling import (
    is_joined,
    is_likely_slip,
    is_one_edit_apart,
    letters_of,
)
from ists.lexicon.word_sets import WordSets
from ists.lexicon.wordnet import WordNet
from ists.resources import data_path

__all__ = [
    "UNRELATED",
    "Acronyms",
    "Amount",
    "AmountKind",
    "AmountMatch",
    "AmountRelation",
    "Bound",
    "DateKind",
    "DateMention",
    "Entry",
    "FunctionClass",
    "Gender",
    "Lexicon",
    "Modality",
    "ModalityKind",
    "NameMatch",
    "NegationPlace",
    "OppositionClues",
    "PartOfSpeech",
    "PlaceMention",
    "PlaceName",
    "PlaceRole",
    "Places",
    "Polarity",
    "Quantity",
    "QuantityKind",
    "QuantityMatch",
    "RelationKind",
    "WordNet",
    "WordRelation",
    "WordSets",
    "amount",
    "amounts",
    "are_converse",
    "are_opposite",
    "are_opposite_limits",
    "compare_amounts",
    "dates",
    "factuality_differs",
    "function_class",
    "gender",
    "has_converse",
    "is_function_word",
    "is_implicit_negation",
    "is_joined",
    "is_likely_slip",
    "is_negated",
    "is_negated_form",
    "is_negation",
    "is_one_edit_apart",
    "known_opposition",
    "modality",
    "name_match",
    "negations",
    "normal_form",
    "opinion",
    "opposable_phrases",
    "opposition",
    "opposition_clues",
    "persons",
    "polarity",
    "polarity_differs",
    "position",
    "quantified_share",
    "quantities",
    "quantity",
    "time_limit",
]

_CACHED_WORDS = 8192
_CACHED_KEYS = 4096
_KIND_OF_MATCH = {
    QuantityMatch.EQUAL: WordRelation(RelationKind.SAME_QUANTITY, 0, 0.97),
    QuantityMatch.APPROXIMATE: WordRelation(RelationKind.ABOUT_QUANTITY, 1, 0.8),
    QuantityMatch.DIFFERENT: WordRelation(RelationKind.OTHER_QUANTITY, 1, 0.6),
    QuantityMatch.INCOMPARABLE: WordRelation(RelationKind.OTHER_QUANTITY, 2, 0.3),
}


class Lexicon:
    """Lookups of single words and short phrases in all lexical resources."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = None if folder is None else Path(folder)
        self.entry = lru_cache(maxsize=_CACHED_WORDS)(self._make_entry)
        self.key = lru_cache(maxsize=_CACHED_KEYS)(self._make_key)

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "Lexicon":
        """Return the shared lexicon of a folder (default: the shipped one)."""
        return _shared_lexicon(None if folder is None else str(folder))

    def load_tables(self) -> None:
        """Read all tables now instead of on first use."""
        _ = self.wordnet, self.places, self.acronyms, self.word_sets

    @cached_property
    def wordnet(self) -> WordNet:
        """The WordNet table; access it to load it, and raise its errors, in advance."""
        return WordNet.load(self._path("wordnet.table"))

    @cached_property
    def places(self) -> Places:
        """Table of countries, regions, cities and their demonyms."""
        return Places.load(self._path("places.tsv"))

    @cached_property
    def acronyms(self) -> Acronyms:
        """Table of abbreviations, and the initials rule."""
        return Acronyms.load(self._path("acronyms.tsv"))

    @cached_property
    def word_sets(self) -> WordSets:
        """Table of word families and closed sets."""
        return WordSets.load(self._path("word_sets.tsv"))

    def lemma(self, word: str, pos: PartOfSpeech | None = None) -> str:
        """Return the base form of a word: ``dies`` → ``die``; unknown words are lower-cased."""
        if is_function_word(word) and function_class(word) is not FunctionClass.AUXILIARY:
            return normal_form(word)
        return self.wordnet.lemma(word, pos)

    def knows(self, word: str) -> bool:
        """Return whether WordNet has the word or phrase, in any inflection."""
        return word in self.wordnet

    def parts_of_speech(self, word: str) -> tuple[PartOfSpeech, ...]:
        """Return the possible parts of speech of a word, most frequent first; empty if unknown."""
        return () if is_function_word(word) else self.wordnet.parts_of_speech(word)

    def classes(self, word: str) -> tuple[str, ...]:
        """Return the WordNet classes of the most frequent senses, such as ``noun.person``."""
        return () if is_function_word(word) else self.wordnet.lexicographer_files(word)

    def relate(self, a: str, b: str) -> WordRelation:
        """Return the strongest relation from one word or phrase to another."""
        found = self.relations(a, b)
        return found[0] if found else UNRELATED

    def relations(self, a: str, b: str) -> tuple[WordRelation, ...]:
        """Return all relations from one word or phrase to another, strongest first."""
        if kernels is not None and self.key(a).is_unrelated(self.key(b)):
            return ()
        one, other = self.entry(a), self.entry(b)
        if one.form == other.form and one.is_function == other.is_function:
            return (EQUAL,)
        if one.is_function or other.is_function:
            return self._relate_function_words(one, other)
        found = [*self.wordnet.relations(a, b)]
        if one.is_place and other.is_place:
            found.append(self.places.relate(one.text, other.text))
        if one.quantity is not None and other.quantity is not None:
            found.append(_KIND_OF_MATCH[one.quantity.compare(other.quantity)])
        found += self._relate_sets(one, other)
        found += self._relate_by_spelling(one, other)
        if len(found) < 2:
            return tuple(found)
        best: dict[RelationKind, WordRelation] = {}
        for relation in found:
            if relation.strength > best.get(relation.kind, UNRELATED).strength:
                best[relation.kind] = relation
        return tuple(sorted(best.values(), key=lambda relation: -relation.strength))

    def quantity(self, tokens: Sequence[str]) -> Quantity | None:
        """Return the first quantity in a list of tokens, or None."""
        return quantity(tokens)

    def quantities(self, tokens: Sequence[str]) -> tuple[Quantity, ...]:
        """Return all quantities in a list of tokens."""
        return quantities(tokens)

    def dates(self, tokens: Sequence[str]) -> tuple[DateMention, ...]:
        """Return all parts of dates in a list of tokens."""
        return dates(tokens)

    def place_mentions(self, tokens: Sequence[str]) -> tuple[PlaceMention, ...]:
        """Return all places named in a list of tokens; longer names are preferred."""
        return self.places.mentions(tokens)

    def abbreviates(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Return whether two token lists are equal once abbreviations are expanded."""
        return self.acronyms.match(one, other)

    def _path(self, name: str) -> Path:
        return data_path("lexicon", name) if self._folder is None else self._folder / name

    def _make_entry(self, text: str) -> Entry:
        tokens = text.split()
        form = normal_form(text)
        lemma = self.lemma(text)
        return Entry(
            text=text,
            form=form,
            lemma=lemma,
            function=function_class(text),
            tokens=tuple(tokens),
            letters=letters_of(tokens),
            lemma_letters=letters_of([lemma]),
            may_be_short=len(tokens) > 1 or bool(self.acronyms.expansions(text)),
            is_place=bool(self.places.lookup(text)),
            quantity=_whole_quantity(tokens),
            # The form itself if a set has it, else its lemma.
            set_member=form if form in self.word_sets else lemma,
            is_known=self.knows(text),
        )

    def _make_key(self, text: str) -> Any:
        """Return what the extension needs to recognise words without a relation to this one."""
        entry = self.entry(text)
        properties = (
            entry.is_function,
            entry.is_place,
            entry.quantity is not None,
            entry.may_be_short,
            entry.set_member in self.word_sets,
            entry.is_known,
        )
        flags = sum(has << at for at, has in enumerate(properties))
        texts = entry.form, text.lower(), entry.letters, entry.lemma_letters
        key = kernels.Key  # type: ignore[union-attr]
        if entry.is_function:
            return key(flags, *texts, (), None)
        profile = self.wordnet.profile(text)
        return key(flags, *texts, tuple(profile.lemmas), profile)

    def _relate_function_words(self, one: Entry, other: Entry) -> tuple[WordRelation, ...]:
        """Relate function words without WordNet, which has *in* as indium and *us* as a country."""
        if are_opposite(one.text, other.text):
            return (WordRelation(RelationKind.ANTONYM, 1, 0.88),)
        auxiliaries = one.function is other.function is FunctionClass.AUXILIARY
        if auxiliaries and one.lemma == other.lemma:
            return (WordRelation(RelationKind.SAME_LEMMA, 0, 0.98),)
        return ()

    def _relate_sets(self, one: Entry, other: Entry) -> tuple[WordRelation, ...]:
        found = self.word_sets.relate(one.set_member, other.set_member)
        return () if found is UNRELATED else (found,)

    def _relate_by_spelling(self, one: Entry, other: Entry) -> tuple[WordRelation, ...]:
        """Relate words by spelling: abbreviations, joined words, affixes, misspellings."""
        if one.may_abbreviate(other) and self.acronyms.match(one.tokens, other.tokens):
            return (WordRelation(RelationKind.ACRONYM, 1, 0.93),)
        if one.is_joined(other):
            return (WordRelation(RelationKind.SPELLING, 0, 0.96),)
        if is_negated_form(one.text, other.text):
            return (WordRelation(RelationKind.ANTONYM, 1, 0.8),)
        if not (one.is_known and other.is_known) and is_likely_slip(one.text, other.text):
            return (WordRelation(RelationKind.SPELLING, 1, 0.85),)
        return ()


def _whole_quantity(tokens: Sequence[str]) -> Quantity | None:
    """Return the quantity that spans all tokens; None for ``ten dogs``."""
    found = quantity(tokens)
    return found if found and (found.start, found.end) == (0, len(tokens)) else None


@lru_cache(maxsize=8)
def _shared_lexicon(folder: str | None) -> Lexicon:
    return Lexicon(folder)
