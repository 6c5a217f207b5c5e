"""From probabilities to a label: the relation and score with the highest expected F1 credit.

A link earns 1 for the right relation (Type), 1 - |Δ|/5 for its score (Score), and their product
(Typ+Sco). The decision maximises the expected sum of the three, and keeps the guidelines' rules:
EQUI has score 5, every other relation a score from 1 to 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ists.arrays import Floats
from ists.compiled import quickly_built
from ists.pairs import LINKING, MAX_SCORE, Flag, Relation

HALF_SCORES = tuple(half / 2 for half in range(2, 9))
"""The scores a relation other than EQUI may get: 1, 1.5, … 4."""
LOWER_SCORES = (1, 2, 3, 4)
"""The classes of the score classifier, which assumes that the relation is not EQUI."""
EQUI_AT = LINKING.index(Relation.EQUI)
SURE_EQUI = 0.501
"""From this probability on, EQUI is the best choice whatever the lower scores are.

Let e be EQUI's probability, x the score should it be another relation, s/5 what the score s earns
if 5 is right. EQUI is expected to earn 3e + (1-e)·E[x]/5; another relation with the score s at most
(1-e)·(3 - 2·E|s-x|/5) + e·s/5. As E[x] + E|s-x| ≥ s, EQUI leads by at least (2e-1)·(3 - s/5), which
is positive from e = ½ on; the thousandth is far more than any rounding error.
"""
_CHOICES = (*HALF_SCORES, float(MAX_SCORE))
_CREDIT = 1 - np.abs(np.subtract.outer((*HALF_SCORES, MAX_SCORE), (*LOWER_SCORES, MAX_SCORE))) / 5


@quickly_built
@dataclass(frozen=True, slots=True)
class Decision:
    """The label of a link, with its probabilities."""

    relation: Relation
    score: float
    probabilities: tuple[float, ...]
    """In the order of `ists.pairs.LINKING`."""
    flags: frozenset[Flag] = frozenset()

    @property
    def confidence(self) -> float:
        """The calibrated probability that the relation is right."""
        return self.probabilities[LINKING.index(self.relation)]


@quickly_built
@dataclass(frozen=True, slots=True)
class LoneDecision:
    """The label of a chunk that is not linked."""

    relation: Relation
    confidence: float


def sharpened(probabilities: Floats, exponent: float) -> Floats:
    """Return probabilities raised to a power and normalised, to calibrate an averaged committee."""
    raised = np.maximum(probabilities, 1e-6) ** exponent
    shares: Floats = (raised / raised.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares


def decide(
    relations: Floats, lower_scores: Floats, flags: Sequence[frozenset[Flag]] | None = None
) -> list[Decision]:
    """Return one decision per row, with its flags if they are given.

    `relations`: (rows, 6), in the order of `LINKING`. `lower_scores`: (rows, 4), the scores 1 to 4
    if the relation is not EQUI; above `SURE_EQUI` they have no effect and may be 0.
    """
    best = gains(relations, lower_scores).argmax(axis=1)
    return [
        Decision(
            relation=LINKING[place // len(_CHOICES)],
            score=_CHOICES[place % len(_CHOICES)],
            probabilities=tuple(row),
            flags=own,
        )
        for place, row, own in zip(
            best.tolist(), relations.tolist(), flags or [frozenset()] * len(best), strict=True
        )
    ]


def gains(relations: Floats, lower_scores: Floats) -> Floats:
    """Return (rows, choices): the expected credit of each relation and score; see `place_of`."""
    equi = relations[:, EQUI_AT]
    scores = np.concatenate([lower_scores * (1 - equi)[:, None], equi[:, None]], axis=1)
    # einsum sums each row alike whatever the batch; a BLAS product does not.
    by_score = np.einsum("ns,cs->nc", scores, _CREDIT)  # (rows, choices): expected Score credit
    given_lower = np.einsum("ns,cs->nc", lower_scores, _CREDIT[:, :-1])
    gain = relations[:, :, None] * (1 + given_lower[:, None, :]) + by_score[:, None, :]
    gain[:, EQUI_AT, :] = -1
    gain[:, :, -1] = -1
    gain[:, EQUI_AT, -1] = 2 * equi + by_score[:, -1]
    flat: Floats = gain.reshape(len(gain), gain.shape[1] * gain.shape[2])
    return flat


def place_of(relation: Relation, score: float) -> int:
    """Return the column of a relation and a score in `gains`."""
    return LINKING.index(relation) * len(_CHOICES) + _CHOICES.index(score)
