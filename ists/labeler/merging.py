"""Merge the chunks of each group into one chunk, which may have gaps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from ists.arrays import Floats
from ists.scored_pair import Group, PairScores, Positions, ScoredPair

_NEVER_ZERO = np.float32(1e-6)


@dataclass(frozen=True)
class Merging:
    """Which chunks of a pair become one."""

    groups: Sequence[Group]
    parts1: Positions
    """For every merged chunk of sentence 1, the indices of its chunks."""
    parts2: Positions

    @classmethod
    def of(cls, groups: Sequence[Group], pair: ScoredPair) -> "Merging":
        """Merge the chunks of each group; the other chunks stay as they are."""
        parts1 = _parts([group.chunks1 for group in groups], len(pair.chunks1))
        return cls(groups, parts1, _parts([group.chunks2 for group in groups], len(pair.chunks2)))

    @property
    def links(self) -> list[tuple[int, int]]:
        """The groups as one-to-one links between merged chunks."""
        return sorted((self.parts1.index(one), self.parts2.index(two)) for one, two in self.groups)

    def pair(self, pair: ScoredPair) -> ScoredPair:
        """Return a pair with merged chunks; the tokens of a chunk are in ascending order."""
        return replace(
            pair,
            chunks1=_merged(pair.chunks1, self.parts1),
            chunks2=_merged(pair.chunks2, self.parts2),
            scores=self.scores(pair.scores),
        )

    def scores(self, scores: PairScores) -> PairScores:
        """Return the scores of the merged chunks.

        The link probability is the highest of the chunks merged; relation and score are means
        weighted by the link probabilities.
        """
        size = len(self.parts1), len(self.parts2)
        merged = PairScores.empty(*size)
        merged.link[:] = self.highest(scores.link)
        for i, j in np.ndindex(size):
            block = np.ix_(self.parts1[i], self.parts2[j])
            weights = scores.link[block] + _NEVER_ZERO
            weights /= weights.sum()
            merged.relation[i, j] = np.einsum("ab,abr->r", weights, scores.relation[block])
            merged.score[i, j] = np.einsum("ab,abs->s", weights, scores.score[block])
        merged.alic1[:] = [scores.alic1[list(part)].max() for part in self.parts1]
        merged.alic2[:] = [scores.alic2[list(part)].max() for part in self.parts2]
        return replace(merged, sentence=scores.sentence)

    def highest(self, link: Floats) -> Floats:
        """(merged chunks 1, merged chunks 2): the highest probability of the chunks merged."""
        merged = np.zeros((len(self.parts1), len(self.parts2)), np.float32)
        for i, j in np.ndindex(merged.shape):
            merged[i, j] = link[np.ix_(self.parts1[i], self.parts2[j])].max()
        return merged


def _parts(merged: Sequence[tuple[int, ...]], chunks: int) -> Positions:
    """Return the chunks that become one, for every chunk after merging, from left to right."""
    taken = set(chain.from_iterable(merged))
    return tuple(sorted([*merged, *((at,) for at in range(chunks) if at not in taken)]))


def _merged(chunks: Positions, parts: Positions) -> Positions:
    return tuple(tuple(sorted(token for at in part for token in chunks[at])) for part in parts)
