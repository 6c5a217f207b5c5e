"""Sentence pairs that are still to be aligned.

Two text files, line i with line i; or one file: TSV (the last two columns are the sentences) or
JSONL (``sentence1`` and ``sentence2``, or ``tokens1``/``tokens2``, or ``chunks1``/``chunks2`` as
lists of lists of tokens; an ``id`` is kept). A pair without an id is numbered by its line.

A sentence is text, or chunks where these are given: bracketed (``[ A cat ] [ sits ]``) or in JSONL.
"""

import json
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import brackets
from ists.formats.brackets import Chunks
from ists.formats.text import decode, shown

ChunkSource = Literal["auto", "given"]


class Given(NamedTuple):
    """One sentence as its file gives it: text, tokens or chunks."""

    text: str | None = None
    tokens: tuple[str, ...] | None = None
    chunks: Chunks | None = None


class InputPair(NamedTuple):
    """Two sentences to align, and the line they came from."""

    id: str
    sentence1: Given
    sentence2: Given
    line: int


def read_two_files(first: str | Path, second: str | Path, bracketed: bool) -> Iterator[InputPair]:
    """Line i of one file with line i of the other."""
    parse = _bracketed if bracketed else _plain
    with open_input(first) as stream1, open_input(second) as stream2:
        lines = zip_longest(stream1, stream2)
        for number, (line1, line2) in enumerate(lines, start=1):
            if line1 is None or line2 is None:
                raise _unequal(first, second, number, line1 is None, lines)
            yield InputPair(
                str(number),
                _at(parse, line1, first, number),
                _at(parse, line2, second, number),
                number,
            )


def read_tsv(path: str | Path, bracketed: bool = False) -> Iterator[InputPair]:
    """The last two columns of each line."""
    parse = _bracketed if bracketed else _plain
    with open_input(path) as stream:
        for number, line in enumerate(stream, start=1):
            columns = line.rstrip(b"\r\n").split(b"\t")
            if len(columns) < 2:
                reason = (
                    f"{shown(decode(line))} has no tab, expected two sentences with one between"
                )
                raise FormatError(reason, str(path), number)
            first, second = (_at(parse, column, path, number) for column in columns[-2:])
            yield InputPair(str(number), first, second, number)


def read_jsonl(path: str | Path) -> Iterator[InputPair]:
    """One JSON object a line."""
    with open_input(path) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(decode(line))
                if not isinstance(record, dict):
                    raise FormatError(f"{shown(decode(line))}, expected a JSON object")
                yield InputPair(
                    str(record.get("id", number)), _side(record, 1), _side(record, 2), number
                )
            except (ValueError, RecursionError) as error:
                raise FormatError(f"no JSON: {str(error)[:80]}", str(path), number) from None
            except FormatError as error:
                raise FormatError(error.reason, str(path), number) from None


def looks_bracketed(path: str | Path) -> bool:
    """Whether every non-empty line of a file is bracketed, so that its chunks are given."""
    with open_input(path) as stream:
        lines = [brackets.is_bracketed(decode(line)) for line in stream if line.strip()]
    return bool(lines) and all(lines)


def _side(record: dict[str, Any], side: int) -> Given:
    chunks, tokens, text = (record.get(f"{key}{side}") for key in ("chunks", "tokens", "sentence"))
    if chunks is not None:
        if not _is_list_of(chunks, lambda chunk: _is_list_of(chunk, _is_token) and bool(chunk)):
            raise FormatError(f"'chunks{side}' is no list of lists of tokens")
        return Given(text, chunks=tuple(tuple(chunk) for chunk in chunks))
    if tokens is not None:
        if not _is_list_of(tokens, _is_token):
            raise FormatError(f"'tokens{side}' is no list of tokens without white space")
        return Given(text, tokens=tuple(tokens))
    if not isinstance(text, str):
        raise FormatError(f"no 'sentence{side}', expected a string")
    return Given(text)


def _is_list_of(value: object, test: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(test(item) for item in value)


def _is_token(value: object) -> bool:
    return isinstance(value, str) and value.split() == [value]


def _plain(line: bytes) -> Given:
    return Given(decode(line).rstrip("\r\n"))


def _bracketed(line: bytes) -> Given:
    return Given(chunks=brackets.parse(decode(line)))


def _at(parse: Callable[[bytes], Given], line: bytes, path: str | Path, number: int) -> Given:
    try:
        return parse(line)
    except FormatError as error:
        raise FormatError(error.reason, str(path), number) from None


def _unequal(
    first: str | Path, second: str | Path, number: int, first_ended: bool, rest: Iterator[Any]
) -> FormatError:
    longer = number + sum(1 for _ in rest)
    counts = (number - 1, longer) if first_ended else (longer, number - 1)
    return FormatError(
        f"{first} has {counts[0]} lines and {second} has {counts[1]}: "
        "line i of one goes with line i of the other"
    )
