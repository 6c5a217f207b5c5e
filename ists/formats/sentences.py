"""Sentences and sentence pairs that are still to be worked on.

Pairs are two text files, line i with line i; or one file: TSV (the last two columns are the
sentences), JSONL or Parquet (``sentence1`` and ``sentence2``, or ``tokens1``/``tokens2``, or
``chunks1``/``chunks2`` as lists of lists of tokens; an ``id`` is kept). A pair without an id is
numbered by its line. Sentences stand one a line, or in a column of such a table.

A sentence is text, or chunks where these are given: bracketed (``[ A cat ] [ sits ]``) or in lists.

What ``scan_…`` finds wrong comes as `Refused`, in its place; ``read_…`` raises it.
"""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import brackets, shown_name
from ists.formats.brackets import Chunks
from ists.formats.ids import SeenIds
from ists.formats.problems import REPEATED_ID
from ists.formats.rows import LONGEST, Refused, Row, rows, sound
from ists.formats.text import decode, numbered_lines, shown

PAIR_COLUMNS = ("id", *(f"{key}{n}" for key in ("chunks", "tokens", "sentence") for n in (1, 2)))
_TEXT = "txt"
_TSV = "tsv"


class Given(NamedTuple):
    """One sentence as its file gives it: text, tokens or chunks."""

    text: str | None = None
    tokens: tuple[str, ...] | None = None
    chunks: Chunks | None = None

    def __str__(self) -> str:
        if self.chunks is not None:
            return brackets.render(self.chunks)
        return " ".join(self.tokens) if self.tokens is not None else self.text or ""


class InputPair(NamedTuple):
    """Two sentences to align, and the line they came from."""

    id: str
    sentence1: Given
    sentence2: Given
    line: int
    file: str = ""


class InputSentence(NamedTuple):
    """A sentence to be chunked, and the line it came from."""

    sentence: Given
    line: int
    file: str


def read_two_files(first: str | Path, second: str | Path, bracketed: bool) -> Iterator[InputPair]:
    """Line i of one file with line i of the other."""
    return sound(scan_two_files(first, second, bracketed))


def scan_two_files(
    first: str | Path, second: str | Path, bracketed: bool | None
) -> Iterator[InputPair | Refused]:
    """Line i of one file with line i of the other; files of different length are no pairs.

    Unless it is said, the first line tells if they are bracketed.
    """
    for row1, row2 in (both := zip_longest(rows(first, _TEXT), rows(second, _TEXT))):
        if row1 is None or row2 is None:
            longer = (row1 or row2).line + sum(1 for _ in both)
            shorter = (row1 or row2).line - 1
            counts = (shorter, longer) if row1 is None else (longer, shorter)
            raise unequal((first, counts[0]), (second, counts[1]))
        if bracketed is None:
            bracketed = all(brackets.is_bracketed(decode(row.content)) for row in (row1, row2))
        try:
            sides = _line(row1, bracketed), _line(row2, bracketed)
            yield InputPair(str(row1.line), *sides, row1.line, row1.file)
        except FormatError as error:
            whole = row1.refused(error)
            yield Refused(whole.error, f"{whole.text}\t{row2.refused(error).text}")


def _line(row: Row, bracketed: bool) -> Given:
    try:
        return _parsed(row.text(), bracketed)
    except FormatError as error:
        raise FormatError(error.reason, row.file) from None


def unequal(first: tuple[str | Path, int], second: tuple[str | Path, int]) -> FormatError:
    """The error of two files of different length."""
    return FormatError(
        f"{first[0]} has {first[1]} lines and {second[0]} has {second[1]}: "
        "line i of one goes with line i of the other"
    )


def scan_pairs(
    path: str | Path, format: str, bracketed: bool | None = None
) -> Iterator[InputPair | Refused]:
    """The pairs of a table; unless it is said, they tell themselves if they are bracketed.

    The first line tells it for TSV, each sentence for itself where columns have names.
    """
    if format == _TSV:
        return _scan_tsv(path, bracketed)
    return _scan_records(path, format, bracketed)


def _scan_tsv(path: str | Path, bracketed: bool | None) -> Iterator[InputPair | Refused]:
    for row in rows(path, _TSV):
        try:
            columns = row.columns()[-2:]
            if len(columns) < 2:
                text = shown(decode(columns[0]))
                raise FormatError(f"{text} has no tab, expected two sentences with one between")
            if bracketed is None:
                bracketed = all(brackets.is_bracketed(decode(column)) for column in columns)
            first, second = (_parsed(column, bracketed) for column in columns)
            yield InputPair(str(row.line), first, second, row.line, row.file)
        except FormatError as error:
            yield row.refused(error)


