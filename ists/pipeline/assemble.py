"""From decisions about chunks to a `SentencePair`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ists.pairs import (
    Alignment,
    Chunk,
    Evidence,
    FeatureWeight,
    Flag,
    Relation,
    SentencePair,
    comment_of,
    exchanged,
)
from ists.pipeline.prepare import PreparedPair

if TYPE_CHECKING:
    from ists.labeler import LoneDecision, PairLabels, ScoredLinks, Weight

_Decided = tuple[Chunk | None, Chunk | None, Relation, float | None, frozenset[Flag], Evidence]
"""What an alignment is made of: chunks, relation, score, flags and evidence."""
_NO_FLAGS: frozenset[Flag] = frozenset()
_DECIMALS = 4
_WHY_ALONE = {
    Relation.NOALI: "nothing in the other sentence corresponds to it",
    Relation.ALIC: "the other sentence says it too, but in a chunk that is aligned already",
}


def assemble(
    pair: PreparedPair,
    scored: "ScoredLinks",
    links: Sequence[tuple[int, int]],
    labels: "PairLabels",
    why: bool,
    matrix: bool,
) -> SentencePair:
    """Return the aligned pair: links first, from left to right, then the chunks left alone."""
    chunks1 = [as_chunk(chunk) for chunk in scored.pair.chunks1]
    chunks2 = [as_chunk(chunk) for chunk in scored.pair.chunks2]
    reasons = labels.evidence or (None,) * len(links)
    decided: list[_Decided] = [
        (
            chunks1[i],
            chunks2[j],
            decision.relation,
            decision.score,
            decision.flags,
            Evidence(
                round(float(scored.link[i, j]), _DECIMALS),
                round(decision.confidence, _DECIMALS),
                (found.in_words(),) if found is not None else (),
                _weights(found.weights) if found is not None else (),
            ),
        )
        for (i, j), decision, found in zip(links, labels.links, reasons, strict=True)
    ]
    for i, lone in labels.alone1.items():
        own = _lone_evidence(lone, why)
        decided.append((chunks1[i], None, lone.relation, None, _NO_FLAGS, own))
    for j, lone in labels.alone2.items():
        own = _lone_evidence(lone, why)
        decided.append((None, chunks2[j], lone.relation, None, _NO_FLAGS, own))
    probabilities = scored.link
    if pair.exchanged:
        decided = [
            (two, one, exchanged(relation), score, flags, own)
            for one, two, relation, score, flags, own in decided
        ]
        probabilities = probabilities.T
    rows = None
    if matrix:
        rows = tuple(tuple(round(x, _DECIMALS) for x in row) for row in probabilities.tolist())
    sentence1, sentence2 = (side.sentence for side in pair.sides)
    return SentencePair(
        pair.id,
        sentence1,
        sentence2,
        tuple(
            Alignment(
                one, two, relation, score, flags, comment_of(one, two, sentence1, sentence2), own
            )
            for one, two, relation, score, flags, own in sorted(decided, key=_reading_place)
        ),
        origin=pair.origin,
        matrix=rows,
    )


def as_chunk(positions: Sequence[int]) -> Chunk:
    """Return the chunk of token positions that count from 0."""
    return Chunk(tuple(position + 1 for position in positions))


def _weights(weights: "Iterable[Weight]") -> tuple[FeatureWeight, ...]:
    return tuple(
        FeatureWeight(one.feature, round(one.value, _DECIMALS), round(one.pull, _DECIMALS))
        for one in weights
    )


def _reading_place(decided: _Decided) -> tuple[int, tuple[int, ...]]:
    """Sort key: links first, then lone chunks of sentence 1, then those of sentence 2."""
    one, two, *_ = decided
    if one is not None:
        return (0 if two is not None else 1), one.tokens
    return 2, two.tokens if two is not None else ()


def _lone_evidence(lone: "LoneDecision", why: bool) -> Evidence:
    reasons = (_WHY_ALONE[lone.relation],) if why else ()
    return Evidence(None, round(lone.confidence, _DECIMALS), reasons)
