"""Sentence vectors: the mean of the hidden states of the similarity model's network."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ists.chunker.tokens import Tokenization, tokenize
from ists.encoder import LONGEST, EncoderInput, Network, words_of
from ists.errors import FormatError
from ists.models import Model, open_model

Float64s = NDArray[np.float64]

DEFAULT_MODEL = "similarity"
KIND = "similarity"
_OUTPUTS = ("hidden",)


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of the tokens of one sentence."""

    rows: Float64s
    """(tokens, size): each token's part of the sentence's mean; zero for tokens not counted."""

    @property
    def sentence(self) -> Float64s:
        """The sentence vector: the normalised sum of the tokens' parts (zero without tokens)."""
        total: Float64s = self.rows.sum(0)
        return total / (float(np.sqrt(total @ total)) or 1.0)

    def shares(self, other: "WordVectors") -> Float64s:
        """Return each token's share of the cosine with another sentence; they add up to it."""
        total = self.rows.sum(0)
        length = float(np.sqrt(total @ total)) or 1.0
        shares: Float64s = self.rows @ other.sentence / length
        return shares


class SentenceEncoder:
    """The network that encodes single sentences."""

    def __init__(self, model: Model, threads: int = 0) -> None:
        self.model = model
        self._words = words_of(model)
        self._network = Network(model.file("network.onnx"), self._words, threads)

    @classmethod
    def load(cls, name: str = DEFAULT_MODEL, threads: int = 0) -> "SentenceEncoder":
        """Load a shipped model by name, or any model by its folder."""
        return cls(open_model(name, KIND), threads)

    def vectors(
        self, texts: Iterable[str], batch_size: int = 32, tokens: Tokenization = "auto"
    ) -> Float64s:
        """Encode sentences, phrases or words as unit vectors, one per row."""
        sentences = [tokenize(text, tokens) for text in texts]
        return np.array([found.sentence for found in self.read(sentences, batch_size)])

    def read(self, sentences: Sequence[Sequence[str]], batch_size: int = 32) -> list[WordVectors]:
        """Encode tokenised sentences; repeated sentences are encoded once."""
        numbers = {tuple(tokens): number for number, tokens in enumerate(sentences)}
        distinct = [sentences[number] for number in numbers.values()]
        inputs = [self._encode(tokens) for tokens in distinct]
        hidden = self._network.run(inputs, _OUTPUTS, batch_size)
        found = {
            tuple(tokens): WordVectors(_parts(tokens, encoded, pieces))
            for tokens, encoded, (pieces,) in zip(distinct, inputs, hidden, strict=True)
        }
        return [found[tuple(tokens)] for tokens in sentences]

    def _encode(self, tokens: Sequence[str]) -> EncoderInput:
        pieces = self._words.count(tokens)
        if pieces > LONGEST:
            raise FormatError(
                f"a sentence of {pieces} word pieces, the model reads at most {LONGEST} at once"
            )
        return self._words.encode(tokens)


def counted_tokens(tokens: Sequence[str]) -> list[bool]:
    """Return which tokens are counted: those with a letter or digit; without any, all tokens."""
    found = [has_word(token) for token in tokens]
    return found if any(found) else [True] * len(tokens)


def has_word(token: str) -> bool:
    """Return whether a token has a letter or digit."""
    return any(sign.isalnum() for sign in token)


def _parts(tokens: Sequence[str], encoded: EncoderInput, hidden: NDArray[np.float32]) -> Float64s:
    """Return each token's part of the mean hidden state over counted tokens' word pieces."""
    spans = pairwise([*encoded.first_piece, len(encoded.pieces) - 1])
    parts = np.zeros((len(tokens), hidden.shape[1]))
    counted = 0
    for row, (begin, end), counts in zip(parts, spans, counted_tokens(tokens), strict=True):
        if counts:
            row[:] = hidden[begin:end].sum(0, dtype=np.float64)
            counted += end - begin
    return parts / max(counted, 1)
