"""What the network says of a sentence pair, as the labeller takes it: plain arrays, no model.

Only what cross-validation found useful beside word knowledge is taken: the relation, the expected
score, and how well the rest of the sentences agree. Link strengths of rivals, cosines and the
score's single probabilities added nothing but noise.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ists.pairs import LINKING, MAX_SCORE, Relation

Floats = NDArray[np.float32]

SCORES = (1, 2, 3, 4, 5)
ONE_WAY_SIGNALS = (
    ("network specific", "the network's probability that this chunk is the more specific one"),
)
MUTUAL_SIGNALS = (
    ("network EQUI", "the network's probability of EQUI"),
    ("network OPPO", "the network's probability of OPPO"),
    ("network SIMI", "the network's probability of SIMI"),
    ("network REL", "the network's probability of REL"),
    ("network score", "the mean of the network's scores"),
    ("network context links", "the strongest links of all other chunks, on average"),
    ("network context scores", "the same, each link weighed by its expected score"),
    ("network context EQUI", "the same, each link weighed by its probability of EQUI"),
)
_RELATION_AT = {relation: at for at, relation in enumerate(LINKING)}
_MIRRORED = {Relation.SPE1: Relation.SPE2, Relation.SPE2: Relation.SPE1}
SWAPPED_RELATIONS = tuple(_RELATION_AT[_MIRRORED.get(relation, relation)] for relation in LINKING)
"""``p[..., list(SWAPPED_RELATIONS)]`` are the probabilities with the sentences exchanged."""


@dataclass(frozen=True)
class NetworkSignals:
    """The network's answer on a sentence pair of n1 and n2 chunks; probabilities, not logits."""

    link: Floats
    """(n1, n2)"""
    relation: Floats
    """(n1, n2, 6), in the order of `ists.pairs.LINKING`"""
    score: Floats
    """(n1, n2, 5): the scores 1 to 5"""
    alone1: Floats
    """(n1,): ALIC rather than NOALI, were the chunk left alone"""
    alone2: Floats

    @classmethod
    def absent(cls, chunks1: int, chunks2: int) -> "NetworkSignals":
        """Signals that say nothing: labelling by word knowledge alone."""
        size = chunks1, chunks2
        return cls(
            link=np.zeros(size, np.float32),
            relation=np.zeros((*size, len(LINKING)), np.float32),
            score=np.zeros((*size, len(SCORES)), np.float32),
            alone1=np.zeros(chunks1, np.float32),
            alone2=np.zeros(chunks2, np.float32),
        )

    @cached_property
    def swapped(self) -> "NetworkSignals":
        """The answer with the sentences exchanged: SPE1 becomes SPE2."""
        return NetworkSignals(
            link=self.link.T,
            relation=self.relation.transpose(1, 0, 2)[..., list(SWAPPED_RELATIONS)],
            score=self.score.transpose(1, 0, 2),
            alone1=self.alone2,
            alone2=self.alone1,
        )

    def features(self, i: int, j: int) -> tuple[float, ...]:
        """Both one-way parts and the mutual part, in the order of `features.NETWORK`."""
        relation = self._relations[i][j]
        return (
            relation[_RELATION_AT[Relation.SPE1]],
            relation[_RELATION_AT[Relation.SPE2]],
            relation[_RELATION_AT[Relation.EQUI]],
            relation[_RELATION_AT[Relation.OPPO]],
            relation[_RELATION_AT[Relation.SIMI]],
            relation[_RELATION_AT[Relation.REL]],
            self._expected_scores[i][j],
            *(_mean_but(best1, i, best2, j) for best1, best2 in self._best),
        )

    @cached_property
    def _relations(self) -> list[list[list[float]]]:
        relations: list[list[list[float]]] = self.relation.tolist()
        return relations

    @cached_property
    def _expected_scores(self) -> list[list[float]]:
        scores: list[list[float]] = self._expected_score.tolist()
        return scores

    @cached_property
    def _expected_score(self) -> Floats:
        expected: Floats = (self.score * np.array(SCORES, np.float32)).sum(axis=-1)
        return expected

    @cached_property
    def _best(self) -> tuple[tuple[list[float], list[float]], ...]:
        """For links, scored links and EQUI links: the best of each row and of each column."""
        equi = self.relation[..., _RELATION_AT[Relation.EQUI]]
        return tuple(
            (m.max(axis=1, initial=0.0).tolist(), m.max(axis=0, initial=0.0).tolist())
            for m in (self.link, self.link * (self._expected_score / MAX_SCORE), self.link * equi)
        )


def _mean_but(best1: list[float], i: int, best2: list[float], j: int) -> float:
    others = len(best1) + len(best2) - 2
    return (sum(best1) - best1[i] + sum(best2) - best2[j]) / others if others else 0.0
