"""The points that the similarity deducts, fitted to the ratings of pairs not used for training.

A score is five points minus deductions: for the angle between the sentences' vectors, and for the
labels that the aligner gives their chunks. Deductions are not negative and do not grow with the
score of a link: least squares under these constraints. Each data set has its own linear function
from deductions to ratings, as each is evaluated by its own correlation; one factor for all data
sets then sets the scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import nnls

from ists.pairs import MAX_SCORE, Alignment, Relation, SentencePair
from ists.similarity import Points, Similarity, WordVectors, similarity
from ists.similarity.points import KINDS
from ists.similarity.vectors import Float64s, counted_tokens

_ALONE = ("ALIC", "NOALI")
_LINKED = ("OPPO", "SPE", "SIMI", "REL")
_TERMS = (*((kind, "") for kind in (*_LINKED, *_ALONE)), *((kind, "score") for kind in _LINKED))
"""The fixed deduction of each kind of chunk, and the one that grows as the score gets lower."""
_MAX_WEIGHT = 750
"""The maximum weight of a data set, in pairs."""
_RIDGE = 1.0
_MIN_CONTRADICTION = 0.25
"""Minimum deduction for an OPPO: few rated pairs have one, and ratings of relatedness ignore it."""


@dataclass(frozen=True)
class JudgedPair:
    """A rated pair with its alignment and vectors, from which its similarity is computed."""

    pair: SentencePair
    vectors: tuple[WordVectors, WordVectors]
    rating: float

    @cached_property
    def cosine(self) -> float:
        """The cosine of the two sentences' vectors."""
        return float(self.vectors[0].sentence @ self.vectors[1].sentence)

    def similarity(self, points: Points) -> Similarity:
        """Return the similarity as at run time."""
        return similarity(self.pair, self.vectors, points)

    @cached_property
    def terms(self) -> list[float]:
        """The angle, whether there is an OPPO, and for each of `_TERMS` its share of the words."""
        opposed = any(a.relation is Relation.OPPO for a in self.pair.alignments)
        return [1 - self.cosine, float(opposed), *_terms(self.pair).tolist()]


def fit_points(sets: Sequence[Sequence[JudgedPair]]) -> Points:
    """Return the points that fit the ratings of these data sets best."""
    terms = [np.array([pair.terms for pair in pairs]) for pairs in sets]
    ratings = [np.array([pair.rating for pair in pairs]) for pairs in sets]
    weights = [np.full(len(own), np.sqrt(min(1.0, _MAX_WEIGHT / len(own)))) for own in ratings]
    lost = np.concatenate([(own - own.mean(0)) for own in terms])
    below = np.concatenate([(own.mean() - own) / (own.std() or 1.0) for own in ratings])
    weight = np.concatenate(weights)
    size = lost.shape[1]
    ridge = np.sqrt(_RIDGE) * np.eye(size)[1:]
    rows = np.concatenate([lost * weight[:, None], ridge])
    found, _ = nnls(rows, np.concatenate([below * weight, np.zeros(size - 1)]))
    total = np.concatenate(terms) @ found * weight
    missing = (MAX_SCORE - np.concatenate(ratings)) * weight
    return _as_points(found * (total @ missing) / (total @ total))


def _as_points(found: Float64s) -> Points:
    angle, contradiction, *rest = (round(float(x), 4) for x in found)
    of_term = dict(zip(_TERMS, rest, strict=True))
    lost: dict[str, tuple[float, ...]] = {kind: (of_term[kind, ""],) for kind in _ALONE}
    for kind in _LINKED:
        lost[kind] = tuple(
            round(of_term[kind, ""] + of_term[kind, "score"] * _missing(score), 4)
            for score in range(1, MAX_SCORE + 1)
        )
    contradiction = max(contradiction, _MIN_CONTRADICTION)
    return Points(angle, dict(sorted(lost.items())), contradiction)


def _terms(pair: SentencePair) -> Float64s:
    found = np.zeros(len(_TERMS))
    for words, side in ((pair.sentence1.words, 1), (pair.sentence2.words, 2)):
        counts = counted_tokens(words)
        each = 1 / 2 / max(1, sum(counts))
        for alignment in pair.alignments:
            chunk = alignment.chunk1 if side == 1 else alignment.chunk2
            tokens = chunk.tokens if chunk is not None else ()
            share = each * sum(counts[token - 1] for token in tokens)
            found += share * _of_alignment(alignment)
    return found


def _of_alignment(alignment: Alignment) -> Float64s:
    kind = KINDS[alignment.relation]
    missing = _missing(alignment.score if alignment.score is not None else MAX_SCORE)
    return np.array(
        [(missing if by == "score" else 1.0) if own == kind else 0.0 for own, by in _TERMS]
    )


def _missing(score: float) -> float:
    return (MAX_SCORE - score) / (MAX_SCORE - 1)
