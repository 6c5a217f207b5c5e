"""Mark each alignment of a file as a hit or a miss against another file.

The marks are for display only; the figures come from `scorer.measures`, which gives partial credit.
"""

from collections.abc import Iterator
from enum import StrEnum

from ists.pairs import Alignment, SentencePair


class Mark(StrEnum):
    """How well the other file matches an alignment."""

    HIT = "hit"  # the same chunks, label and score
    NEAR = "near"  # the same chunks, another label or score
    PART = "part"  # some of its token links, in other chunks
    MISS = "miss"


def marks(pair: SentencePair, other: SentencePair | None) -> tuple[Mark, ...]:
    """Return a mark for each alignment of a pair, in order; all are misses without `other`."""
    if other is None:
        return (Mark.MISS,) * len(pair.alignments)
    same_chunks = {(found.chunk1, found.chunk2): found for found in other.alignments}
    ties = {tie for found in other.alignments for tie in _token_links(found)}
    found = []
    for alignment in pair.alignments:
        same = same_chunks.get((alignment.chunk1, alignment.chunk2))
        if same is not None:
            equal = (same.label, same.score) == (alignment.label, alignment.score)
            found.append(Mark.HIT if equal else Mark.NEAR)
        else:
            part = any(tie in ties for tie in _token_links(alignment))
            found.append(Mark.PART if part else Mark.MISS)
    return tuple(found)


def _token_links(alignment: Alignment) -> Iterator[tuple[int, int]]:
    """Yield the token links of an alignment; an unaligned side is 0, as in ``.wa`` files."""
    for token1 in alignment.chunk1.tokens if alignment.chunk1 else (0,):
        for token2 in alignment.chunk2.tokens if alignment.chunk2 else (0,):
            yield token1, token2
