"""Features that the labeller takes from the network's scores.

Only what cross-validation found useful beside word knowledge is used: the relation, the expected
score, and how well the rest of the sentences agree. Link strengths of rivals, cosines and the
probabilities of single scores added only noise.
"""

import numpy as np

from ists.arrays import Floats
from ists.pairs import MAX_SCORE, Relation
from ists.scored_pair import RELATION_INDEX, SCORES, PairScores

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
    ("network context scores", "the same, each link weighted by its expected score"),
    ("network context EQUI", "the same, each link weighted by its probability of EQUI"),
)
_MUTUAL_RELATIONS = (Relation.EQUI, Relation.OPPO, Relation.SIMI, Relation.REL)


class NetworkSignals:
    """Features of the chunk pairs of one sentence pair, from the network's scores."""

    def __init__(self, scores: PairScores) -> None:
        expected: Floats = (scores.score * np.array(SCORES, np.float32)).sum(axis=-1)
        equi = scores.relation[..., RELATION_INDEX[Relation.EQUI]]
        weighted = scores.link, scores.link * (expected / MAX_SCORE), scores.link * equi
        self._relations: list[list[list[float]]] = scores.relation.tolist()
        self._expected_scores: list[list[float]] = expected.tolist()
        self._best = [
            (m.max(axis=1, initial=0.0).tolist(), m.max(axis=0, initial=0.0).tolist())
            for m in weighted
        ]
        """For links, scored links and EQUI links: the best of each row and of each column."""

    def features(self, i: int, j: int) -> tuple[float, ...]:
        """Return the one-way features of both sides and the mutual ones of chunks `i` and `j`."""
        relation = self._relations[i][j]
        return (
            relation[RELATION_INDEX[Relation.SPE1]],
            relation[RELATION_INDEX[Relation.SPE2]],
            *(relation[RELATION_INDEX[mutual]] for mutual in _MUTUAL_RELATIONS),
            self._expected_scores[i][j],
            *(_mean_of_others(best1, i, best2, j) for best1, best2 in self._best),
        )


def _mean_of_others(best1: list[float], i: int, best2: list[float], j: int) -> float:
    others = len(best1) + len(best2) - 2
    return (sum(best1) - best1[i] + sum(best2) - best2[j]) / others if others else 0.0
