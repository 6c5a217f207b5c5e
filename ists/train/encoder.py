"""The encoder in torch, shared by all networks: MiniLM-L6 and the head for chunk boundaries.

At run time the networks are ONNX files (see `ists.train.onnx_graph`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import SHAPES
from ists.errors import ModelError
from ists.train.base import base_weights

HIDDEN, LAYERS, HEADS, INNER, VOCABULARY, POSITIONS = 384, 6, 12, 1536, 30522, 512
WORDS = "encoder.words.weight"
FROZEN = (WORDS, "encoder.positions.weight", "encoder.segments.weight")
"""Weights that no training changes: all networks share MiniLM's word embeddings."""


@cache
def has_bfloat16() -> bool:
    """Return whether the processor has instructions for products of 16-bit numbers."""
    # Not in older versions of torch.
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


class Layer(nn.Module):
    """A transformer layer with layer normalisation after each part, as in BERT."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.up = nn.Linear(HIDDEN, INNER)
        self.down = nn.Linear(INNER, HIDDEN)
        self.norm2 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, attend: Tensor) -> Tensor:
        """Return hidden states; ``attend``: (batch, 1, 1, pieces), false for padding."""
        batch, pieces, _ = x.shape
        heads = self.qkv(x).view(batch, pieces, 3, HEADS, HIDDEN // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        # Not torch's fused attention: its backward pass takes half the time of a training step.
        weights = query @ key.transpose(-1, -2) / (HIDDEN // HEADS) ** 0.5
        seen = weights.masked_fill(~attend, float("-inf")).softmax(-1) @ value
        seen = seen.transpose(1, 2).reshape(batch, pieces, HIDDEN)
        x = self.norm1(x + self.dropout(self.out(seen)))
        return self.norm2(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """MiniLM with an embedding of each token's letter shape, initially zero."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN)
        self.positions = nn.Embedding(POSITIONS, HIDDEN)
        self.segments = nn.Embedding(2, HIDDEN)
        self.shapes = nn.Embedding(2 * len(SHAPES), HIDDEN)
        nn.init.zeros_(self.shapes.weight)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))

    def forward(self, pieces: Tensor, shapes: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Return the hidden states (batch, pieces, HIDDEN); the inputs are (batch, pieces) each."""
        x = self.words(pieces) + self.positions.weight[: pieces.shape[1]]
        x = x + self.segments(segments) + self.shapes(shapes)
        x = self.dropout(self.norm(x))
        attend = mask[:, None, None, :].bool()
        # Training takes two thirds of the time with products of 16-bit numbers. Sums over the
        # layers stay 32-bit numbers, and so do trained networks.
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training and has_bfloat16()):
            for layer in self.layers:
                x = layer(x, attend)
        return x

    def load_base(self) -> None:
        """Load the weights of the base model."""
        base = base_weights()
        own = {
            "words.weight": base["embeddings.word_embeddings.weight"],
            "positions.weight": base["embeddings.position_embeddings.weight"],
            "segments.weight": base["embeddings.token_type_embeddings.weight"],
            "norm.weight": base["embeddings.LayerNorm.weight"],
            "norm.bias": base["embeddings.LayerNorm.bias"],
            "shapes.weight": self.shapes.weight.data,
        }
        for number in range(LAYERS):
            own |= _layer_weights(base, number)
        self.load_state_dict(own)


_LAYER_NAMES = {
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}


def _layer_weights(base: dict[str, Tensor], number: int) -> dict[str, Tensor]:
    theirs, ours = f"encoder.layer.{number}", f"layers.{number}"
    weights = {}
    for kind in ("weight", "bias"):
        parts = [
            base[f"{theirs}.attention.self.{name}.{kind}"] for name in ("query", "key", "value")
        ]
        weights[f"{ours}.qkv.{kind}"] = torch.cat(parts)
        for short, long in _LAYER_NAMES.items():
            weights[f"{ours}.{short}.{kind}"] = base[f"{theirs}.{long}.{kind}"]
    return weights


class BoundaryHead(nn.Module):
    """Logits of chunk boundaries, from the hidden states of a token and of the token before it."""

    def __init__(self, dropout: float, inner: int = 256) -> None:
        super().__init__()
        self.here = nn.Linear(HIDDEN, inner)
        self.before = nn.Linear(HIDDEN, inner, bias=False)
        self.start = nn.Linear(inner, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, here: Tensor, before: Tensor) -> Tensor:
        """Return the logits without the last axis; inputs: hidden states of the first pieces."""
        inner = self.here(here) + self.before(before)
        logits: Tensor = self.start(self.dropout(F.gelu(inner))).squeeze(-1)
        return logits


def interpolated(
    own: Mapping[str, Tensor], pretrained: Mapping[str, Tensor], share: float
) -> dict[str, Tensor]:
    """Return weights of encoder and boundary head between MiniLM's and a pre-trained network's.

    Letter shapes and boundary head are the latter's alone: MiniLM has neither.
    """
    mixed = {}
    for name, value in own.items():
        if not name.startswith(("encoder.", "boundary.")) or name in FROZEN:
            continue
        if name not in pretrained or pretrained[name].shape != value.shape:
            raise ModelError(f"not a pre-trained network: it has no matching '{name}'")
        has_base = name.startswith("encoder.") and name != "encoder.shapes.weight"
        mixed[name] = torch.lerp(value, pretrained[name], share) if has_base else pretrained[name]
    return mixed
