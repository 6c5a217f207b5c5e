"""Bracketed chunks, one sentence per line: ``[ A cat ] [ sits ] [ . ]``.

Brackets are separated by spaces, as in the official files. A closing bracket may be followed by the
chunk's type (``[ A cat ]/NP``), which `parse` ignores. A token that looks like a bracket is escaped
with a backslash.

A few lines of the official files of 2016 are malformed: a missing space (``[is``), a bracket that
opens inside a chunk, words outside any bracket, an empty line. `repair` reads such lines as far
as possible and reports what is wrong; `parse` is strict.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from ists.errors import FormatError
from ists.formats.text import decode, encode, numbered_lines, reject_endless, shown
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair, commented

_BRACKET_TOKEN = re.compile(r"\\*(?:\[|\](?:/\w+)?)")
_CLOSING = re.compile(r"\](?:/\w+)?")
_EXPECTED = "expected '[ A cat ] [ sits ]'"
_NOT_CLOSED = f"a bracket is not closed at the end of the line, {_EXPECTED}"
_SHOWN = 200
_WELL_BRACKETED = 9
"""Minimum ratio of lines that begin with a bracket to lines without any, in a bracketed file."""

Chunks = tuple[tuple[str, ...], ...]
Warn = Callable[[FormatError], None]


def read(stream: BinaryIO, name: str, warn: Warn | None = None) -> Iterator[Chunks]:
    """Yield the chunks of each line, as tuples of tokens; an empty line has no chunks.

    A malformed line raises a `FormatError`; if `warn` is given, the line is repaired and the error
    is passed to `warn`.
    """
    for number, line in numbered_lines(stream):
        try:
            text = decode(reject_endless(line))
            found = Repaired(parse(text)) if warn is None else repair(text)
        except FormatError as error:
            raise FormatError(error.reason, name, number) from None
        if warn is not None and found.warning is not None:
            warn(FormatError(found.warning, name, number))
        yield found.chunks


def faults(stream: BinaryIO, name: str) -> Iterator[FormatError]:
    """Yield an error for each malformed line of a file."""
    for number, line in numbered_lines(stream):
        try:
            fault = repair(decode(reject_endless(line))).fault
        except FormatError as error:
            fault = error.reason
        if fault is not None:
            yield FormatError(fault, name, number)


def parse(line: str) -> Chunks:
    """Parse the chunks of one line; raise a `FormatError` if it is malformed."""
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
            raise FormatError(f"{shown(word)} is outside any chunk, {_EXPECTED}")
        else:
            current.append(_unescape(word))
    if current is not None:
        raise FormatError(_NOT_CLOSED)
    return tuple(chunks)


class Repaired(NamedTuple):
    """The chunks of a line, and what is wrong with the line if it was repaired."""

    chunks: Chunks
    fault: str | None = None

    @property
    def warning(self) -> str | None:
        """What is wrong with the line, and how it was read."""
        if self.fault is None or not self.chunks:
            return self.fault
        return f"{self.fault}; read as {shown(render(self.chunks), _SHOWN)}"


def repair(line: str) -> Repaired:
    """Parse the chunks of one line, repairing malformed brackets.

    A bracket that opens inside a chunk ends the chunk before it; words outside any bracket become a
    chunk; empty brackets are dropped. A line that ends inside a chunk may be truncated, so it
    raises a `FormatError`.
    """
    try:
        chunks = parse(line)
    except FormatError as error:
        return Repaired(tuple(_guess_chunks(line)), error.reason)
    return Repaired(chunks, None if chunks else f"an empty line, {_EXPECTED}")


def _guess_chunks(line: str) -> Iterator[tuple[str, ...]]:
    current: list[str] = []
    is_open = False
    for word in line.split():
        for part in _split_brackets(word, is_open):
            if part == "[" or (part[0] == "]" and _CLOSING.fullmatch(part)):
                if current:
                    yield tuple(current)
                current, is_open = [], part == "["
            else:
                current.append(_unescape(part))
    if is_open:
        raise FormatError(_NOT_CLOSED)
    if current:
        yield tuple(current)


def _split_brackets(word: str, is_open: bool) -> Iterator[str]:
    """Split the brackets attached to a word from it."""
    if _BRACKET_TOKEN.fullmatch(word):
        yield word
        return
    for number, piece in enumerate(word.split("][")):
        if number:
            yield from "]["
        inner = piece.lstrip("[")
        before, slash, type_ = inner.rpartition("/")
        if slash and before.endswith("]") and type_.isidentifier():
            inner = before
        bare = inner.rstrip("]")
        if is_open and piece == word and "[" + bare + "]" == word:  # a token such as '[1]'
            yield word
            return
        yield from "[" * (piece[:1] == "[")
        if bare:
            yield bare
        yield from "]" * (bare != inner)


def is_bracketed(line: str) -> bool:
    """Return whether a line begins with an opening bracket and a space."""
    return line.lstrip().startswith("[ ")


@dataclass
class BracketCounter:
    """Counts that decide whether a file is bracketed, with few malformed lines, or plain text."""

    begun: int = 0
    """Lines that begin with a bracket and a space."""
    others: int = 0
    """Other lines with brackets."""
    plain: int = 0
    """Lines without any bracket."""
    different: tuple[int, bool] | None = None
    """The first line that differs from those before, and whether it begins with a bracket."""

    def take(self, number: int, line: str) -> None:
        """Count a line; empty lines are ignored."""
        if not line.strip():
            return
        begins = is_bracketed(line)
        if self.different is None and (self.others + self.plain if begins else self.begun):
            self.different = number, begins
        if begins:
            self.begun += 1
        elif "[" in line or "]" in line:
            self.others += 1
        else:
            self.plain += 1

    @property
    def bracketed(self) -> bool | None:
        """Whether the file is bracketed; None if it is unclear."""
        if not self.begun:
            return False
        if self.begun >= max(self.others, _WELL_BRACKETED * self.plain):
            return True
        return None

    def verdict(self, name: str) -> bool:
        """Return whether the file is bracketed; raise a `FormatError` if it is unclear."""
        bracketed = self.bracketed
        if bracketed is None:
            number, begins = self.different or (None, True)
            raise FormatError(
                f"is {'' if begins else 'not '}bracketed, unlike the lines before: expected "
                "'[ A cat ] [ sits ]' in every line or in none",
                name,
                number,
            )
        return bracketed


def render(chunks: Iterable[Iterable[str]], types: Iterable[str] | None = None) -> str:
    """Render the chunks of one sentence as a line, with their types if given."""
    bare = [f"[ {' '.join(map(_escape, chunk))} ]" for chunk in chunks]
    if types is None:
        return " ".join(bare)
    return " ".join(f"{chunk}/{type_}" for chunk, type_ in zip(bare, types, strict=True))


def _unescape(word: str) -> str:
    return word[1:] if word[0] == "\\" and _BRACKET_TOKEN.fullmatch(word) else word


def _escape(token: str) -> str:
    if not token or token.split() != [token]:
        raise FormatError(f"bracketed chunks cannot hold the token {token!r}")
    return "\\" + token if _BRACKET_TOKEN.fullmatch(token) else token


def write(sentences: Iterable[Chunks], stream: BinaryIO) -> None:
    """Write the chunks of sentences, one sentence per line."""
    for chunks in sentences:
        stream.write(encode(render(chunks)) + b"\n")


def chunks_of(pair: SentencePair, side: int) -> Chunks:
    """Return the chunks of one sentence of a pair, as words.

    Brackets cannot have gaps: each contiguous part of a chunk becomes a chunk of its own.
    """
    sentence, chunks = (
        (pair.sentence1, pair.chunks1) if side == 1 else (pair.sentence2, pair.chunks2)
    )
    if not sentence.words and chunks:
        raise FormatError(f"pair {pair.id}: sentence {side} has no tokens to write as chunks")
    parts = sorted({part for chunk in chunks for part in chunk.parts}, key=lambda one: one.tokens)
    return tuple(tuple(sentence.words[token - 1] for token in part.tokens) for part in parts)


def unaligned_pair(pair_id: str, chunks1: Chunks, chunks2: Chunks) -> SentencePair:
    """Build a pair of two chunked sentences in which all chunks are unaligned (NOALI)."""
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
