"""Word knowledge for the labeller: the properties of a token, the relation of two content words.

A lookup costs more than everything done with its result, so both are cached.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

from ists.compiled import kernels, quickly_built
from ists.labeler.signs import signs_of
from ists.lexicon import (
    FunctionClass,
    Lexicon,
    PartOfSpeech,
    RelationKind,
    WordRelation,
    is_implicit_negation,
    is_negation,
)
from ists.lexicon.acronyms import may_be_initials

_CACHED_WORDS = 16384
_CACHED_MATCHES = 65536 if kernels is None else 16384
"""The extension recognises most unrelated words itself and asks only for the others."""
_LONGEST = 120  # letters: longer "words" are noise and would only fill the memory


class MatchKind(IntEnum):
    """Relation of a word to its closest word in the other chunk, from the closest kind to none."""

    EQUAL = 0
    SAME_LEMMA = 1
    SYNONYM = 2
    DERIVED = 3
    NARROWER = 4
    BROADER = 5
    OPPOSITE = 6
    CONTRAST = 7
    OTHER_NUMBER = 8
    OTHER_PLACE = 9
    NEAR = 10
    NONE = 11


_KIND_OF = {
    RelationKind.EQUAL: MatchKind.EQUAL,
    RelationKind.SAME_LEMMA: MatchKind.SAME_LEMMA,
    RelationKind.SPELLING: MatchKind.SAME_LEMMA,
    RelationKind.SYNONYM: MatchKind.SYNONYM,
    RelationKind.ACRONYM: MatchKind.SYNONYM,
    RelationKind.SAME_PLACE: MatchKind.SYNONYM,
    RelationKind.SAME_QUANTITY: MatchKind.SYNONYM,
    RelationKind.DEMONYM: MatchKind.DERIVED,
    RelationKind.DERIVED: MatchKind.DERIVED,
    RelationKind.PERTAINYM: MatchKind.DERIVED,
    RelationKind.FAMILY: MatchKind.DERIVED,
    RelationKind.SIMILAR: MatchKind.NEAR,
    RelationKind.ABOUT_QUANTITY: MatchKind.NEAR,
    RelationKind.HYPONYM: MatchKind.NARROWER,
    RelationKind.PART: MatchKind.NARROWER,
    RelationKind.ENTAILS: MatchKind.NARROWER,
    RelationKind.HYPERNYM: MatchKind.BROADER,
    RelationKind.WHOLE: MatchKind.BROADER,
    RelationKind.ENTAILED_BY: MatchKind.BROADER,
    RelationKind.ANTONYM: MatchKind.OPPOSITE,
    RelationKind.CONTRAST: MatchKind.CONTRAST,
    RelationKind.COHYPONYM: MatchKind.CONTRAST,
    RelationKind.OTHER_QUANTITY: MatchKind.OTHER_NUMBER,
    RelationKind.OTHER_PLACE: MatchKind.OTHER_PLACE,
    RelationKind.CAUSES: MatchKind.NEAR,
    RelationKind.CAUSED_BY: MatchKind.NEAR,
    RelationKind.ATTRIBUTE: MatchKind.NEAR,
    RelationKind.NEAR: MatchKind.NEAR,
    RelationKind.NONE: MatchKind.NONE,
}
_MIRRORED = {MatchKind.NARROWER: MatchKind.BROADER, MatchKind.BROADER: MatchKind.NARROWER}
SAME_MEANING = MatchKind.DERIVED
"""Up to this kind of match, two words mean the same, whatever their form."""


@quickly_built
@dataclass(frozen=True, slots=True)
class Word:
    """One token: its forms, its grammar and its broad class."""

    text: str
    lower: str
    lemma: str
    function: FunctionClass | None
    pos: PartOfSpeech | None
    field: str
    """WordNet's broad class of the commonest sense (``noun.person``), empty when unknown."""
    is_number: bool
    is_place: bool
    is_known: bool
    names_one: bool
    """Not in WordNet, or listed there as one individual."""
    can_be_verb: bool
    is_plural: bool
    ending: str
    """``ing``, ``ed``, ``s`` of a verb form, or empty."""
    denies: bool
    doubts: bool
    """Negates what follows (denies, fails) without being a negation word."""
    may_abbreviate: bool
    """May be an abbreviation of the table, or initials."""
    signs: int
    """See `ists.labeler.signs`."""

    @property
    def is_content(self) -> bool:
        """Whether the word carries content rather than grammar."""
        return self.function is None

    @property
    def is_name(self) -> bool:
        """Whether the word is a proper name, judged by its spelling and WordNet."""
        return self.names_one and self.text[:1].isupper()


