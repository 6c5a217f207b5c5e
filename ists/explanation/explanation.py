"""Explanation of an aligned pair: its alignments in plain words, each with the evidence."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ists.explanation.findings import ANNOTATION, Finding, Searcher
from ists.explanation.wording import quoted, words_of
from ists.pairs import (
    LINK_SIGN,
    MAX_SCORE,
    Alignment,
    Chunk,
    Relation,
    Sentence,
    SentencePair,
    brief,
    format_score,
)

_LEADS = {
    Relation.EQUI: "“{0}” and “{1}” mean the same",
    Relation.OPPO: "“{0}” and “{1}” say the opposite of each other",
    Relation.SPE1: "“{0}” is more specific than “{1}”",
    Relation.SPE2: "“{1}” is more specific than “{0}”",
    Relation.SIMI: "“{0}” and “{1}” are similar but differ",
    Relation.REL: "“{0}” and “{1}” are only related",
}
_LONE = {
    Relation.NOALI: "nothing in sentence {other} corresponds to {chunks}",
    Relation.ALIC: "the chunk of sentence {other} that corresponds to {chunks} is already aligned",
}
_ANY_LEAD = "“{0}” and “{1}” are aligned"
"""For alignments that break the task's rules, such as NOALI on two chunks."""
_WITHOUT_WORDS = {
    (1,): "Sentence 1 has no words to align.",
    (2,): "Sentence 2 has no words to align.",
    (1, 2): "Neither sentence has words to align.",
}
_DECIMALS = 4
_EMOJI = "So"
"""The category of symbols that are no punctuation, currency or mathematics."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One alignment with the text of its chunks and the evidence for its label."""

    alignment: Alignment
    text1: str
    """Empty if the alignment has no chunk of sentence 1."""
    text2: str
    findings: tuple[Finding, ...] = ()

    @property
    def verdict(self) -> str:
        """Label and score: ``SIMI, 3 of 5``."""
        if self.alignment.score is None:
            return self.alignment.label
        return f"{self.alignment.label}, {format_score(self.alignment.score)} of {MAX_SCORE}"

    @property
    def why(self) -> str:
        """The evidence in words."""
        return "; ".join(finding.text for finding in self.findings)

    @property
    def sentence(self) -> str:
        """The alignment in one sentence."""
        if not self.alignment.is_link:
            return _lone_sentence([self])
        lead = _LEADS.get(self.alignment.relation, _ANY_LEAD).format(self.text1, self.text2)
        return f"{lead} ({self.verdict})" + (f": {self.why}." if self.why else ".")

    @property
    def is_wordless(self) -> bool:
        """Whether its chunks are punctuation: no letter, no digit and no emoji."""
        return not any(
            sign.isalnum() or unicodedata.category(sign) == _EMOJI
            for sign in self.text1 + self.text2
        )


class Statement(NamedTuple):
    """A sentence of an explanation, and the numbers of the links that it describes."""

    links: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Explanation:
    """Explanation of a pair; its alignments are in the order of the pair's."""

    pair: SentencePair
    alignments: tuple[Explained, ...]
    similarity: float | None = None
    """Similarity of the whole sentences, from 0 to 5, if it was computed."""
    contributions: tuple[float, ...] = ()
    """Contribution of each alignment to the similarity, if it was computed."""

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """Displayed number of each link, from 1, by its index among the alignments."""
        links = (place for place, found in enumerate(self.alignments) if found.alignment.is_link)
        return {place: number for number, place in enumerate(links, start=1)}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The explanation as a few sentences; unaligned punctuation is left out."""
        return tuple(statement.text for statement in self.statements)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The sentences with the numbers of the links that they describe."""
        return tuple(self._statements())

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "id": self.pair.id,
            "sentence1": str(self.pair.sentence1),
            "sentence2": str(self.pair.sentence2),
            **(
                {} if self.similarity is None else {"similarity": round(self.similarity, _DECIMALS)}
            ),
            "alignments": [_record(explained) for explained in self.alignments],
            "text": list(self.sentences),
        }

    def _repr_html_(self) -> str:
        """Return the picture and the sentences for a notebook."""
        from ists.explanation.picture import render

        return render(self, page=False)

    def _statements(self) -> Iterator[Statement]:
        links = {number: self.alignments[place] for place, number in self.numbers.items()}
        same = {number: found for number, found in links.items() if _is_plainly_same(found)}
        if same:
            texts = quoted(tuple(found.text1 for found in same.values()))
            yield Statement(tuple(same), f"Both sentences say {texts} (EQUI, 5 of 5).")
        for number, found in links.items():
            if number not in same:
                yield Statement((number,), found.sentence)
        without_words = self._without_words() if not links else ()
        if without_words:
            yield Statement((), _WITHOUT_WORDS[without_words])
        elif not links:
            yield Statement((), "No chunk of one sentence is aligned with a chunk of the other.")
        for relation in (Relation.NOALI, Relation.ALIC):
            for side in (1, 2):
                lone = [e for e in self._lone(relation, side) if not e.is_wordless]
                if lone:
                    yield Statement((), _lone_sentence(lone))
        if self.similarity is not None and not without_words:
            similarity = f"{self.similarity:.1f} of {MAX_SCORE}"
            yield Statement((), f"Overall similarity: {similarity}.")

    def _without_words(self) -> tuple[int, ...]:
        """Return the numbers of the sentences that are known to have no word."""
        sentences = self.pair.sentence1, self.pair.sentence2
        return tuple(
            number
            for number, sentence in enumerate(sentences, start=1)
            if sentence != Sentence() and not any(map(str.isalnum, "".join(sentence.words)))
        )

    def _lone(self, relation: Relation, side: int) -> Iterator[Explained]:
        for explained in self.alignments:
            alignment = explained.alignment
            here = alignment.chunk1 if side == 1 else alignment.chunk2
            if not alignment.is_link and here is not None and alignment.relation is relation:
                yield explained


