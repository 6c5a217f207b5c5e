"""Features that the labeller takes from the network's scores.

Only what cross-validation found useful beside word knowledge is used: the relation, the expected
score, and how well the rest of the sentences agree. Link strengths of rivals, cosines and the
probabilities of single scores added only noise.
"""

import numpy as np

from ists.arrays import Floats, total
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
_RELATIONS = (
    *(Relation.SPE1, Relation.SPE2),  # network specific 1 and 2
    *(Relation.EQUI, Relation.OPPO, Relation.SIMI, Relation.REL),
)
_RELATIONS_AT = tuple(RELATION_INDEX[relation] for relation in _RELATIONS)
_NO_OTHERS = [0.0] * 3


class NetworkSignals:
    """Features of the chunk pairs of one sentence pair, from the network's scores."""

    def __init__(self, scores: PairScores) -> None:
        expected: Floats = (scores.score * np.array(SCORES, np.float32)).sum(axis=-1)
        equi = scores.relation[..., RELATION_INDEX[Relation.EQUI]]
        weighted = np.empty((3, *scores.link.shape), np.float32)
        weighted[0] = scores.link
        np.multiply(scores.link, expected / MAX_SCORE, out=weighted[1])
        np.multiply(scores.link, equi, out=weighted[2])
        rows: list[list[float]] = weighted.max(axis=2, initial=0.0).tolist()
        columns: list[list[float]] = weighted.max(axis=1, initial=0.0).tolist()
        self._relations: list[list[list[float]]] = scores.relation.tolist()
        self._expected_scores: list[list[float]] = expected.tolist()
        self._best = [
            (best1, total(best1), best2, total(best2))
            for best1, best2 in zip(rows, columns, strict=True)
        ]
        """For links, scored links and EQUI links: the best of each row, their sum, and the same of
        each column."""
        self._others = len(rows[0]) + len(columns[0]) - 2

    def features(self, i: int, j: int) -> tuple[float, ...]:
        """Return the one-way features of both sides and the mutual ones of chunks `i` and `j`."""
        relation = self._relations[i][j]
        means = (
            [
                (sum1 - best1[i] + sum2 - best2[j]) / self._others
                for best1, sum1, best2, sum2 in self._best
            ]
            if self._others
            else _NO_OTHERS
        )
        return (*(relation[at] for at in _RELATIONS_AT), self._expected_scores[i][j], *means)
