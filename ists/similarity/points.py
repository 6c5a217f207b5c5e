"""Points that a word loses by the relation and score of its chunk's alignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ists.errors import ModelError
from ists.models import Model
from ists.pairs import MAX_SCORE, Alignment, Relation, SentencePair
from ists.similarity.vectors import has_word

KINDS: Mapping[Relation, str] = {
    Relation.EQUI: "EQUI",
    Relation.OPPO: "OPPO",
    Relation.SPE1: "SPE",
    Relation.SPE2: "SPE",
    Relation.SIMI: "SIMI",
    Relation.REL: "REL",
    Relation.ALIC: "ALIC",
    Relation.NOALI: "NOALI",
}
"""Similarity is symmetric: SPE1 and SPE2 are the same kind."""


@dataclass(frozen=True)
class Points:
    """Fitted parameters of the similarity besides the network, stored in the model's card."""

    angle: float
    """Points lost as the cosine of the sentence vectors decreases from 1 to 0."""
    lost: Mapping[str, Sequence[float]]
    """Points lost by a chunk of each kind (`KINDS`), one number for each score from 1 to 5.

    An unaligned chunk has no score, and its kind only one number. Missing kinds lose nothing.
    """
    contradiction: float = 0.0
    """Points lost once by a pair with any OPPO, which changes the meaning of the whole clause."""

    @classmethod
    def of(cls, model: Model) -> "Points":
        """Read the points from a model's card."""
        try:
            stored: Any = model.card["points"]
            lost = {kind: [float(x) for x in values] for kind, values in stored["lost"].items()}
            return cls(float(stored["angle"]), lost, float(stored.get("contradiction", 0.0)))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ModelError(f"{model.folder}: its card has no points") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the points as plain data for the card."""
        return {
            "angle": self.angle,
            "lost": {kind: list(v) for kind, v in self.lost.items()},
            "contradiction": self.contradiction,
        }

    def loss(self, alignment: Alignment) -> float:
        """Return the points, of `MAX_SCORE`, that the chunks of an alignment lose."""
        values = self.lost.get(KINDS[alignment.relation], (0.0,))
        if alignment.score is None:
            return values[0]
        return values[min(len(values), max(1, round(alignment.score))) - 1]

    def losses(self, pair: SentencePair, side: int) -> list[float]:
        """Return the points that each token loses by its alignment; punctuation loses none."""
        words = (pair.sentence1 if side == 1 else pair.sentence2).words
        losses = [0.0] * len(words)
        for alignment in pair.alignments:
            chunk = alignment.chunk1 if side == 1 else alignment.chunk2
            for token in chunk.tokens if chunk is not None else ():
                if has_word(words[token - 1]):
                    losses[token - 1] = self.loss(alignment)
        return losses

    @property
    def kept(self) -> float:
        """Points that remain if the cosine of the sentence vectors is 0."""
        return MAX_SCORE - self.angle
