"""A chunked sentence pair with the network's scores: one value from the encoder to the labeller."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ists.arrays import Floats
from ists.pairs import LINKING, exchanged

Positions = tuple[tuple[int, ...], ...]
"""Chunks as token positions from 0."""

SCORES = (1, 2, 3, 4, 5)
RELATION_INDEX = {relation: index for index, relation in enumerate(LINKING)}
SWAPPED_RELATIONS = tuple(RELATION_INDEX[exchanged(relation)] for relation in LINKING)
"""``p[..., list(SWAPPED_RELATIONS)]`` are the probabilities with the sentences exchanged."""


class Group(NamedTuple):
    """Chunks of both sentences that are linked together, by their indices in ascending order."""

    chunks1: tuple[int, ...]
    chunks2: tuple[int, ...]

    @property
    def swapped(self) -> "Group":
        """The group with the sentences exchanged."""
        return Group(self.chunks2, self.chunks1)


@dataclass(frozen=True, eq=False)
class PairScores:
    """The network's output for all chunk pairs of a sentence pair with n1 and n2 chunks.

    The values are probabilities wherever nothing else is said; `PairHead.logits` returns logits.
    """

    link: Floats
    """(n1, n2): whether the two chunks are linked."""
    relation: Floats
    """(n1, n2, 6): relation given a link, ordered as `ists.pairs.LINKING`."""
    score: Floats
    """(n1, n2, 5): the scores 1 to 5."""
    alic1: Floats
    """(n1,): ALIC rather than NOALI if the chunk is not linked."""
    alic2: Floats
    """(n2,)"""
    sentence: float = 0.0
    """Cosine of the two sentences' mean token vectors."""

    @classmethod
    def empty(cls, chunks1: int, chunks2: int) -> "PairScores":
        """Return scores of zero, for labelling by word knowledge alone."""
        size = chunks1, chunks2
        return cls(
            link=np.zeros(size, np.float32),
            relation=np.zeros((*size, len(LINKING)), np.float32),
            score=np.zeros((*size, len(SCORES)), np.float32),
            alic1=np.zeros(chunks1, np.float32),
            alic2=np.zeros(chunks2, np.float32),
        )

    @cached_property
    def swapped(self) -> "PairScores":
        """The scores with the sentences exchanged: SPE1 becomes SPE2."""
        return PairScores(
            link=self.link.T,
            relation=self.relation.transpose(1, 0, 2)[..., list(SWAPPED_RELATIONS)],
            score=self.score.transpose(1, 0, 2),
            alic1=self.alic2,
            alic2=self.alic1,
            sentence=self.sentence,
        )


@dataclass(frozen=True, eq=False)
class ScoredPair:
    """A sentence pair with its chunks and the scores of all chunk pairs; no links yet."""

    tokens1: Sequence[str]
    chunks1: Positions
    tokens2: Sequence[str]
    chunks2: Positions
    scores: PairScores
    exchanged: bool = False
    """Whether the first sentence is the user's second: evidence is worded for the user's order."""
