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
from typing import Any, NamedTuple

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import brackets
from ists.formats.brackets import Chunks
from ists.formats.problems import REPEATED_ID
from ists.formats.text import decode, shown


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


def read_tsv(path: str | Path, bracketed: bool | None = None) -> Iterator[InputPair]:
    """The last two columns of each line; unless it is said, the first line tells if bracketed."""
    with open_input(path) as stream:
        for number, line in enumerate(stream, start=1):
            columns = line.rstrip(b"\r\n").split(b"\t")[-2:]
            if len(columns) < 2:
                reason = (
                    f"{shown(decode(line))} has no tab, expected two sentences with one between"
                )
                raise FormatError(reason, str(path), number)
            if bracketed is None:
                bracketed = all(brackets.is_bracketed(decode(column)) for column in columns)
            parse = _bracketed if bracketed else _plain
            first, second = (_at(parse, column, path, number) for column in columns)
            yield InputPair(str(number), first, second, number)


def read_jsonl(path: str | Path, bracketed: bool | None = None) -> Iterator[InputPair]:
    """One JSON object a line; unless it is said, each sentence tells if it is bracketed."""
    seen: set[str] = set()
    with open_input(path) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                pair = _json_pair(json.loads(decode(line)), number, bracketed)
                if pair.id in seen:
                    raise FormatError(f"pair {pair.id}: {REPEATED_ID}")
            except (ValueError, RecursionError) as error:
                raise FormatError(f"no JSON: {str(error)[:80]}", str(path), number) from None
            except FormatError as error:
                raise FormatError(error.reason, str(path), number) from None
            seen.add(pair.id)
            yield pair


def _json_pair(record: object, number: int, bracketed: bool | None) -> InputPair:
    if not isinstance(record, dict):
        raise FormatError(f"{shown(str(record))}, expected a JSON object")
    pair_id = record.get("id")
    return InputPair(
        str(number if pair_id is None else pair_id),
        _side(record, 1, bracketed),
        _side(record, 2, bracketed),
        number,
    )


def looks_bracketed(path: str | Path) -> bool:
    """Whether the lines of a file are bracketed, so that its chunks are given; all or none are."""
    first: bool | None = None
    with open_input(path) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            bracketed = brackets.is_bracketed(decode(line))
            if first is None:
                first = bracketed
            elif bracketed != first:
                reason = "is bracketed" if bracketed else "is not bracketed"
                raise FormatError(
                    f"{reason}, unlike the lines before: expected '[ A cat ] [ sits ]' in every "
                    "line or in none",
                    str(path),
                    number,
                )
    return bool(first)


def _side(record: dict[str, Any], side: int, bracketed: bool | None) -> Given:
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
    if bracketed or (bracketed is None and brackets.is_bracketed(text)):
        return Given(chunks=brackets.parse(text))
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
