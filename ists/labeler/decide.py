"""From probabilities to a label: the relation and score that promise most by the task's measures.

A link earns 1 for the right relation (Type), 1 - |Δ|/5 for its score (Score), and their product
(Typ+Sco). The decision maximises the expected sum of the three, and keeps the guidelines' rules:
EQUI has score 5, every other relation a score from 1 to 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ists.pairs import LINKING, MAX_SCORE, Flag, Relation
from ists.scored_pair import Floats

HALF_SCORES = tuple(half / 2 for half in range(2, 9))
"""The scores a relation other than EQUI may get: 1, 1.5, … 4."""
LOWER_SCORES = (1, 2, 3, 4)
"""What the score classifier tells apart, once the relation is not EQUI."""
EQUI_AT = LINKING.index(Relation.EQUI)
SURE_EQUI = 0.501
"""From here on EQUI is decided, whatever the lower scores: it is likelier than all else together.

Let e be EQUI's probability, x the score should it be another relation, s/5 what the score s earns
if 5 is right. EQUI promises 3e + (1-e)·E[x]/5; another relation with the score s no more than
(1-e)·(3 - 2·E|s-x|/5) + e·s/5. As E[x] + E|s-x| ≥ s, EQUI leads by (2e-1)·(3 - s/5) or more: by
something from e = ½ on, and the thousandth is far more than what rounding could take away.
"""
_CHOICES = (*HALF_SCORES, float(MAX_SCORE))
_CREDIT = 1 - np.abs(np.subtract.outer((*HALF_SCORES, MAX_SCORE), (*LOWER_SCORES, MAX_SCORE))) / 5


@dataclass(frozen=True, slots=True)
class Decision:
    """What a linked pair of chunks gets, and how sure we are."""

    relation: Relation
    score: float
    probabilities: tuple[float, ...]
    """In the order of `ists.pairs.LINKING`."""
    flags: frozenset[Flag] = frozenset()

    @property
    def confidence(self) -> float:
        """The calibrated probability that the relation is right."""
        return self.probabilities[LINKING.index(self.relation)]


@dataclass(frozen=True, slots=True)
class LoneDecision:
    """What a chunk left alone gets."""

    relation: Relation
    confidence: float


def sharpened(probabilities: Floats, exponent: float) -> Floats:
    """Probabilities raised to a power and normalised: the calibration of an averaged committee."""
    raised = np.maximum(probabilities, 1e-6) ** exponent
    shares: Floats = (raised / raised.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares


def decide(
    relations: Floats, lower_scores: Floats, flags: Sequence[frozenset[Flag]] | None = None
) -> list[Decision]:
    """Return one decision a row, with its flags where these are given.

    `relations`: (rows, 6), in the order of `LINKING`. `lower_scores`: (rows, 4), the scores 1 to 4
    should the relation not be EQUI; from `SURE_EQUI` on they do not matter and may be 0.
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
    """(rows, choices): the expected credit of every relation with every score; see `place_of`."""
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
    """The column of a relation with a score in `gains`."""
    return LINKING.index(relation) * len(_CHOICES) + _CHOICES.index(score)
