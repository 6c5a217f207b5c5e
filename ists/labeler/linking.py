"""Features that decide whether two chunks are linked.

The network alone is sure of strong links; annotators make some of the weak ones and not others. It
depends on the relations of the words, and on what else the two chunks could be linked to. So
classifiers decide again, with the labeller's features and those of both chunks among all links.
"""

from collections.abc import Sequence

import numpy as np

from ists.arrays import Floats, total
from ists.labeler.features import FEATURES, MIRROR, mirror_of, plain, sided
from ists.labeler.views import PairView
from ists.scored_pair import PairScores

Cell = tuple[int, int]
"""Indices of a chunk of sentence 1 and of one of sentence 2."""

_CANDIDATE_FROM = 0.08
"""Less probable links are hardly ever chosen in the end: their features are not computed."""
_LINKED_FROM = 0.4
_SURE_FROM = 0.8
_NO_NEIGHBOUR = -1.0

_ONE_WAY = (
    ("link rival", "the network's strongest link of this chunk to another one"),
    ("link lead", "how far the link leads this chunk's strongest other one"),
    ("link choices", "chunks of the other sentence this one might be linked to"),
    ("link free", "other chunks of this sentence without a likely link"),
    ("link free share", "the same against all chunks with words"),
    ("link sure share", "share of this sentence's chunks with a sure link"),
    ("link before", "the strongest link of the chunk before"),
    ("link after", "the strongest link of the chunk after"),
    ("link loose neighbours", "neighbours of this chunk without a likely link"),
    ("link ALIC", "the network's probability of ALIC, were the chunk left alone"),
)
_MUTUAL = (
    ("link", "the network's link probability"),
    ("link neighbours before", "the same of the two chunks before"),
    ("link neighbours after", "the same of the two chunks after"),
    ("link left alone", "chunks of both sentences that the network expects to stay alone"),
)
LINK_FEATURES = (*FEATURES, *sided(1, _ONE_WAY), *sided(2, _ONE_WAY), *plain(_MUTUAL))
LINK_NAMES = tuple(feature.name for feature in LINK_FEATURES)
LINK_MIRROR = (*MIRROR, *mirror_of(len(FEATURES), len(_ONE_WAY), len(_MUTUAL)))
"""``row[list(LINK_MIRROR)]`` is the row of the same chunks with the sentences exchanged."""


def candidates(view: PairView, scores: PairScores) -> list[Cell]:
    """Return the chunk pairs that may be linked, row by row.

    Punctuation is never aligned: the guidelines leave it alone, the scorer ignores it.
    """
    worded1, worded2 = view.one.worded, view.two.worded
    rows, columns = (scores.link >= _CANDIDATE_FROM).nonzero()
    likely = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(i, j) for i, j in likely if worded1[i] and worded2[j]]


def link_matrix(
    view: PairView, scores: PairScores, cells: Sequence[Cell], features: Floats
) -> Floats:
    """Return (cells, link features): the labeller's features, then the link features."""
    rows = np.zeros((len(cells), len(LINK_FEATURES)), np.float32)
    rows[:, : len(FEATURES)] = features
    if cells:
        side1 = _Side(scores.link.tolist(), scores.alic1.tolist(), view.one.worded)
        side2 = _Side(scores.link.T.tolist(), scores.alic2.tolist(), view.two.worded)
        left_alone = side1.left_alone + side2.left_alone
        for row, (i, j) in enumerate(cells):
            rows[row, len(FEATURES) :] = (
                *side1.features(i, j),
                *side2.features(j, i),
                side1.links[i][j],
                side1.links[i - 1][j - 1] if i and j else _NO_NEIGHBOUR,
                side1.links[i + 1][j + 1] if side1.has(i + 1, j + 1) else _NO_NEIGHBOUR,
                left_alone,
            )
    return rows


class _Side:
    """One sentence's chunks among the links of the pair."""

    def __init__(self, links: list[list[float]], alic: list[float], worded: Sequence[bool]) -> None:
        self.links = links
        self._alic = alic
        self._best = [max(row) for row in links]
        self._loose = [
            has_words and best < _LINKED_FROM
            for has_words, best in zip(worded, self._best, strict=True)
        ]
        self._free = sum(self._loose)
        self._worded = sum(worded)
        self._sure = sum(best > _SURE_FROM for best in self._best) / len(self._best)
        self.left_alone = total(1 - best for best in self._best)

    def has(self, i: int, j: int) -> bool:
        """Return whether such chunks exist."""
        return i < len(self.links) and j < len(self.links[0])

    def features(self, i: int, j: int) -> tuple[float, ...]:
        """Return the features of chunk `i`, linked to chunk `j` of the other sentence."""
        own = self.links[i]
        rival = max(own[:j] + own[j + 1 :], default=0.0)
        free = self._free - self._loose[i]
        neighbours = [at for at in (i - 1, i + 1) if 0 <= at < len(self._best)]
        return (
            rival,
            own[j] - rival,
            sum(link >= _CANDIDATE_FROM for link in own),
            free,
            free / max(1, self._worded),
            self._sure,
            self._best[i - 1] if i else _NO_NEIGHBOUR,
            self._best[i + 1] if i + 1 < len(self._best) else _NO_NEIGHBOUR,
            sum(self._best[at] < _LINKED_FROM for at in neighbours),
            self._alic[i],
        )
