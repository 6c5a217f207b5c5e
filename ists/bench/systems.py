"""What the similarity benchmarks test: anything that gives a pair a number from 0 to 5."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ists.pipeline import Aligner
    from ists.similarity import SentenceEncoder

LARGEST = 5.0
TextPair = tuple[str, str]


class System(Protocol):
    """A similarity system."""

    @property
    def name(self) -> str:
        """What tables and signatures call it."""

    @property
    def trained_on(self) -> frozenset[str]:
        """SHA-256 of the files it was trained on: figures on these prove nothing."""

    def similarity_many(self, pairs: Iterable[TextPair]) -> Iterator[float]:
        """A score from 0 to 5 for each pair, in their order."""


class TokenRows(Protocol):
    """A sentence as an encoder has read it."""

    @property
    def rows(self) -> "NDArray[np.floating[Any]]":
        """One row a token; they add up to the sentence."""


class SentenceVectors(Protocol):
    """An encoder of sentences that stays as it is, for a benchmark to learn from."""

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.floating[Any]]":
        """A unit row for each sentence, phrase or word."""

    def read(self, sentences: Sequence[Sequence[str]]) -> Sequence[TokenRows]:
        """The rows of tokenised sentences."""


class Ists:
    """Our own system."""

    def __init__(self, aligner: "Aligner") -> None:
        self.aligner = aligner

    @property
    def encoder(self) -> "SentenceEncoder":
        """What reads single sentences and words."""
        return self.aligner.sentence_encoder

    @property
    def name(self) -> str:
        """The names of both models."""
        return f"ists {self.aligner.model.name}+{self.encoder.model.name}"

    @property
    def trained_on(self) -> frozenset[str]:
        """What the cards of both models say."""
        trainings = (m.card.get("training", {}) for m in (self.aligner.model, self.encoder.model))
        return frozenset(
            digest for training in trainings for digest in training.get("files", {}).values()
        )

    def similarity_many(self, pairs: Iterable[TextPair]) -> Iterator[float]:
        """The scores that ``ists similarity`` gives."""
        for found in self.aligner.similarity_many(pairs):
            yield found.score


class TokenCosine:
    """The baseline of the STS tasks: the cosine of the two sets of white-space tokens."""

    name = "token cosine"
    trained_on: frozenset[str] = frozenset()

    def similarity_many(self, pairs: Iterable[TextPair]) -> Iterator[float]:
        """Scores by shared tokens."""
        for one, two in pairs:
            yield LARGEST * token_cosine(one, two)


def token_cosine(sentence1: str, sentence2: str) -> float:
    """Each sentence is a vector of ones and zeros, one dimension a token."""
    one, two = set(sentence1.split()), set(sentence2.split())
    if not one or not two:
        return 0.0
    return len(one & two) / sqrt(len(one) * len(two))
