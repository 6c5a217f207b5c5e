"""What can be seen of a chunk pair without the network: equal word pieces, lengths, places.

Plain numpy, shared by training and by inference.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Chunks = Sequence[Sequence[int]]
"""Token positions from 0, one sequence a chunk."""

SURFACE = (
    "pieces of 1 found in 2",
    "pieces of 2 found in 1",
    "same pieces",
    "same last token",
    "same first token",
    "place 1",
    "place 2",
    "place difference",
    "place distance",
    "both first",
    "both last",
    "log length 1",
    "log length 2",
    "log chunks 1",
    "log chunks 2",
    "no letter or digit 1",
    "no letter or digit 2",
)


def membership(chunks: Chunks, tokens: int) -> Floats:
    """(chunks, tokens): 1 where the token is in the chunk."""
    inside = np.zeros((len(chunks), tokens), np.float32)
    for row, chunk in enumerate(chunks):
        inside[row, list(chunk)] = 1.0
    return inside


def wordless(token: str) -> bool:
    """Whether a token is punctuation only."""
    return not any(sign.isalnum() for sign in token)


def surface_features(
    tokens1: Sequence[str],
    tokens2: Sequence[str],
    pieces1: Sequence[Sequence[int]],
    pieces2: Sequence[Sequence[int]],
    chunks1: Chunks,
    chunks2: Chunks,
) -> Floats:
    """(chunks 1, chunks 2, features), in the order of `SURFACE`.

    `pieces1[t]` are the word pieces of token t of sentence 1.
    """
    n1, n2 = len(chunks1), len(chunks2)
    if not (n1 and n2):
        return np.zeros((n1, n2, len(SURFACE)), np.float32)
    own1 = [[p for t in chunk for p in pieces1[t]] for chunk in chunks1]
    own2 = [[p for t in chunk for p in pieces2[t]] for chunk in chunks2]
    sets1, sets2 = [frozenset(own) for own in own1], [frozenset(own) for own in own2]
    common = np.array([[len(a & b) for b in sets2] for a in sets1])
    place1 = ((np.arange(n1) + 0.5) / n1)[:, None]
    place2 = ((np.arange(n2) + 0.5) / n2)[None, :]
    out = np.zeros((n1, n2, len(SURFACE)), np.float32)
    out[..., 0] = common / np.array([[len(own)] for own in sets1])
    out[..., 1] = common / np.array([len(own) for own in sets2])
    out[..., 2] = [[a == b for b in own2] for a in own1]
    for column, at in ((3, -1), (4, 0)):
        edge1 = [pieces1[chunk[at]] for chunk in chunks1]
        edge2 = [pieces2[chunk[at]] for chunk in chunks2]
        out[..., column] = [[a == b for b in edge2] for a in edge1]
    out[..., 5] = place1
    out[..., 6] = place2
    out[..., 7] = place1 - place2
    out[..., 8] = np.abs(place1 - place2)
    out[0, 0, 9] = 1
    out[-1, -1, 10] = 1
    out[..., 11] = np.log([[len(chunk)] for chunk in chunks1])
    out[..., 12] = np.log([len(chunk) for chunk in chunks2])
    out[..., 13] = np.log(n1)
    out[..., 14] = np.log(n2)
    out[..., 15] = [[all(wordless(tokens1[t]) for t in chunk)] for chunk in chunks1]
    out[..., 16] = [all(wordless(tokens2[t]) for t in chunk) for chunk in chunks2]
    return out
