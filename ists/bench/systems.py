"""Similarity systems for the benchmarks: a score from 0 to 5 for each pair."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, Protocol

from ists.seen import Seen

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
        """The name in tables and signatures."""

    @property
    def seen(self) -> Seen:
        """The training data, on which figures are not a valid test."""

    def similarity_many(self, pairs: Iterable[TextPair]) -> Iterator[float]:
        """Yield a score from 0 to 5 for each pair, in order."""


class TokenRows(Protocol):
    """An encoder's output for a sentence."""

    @property
    def rows(self) -> "NDArray[np.floating[Any]]":
        """One row per token; their sum is the sentence vector."""


class SentenceVectors(Protocol):
    """A frozen sentence encoder, for features of a benchmark."""

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.floating[Any]]":
        """Return a unit vector for each sentence, phrase or word."""

    def read(self, sentences: Sequence[Sequence[str]]) -> Sequence[TokenRows]:
        """Encode tokenised sentences."""


class Ists:
    """Our own system: an aligner with its sentence encoder."""

    def __init__(self, aligner: "Aligner") -> None:
        self.aligner = aligner

    @property
    def encoder(self) -> "SentenceEncoder":
        """The encoder of single sentences and words."""
        return self.aligner.sentence_encoder

    @property
    def name(self) -> str:
        """The names of both models."""
        return f"ists {self.aligner.model.name}+{self.encoder.model.name}"

    @cached_property
    def seen(self) -> Seen:
        """The training data of both models."""
        return Seen.by(self.aligner.model, self.encoder.model)

    def similarity_many(self, pairs: Iterable[TextPair]) -> Iterator[float]:
        """Yield the scores of ``ists similarity``."""
        for found in self.aligner.similarity_many(pairs):
            yield found.score


class TokenCosine:
    """The baseline of the STS tasks: the cosine of the two sets of white-space tokens."""

    name = "token cosine"
    seen = Seen()

    def similarity_many(self, pairs: Iterable[TextPair]) -> Iterator[float]:
        """Yield token cosines, scaled to 5."""
        for one, two in pairs:
            yield LARGEST * token_cosine(one, two)


def token_cosine(sentence1: str, sentence2: str) -> float:
    """Return the cosine of the binary token vectors of two sentences."""
    one, two = set(sentence1.split()), set(sentence2.split())
    if not one or not two:
        return 0.0
    return len(one & two) / sqrt(len(one) * len(two))
