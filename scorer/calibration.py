"""Calibration: whether 80 % of the decisions with confidence 0.8 are correct.

Decisions are put into ten bins of equal width by confidence. A reliability table has the mean
confidence and the share of correct decisions of each bin; the expected calibration error (ECE) is
the mean absolute difference of the two, weighted by the counts.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ists.pairs import Alignment, Chunk, Sentence, SentencePair
from scorer.measures import PUNCTUATION

BINS = 10
_EDGES = tuple(place / BINS for place in range(1, BINS))
"""The edges between bins; an edge belongs to the upper bin."""

Judged = tuple[float, float]
"""A confidence and the correctness of the decision, both from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Sums over the decisions in one bin."""

    count: int = 0
    confidence: float = 0.0
    right: float = 0.0

    def __add__(self, other: "Bin") -> "Bin":
        return Bin(
            self.count + other.count,
            self.confidence + other.confidence,
            self.right + other.right,
        )

    @property
    def mean_confidence(self) -> float | None:
        """The mean confidence; None for an empty bin."""
        return self.confidence / self.count if self.count else None

    @property
    def share_right(self) -> float | None:
        """The share of correct decisions; None for an empty bin."""
        return self.right / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class Reliability:
    """Ten bins, lowest confidence first; ``+`` merges the bins of two sets of decisions."""

    bins: tuple[Bin, ...] = (Bin(),) * BINS

    @classmethod
    def of(cls, decisions: Iterable[Judged]) -> "Reliability":
        """Count decisions by confidence bin."""
        bins = [Bin()] * BINS
        for confidence, right in decisions:
            bins[bin_of(confidence)] += Bin(1, confidence, right)
        return cls(tuple(bins))

    def __add__(self, other: "Reliability") -> "Reliability":
        return Reliability(tuple(one + two for one, two in zip(self.bins, other.bins, strict=True)))

    @property
    def total(self) -> Bin:
        """The sum of all bins."""
        return sum(self.bins, Bin())

    @property
    def ece(self) -> float | None:
        """The expected calibration error; None without decisions."""
        count = self.total.count
        if not count:
            return None
        return sum(abs(one.confidence - one.right) for one in self.bins) / count

    def to_dict(self) -> dict[str, Any] | None:
        """Return plain data, unrounded; None without decisions."""
        total = self.total
        if not total.count:
            return None
        return {
            "ece": self.ece,
            "count": total.count,
            "confidence": total.mean_confidence,
            "right": total.share_right,
            "bins": [
                {
                    "from": low,
                    "to": high,
                    "count": one.count,
                    "confidence": one.mean_confidence,
                    "right": one.share_right,
                }
                for (low, high), one in zip(bounds(), self.bins, strict=True)
            ],
        }


def bin_of(confidence: float) -> int:
    """Return the index of the bin of a confidence."""
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence {confidence}, expected a number from 0 to 1")
    return bisect_right(_EDGES, confidence)


def bounds() -> list[tuple[float, float]]:
    """Return the lower and upper edge of each bin."""
    return list(zip((0.0, *_EDGES), (*_EDGES, 1.0), strict=True))


def bar(one: Bin, width: int = 20) -> str:
    """Render a bin as a bar of text: ``=`` up to the share correct, ``+`` at the confidence."""
    if one.mean_confidence is None or one.share_right is None:
        return " " * width
    signs = list(("=" * round(one.share_right * width)).ljust(width))
    signs[min(int(one.mean_confidence * width), width - 1)] = "+"
    return "".join(signs)


def link_decisions(gold: SentencePair, system: SentencePair) -> Iterator[Judged]:
    """Yield the confidence of each link, and the share of its token links that the gold has.

    With gold chunks the share is 0 or 1; punctuation is ignored, as in the scorer.
    """
    linked = {tokens for link in gold.links for tokens in _token_links(link, gold)}
    for link in system.links:
        own = _token_links(link, gold)
        if own and link.evidence is not None and link.evidence.link is not None:
            yield link.evidence.link, sum(tokens in linked for tokens in own) / len(own)


def label_decisions(gold: SentencePair, system: SentencePair) -> Iterator[Judged]:
    """Yield the confidence and correctness of the relations of links with the gold's chunks."""
    relations = {(link.chunk1, link.chunk2): link.relation for link in gold.links}
    for link in system.links:
        relation = relations.get((link.chunk1, link.chunk2))
        if link.evidence is not None and relation is not None:
            yield link.evidence.label, float(link.relation is relation)


def _token_links(link: Alignment, pair: SentencePair) -> list[tuple[int, int]]:
    return list(
        product(_counted(link.chunk1, pair.sentence1), _counted(link.chunk2, pair.sentence2))
    )


def _counted(chunk: Chunk | None, sentence: Sentence) -> list[int]:
    """Return the tokens of a chunk that are words of the sentence, without punctuation."""
    words = sentence.words
    return [
        token
        for token in (chunk.tokens if chunk else ())
        if 0 < token <= len(words) and words[token - 1] not in PUNCTUATION
    ]
