"""A sentence as a row of boxes: its chunks and its words outside all chunks, left to right."""

from collections.abc import Iterator
from dataclasses import dataclass

from ists.explanation.explanation import Explanation
from ists.explanation.wording import words_of
from ists.pairs import Chunk, Sentence


@dataclass(frozen=True, slots=True)
class Box:
    """A chunk, a contiguous part of a chunk with gaps, or words that are in no alignment."""

    side: int
    chunk: Chunk
    text: str
    alignments: tuple[int, ...] = ()
    """Indices of its alignments; in the 2016 edition, a chunk may be in several."""
    is_part: bool = False
    """Whether one of its alignments has further boxes in the sentence: parts of the same chunk."""


def boxes_of(explanation: Explanation, side: int) -> tuple[Box, ...]:
    """Return the boxes of one sentence, ordered by their tokens."""
    boxes = [*_chunks(explanation, side), *_loose_words(explanation, side)]
    return tuple(sorted(boxes, key=lambda box: box.chunk.tokens))


def _chunks(explanation: Explanation, side: int) -> Iterator[Box]:
    pair = explanation.pair
    sentence = pair.sentence1 if side == 1 else pair.sentence2
    places: dict[Chunk, list[int]] = {}
    texts: dict[Chunk, str] = {}
    parted: set[int] = set()
    for place, explained in enumerate(explanation.alignments):
        alignment = explained.alignment
        chunk = alignment.chunk1 if side == 1 else alignment.chunk2
        if chunk is not None:
            whole = explained.text1 if side == 1 else explained.text2
            parts = _parts(chunk, whole, sentence)
            if len(parts) > 1:
                parted.add(place)
            for part, text in parts.items():
                places.setdefault(part, []).append(place)
                texts.setdefault(part, text)
    for part, found in places.items():
        yield Box(side, part, texts[part], tuple(found), not parted.isdisjoint(found))


def _parts(chunk: Chunk, whole: str, sentence: Sentence) -> dict[Chunk, str]:
    """Return the text of each contiguous part of a chunk that has words in the sentence.

    A chunk without gaps, or with words in at most one part, is returned whole.
    """
    if chunk.contiguous:
        return {chunk: whole}
    texts = {part: words_of(part, sentence) for part in chunk.parts}
    parts = {part: text for part, text in texts.items() if text}
    return parts if len(parts) > 1 else {chunk: whole}


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
            yield Box(side, chunk, words_of(chunk, sentence))
            run = []
