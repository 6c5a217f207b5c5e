"""Margins of golden decisions against those made here, in the units of each decision.

Floating-point results differ in their last digits between processors; a decision may therefore
differ where two choices are nearly equal. The margin of a golden decision is its loss of value
against the one made here: by the chunks' expected number of exact chunks, the matching's weight,
the label's expected credit, and the distance from the probability from which a chunk is ALIC.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from ists.chunker.joint import CHUNK_COST, best_chunks
from ists.formats.sentences import InputSentence
from ists.labeler.decide import gains, place_of
from ists.pairs import Chunk, Relation, SentencePair
from ists.pipeline import Aligner, PreparedPair, align_scored, score_pairs
from ists.scored_pair import Positions


def positions(chunks: Sequence[Chunk]) -> Positions:
    return tuple(tuple(token - 1 for token in chunk.tokens) for chunk in chunks)


class Margins:
    """Computes margins from an aligner's intermediate results."""

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._reader = aligner._reader
        self._labeler = aligner._labeler

    def of(self, golden: SentencePair) -> dict[str, float]:
        """Return the margins of all decisions of a golden pair that are made differently here."""
        prepared = self._aligner._prepare(1, _given(golden), "auto")
        assert isinstance(prepared, PreparedPair)
        found = dict(self._of_chunks(golden))
        scored = score_pairs(self._reader, [prepared], 1)
        (made,) = align_scored([prepared], scored, self._labeler, self._aligner.threshold)
        exchanged = [a.exchanged() for a in golden.alignments] if prepared.exchanged else None
        wanted = exchanged or list(golden.alignments)
        (scores,) = self._labeler.score_links(scored)
        place1 = {chunk: at for at, chunk in enumerate(scored[0].chunks1)}
        place2 = {chunk: at for at, chunk in enumerate(scored[0].chunks2)}
        links = {
            (place1[positions([a.chunk1])[0]], place2[positions([a.chunk2])[0]]): a
            for a in wanted
            if a.chunk1 is not None and a.chunk2 is not None
        }
        own = {
            (place1[positions([one])[0]], place2[positions([two])[0]])
            for one, two in (
                (a.chunk2, a.chunk1) if prepared.exchanged else (a.chunk1, a.chunk2)
                for a in made.links
            )
        }
        if own != links.keys():
            found["links"] = self._weight(scores.link, own) - self._weight(scores.link, links)
        rows = scores.rows_of(list(links))
        if len(rows):
            relations = self._labeler.model.relations_of(rows)
            earned = gains(relations, self._labeler.model.lower_scores_of(rows))
            for (cell, alignment), gain in zip(links.items(), earned, strict=True):
                margin = float(gain.max() - gain[place_of(alignment.relation, alignment.score)])
                if margin > 0:
                    found[f"label of {cell}"] = margin
        answer = self._labeler.label([scores], [list(links)])[0]
        alone = [(place1, answer.alone1, "chunk1"), (place2, answer.alone2, "chunk2")]
        for places, decisions, side in alone:
            for alignment in wanted:
                chunk = getattr(alignment, side)
                if alignment.is_link or chunk is None:
                    continue
                decision = decisions[places[positions([chunk])[0]]]
                if decision.relation is not alignment.relation:
                    share = decision.confidence
                    alic = share if decision.relation is Relation.ALIC else 1 - share
                    key = f"lone {side} {chunk.tokens}"
                    found[key] = abs(alic - self._labeler.model.alic_from)
        return found

    def _weight(self, link: np.ndarray, cells: Sequence[tuple[int, int]]) -> float:
        return float(sum(link[cell] - self._aligner.threshold for cell in cells))

    def _of_chunks(self, golden: SentencePair) -> Iterator[tuple[str, float]]:
        words = golden.sentence1.words, golden.sentence2.words
        sides = self._aligner._prepare(1, words, "auto")
        assert isinstance(sides, PreparedPair)
        (encoded,) = self._reader.encode([golden.id], [sides.words], 1)
        cuts = [golden.chunks1, golden.chunks2][:: -1 if sides.exchanged else 1]
        own = encoded.boundaries1, encoded.boundaries2
        for name, logits, wanted in zip("12", own, cuts, strict=True):
            made = best_chunks(logits)
            if made != positions(wanted):
                margin = _promise(logits, made) - _promise(logits, positions(wanted))
                yield f"chunks of sentence {name} as read", margin


def _promise(logits: list[float], chunks: Positions) -> float:
    """Return the expected number of exact chunks minus their cost, as in `best_chunks`."""
    begins = 1 / (1 + np.exp(-np.clip(np.array(logits), -30, 30)))
    begins[0] = 1.0
    begins = np.append(begins, 1.0)
    edges = [chunk[0] for chunk in chunks] + [len(logits)]
    return sum(
        begins[a] * begins[b] * float(np.prod(1 - begins[a + 1 : b])) - CHUNK_COST
        for a, b in pairwise(edges)
    )


def _given(pair: SentencePair) -> tuple[InputSentence, InputSentence]:
    return (
        InputSentence(chunks=tuple(_words(c, pair.sentence1.words) for c in pair.chunks1)),
        InputSentence(chunks=tuple(_words(c, pair.sentence2.words) for c in pair.chunks2)),
    )


def _words(chunk: Chunk, words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words[token - 1] for token in chunk.tokens)