@quickly_built
@dataclass(frozen=True, slots=True)
class WordMatch:
    """The match of two content words, with the relations it is based on."""

    kind: MatchKind
    strength: float
    relation: WordRelation
    opposite: float
    """The strength of the opposition, even if a closer relation was chosen."""
    contrast: float
    narrower: float
    broader: float

    def mirrored(self) -> "WordMatch":
        """Return the match as seen from the other word."""
        if self.kind is MatchKind.NONE:
            return self
        return WordMatch(
            kind=_MIRRORED.get(self.kind, self.kind),
            strength=self.strength,
            relation=self.relation.reversed(),
            opposite=self.opposite,
            contrast=self.contrast,
            narrower=self.broader,
            broader=self.narrower,
        )


class WordKnowledge:
    """The lexicon with caches for words and word pairs."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.word = lru_cache(maxsize=_CACHED_WORDS)(self._read_word)
        self.tie = lru_cache(maxsize=_CACHED_MATCHES)(self._read_tie)
        self.kinship_of = lru_cache(maxsize=_CACHED_WORDS)(self._read_kinship)

    def match(self, own: str, theirs: str) -> WordMatch:
        """Return the match of two words, both as written."""
        return self.tie(own[:_LONGEST], theirs[:_LONGEST])

    def key(self, text: str) -> Any:
        """Return what the extension needs to recognise words without a relation to this one."""
        return self.lexicon.key(text[:_LONGEST])

    def kinship(self, own: str, theirs: str) -> float:
        """Return how specific the nearest common ancestor in WordNet is, from 0 to 1."""
        return self.kinship_of(own[:_LONGEST], theirs[:_LONGEST])

    def _read_kinship(self, own: str, theirs: str) -> float:
        return self.lexicon.wordnet.shared_information(own, theirs)

    def _read_word(self, text: str) -> Word:
        lexicon = self.lexicon
        entry = lexicon.entry(text[:_LONGEST])
        lower, doubts = text.lower(), is_implicit_negation(text)
        content = not entry.is_function
        parts = lexicon.parts_of_speech(text)
        fields = lexicon.classes(text)
        is_number = content and entry.quantity is not None
        verb = lexicon.lemma(text, PartOfSpeech.VERB) if PartOfSpeech.VERB in parts else lower
        noun = lexicon.lemma(text, PartOfSpeech.NOUN) if PartOfSpeech.NOUN in parts else lower
        return Word(
            text=text,
            lower=lower,
            lemma=entry.lemma,
            function=entry.function,
            pos=parts[0] if parts else None,
            field=fields[0] if fields else "",
            is_number=is_number,
            is_place=content and entry.is_place,
            is_known=not content or bool(parts),
            names_one=content and not is_number and (not parts or lexicon.wordnet.is_name(text)),
            can_be_verb=PartOfSpeech.VERB in parts,
            is_plural=not is_number and (noun != lower or (not parts and lower.endswith("s"))),
            ending=next((end for end in ("ing", "ed", "s") if _inflected(lower, verb, end)), ""),
            denies=is_negation(text),
            doubts=doubts,
            may_abbreviate=bool(lexicon.acronyms.expansions(text)) or may_be_initials(text),
            signs=signs_of(text, entry.lemma, entry.function, doubts),
        )

    def _read_tie(self, own: str, theirs: str) -> WordMatch:
        if theirs < own:  # each two words are looked up once, and asked for in both directions
            return self.tie(theirs, own).mirrored()
        found = self.lexicon.relations(own, theirs)
        if not found:
            return NO_MATCH
        strongest = found[0]
        by_kind: dict[MatchKind, float] = {}
        for relation in found:
            kind = _KIND_OF[relation.kind]
            by_kind[kind] = max(by_kind.get(kind, 0.0), relation.strength)
        return WordMatch(
            kind=_KIND_OF[strongest.kind],
            strength=strongest.strength,
            relation=strongest,
            opposite=by_kind.get(MatchKind.OPPOSITE, 0.0),
            contrast=by_kind.get(MatchKind.CONTRAST, 0.0),
            narrower=by_kind.get(MatchKind.NARROWER, 0.0),
            broader=by_kind.get(MatchKind.BROADER, 0.0),
        )


NO_MATCH = WordMatch(MatchKind.NONE, 0.0, WordRelation(RelationKind.NONE), 0.0, 0.0, 0.0, 0.0)


def _inflected(form: str, base: str, ending: str) -> bool:
    return form != base and form.endswith(ending)
