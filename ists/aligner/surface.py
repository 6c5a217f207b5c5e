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
    own1 = [[p for t in chunk for p in pieces1[t]] for chunk in chunks1]
    own2 = [[p for t in chunk for p in pieces2[t]] for chunk in chunks2]
    sets1, sets2 = [frozenset(own) for own in own1], [frozenset(own) for own in own2]
    bare1 = [all(wordless(tokens1[t]) for t in chunk) for chunk in chunks1]
    bare2 = [all(wordless(tokens2[t]) for t in chunk) for chunk in chunks2]
    out = np.zeros((n1, n2, len(SURFACE)), np.float32)
    for i in range(n1):
        place1 = (i + 0.5) / n1
        for j in range(n2):
            common = len(sets1[i] & sets2[j])
            place2 = (j + 0.5) / n2
            out[i, j] = (
                common / len(sets1[i]),
                common / len(sets2[j]),
                own1[i] == own2[j],
                pieces1[chunks1[i][-1]] == pieces2[chunks2[j][-1]],
                pieces1[chunks1[i][0]] == pieces2[chunks2[j][0]],
                place1,
                place2,
                place1 - place2,
                abs(place1 - place2),
                i == 0 and j == 0,
                i == n1 - 1 and j == n2 - 1,
                np.log(len(chunks1[i])),
                np.log(len(chunks2[j])),
                np.log(n1),
                np.log(n2),
                bare1[i],
                bare2[j],
            )
    return out
