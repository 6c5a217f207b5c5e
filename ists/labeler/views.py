"""A sentence pair read for labelling: every chunk once, every compared pair of chunks once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ists.labeler.phrases import Phrase, PhraseReader
from ists.labeler.words import SAME_MEANING, MatchKind, Word, WordKnowledge, WordMatch

Chunks = Sequence[Sequence[int]]
"""Token positions from 0, one sequence a chunk."""

_Item = TypeVar("_Item")

_WEAK = 0.45
"""A relation weaker than this leaves a word without a true counterpart."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What one content word of a chunk finds in the other chunk."""

    word: Word
    partner: Word | None
    tie: MatchKind
    strength: float

    @property
    def is_same(self) -> bool:
        """Whether the other chunk says the same thing, in whatever form."""
        return self.tie <= SAME_MEANING

    @property
    def is_extra(self) -> bool:
        """Whether the other chunk has nothing that answers the word."""
        return self.tie is MatchKind.NONE or (self.tie is MatchKind.NEAR and self.strength < _WEAK)


@dataclass(frozen=True)
class SentenceView:
    """One sentence: its chunks, read."""

    phrases: tuple[Phrase, ...]

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """The lemmas of all content words."""
        return frozenset().union(*(phrase.lemmas for phrase in self.phrases))

    @cached_property
    def capitalised(self) -> float:
        """The share of words that begin with a capital: in a title every word does."""
        words = [word for phrase in self.phrases for word in phrase.words if word.text.isalpha()]
        return sum(word.text[0].isupper() for word in words) / max(1, len(words))

    @cached_property
    def tokens(self) -> int:
        """How many tokens the chunks have."""
        return sum(len(phrase.words) for phrase in self.phrases)

    @cached_property
    def lemma_sets(self) -> frozenset[frozenset[str]]:
        """The lemma set of every chunk that has one."""
        return frozenset(phrase.lemmas for phrase in self.phrases if phrase.lemmas)

    @cached_property
    def lemmas_outside(self) -> tuple[frozenset[str], ...]:
        """For every chunk, the lemmas of all the others."""
        sets = [phrase.lemmas for phrase in self.phrases]
        return tuple(
            frozenset().union(*sets[:place], *sets[place + 1 :]) for place in range(len(sets))
        )


@dataclass(frozen=True)
class PairView:
    """Two sentences side by side."""

    one: SentenceView
    two: SentenceView
    knowledge: WordKnowledge

    @classmethod
    def read(
        cls,
        tokens1: Sequence[str],
        chunks1: Chunks,
        tokens2: Sequence[str],
        chunks2: Chunks,
        reader: PhraseReader,
    ) -> "PairView":
        """Read both sentences."""
        one, two = (
            SentenceView(tuple(reader.read([tokens[t] for t in c]) for c in chunks))
            for tokens, chunks in ((tokens1, chunks1), (tokens2, chunks2))
        )
        return cls(one, two, reader.knowledge)

    @cached_property
    def swapped(self) -> "PairView":
        """The same pair with its sentences exchanged."""
        return PairView(self.two, self.one, self.knowledge)

    @cached_property
    def overlap(self) -> float:
        """Shared lemmas of the sentences against all."""
        return jaccard(self.one.lemmas, self.two.lemmas)

    @cached_property
    def chunk_overlap(self) -> float:
        """Chunks with the same content against all."""
        return jaccard(self.one.lemma_sets, self.two.lemma_sets)

    @cached_property
    def lemma_overlaps(self) -> tuple[tuple[float, ...], ...]:
        """Shared lemmas against all, for every pair of chunks."""
        return tuple(
            tuple(jaccard(own.lemmas, theirs.lemmas) for theirs in self.two.phrases)
            for own in self.one.phrases
        )

    def is_said_outside(self, word: Word, j: int) -> bool:
        """Whether sentence 2 says a word of sentence 1, in whatever form, outside chunk `j`."""
        if word.lemma in self.two.lemmas_outside[j]:
            return True
        return any(
            self.knowledge.tie(word.text, other.text).tie <= SAME_MEANING
            for at, phrase in enumerate(self.two.phrases)
            if at != j
            for other in phrase.content
        )

    def counterparts(self, i: int, j: int) -> tuple[Counterpart, ...]:
        """For every content word of chunk `i`, the closest word of chunk `j`."""
        return counterparts(self.one.phrases[i], self.two.phrases[j], self.knowledge)


def counterparts(own: Phrase, theirs: Phrase, knowledge: WordKnowledge) -> tuple[Counterpart, ...]:
    """For every content word of a chunk, the closest word of another one."""
    found = []
    for word in own.content:
        best: WordMatch | None = None
        partner: Word | None = None
        for other in theirs.content:
            tie = knowledge.tie(word.text, other.text)
            if tie.strength > 0 and (best is None or tie.strength > best.strength):
                best, partner = tie, other
        if best is None:
            found.append(Counterpart(word, None, MatchKind.NONE, 0.0))
        else:
            found.append(Counterpart(word, partner, best.tie, best.strength))
    return tuple(found)


def jaccard(one: frozenset[_Item], other: frozenset[_Item]) -> float:
    """What two sets share against all they have; 0 for two empty sets."""
    if one.isdisjoint(other):  # most are, and it costs no new set to see it
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
