"""The chunker's network in torch: the encoder, the boundary head and two tagging heads."""

from dataclasses import dataclass

from torch import Tensor, nn

from ists.train.batching import EncoderBatch
from ists.train.encoder import HIDDEN, BoundaryHead, Encoder


@dataclass(frozen=True)
class TokenLogits:
    """The chunker's output for each token."""

    start: Tensor
    iob: Tensor
    pos: Tensor


class ChunkerNetwork(nn.Module):
    """The encoder with three heads over the first word piece of every token."""

    def __init__(self, iob_tags: int, pos_tags: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = Encoder(dropout)
        self.boundary = BoundaryHead(dropout)
        self.iob = nn.Linear(HIDDEN, iob_tags)
        self.pos = nn.Linear(HIDDEN, pos_tags)
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: EncoderBatch) -> TokenLogits:
        """Return the logits of all tokens of a batch."""
        hidden = self.encoder(batch.pieces, batch.shapes, batch.segments, batch.mask)
        hidden = hidden.reshape(-1, HIDDEN)
        first, previous = (self.dropout(hidden[at]) for at in (batch.first_piece, batch.before))
        return TokenLogits(self.boundary(first, previous), self.iob(first), self.pos(first))
