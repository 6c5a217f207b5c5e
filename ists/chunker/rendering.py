"""Output formats of chunked sentences: brackets, CoNLL columns, JSONL."""

from collections.abc import Callable
from typing import Any, Protocol

from ists.formats import brackets
from ists.formats.jsonl import line_of
from ists.formats.text import encode


class Chunked(Protocol):
    """A chunked sentence."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens."""

    @property
    def pos(self) -> tuple[str, ...]:
        """The part of speech of each token."""

    @property
    def chunks(self) -> tuple[tuple[str, ...], ...]:
        """The chunks as words."""

    @property
    def types(self) -> tuple[str, ...]:
        """The type of each chunk."""


def _as_brackets(sentence: Chunked, types: bool) -> bytes:
    return encode(brackets.render(sentence.chunks, sentence.types if types else None)) + b"\n"


def _as_conll(sentence: Chunked, types: bool) -> bytes:
    """One line per token (token, part of speech, IOB tag), then an empty line."""
    lines = []
    position = 0
    for chunk, type_ in zip(sentence.chunks, sentence.types, strict=True):
        for index, token in enumerate(chunk):
            mark = "I" if index else "B"
            tag = f"{mark}-{type_}" if types else mark
            lines.append(f"{token} {sentence.pos[position]} {tag}\n")
            position += 1
    return encode("".join(lines)) + b"\n"


def _as_jsonl(sentence: Chunked, types: bool) -> bytes:
    chunks = [list(chunk) for chunk in sentence.chunks]
    record: dict[str, Any] = {"tokens": list(sentence.tokens), "chunks": chunks}
    if types:
        record |= {"types": list(sentence.types), "pos": list(sentence.pos)}
    return line_of(record)


RENDERERS: dict[str, Callable[[Chunked, bool], bytes]] = {
    "brackets": _as_brackets,
    "conll": _as_conll,
    "jsonl": _as_jsonl,
}
CHUNK_FORMATS = tuple(RENDERERS)
