"""Chunks of two sentences that were encoded together, as `ists align` uses them.

The aligner's network predicts chunk boundaries in the same pass that encodes the pair, so no second
network is needed, and each sentence is chunked with the other one in view. This module decides the
chunks from its boundary logits.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp

Chunks = tuple[tuple[int, ...], ...]
"""Token positions from 0, one tuple per chunk."""

CHUNK_COST = 0.45
"""Cost per chunk in `best_chunks`: a chunk less probable than this lowers the total."""
_LONGEST_CHUNK = 25


def best_chunks(logits: Sequence[float]) -> Chunks:
    """Return the segmentation with the most chunks expected to be exactly right.

    `logits` are those of a chunk beginning at each token. A single wrong boundary spoils up to two
    chunks, so boundaries are not decided independently: a dynamic program maximises the sum over
    chunks of the probability that a chunk has both its boundaries and none inside, minus a cost per
    chunk.
    """
    count = len(logits)
    begins = [1.0, *(1 / (1 + exp(-max(-30.0, min(30.0, x)))) for x in logits[1:]), 1.0]
    best = [0.0, *[-1e9] * count]
    back = [0] * (count + 1)
    for begin in range(count):
        right = begins[begin]
        for end in range(begin + 1, min(count, begin + _LONGEST_CHUNK) + 1):
            gain = best[begin] + right * begins[end] - CHUNK_COST
            if gain > best[end]:
                best[end], back[end] = gain, begin
            right *= 1 - begins[end]
    edges = [count]
    while edges[-1] > 0:
        edges.append(back[edges[-1]])
    return tuple(tuple(range(a, b)) for a, b in pairwise(reversed(edges)))
