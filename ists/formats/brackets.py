"""Bracketed chunks, one sentence a line: ``[ A cat ] [ sits ] [ . ]``.

Brackets stand alone between spaces, as in the official files. A closing bracket may name the
chunk's type (``[ A cat ]/NP``), which `parse` passes over. A token that looks like a bracket is
written with a backslash before it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ists.errors import FormatError
from ists.formats.text import decode, encode, numbered_lines, refuse_endless, shown
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair, commented

_BRACKET_TOKEN = re.compile(r"\\*(?:\[|\](?:/\w+)?)")
_CLOSING = re.compile(r"\](?:/\w+)?")
_EXPECTED = "expected '[ A cat ] [ sits ]'"

Chunks = tuple[tuple[str, ...], ...]


def read(stream: BinaryIO, name: str) -> Iterator[Chunks]:
    """The chunks of each line, as tuples of tokens; an empty line is a sentence without chunks."""
    for number, line in numbered_lines(stream):
        try:
            yield parse(decode(refuse_endless(line)))
        except FormatError as error:
            raise FormatError(error.reason, name, number) from None


def parse(line: str) -> Chunks:
    """The chunks of one line."""
    chunks: list[tuple[str, ...]] = []
    current: list[str] | None = None
    for word in line.split():
        if word == "[":
            if current is not None:
                raise FormatError(f"a bracket opens inside a chunk, {_EXPECTED}")
            current = []
        elif _CLOSING.fullmatch(word):
            if current is None:
                raise FormatError(f"a bracket closes but none is open, {_EXPECTED}")
            if not current:
                raise FormatError(f"an empty chunk, {_EXPECTED}")
            chunks.append(tuple(current))
            current = None
        elif current is None:
            raise FormatError(f"{shown(word)} stands outside any chunk, {_EXPECTED}")
        else:
            current.append(word[1:] if word[0] == "\\" and _BRACKET_TOKEN.fullmatch(word) else word)
    if current is not None:
        raise FormatError(f"a bracket is not closed at the end of the line, {_EXPECTED}")
    return tuple(chunks)


def is_bracketed(line: str) -> bool:
    """Whether a line begins as chunks do, so that `parse` is the right reader for it."""
    return line.lstrip().startswith("[ ")


def render(chunks: Iterable[Iterable[str]], types: Iterable[str] | None = None) -> str:
    """The chunks of one sentence as a line, with their types where these are given."""
    bare = [f"[ {' '.join(map(_escaped, chunk))} ]" for chunk in chunks]
    if types is None:
        return " ".join(bare)
    return " ".join(f"{chunk}/{type_}" for chunk, type_ in zip(bare, types, strict=True))


def _escaped(token: str) -> str:
    if not token or token.split() != [token]:
        raise FormatError(f"bracketed chunks cannot hold the token {token!r}")
    return "\\" + token if _BRACKET_TOKEN.fullmatch(token) else token


def write(sentences: Iterable[Chunks], stream: BinaryIO) -> None:
    """Write the chunks of many sentences, one a line."""
    for chunks in sentences:
        stream.write(encode(render(chunks)) + b"\n")


def chunks_of(pair: SentencePair, side: int) -> Chunks:
    """The chunks of one sentence of a pair, as words."""
    sentence, chunks = (
        (pair.sentence1, pair.chunks1) if side == 1 else (pair.sentence2, pair.chunks2)
    )
    if not sentence.words and chunks:
        raise FormatError(f"pair {pair.id}: sentence {side} has no tokens to write as chunks")
    return tuple(tuple(sentence.words[token - 1] for token in chunk.tokens) for chunk in chunks)


def unaligned_pair(pair_id: str, chunks1: Chunks, chunks2: Chunks) -> SentencePair:
    """Two chunked sentences as a pair in which nothing is aligned yet."""
    alone = [
        *(Alignment(chunk, None, Relation.NOALI) for chunk in _positions(chunks1)),
        *(Alignment(None, chunk, Relation.NOALI) for chunk in _positions(chunks2)),
    ]
    sentence1, sentence2 = (
        Sentence.of(token for chunk in chunks for token in chunk) for chunks in (chunks1, chunks2)
    )
    return SentencePair(pair_id, sentence1, sentence2, commented(alone, sentence1, sentence2))


def _positions(chunks: Chunks) -> Iterator[Chunk]:
    end = 0
    for chunk in chunks:
        yield Chunk(tuple(range(end + 1, end + len(chunk) + 1)))
        end += len(chunk)
