"""The similarity of an aligned pair, and its parts, which add up to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, fsum
from typing import Any, Literal

from ists.formats.jsonl import to_record
from ists.pairs import MAX_SCORE, Chunk, SentencePair
from ists.similarity.points import Points
from ists.similarity.vectors import WordVectors, speaks

Scale = Literal["0-5", "0-4", "0-1"]
SCALES: Mapping[Scale, float] = {"0-5": 5.0, "0-4": 4.0, "0-1": 1.0}
DECIMALS = 4
_GRAINS = 10_000


@dataclass(frozen=True)
class Similarity:
    """How similar two sentences are, from 0 to 5, and what each alignment has to do with it."""

    pair: SentencePair
    score: float
    contributions: tuple[float, ...]
    """What each of the pair's alignments adds: they add up to the score."""
    shares: tuple[float, ...]
    """The part of the five points that each stands for, by its number of words."""

    def on(self, scale: Scale) -> float:
        """The score on a scale, rounded to `DECIMALS`."""
        return self._grains(scale) / _GRAINS

    def contributions_on(self, scale: Scale) -> list[float]:
        """The contributions on a scale, rounded so that they still add up to the score.

        All are rounded down to the last decimal; what is then missing from the score is given, one
        grain each, to those that lost most by it.
        """
        exact = [part * SCALES[scale] / MAX_SCORE * _GRAINS for part in self.contributions]
        grains = [floor(part) for part in exact]
        by_rest = sorted(range(len(exact)), key=lambda i: (grains[i] - exact[i], i))
        for i in by_rest[: self._grains(scale) - sum(grains)]:
            grains[i] += 1
        return [grain / _GRAINS for grain in grains]

    def to_record(self, scale: Scale = "0-5") -> dict[str, Any]:
        """The aligned pair as JSONL has it, with the similarity and each alignment's part in it."""
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

    def _grains(self, scale: Scale) -> int:
        return round(self.score * SCALES[scale] / MAX_SCORE * _GRAINS)


@dataclass(frozen=True)
class _Side:
    """One sentence: its tokens' parts of the score, as yet without bounds."""

    words: Sequence[str]
    cosine: Sequence[float]
    """Each token's share of the cosine of the two sentences."""
    lost: Sequence[float]
    """What each token loses by its alignment."""
    points: Points

    @cached_property
    def shares(self) -> list[float]:
        """Half of the points are this sentence's, the same for every word."""
        counts = speaks(self.words)
        each = MAX_SCORE / 2 / max(1, sum(counts))
        return [each if count else 0.0 for count in counts]

    @cached_property
    def parts(self) -> list[float]:
        """What each token adds to the score."""
        return [
            share * (self.points.kept - lost) / MAX_SCORE + self.points.angle * cosine / 2
            for share, lost, cosine in zip(self.shares, self.lost, self.cosine, strict=True)
        ]


def similarity(
    there: SentencePair,
    back: SentencePair,
    vectors: tuple[WordVectors, WordVectors],
    points: Points,
) -> Similarity:
    """The similarity of a pair that was aligned in both directions.

    An aligner that reads sentence 1 first may see a pair otherwise than one that begins with
    sentence 2; a similarity is the same from both sides. So a token loses the mean of what it loses
    in both, and all is added up exactly (`fsum`), in whatever order it comes. Of the two, ``there``
    is the pair that is explained.
    """
    if not (there.sentence1.words and there.sentence2.words):
        return _nothing_in_common(there)
    one, two = vectors
    sides = (
        _Side(
            there.sentence1.words, one.shares(two).tolist(), _mean(there, back, 1, points), points
        ),
        _Side(
            there.sentence2.words, two.shares(one).tolist(), _mean(there, back, 2, points), points
        ),
    )
    score = fsum([*sides[0].parts, *sides[1].parts])
    bounded = min(max(score, 0.0), float(MAX_SCORE))
    scaled = bounded / score if score > 0 else 0.0
    contributions, shares = [], []
    for alignment in there.alignments:
        chunks = alignment.chunk1, alignment.chunk2
        parts = [
            x for side, chunk in zip(sides, chunks, strict=True) for x in _of(side.parts, chunk)
        ]
        own = [
            x for side, chunk in zip(sides, chunks, strict=True) for x in _of(side.shares, chunk)
        ]
        contributions.append(fsum(parts) * scaled)
        shares.append(fsum(own))
    return Similarity(there, bounded, tuple(contributions), tuple(shares))


def _mean(there: SentencePair, back: SentencePair, side: int, points: Points) -> list[float]:
    losses = zip(points.losses(there, side), points.losses(back, 3 - side), strict=True)
    return [(one + two) / 2 for one, two in losses]


def _of(values: Sequence[float], chunk: Chunk | None) -> list[float]:
    return [values[token - 1] for token in chunk.tokens] if chunk is not None else []


def _nothing_in_common(pair: SentencePair) -> Similarity:
    """An empty sentence is like no other, not even like another empty one."""
    zeros = (0.0,) * len(pair.alignments)
    return Similarity(pair, 0.0, zeros, zeros)
