"""The similarity of an aligned pair, and the contributions that add up to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, fsum
from typing import Any, Literal

from ists.formats.jsonl import to_record
from ists.pairs import MAX_SCORE, Alignment, Chunk, Relation, SentencePair
from ists.similarity.points import Points
from ists.similarity.vectors import WordVectors, counted_tokens

Scale = Literal["0-5", "0-4", "0-1"]
SCALES: Mapping[Scale, float] = {"0-5": 5.0, "0-4": 4.0, "0-1": 1.0}
DECIMALS = 4
_UNITS_PER_POINT = 10_000
_LEAST = 0.02
"""Minimum contribution of a link, as a part of its share for each point of its score: sentences
with linked chunks are always more similar than those without. That of an unaligned chunk is 0."""


@dataclass(frozen=True)
class Similarity:
    """Similarity of two sentences, from 0 to 5, and the contribution of each alignment."""

    pair: SentencePair
    score: float
    contributions: tuple[float, ...]
    """Contribution of each of the pair's alignments; their sum is the score."""
    shares: tuple[float, ...]
    """Maximum points of each alignment, by its number of words."""

    def on(self, scale: Scale) -> float:
        """Return the score on a scale, rounded to `DECIMALS`."""
        return self._rounding_units(scale) / _UNITS_PER_POINT

    def contributions_on(self, scale: Scale) -> list[float]:
        """Return the contributions on a scale, rounded so that they still add up to the score.

        Largest remainder method: all are rounded down to `DECIMALS`; the difference to the score is
        then distributed, one unit of the last decimal each, to those with the largest remainders.
        """
        exact = [part * SCALES[scale] / MAX_SCORE * _UNITS_PER_POINT for part in self.contributions]
        units = [floor(part) for part in exact]
        by_rest = sorted(range(len(exact)), key=lambda i: (units[i] - exact[i], i))
        for i in by_rest[: self._rounding_units(scale) - sum(units)]:
            units[i] += 1
        return [unit / _UNITS_PER_POINT for unit in units]

    def to_record(self, scale: Scale = "0-5") -> dict[str, Any]:
        """Return the pair's JSONL record with the similarity and each alignment's contribution."""
        record = to_record(self.pair)
        largest = SCALES[scale] / MAX_SCORE
        parts = zip(self.contributions_on(scale), self.shares, strict=True)
        return {
            "id": record.pop("id"),
            "similarity": self.on(scale),
            "scale": scale,
            **record,
            "alignments": [
                {**alignment, "contribution": part, "share": round(share * largest, DECIMALS)}
                for alignment, (part, share) in zip(record["alignments"], parts, strict=True)
            ],
        }

    def _repr_html_(self) -> str:
        """Return the picture, the score and the contributions for a notebook."""
        import ists

        return ists.render(self, page=False)

    def _rounding_units(self, scale: Scale) -> int:
        return round(self.score * SCALES[scale] / MAX_SCORE * _UNITS_PER_POINT)


@dataclass(frozen=True)
class _Side:
    """One sentence: the contributions of its tokens, before the score is limited to its range."""

    words: Sequence[str]
    cosine: Sequence[float]
    """Each token's share of the cosine of the two sentence vectors."""
    lost: Sequence[float]
    """Points that each token loses by its alignment."""
    points: Points

    @cached_property
    def shares(self) -> list[float]:
        """Each token's share of half the points; every counted word has the same."""
        counts = counted_tokens(self.words)
        each = MAX_SCORE / 2 / max(1, sum(counts))
        return [each if count else 0.0 for count in counts]

    @cached_property
    def parts(self) -> list[float]:
        """Contribution of each token to the score."""
        return [
            share * (self.points.kept - lost) / MAX_SCORE + self.points.angle * cosine / 2
            for share, lost, cosine in zip(self.shares, self.lost, self.cosine, strict=True)
        ]


def similarity(
    pair: SentencePair, vectors: tuple[WordVectors, WordVectors], points: Points
) -> Similarity:
    """Compute the similarity of an aligned pair.

    The result does not depend on the order of the two sentences: sums are exact (`fsum`).
    """
    if not (pair.sentence1.words and pair.sentence2.words):
        return _nothing_in_common(pair)
    one, two = vectors
    sides = (
        _Side(pair.sentence1.words, one.shares(two).tolist(), points.losses(pair, 1), points),
        _Side(pair.sentence2.words, two.shares(one).tolist(), points.losses(pair, 2), points),
    )
    opposed = sum(alignment.relation is Relation.OPPO for alignment in pair.alignments)
    contradiction = points.contradiction if opposed else 0.0
    score = fsum([*sides[0].parts, *sides[1].parts, -contradiction])
    shares, contributions = [], []
    for alignment in pair.alignments:
        shares.append(fsum(_token_values(alignment, sides, "shares")))
        lost = contradiction / opposed if alignment.relation is Relation.OPPO else 0.0
        contributions.append(fsum([*_token_values(alignment, sides, "parts"), -lost]))
    least = [
        _LEAST * (a.score or 0.0) * share for a, share in zip(pair.alignments, shares, strict=True)
    ]
    if score < fsum(least):
        return Similarity(pair, fsum(least), tuple(least), tuple(shares))
    scaled = min(1.0, MAX_SCORE / score) if score > 0 else 1.0
    score = min(score, float(MAX_SCORE))
    found = _at_least(least, [part * scaled for part in contributions], score)
    return Similarity(pair, score, tuple(found), tuple(shares))


def _at_least(least: Sequence[float], parts: Sequence[float], total: float) -> Sequence[float]:
    """Raise each part to its minimum; the others give what they have above theirs in proportion.

    The sum stays `total`, which is at least the sum of the minimums.
    """
    above = [max(0.0, part - low) for part, low in zip(parts, least, strict=True)]
    if all(part >= low for part, low in zip(parts, least, strict=True)) or not any(above):
        return parts
    kept = (total - fsum(least)) / fsum(above)
    return [low + kept * more for low, more in zip(least, above, strict=True)]


def _token_values(
    alignment: Alignment, sides: tuple[_Side, _Side], name: Literal["parts", "shares"]
) -> list[float]:
    """Return the parts or shares of an alignment's tokens."""
    chunks = alignment.chunk1, alignment.chunk2
    return [
        value
        for side, chunk in zip(sides, chunks, strict=True)
        for value in _of(getattr(side, name), chunk)
    ]


def _of(values: Sequence[float], chunk: Chunk | None) -> list[float]:
    return [values[token - 1] for token in chunk.tokens] if chunk is not None else []


def _nothing_in_common(pair: SentencePair) -> Similarity:
    """Return similarity 0, for a pair with an empty sentence (or two)."""
    zeros = (0.0,) * len(pair.alignments)
    return Similarity(pair, 0.0, zeros, zeros)
