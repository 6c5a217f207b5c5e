"""A sentence as a row of boxes: its chunks and its words outside all chunks, left to right."""

from collections.abc import Iterator
from dataclasses import dataclass

from ists.explanation.explanation import Explanation
from ists.pairs import Chunk


@dataclass(frozen=True, slots=True)
class Box:
    """A chunk, or consecutive words that are in no alignment."""

    side: int
    chunk: Chunk
    text: str
    alignments: tuple[int, ...] = ()
    """Indices of its alignments; in the 2016 edition, a chunk may be in several."""


def boxes_of(explanation: Explanation, side: int) -> tuple[Box, ...]:
    """Return the boxes of one sentence, ordered by their tokens."""
    boxes = [*_chunks(explanation, side), *_loose_words(explanation, side)]
    return tuple(sorted(boxes, key=lambda box: box.chunk.tokens))


def _chunks(explanation: Explanation, side: int) -> Iterator[Box]:
    places: dict[Chunk, list[int]] = {}
    for place, explained in enumerate(explanation.alignments):
        alignment = explained.alignment
        chunk = alignment.chunk1 if side == 1 else alignment.chunk2
        if chunk is not None:
            places.setdefault(chunk, []).append(place)
    for chunk, found in places.items():
        first = explanation.alignments[found[0]]
        yield Box(side, chunk, first.text1 if side == 1 else first.text2, tuple(found))


def _loose_words(explanation: Explanation, side: int) -> Iterator[Box]:
    pair = explanation.pair
    chunks, sentence = (
        (pair.chunks1, pair.sentence1) if side == 1 else (pair.chunks2, pair.sentence2)
    )
    used = {token for chunk in chunks for token in chunk.tokens}
    run: list[int] = []
    for token in range(1, len(sentence.words) + 2):
        if token <= len(sentence.words) and token not in used:
            run.append(token)
        elif run:
            chunk = Chunk(tuple(run))
            yield Box(side, chunk, chunk.text(sentence.words))
            run = []
