"""The trained chunker: from tokens to the pilot's chunks.

One pass of the network predicts three things for every token: whether a chunk begins there, its
CoNLL-2000 chunk tag, and its part of speech. The first gives the chunks, the other two their types.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from ists.chunker.iob import best_tags
from ists.chunker.types import chunk_type
from ists.encoder import LONGEST, EncoderInput, Network, words_of
from ists.errors import ModelError
from ists.models import Model, open_model
from ists.pairs import Chunk, as_tokens
from ists.stages import stage

DEFAULT_MODEL = "chunker"
KIND = "chunker"
_OUTPUTS = ("start", "iob", "pos")
_CONTEXT = 32
"""Maximum context of a window in tokens, on either side of those whose logits are used."""
_CONTEXT_PIECES = (LONGEST - 2) // 5
"""Maximum context in word pieces, so that most of a window remains for tokens that it predicts."""
_SENTENCES_AHEAD = 32

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class ChunkedSentence:
    """A chunked sentence; types and parts of speech are computed on first access."""

    tokens: tuple[str, ...]
    starts: tuple[bool, ...]
    iob_scores: Logits
    pos_scores: Logits
    iob_tags: tuple[str, ...]
    pos_tags: tuple[str, ...]

    @property
    def chunks(self) -> tuple[tuple[str, ...], ...]:
        """The chunks as words."""
        return tuple(self.tokens[begin:end] for begin, end in self._spans)

    @cached_property
    def pos(self) -> tuple[str, ...]:
        """The part of speech of each token (Penn Treebank tags)."""
        return tuple(self.pos_tags[index] for index in self.pos_scores.argmax(-1))

    @cached_property
    def iob(self) -> tuple[str, ...]:
        """The CoNLL-2000 chunk tag of each token."""
        return tuple(best_tags(self.iob_scores, self.iob_tags))

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The type of each chunk."""
        return tuple(
            chunk_type(self.tokens[begin:end], self.iob[begin:end], self.pos[begin:end])
            for begin, end in self._spans
        )

    def positions(self, types: bool = False) -> tuple[Chunk, ...]:
        """Return the chunks as token numbers from 1, as in `SentencePair`."""
        names = self.types if types else (None,) * len(self._spans)
        return tuple(
            Chunk(tuple(range(begin + 1, end + 1)), name)
            for (begin, end), name in zip(self._spans, names, strict=True)
        )

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        edges = [position for position, start in enumerate(self.starts) if start]
        return list(pairwise([*edges, len(self.tokens)]))


class Chunker:
    """A loaded chunker model."""

    def __init__(self, model: Model, threads: int = 0) -> None:
        self.model = model
        try:
            self._iob_tags = tuple(model.card["labels"]["iob"])
            self._pos_tags = tuple(model.card["labels"]["pos"])
        except (KeyError, TypeError):
            raise ModelError(f"{model.folder}: its card does not name the labels") from None
        self._words = words_of(model)
        self._network = Network(model.file("network.onnx"), self._words, threads)

    @classmethod
    def load(cls, name: str = DEFAULT_MODEL, *, threads: int = 0) -> "Chunker":
        """Load a shipped model by name, or any model by its folder."""
        return cls(open_model(name, KIND), threads)

    def chunk(self, tokens: Sequence[str]) -> ChunkedSentence:
        """Chunk one sentence."""
        return next(self.chunk_many([tokens]))

    def chunk_many(
        self, sentences: Iterable[Sequence[str]], batch_size: int = 32
    ) -> Iterator[ChunkedSentence]:
        """Chunk many sentences, in order, with a limited number of batches in memory.

        A sentence longer than the network's maximum length is processed in overlapping windows, so
        that every token is predicted with context on both sides.
        """
        waiting = (
            as_tokens(sentence, f"sentence {number}")
            for number, sentence in enumerate(sentences, start=1)
        )
        while block := list(islice(waiting, batch_size * _SENTENCES_AHEAD)):
            with stage("word pieces"):
                windows = [self._windows(tokens) for tokens in block]
            inputs = [encoded for some in windows for encoded, _, _ in some]
            with stage("encoder"):
                logits = iter(self._network.run(inputs, _OUTPUTS, batch_size))
            for tokens, some in zip(block, windows, strict=True):
                parts = [[output[begin:end] for output in next(logits)] for _, begin, end in some]
                yield self._assemble(tokens, parts)

    def _assemble(self, tokens: tuple[str, ...], parts: list[list[Logits]]) -> ChunkedSentence:
        start, iob, pos = (
            (np.concatenate(rows) if len(rows) > 1 else rows[0])
            for rows in zip(*parts, strict=True)
        )
        starts = (start > 0).tolist()
        starts[:1] = [True] * bool(tokens)
        return ChunkedSentence(tokens, tuple(starts), iob, pos, self._iob_tags, self._pos_tags)

    def _windows(self, tokens: Sequence[str]) -> list[tuple[EncoderInput, int, int]]:
        """Return windows that cover a sentence, each with the token range whose logits are used."""
        whole = self._words.encode(tokens)
        if len(whole.pieces) <= LONGEST:
            return [(whole, 0, len(tokens))]
        windows = []
        begin = answered = 0
        while answered < len(tokens):
            end = self._farthest_end(tokens, begin)
            until = end if end == len(tokens) else self._context_start(tokens, end)
            encoded = self._words.encode(tokens[begin:end])
            windows.append((encoded, answered - begin, until - begin))
            answered, begin = until, self._context_start(tokens, until)
        return windows

    def _context_start(self, tokens: Sequence[str], place: int) -> int:
        """Return the first token of the context that ends before `place`."""
        remaining = _CONTEXT_PIECES
        begin = place
        while begin > max(0, place - _CONTEXT):
            remaining -= len(self._words.of(tokens[begin - 1]))
            if remaining < 0:
                break
            begin -= 1
        return begin

    def _farthest_end(self, tokens: Sequence[str], begin: int) -> int:
        remaining = LONGEST - 2
        end = begin
        while end < len(tokens) and remaining >= len(self._words.of(tokens[end])):
            remaining -= len(self._words.of(tokens[end]))
            end += 1
        return end
