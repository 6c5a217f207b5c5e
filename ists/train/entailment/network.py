"""The network of the pre-training: the encoder, the boundary head, and a head for whole pairs."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.train.batching import EncoderBatch
from ists.train.encoder import HIDDEN, BoundaryHead, Encoder
from ists.train.ratings import Entailment


class PairLogits(NamedTuple):
    """The network's output for a batch."""

    entailment: Tensor
    """(pairs, 3), in the order of `Entailment`: what the first sentence says of the second."""
    rating: Tensor
    """(pairs,): the similarity as a share of the largest."""
    starts: Tensor
    """(tokens of all pairs,): whether a chunk begins at the token."""


class EntailmentNetwork(nn.Module):
    """The encoder, which reads both sentences together, with its two heads."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.encoder = Encoder(dropout)
        self.boundary = BoundaryHead(dropout)
        self.compare = nn.Linear(4 * HIDDEN, HIDDEN)
        self.entailment = nn.Linear(HIDDEN, len(Entailment))
        self.rating = nn.Linear(HIDDEN, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: EncoderBatch, exchanged: Tensor) -> PairLogits:
        """Return the logits; ``exchanged``: (pairs,), whether the second sentence is read first."""
        hidden = self.encoder(batch.pieces, batch.shapes, batch.segments, batch.mask)
        first, second = (_mean(hidden, batch.mask & (batch.segments == side)) for side in (0, 1))
        one = torch.where(exchanged[:, None], second, first)
        two = torch.where(exchanged[:, None], first, second)
        compared = self.compare(
            self.dropout(torch.cat([one, two, (one - two).abs(), one * two], 1))
        )
        compared = self.dropout(F.gelu(compared))
        flat = hidden.reshape(-1, HIDDEN)
        here, before = (self.dropout(flat[at]) for at in (batch.first_piece, batch.before))
        return PairLogits(
            self.entailment(compared),
            self.rating(compared).squeeze(1),
            self.boundary(here, before),
        )


def _mean(hidden: Tensor, counted: Tensor) -> Tensor:
    share = counted / counted.sum(1, keepdim=True).clamp(min=1)
    return (share[:, None, :] @ hidden).squeeze(1)
