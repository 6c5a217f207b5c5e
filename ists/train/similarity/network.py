"""The similarity's network in torch: sentence vectors by the encoder, ratings by their cosines."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import EncoderInput
from ists.train.batching import encoder_batch
from ists.train.encoder import HIDDEN, Encoder


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence after the frozen lower layers of the encoder."""

    states: Tensor
    """(pieces, HIDDEN): the hidden states."""
    counts: Tensor
    """(pieces,): 1 for the pieces of words, 0 for punctuation and the special pieces."""


class SimilarityNetwork(nn.Module):
    """The encoder, and for each data set a linear function from cosine to rating."""

    def __init__(self, sets: int, dropout: float) -> None:
        super().__init__()
        self.encoder = Encoder(dropout)
        self.slope = nn.Parameter(torch.full((sets,), 4.0))
        self.height = nn.Parameter(torch.zeros(sets))

    def lower(self, inputs: Sequence[EncoderInput], layers: int) -> list[Tensor]:
        """Return the hidden states of single sentences after the first ``layers`` layers."""
        batch = encoder_batch(inputs)
        encoder = self.encoder
        x = encoder.words(batch.pieces) + encoder.positions.weight[: batch.pieces.shape[1]]
        x = encoder.norm(x + encoder.segments(batch.segments))
        for layer in encoder.layers[:layers]:
            x = layer(x, batch.mask[:, None, None, :])
        return [row[: len(encoded.pieces)] for row, encoded in zip(x, inputs, strict=True)]

    def vectors(self, sentences: Sequence[Sentence], layers: int) -> Tensor:
        """Return unit vectors (sentences, HIDDEN), from states after ``layers`` layers."""
        width = max(len(sentence.states) for sentence in sentences)
        x = torch.zeros(len(sentences), width, HIDDEN)
        mask = torch.zeros(len(sentences), width, dtype=torch.bool)
        counts = torch.zeros(len(sentences), width)
        for row, sentence in enumerate(sentences):
            pieces = len(sentence.states)
            x[row, :pieces] = sentence.states
            mask[row, :pieces] = True
            counts[row, :pieces] = sentence.counts
        for layer in self.encoder.layers[layers:]:
            x = layer(x, mask[:, None, None, :])
        return F.normalize((x * counts[..., None]).sum(1), dim=1)
