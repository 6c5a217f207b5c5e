"""How many points a word loses, by what the aligner says of its chunk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ists.errors import ModelError
from ists.models import Model
from ists.pairs import MAX_SCORE, Alignment, Relation, SentencePair

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
"""A similarity has no direction: it does not matter which of two chunks is the more specific."""


@dataclass(frozen=True)
class Points:
    """The few numbers that the similarity is made of besides the network, as the card has them."""

    angle: float
    """Lost as the cosine of the sentences' vectors goes from 1 to 0."""
    lost: Mapping[str, Sequence[float]]
    """Lost by a chunk of a kind (`KINDS`), one number for each score from 1 to 5.

    A chunk left alone has no score, and its kind one number. EQUI loses nothing.
    """

    @classmethod
    def of(cls, model: Model) -> "Points":
        """As the card of a model says."""
        try:
            stored: Any = model.card["points"]
            lost = {kind: [float(x) for x in values] for kind, values in stored["lost"].items()}
            return cls(float(stored["angle"]), lost)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ModelError(f"{model.folder}: its card has no points") from None

    def to_dict(self) -> dict[str, Any]:
        """As the card has them."""
        return {"angle": self.angle, "lost": {kind: list(v) for kind, v in self.lost.items()}}

    def loss(self, alignment: Alignment) -> float:
        """What the chunks of an alignment lose, of `MAX_SCORE` points."""
        values = self.lost.get(KINDS[alignment.relation], (0.0,))
        if alignment.score is None:
            return values[0]
        return values[min(len(values), max(1, round(alignment.score))) - 1]

    def losses(self, pair: SentencePair, side: int) -> list[float]:
        """What each token of a sentence loses by its alignment."""
        sentence = pair.sentence1 if side == 1 else pair.sentence2
        losses = [0.0] * len(sentence.words)
        for alignment in pair.alignments:
            chunk = alignment.chunk1 if side == 1 else alignment.chunk2
            for token in chunk.tokens if chunk is not None else ():
                losses[token - 1] = self.loss(alignment)
        return losses

    @property
    def kept(self) -> float:
        """What remains of the points when the vectors have nothing in common."""
        return MAX_SCORE - self.angle
