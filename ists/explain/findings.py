"""What the words of two aligned chunks show: the labeller's evidence as a list of findings.

A file of the task holds no evidence, so it is found from the word knowledge the labeller asks;
for what ists itself aligned the answers are the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ists.labeler.evidence import Evidence, WordLink, find_evidence
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon, RelationKind
from ists.pairs import Alignment, Chunk, SentencePair


class _Names(NamedTuple):
    """A kind of word relation by its name, and as a clause on two chunks that are such words."""

    kind: str
    of_both: str


_NAMES = {
    RelationKind.EQUAL: _Names("same words", "the same words"),
    RelationKind.SAME_LEMMA: _Names("other form", "two forms of one word"),
    RelationKind.SPELLING: _Names("other spelling", "two spellings of one word"),
    RelationKind.SYNONYM: _Names("synonym", "two synonyms"),
    RelationKind.ACRONYM: _Names("abbreviation", "one abbreviates the other"),
    RelationKind.SAME_PLACE: _Names("same place", "two names of one place"),
    RelationKind.DEMONYM: _Names("same place", "a place and its people"),
    RelationKind.DERIVED: _Names("same root", "two words of one root"),
    RelationKind.PERTAINYM: _Names("same root", "two words of one root"),
    RelationKind.FAMILY: _Names("same idea", "two words for one idea"),
    RelationKind.SAME_QUANTITY: _Names("same number", "the same number"),
    RelationKind.ABOUT_QUANTITY: _Names("number near", "two numbers that may be the same"),
    RelationKind.SIMILAR: _Names("similar", "two similar words"),
    RelationKind.HYPONYM: _Names("more specific", "the first is a kind of the second"),
    RelationKind.HYPERNYM: _Names("more general", "the second is a kind of the first"),
    RelationKind.ANTONYM: _Names("opposite", "two opposites"),
    RelationKind.ENTAILS: _Names("more specific", "the first entails the second"),
    RelationKind.ENTAILED_BY: _Names("more general", "the second entails the first"),
    RelationKind.CAUSES: _Names("cause", "the first brings about the second"),
    RelationKind.CAUSED_BY: _Names("cause", "the second brings about the first"),
    RelationKind.PART: _Names("part", "the first is part of the second"),
    RelationKind.WHOLE: _Names("whole", "the second is part of the first"),
    RelationKind.ATTRIBUTE: _Names("attribute", "a quality and its value"),
    RelationKind.CONTRAST: _Names("contrast", "two of a kind that exclude each other"),
    RelationKind.COHYPONYM: _Names("same kind", "two of a kind"),
    RelationKind.OTHER_QUANTITY: _Names("number differs", "two numbers that differ"),
    RelationKind.OTHER_PLACE: _Names("place differs", "two places"),
    RelationKind.NEAR: _Names("related", "two related words"),
}
_NUMBERS = frozenset(
    {RelationKind.SAME_QUANTITY, RelationKind.ABOUT_QUANTITY, RelationKind.OTHER_QUANTITY}
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of evidence: its kind, the words that show it, and a clause that says it."""

    kind: str
    text: str
    words1: tuple[str, ...] = ()
    words2: tuple[str, ...] = ()


class Searcher:
    """Finds the evidence of a pair's links."""

    def __init__(self, pair: SentencePair) -> None:
        self._words = pair.sentence1.words, pair.sentence2.words
        self._chunks = tuple(
            {chunk: place for place, chunk in enumerate(chunks)}
            for chunks in (pair.chunks1, pair.chunks2)
        )
        positions = [
            [self._positions(chunk, side) for chunk in chunks]
            for side, chunks in enumerate(self._chunks)
        ]
        self._view = PairView.read(
            self._words[0], positions[0], self._words[1], positions[1], _reader()
        )

    def findings(self, link: Alignment) -> tuple[Finding, ...]:
        """What the words of two aligned chunks show; nothing where a file holds no words."""
        if link.chunk1 is None or link.chunk2 is None:
            return ()
        text1, text2 = link.chunk1.text(self._words[0]), link.chunk2.text(self._words[1])
        if not text1 or not text2:
            return ()
        if text1.lower() == text2.lower():
            kind, clause = _NAMES[RelationKind.EQUAL]
            return (Finding(kind, clause, tuple(text1.split()), tuple(text2.split())),)
        places = self._chunks[0][link.chunk1], self._chunks[1][link.chunk2]
        return tuple(_listed(find_evidence(self._view, *places), text1, text2))

    def _positions(self, chunk: Chunk, side: int) -> list[int]:
        return [token - 1 for token in chunk.tokens if 0 < token <= len(self._words[side])]


@lru_cache(maxsize=1)
def _reader() -> PhraseReader:
    return PhraseReader(WordKnowledge(Lexicon.load()))


def _listed(evidence: Evidence, text1: str, text2: str) -> Iterator[Finding]:
    """What both have, how their words differ, what one of them lacks, and what grammar adds."""
    if not evidence.words and (evidence.extra1 or evidence.extra2):
        tieless = "the word lists know no tie between their words"
        yield Finding("no tie", tieless, evidence.extra1, evidence.extra2)
        return
    same = tuple(link.word1 for link in evidence.words if link.kind is RelationKind.EQUAL)
    if same:
        yield Finding(_NAMES[RelationKind.EQUAL].kind, f"both say {quoted(same)}", same, same)
    for link in evidence.words:
        if link.kind is not RelationKind.EQUAL:
            yield _of_words(link, (link.word1, link.word2) == (text1, text2))
    if evidence.extra1:
        clause = f"only sentence 1 says {quoted(evidence.extra1)}"
        yield Finding("missing in sentence 2", clause, words1=evidence.extra1)
    if evidence.extra2:
        clause = f"only sentence 2 says {quoted(evidence.extra2)}"
        yield Finding("missing in sentence 1", clause, words2=evidence.extra2)
    if evidence.numbers and not any(link.kind in _NUMBERS for link in evidence.words):
        yield Finding("numbers", evidence.numbers)
    for clause in evidence.grammar:
        yield Finding("grammar", clause)


def _of_words(link: WordLink, are_the_chunks: bool) -> Finding:
    kind, of_both = _NAMES[link.kind]
    clause = of_both if are_the_chunks else link.in_words()
    return Finding(kind, clause, (link.word1,), (link.word2,))


def quoted(words: tuple[str, ...]) -> str:
    """Words as a sentence cites them."""
    return ", ".join(f"'{word}'" for word in words)
