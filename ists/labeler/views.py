"""A sentence pair analysed for labelling; comparisons of chunks are cached."""

from collections.abc import Sequence
from dataclasses import dataclass

from ists.compiled import quickly_built
from ists.labeler.phrases import Phrase, PhraseReader
from ists.labeler.words import NO_MATCH, SAME_MEANING, MatchKind, Word, WordKnowledge
from ists.lazy import lazy
from ists.sets import jaccard

Chunks = Sequence[Sequence[int]]
"""Token positions from 0, one sequence per chunk."""

_WEAK = 0.45
"""A word whose strongest relation is weaker than this has no real counterpart."""


@quickly_built
@dataclass(frozen=True, slots=True)
class Counterpart:
    """The closest word of the other chunk to a content word."""

    word: Word
    partner: Word | None
    kind: MatchKind
    strength: float

    @property
    def is_same(self) -> bool:
        """Whether the other chunk has a word of the same meaning, in any form."""
        return self.kind <= SAME_MEANING

    @property
    def is_extra(self) -> bool:
        """Whether the other chunk has no counterpart of the word."""
        return self.kind is MatchKind.NONE or (
            self.kind is MatchKind.NEAR and self.strength < _WEAK
        )


@dataclass(frozen=True)
class SentenceView:
    """The analysed chunks of a sentence."""

    phrases: tuple[Phrase, ...]

    @lazy
    def lemmas(self) -> frozenset[str]:
        """The lemmas of all content words."""
        return frozenset().union(*(phrase.lemmas for phrase in self.phrases))

    @lazy
    def capitalised(self) -> float:
        """The share of words that begin with a capital: in a title every word does."""
        words = [word for phrase in self.phrases for word in phrase.words if word.text.isalpha()]
        return sum(word.text[0].isupper() for word in words) / max(1, len(words))

    @lazy
    def tokens(self) -> int:
        """Number of tokens of all chunks."""
        return sum(len(phrase.words) for phrase in self.phrases)

    @lazy
    def worded(self) -> tuple[bool, ...]:
        """For every chunk, whether it has words, not only punctuation."""
        return tuple(not phrase.is_wordless for phrase in self.phrases)

    @lazy
    def lemma_sets(self) -> frozenset[frozenset[str]]:
        """The lemma set of every chunk that has one."""
        return frozenset(phrase.lemmas for phrase in self.phrases if phrase.lemmas)

    @lazy
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
        """Analyse both sentences."""
        one, two = (
            SentenceView(tuple(reader.read([tokens[t] for t in c]) for c in chunks))
            for tokens, chunks in ((tokens1, chunks1), (tokens2, chunks2))
        )
        return cls(one, two, reader.knowledge)

    @lazy
    def swapped(self) -> "PairView":
        """The same pair with its sentences exchanged."""
        return PairView(self.two, self.one, self.knowledge)

    @lazy
    def overlap(self) -> float:
        """Jaccard similarity of the sentences' lemmas."""
        return jaccard(self.one.lemmas, self.two.lemmas)

    @lazy
    def chunk_overlap(self) -> float:
        """Jaccard similarity of the sentences' chunks, by their lemmas."""
        return jaccard(self.one.lemma_sets, self.two.lemma_sets)

    @lazy
    def lemma_overlaps(self) -> tuple[tuple[float, ...], ...]:
        """Jaccard similarity of the lemmas of every pair of chunks."""
        return tuple(
            tuple(jaccard(own.lemmas, theirs.lemmas) for theirs in self.two.phrases)
            for own in self.one.phrases
        )

    def is_said_outside(self, word: Word, j: int) -> bool:
        """Return whether sentence 2 has a word of the same meaning outside chunk `j`."""
        if word.lemma in self.two.lemmas_outside[j]:
            return True
        match, own = self.knowledge.match, word.text
        return any(
            match(own, other.text).kind <= SAME_MEANING
            for at, phrase in enumerate(self.two.phrases)
            if at != j
            for other in phrase.content
        )

    def counterparts(self, i: int, j: int) -> tuple[Counterpart, ...]:
        """Return the closest word of chunk `j` for every content word of chunk `i`."""
        return counterparts(self.one.phrases[i], self.two.phrases[j], self.knowledge)


def counterparts(own: Phrase, theirs: Phrase, knowledge: WordKnowledge) -> tuple[Counterpart, ...]:
    """Return the closest word of another chunk for every content word of a chunk."""
    found = []
    for word in own.content:
        best, partner = NO_MATCH, None
        for other in theirs.content:
            match = knowledge.match(word.text, other.text)
            if match.strength > best.strength:
                best, partner = match, other
        found.append(Counterpart(word, partner, best.kind, best.strength))
    return tuple(found)
