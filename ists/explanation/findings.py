"""Evidence for the label of two aligned chunks, as a list of findings.

Files of the task hold no evidence, so it is computed again from the words and the label; for pairs
aligned by ists, the result is the same.
"""

from dataclasses import dataclass
from functools import lru_cache

from ists.explanation.wording import as_written
from ists.labeler.evidence import MODEL, find_evidence
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.pairs import Alignment, Chunk, SentencePair

ANNOTATION = "the annotation"
"""Source of a label without a model's confidence."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of evidence: its kind, a clause that describes it, and the words it is about."""

    kind: str
    text: str
    words1: tuple[str, ...] = ()
    words2: tuple[str, ...] = ()


class Searcher:
    """Finds the evidence of a pair's links."""

    def __init__(self, pair: SentencePair, judge: str = ANNOTATION) -> None:
        self._judge = judge
        self._sentences = pair.sentence1, pair.sentence2
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
        """Return the evidence for a link; none if one side or the words are missing."""
        if link.chunk1 is None or link.chunk2 is None:
            return ()
        if not link.chunk1.text(self._words[0]) or not link.chunk2.text(self._words[1]):
            return ()
        places = self._chunks[0][link.chunk1], self._chunks[1][link.chunk2]
        judge = self._judge if link.evidence is None else MODEL
        evidence = find_evidence(self._view, *places, link.relation, link.flags, judge=judge)
        return tuple(
            Finding(
                reason.kind,
                as_written(reason.text, self._sentences),
                reason.words1,
                reason.words2,
            )
            for reason in evidence.reasons
        )

    def _positions(self, chunk: Chunk, side: int) -> list[int]:
        return [token - 1 for token in chunk.tokens if 0 < token <= len(self._words[side])]


@lru_cache(maxsize=1)
def _reader() -> PhraseReader:
    return PhraseReader(WordKnowledge(Lexicon.load()))