def _scan_records(
    path: str | Path, format: str, bracketed: bool | None
) -> Iterator[InputPair | Refused]:
    with SeenIds() as seen:
        for row in rows(path, format, PAIR_COLUMNS):
            try:
                pair = pair_of(row.record(), row, bracketed)
                if not seen.is_new(pair.id):
                    raise FormatError(f"pair {pair.id}: {REPEATED_ID}")
                yield pair
            except FormatError as error:
                yield row.refused(error)


def pair_of(record: dict[str, Any], row: Row, bracketed: bool | None = None) -> InputPair:
    """A record with the columns of `PAIR_COLUMNS` as a pair."""
    pair_id = record.get("id")
    if pair_id is not None and (isinstance(pair_id, bool) or not isinstance(pair_id, str | int)):
        raise FormatError(f"'id' is {shown(str(pair_id))}, expected a string or a whole number")
    return InputPair(
        str(row.line if pair_id is None else pair_id),
        _side(record, "1", bracketed),
        _side(record, "2", bracketed),
        row.line,
        row.file,
    )


def scan_sentences(
    path: str | Path, format: str = _TEXT, column: str | None = None
) -> Iterator[InputSentence | Refused]:
    """The sentences of a text file, one a line, or of a column of a table.

    The column is a number from 1 for TSV (else the last), a name for JSONL and Parquet (else
    ``sentence``; ``tokens`` may stand in its place).
    """
    text_key = column or "sentence"
    for row in rows(path, format, (text_key, "tokens")):
        try:
            yield InputSentence(_sentence(row, format, column), row.line, row.file)
        except FormatError as error:
            yield row.refused(error)


def _sentence(row: Row, format: str, column: str | None) -> Given:
    if format == _TEXT:
        return _plain(row.text())
    if format == _TSV:
        columns = row.columns()
        place = int(column) if column else len(columns)
        if not 0 < place <= len(columns):
            raise FormatError(f"there are {len(columns)} columns, expected a column {place}")
        return _plain(columns[place - 1])
    record = row.record()
    if column is not None:
        return _text_of(record, column, bracketed=False)
    return _side(record, "", bracketed=False)


def looks_bracketed(path: str | Path) -> bool:
    """Whether the lines of a file are bracketed, so that its chunks are given; all or none are."""
    first: bool | None = None
    with open_input(path) as stream:
        for number, line in numbered_lines(stream, LONGEST):
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
                    shown_name(path),
                    number,
                )
    return bool(first)


def _side(record: dict[str, Any], side: str, bracketed: bool | None) -> Given:
    chunks, tokens = record.get(f"chunks{side}"), record.get(f"tokens{side}")
    if chunks is not None:
        if not _is_list_of(chunks, lambda chunk: _is_list_of(chunk, _is_token) and bool(chunk)):
            raise FormatError(f"'chunks{side}' is no list of lists of tokens")
        return Given(chunks=tuple(tuple(chunk) for chunk in chunks))
    if tokens is not None:
        if not _is_list_of(tokens, _is_token):
            raise FormatError(f"'tokens{side}' is no list of tokens without white space")
        return Given(tokens=tuple(tokens))
    return _text_of(record, f"sentence{side}", bracketed)


def _text_of(record: dict[str, Any], key: str, bracketed: bool | None) -> Given:
    text = record.get(key)
    if not isinstance(text, str):
        raise FormatError(f"no '{key}', expected a string")
    if len(text) > LONGEST:
        raise FormatError(f"'{key}' is longer than a million signs, expected a sentence")
    if bracketed or (bracketed is None and brackets.is_bracketed(text)):
        return Given(chunks=brackets.parse(text))
    return Given(text)


def _is_list_of(value: object, test: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(test(item) for item in value)


def _is_token(value: object) -> bool:
    return isinstance(value, str) and value.split() == [value]


def _parsed(line: bytes, bracketed: bool) -> Given:
    return Given(chunks=brackets.parse(decode(line))) if bracketed else _plain(line)


def _plain(line: bytes) -> Given:
    return Given(decode(line).rstrip("\r\n"))
