"""Surface features of chunk pairs: shared word pieces, lengths, positions.

Plain numpy, shared by training and by inference.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

import numpy as np

from ists.arrays import Floats
from ists.compiled import kernels

Chunks = Sequence[Sequence[int]]
"""Token positions from 0, one sequence per chunk."""

_CACHED_WORDS = 1 << 16

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


@lru_cache(maxsize=_CACHED_WORDS)
def wordless(token: str) -> bool:
    """Return whether a token has no letter or digit."""
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
    out = np.zeros((n1, n2, len(SURFACE)), np.float32)
    if not (n1 and n2):
        return out
    if kernels is not None:
        kernels.surface(
            *(tuple(map(tuple, chunks1)), [*map(list, pieces1)], [*map(wordless, tokens1)]),
            *(tuple(map(tuple, chunks2)), [*map(list, pieces2)], [*map(wordless, tokens2)]),
            out,
        )
        return out
    seen1, seen2 = _seen(tokens1, pieces1, chunks1), _seen(tokens2, pieces2, chunks2)
    place1, length1, wordless1 = np.array([chunk.alone for chunk in seen1]).T[:, :, None]
    place2, length2, wordless2 = np.array([chunk.alone for chunk in seen2]).T
    apart = place1 - place2
    out[..., :5] = [[a.beside(b) for b in seen2] for a in seen1]
    out[..., 5] = place1
    out[..., 6] = place2
    out[..., 7] = apart
    out[..., 8] = np.abs(apart)
    out[0, 0, 9] = 1
    out[-1, -1, 10] = 1
    out[..., 11] = length1
    out[..., 12] = length2
    out[..., 13] = log(n1)
    out[..., 14] = log(n2)
    out[..., 15] = wordless1
    out[..., 16] = wordless2
    return out


class _Seen(NamedTuple):
    """Surface properties of a chunk."""

    pieces: list[int]
    kinds: frozenset[int]
    first: Sequence[int]
    """The word pieces of the first token."""
    last: Sequence[int]
    alone: tuple[float, float, bool]
    """Position in the sentence, log length, whether it has no letter or digit."""

    def beside(self, other: "_Seen") -> tuple[float, float, bool, bool, bool]:
        """Return the first five features of `SURFACE`."""
        common = len(self.kinds & other.kinds)
        return (
            common / len(self.kinds),
            common / len(other.kinds),
            self.pieces == other.pieces,
            self.last == other.last,
            self.first == other.first,
        )


def _seen(tokens: Sequence[str], pieces: Sequence[Sequence[int]], chunks: Chunks) -> list[_Seen]:
    found = []
    for number, chunk in enumerate(chunks):
        own = [piece for token in chunk for piece in pieces[token]]
        if not own:
            raise ValueError("a chunk without word pieces")
        place, silent = (number + 0.5) / len(chunks), all(wordless(tokens[t]) for t in chunk)
        found.append(
            _Seen(
                own,
                frozenset(own),
                pieces[chunk[0]],
                pieces[chunk[-1]],
                (place, log(len(chunk)), silent),
            )
        )
    return found