def explain(
    pair: SentencePair,
    similarity: float | None = None,
    contributions: Sequence[float] = (),
    *,
    judge: str = ANNOTATION,
) -> Explanation:
    """Explain an aligned pair, from a model or an annotator.

    `judge` is named as the source of labels without a model's confidence.
    """
    if not isinstance(pair, SentencePair):
        raise TypeError(f"the pair is {brief(pair)}, expected a SentencePair")
    searcher = Searcher(pair, judge)
    return Explanation(
        pair,
        tuple(
            Explained(
                alignment,
                chunk_text(pair, alignment, 1),
                chunk_text(pair, alignment, 2),
                searcher.findings(alignment),
            )
            for alignment in pair.alignments
        ),
        similarity,
        tuple(contributions),
    )


def chunk_text(pair: SentencePair, alignment: Alignment, side: int) -> str:
    """Return the words of a chunk; without sentences, its comment or its token numbers."""
    chunk, sentence = (
        (alignment.chunk1, pair.sentence1) if side == 1 else (alignment.chunk2, pair.sentence2)
    )
    if chunk is None:
        return ""
    return words_of(chunk, sentence) or _commented(alignment, side) or _numbered(chunk)


def _commented(alignment: Alignment, side: int) -> str:
    sides = (alignment.comment or "").split(LINK_SIGN)
    return sides[side - 1].strip() if len(sides) == 2 else ""


def _numbered(chunk: Chunk) -> str:
    return " ".join(map(str, chunk.tokens))


def _is_plainly_same(explained: Explained) -> bool:
    alignment = explained.alignment
    equal = alignment.relation is Relation.EQUI and alignment.score == MAX_SCORE
    return equal and not alignment.flags and explained.text1.lower() == explained.text2.lower()


def _lone_sentence(lone: Sequence[Explained]) -> str:
    """Return one sentence for unaligned chunks of one side with the same label."""
    alignment = lone[0].alignment
    reason = _LONE.get(alignment.relation, _LONE[Relation.NOALI])
    chunks = quoted(tuple(explained.text1 or explained.text2 for explained in lone))
    said = reason.format(other=2 if alignment.chunk1 is not None else 1, chunks=chunks)
    return f"{said[0].upper()}{said[1:]} ({alignment.label})."


def _record(explained: Explained) -> dict[str, Any]:
    alignment = explained.alignment
    evidence = alignment.evidence
    return {
        "chunk1": explained.text1 or None,
        "chunk2": explained.text2 or None,
        "tokens1": list(alignment.chunk1.tokens) if alignment.chunk1 else [],
        "tokens2": list(alignment.chunk2.tokens) if alignment.chunk2 else [],
        "relation": alignment.relation.value,
        "flags": sorted(flag.value for flag in alignment.flags),
        "score": alignment.score,
        **(
            {}
            if evidence is None
            else {"confidence": {"link": evidence.link, "label": evidence.label}}
        ),
        "evidence": [
            {
                "kind": finding.kind,
                "words1": list(finding.words1),
                "words2": list(finding.words2),
                "text": finding.text,
            }
            for finding in explained.findings
        ],
        "text": explained.sentence,
    }
