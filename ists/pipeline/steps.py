"""The steps of a block of pairs: encode, chunk, score, link, match, label, assemble."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ists.aligner.matching import match
from ists.aligner.reader import EncodedPair, PairReader
from ists.chunker.joint import best_chunks
from ists.garbage import collection_disabled
from ists.pairs import Edition, SentencePair
from ists.pipeline.assemble import assemble
from ists.pipeline.prepare import PreparedPair
from ists.scored_pair import Positions, ScoredPair
from ists.stages import stage

if TYPE_CHECKING:
    from ists.labeler import Labeler
    from ists.labeler.linking import Cell


def score_pairs(
    reader: PairReader, pairs: Sequence[PreparedPair], batch_size: int
) -> list[ScoredPair]:
    """Encode pairs, predict the chunks that are not given, and score all chunk pairs."""
    encoded = reader.encode([pair.id for pair in pairs], [pair.words for pair in pairs], batch_size)
    with stage("chunks"):
        chunks = [_chunks(pair, one) for pair, one in zip(pairs, encoded, strict=True)]
    scores = reader.score(encoded, chunks)
    return [
        ScoredPair(one.tokens1, own[0], one.tokens2, own[1], own_scores, pair.exchanged)
        for pair, one, own, own_scores in zip(pairs, encoded, chunks, scores, strict=True)
    ]


def _chunks(pair: PreparedPair, encoded: EncodedPair) -> tuple[Positions, Positions]:
    one, two = pair.in_reading_order
    return (
        best_chunks(encoded.boundaries1) if one.chunks is None else one.chunks,
        best_chunks(encoded.boundaries2) if two.chunks is None else two.chunks,
    )


def align_scored(
    pairs: Sequence[PreparedPair],
    scored: Sequence[ScoredPair],
    labeler: "Labeler",
    threshold: float,
    why: bool = False,
    matrix: bool = False,
    edition: Edition = "2015",
) -> list[SentencePair]:
    """Decide links, relations and scores of pairs that the network has scored.

    In the 2016 edition, chunks left alone may join a link, and ALIC does not exist.
    """
    with collection_disabled():  # new words add tens of thousands of cached relations
        probabilities = labeler.score_links(scored)
        with stage("matching"):
            links: list[Sequence[Cell]] = [
                match(one.link.tolist(), threshold) for one in probabilities
            ]
        if edition == "2016":
            probabilities, links = labeler.group(probabilities, links)
        labels = labeler.label(probabilities, links, why)
        if edition == "2016":
            labels = [one.without_alic() for one in labels]
        return [
            assemble(*items, why, matrix)
            for items in zip(pairs, probabilities, links, labels, strict=True)
        ]
