"""The trained chunker: tokens in, the pilot's chunks out.

One reading of a sentence answers three questions for every token: does a chunk of ours begin here,
what is its CoNLL-2000 chunk tag, what is its part of speech. The first decides the chunks, the
other two give them types.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from ists.chunker.iob import best_tags
from ists.chunker.types import chunk_type
from ists.encoder import LONGEST, Network, Unit, words_of
from ists.errors import ModelError
from ists.models import Model, open_model
from ists.pairs import Chunk
from ists.stages import stage

DEFAULT_MODEL = "chunker"
KIND = "chunker"
_OUTPUTS = ("start", "iob", "pos")
_CONTEXT = 32
"""Tokens a window reads on either side of those it answers for."""
_SENTENCES_AHEAD = 32

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class ChunkedSentence:
    """A sentence cut into chunks; types and parts of speech are worked out when asked for."""

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
        """The part of speech of each token, by the Penn Treebank's tags."""
        return tuple(self.pos_tags[index] for index in self.pos_scores.argmax(-1))

    @cached_property
    def iob(self) -> tuple[str, ...]:
        """The CoNLL-2000 chunk tag of each token, in that corpus' own scheme."""
        return tuple(best_tags(self.iob_scores, self.iob_tags))

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The type of each chunk."""
        return tuple(
            chunk_type(self.tokens[begin:end], self.iob[begin:end], self.pos[begin:end])
            for begin, end in self._spans
        )

    def positions(self, types: bool = False) -> tuple[Chunk, ...]:
        """The chunks as token numbers, as sentence pairs hold them."""
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
    """A chunker model, loaded once."""

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
    def load(cls, name: str = DEFAULT_MODEL, threads: int = 0) -> "Chunker":
        """A shipped model by name, or any by its folder."""
        return cls(open_model(name, KIND), threads)

    def chunk(self, tokens: Sequence[str]) -> ChunkedSentence:
        """Cut one sentence."""
        return next(self.chunk_many([tokens]))

    def chunk_many(
        self, sentences: Iterable[Sequence[str]], batch_size: int = 32
    ) -> Iterator[ChunkedSentence]:
        """Cut many sentences, in their order, holding a few batches at a time.

        A sentence longer than the network reads at once is read in windows that overlap, so that
        every token is judged with words on both sides of it.
        """
        waiting = iter(sentences)
        while block := list(islice(waiting, batch_size * _SENTENCES_AHEAD)):
            with stage("word pieces"):
                windows = [self._windows(tokens) for tokens in block]
            units = [unit for some in windows for unit, _, _ in some]
            with stage("encoder"):
                logits = iter(self._network.run(units, _OUTPUTS, batch_size))
            for tokens, some in zip(block, windows, strict=True):
                parts = [[output[begin:end] for output in next(logits)] for _, begin, end in some]
                yield self._assembled(tuple(tokens), parts)

    def _assembled(self, tokens: tuple[str, ...], parts: list[list[Logits]]) -> ChunkedSentence:
        start, iob, pos = (
            (np.concatenate(rows) if len(rows) > 1 else rows[0])
            for rows in zip(*parts, strict=True)
        )
        starts = (start > 0).tolist()
        starts[:1] = [True] * bool(tokens)
        return ChunkedSentence(tokens, tuple(starts), iob, pos, self._iob_tags, self._pos_tags)

    def _windows(self, tokens: Sequence[str]) -> list[tuple[Unit, int, int]]:
        """Units that cover a sentence, and which of their tokens each answers for."""
        whole = self._words.unit(tokens)
        if len(whole.pieces) <= LONGEST:
            return [(whole, 0, len(tokens))]
        windows = []
        begin = answered = 0
        while answered < len(tokens):
            end = self._farthest_end(tokens, begin)
            if end <= answered:  # words of many pieces: no room for what was read before
                begin, end = answered, self._farthest_end(tokens, answered)
            until = end if end == len(tokens) else max(answered + 1, end - _CONTEXT)
            unit = self._words.unit(tokens[begin:end])
            windows.append((unit, answered - begin, until - begin))
            answered, begin = until, max(0, until - _CONTEXT)
        return windows

    def _farthest_end(self, tokens: Sequence[str], begin: int) -> int:
        room = LONGEST - 2
        end = begin
        while end < len(tokens) and room >= len(self._words.of(tokens[end])):
            room -= len(self._words.of(tokens[end]))
            end += 1
        return end
