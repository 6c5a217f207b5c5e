"""Batches for training: length-bucketed, and padded to tensors."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from ists.encoder import EncoderInput, padded

Item = TypeVar("Item")


def length_bucketed_batches(
    items: Sequence[Item],
    size: int,
    pool: int,
    length: Callable[[Item], int],
    rng: random.Random,
) -> list[list[Item]]:
    """Return shuffled batches of items of similar length, which need little padding.

    The items are shuffled and taken in pools of ``pool`` batches; the items of a pool are sorted by
    length before they are divided into batches, and the batches are shuffled.
    """
    shuffled = list(items)
    rng.shuffle(shuffled)
    batches = [
        batch
        for pooled in in_blocks(shuffled, size * pool)
        for batch in in_blocks(sorted(pooled, key=length), size)
    ]
    rng.shuffle(batches)
    return batches


def in_blocks(items: Sequence[Item], size: int) -> list[list[Item]]:
    """Divide items into blocks of a size, in order; the last may be smaller."""
    return [list(items[begin : begin + size]) for begin in range(0, len(items), size)]


class EncoderBatch(NamedTuple):
    """Encoder inputs as padded tensors."""

    pieces: Tensor
    shapes: Tensor
    segments: Tensor
    mask: Tensor
    """(inputs, pieces): true where there is a piece, not padding."""
    first_piece: Tensor
    """(tokens of all inputs,): the flat index of the first piece of each token."""
    before: Tensor
    """(tokens of all inputs,): the flat index of the previous token's first piece."""


def encoder_batch(inputs: Sequence[EncoderInput]) -> EncoderBatch:
    """Pad encoder inputs to the longest of them."""
    width = max(len(encoded.pieces) for encoded in inputs)
    arrays = {name: torch.from_numpy(array) for name, array in padded(inputs, width).items()}
    mask = torch.arange(width)[None, :] < arrays["lengths"][:, None]
    return EncoderBatch(
        arrays["pieces"],
        arrays["shapes"],
        arrays["segments"],
        mask,
        arrays["here"],
        arrays["before"],
    )
