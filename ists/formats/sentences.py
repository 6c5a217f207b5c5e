"""Input sentences and sentence pairs, not yet aligned.

Pairs are the lines of two text files with the same line numbers, or the rows of one file: TSV or
CSV (see `columns` for which two columns are the sentences), JSONL or Parquet (``sentence1`` and
``sentence2``, or ``tokens1`` and ``tokens2``, or ``chunks1`` and ``chunks2`` as lists of lists of
tokens). A column ``id`` is kept; a pair without an id is numbered. Single sentences are one per
line, or a column of such a table.

A sentence is text, tokens or chunks; chunks are bracketed (``[ A cat ] [ sits ]``) or in lists.
Malformed lines of bracketed files are repaired, and the pair has a warning.

``scan_…`` yields rows with errors as `RejectedItem`, in their place; ``read_…`` raises the error.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import brackets, csv, shown_name
from ists.formats.brackets import BracketCounter, Chunks
from ists.formats.columns import (
    Choice,
    Layout,
    is_header,
    is_number,
    layout_of,
    listed_columns,
    looks_like_header,
    pair_of_names,
    place_of,
)
from ists.formats.ids import SeenIds
from ists.formats.problems import REPEATED_ID
from ists.formats.rows import (
    CSV,
    LONGEST,
    PARQUET,
    TEXT,
    RejectedItem,
    Row,
    open_parquet,
    raise_rejected,
    rows,
)
from ists.formats.text import decode, numbered_lines, reject_unwritable, shown, shown_value

PAIR_COLUMNS = ("id", *(f"{key}{n}" for key in ("chunks", "tokens", "sentence") for n in (1, 2)))
_TSV = "tsv"
_IN_CELLS = (_TSV, CSV)
_FIRST_ROWS = 100
_FIRST_BYTES = 4 << 20
"""Maximum size of the first rows, which are kept in memory to detect the layout of a file."""
_LONGEST_KEY = 20
_LISTED_KEYS = 12
_NAMES_OF_SENTENCES = ("sentence", "text")

Item = TypeVar("Item")


class InputSentence(NamedTuple):
    """An input sentence: text, tokens or chunks."""

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
    sentence1: InputSentence
    sentence2: InputSentence
    line: int
    file: str = ""
    warnings: tuple[str, ...] = ()
    """Messages about how the lines were read, with file and line."""


class InputLine(NamedTuple):
    """A sentence to be chunked, and the line it came from."""

    sentence: InputSentence
    line: int
    file: str
    warnings: tuple[str, ...] = ()
    """Messages about how the line was read, with file and line."""


def read_two_files(first: str | Path, second: str | Path, bracketed: bool) -> Iterator[InputPair]:
    """Yield pairs of the lines with the same number in two files; raise the first error."""
    return raise_rejected(scan_two_files(first, second, bracketed))


def scan_two_files(
    first: str | Path, second: str | Path, bracketed: bool | None
) -> Iterator[InputPair | RejectedItem]:
    """Yield pairs of the lines with the same number in two files, which must have equal lengths.

    If `bracketed` is None, the first lines decide whether the files are bracketed.
    """
    both = zip_longest(rows(first, TEXT), rows(second, TEXT))
    beginning = _take_first(both, lambda pair: sum(len(row.content) for row in pair if row))
    looks = [BracketCounter(), BracketCounter()]
    for pair in beginning:
        for look, row in zip(looks, pair, strict=True):
            if row is not None:
                look.take(row.line, decode(row.content))
    if bracketed is None:
        one, two = (
            (shown_name(file), look.verdict(shown_name(file)))
            for file, look in zip((first, second), looks, strict=True)
        )
        bracketed = alike(one, two)
    read = _Reader(bracketed, all(look.bracketed for look in looks))
    for row1, row2 in (waiting := chain(beginning, both)):
        if row1 is None or row2 is None:
            longer = (row1 or row2).line + sum(1 for _ in waiting)
            shorter = (row1 or row2).line - 1
            counts = (shorter, longer) if row1 is None else (longer, shorter)
            raise unequal_lengths((first, counts[0]), (second, counts[1]))
        try:
            sides = _line(row1, read), _line(row2, read)
            yield _pair(str(row1.line), row1, *sides, row1.warnings + row2.warnings)
        except FormatError as error:
            whole = row1.rejected(error)
            yield RejectedItem(whole.error, f"{whole.text}\t{row2.rejected(error).text}")


class _Reader(NamedTuple):
    """Reads text as bracketed chunks or as plain text."""

    bracketed: bool
    repairs: bool
    """Whether malformed lines are repaired: only if most lines are well-formed."""

    def __call__(self, text: str, file: str, line: int) -> "_Side":
        """Return the sentence, with warnings if it was repaired."""
        if not self.bracketed:
            return _Side(InputSentence(text))
        if not self.repairs:
            return _Side(InputSentence(chunks=brackets.parse(text)))
        found = brackets.repair(text)
        warnings = () if found.warning is None else (str(FormatError(found.warning, file, line)),)
        return _Side(InputSentence(chunks=found.chunks), warnings)


class _Side(NamedTuple):
    sentence: InputSentence
    warnings: tuple[str, ...] = ()


def _pair(pair_id: str, row: Row, one: _Side, two: _Side, warnings: tuple[str, ...]) -> InputPair:
    warnings += one.warnings + two.warnings
    return InputPair(pair_id, one.sentence, two.sentence, row.line, row.file, warnings)


def _line(row: Row, read: _Reader) -> _Side:
    try:
        return read(decode(row.text()).rstrip("\r\n"), row.file, row.line)
    except FormatError as error:
        raise FormatError(error.reason, row.file) from None


def _take_first(items: Iterator[Item], size: Callable[[Item], int]) -> list[Item]:
    """Take the first items of an iterator, up to a number and a total size."""
    some: list[Item] = []
    total = 0
    for item in items:
        some.append(item)
        total += size(item)
        if len(some) >= _FIRST_ROWS or total >= _FIRST_BYTES:
            break
    return some


def alike(first: tuple[str, bool], second: tuple[str, bool]) -> bool:
    """Return whether both sides are bracketed; raise a `FormatError` if only one is."""
    if first[1] == second[1]:
        return first[1]
    (with_, _), (without, _) = (first, second) if first[1] else (second, first)
    raise FormatError(
        f"is bracketed, but {without} is not: expected chunks in both or in none", with_
    )


def unequal_lengths(first: tuple[str | Path, int], second: tuple[str | Path, int]) -> FormatError:
    """Return the error for two files of different length."""
    return FormatError(
        f"{first[0]} has {first[1]} lines and {second[0]} has {second[1]}: "
        "both must have one line per pair, in the same order"
    )


def scan_pairs(
    path: str | Path, format: str, bracketed: bool | None = None, columns: Choice | None = None
) -> Iterator[InputPair | RejectedItem]:
    """Yield the pairs of a table.

    If `bracketed` is None, it is decided by the first rows of TSV and CSV, and for each sentence of
    JSONL and Parquet. `columns` are the two columns of sentences, by name or number (see
    `ists.formats.columns`).
    """
    if format in _IN_CELLS:
        return _scan_cells(path, format, bracketed, columns)
    return _scan_records(path, format, bracketed, columns)


def _scan_cells(
    path: str | Path, format: str, bracketed: bool | None, choice: Choice | None
) -> Iterator[InputPair | RejectedItem]:
    source = rows(path, format)
    beginning, table = _first_cells(source, format)
    try:
        layout = layout_of(table, choice)
        read = _reader(table, layout, bracketed)
    except FormatError as error:
        reason = f"{error.file} {error.reason}" if error.file else error.reason
        line = beginning[error.line or 0].line
        raise FormatError(reason, shown_name(path), line) from None
    if not layout.header and looks_like_header(table, layout.columns):
        beginning[0] = _with_header_warning(beginning[0], table[0], layout.columns)
    with SeenIds() as seen:
        for number, row in enumerate(chain(beginning, source), start=1 - layout.header):
            if not number:
                continue
            try:
                cells = row.cells(format)
                if len(cells) == 1:
                    sign = "tab" if format == _TSV else "comma between columns"
                    raise FormatError(
                        f"{shown(cells[0])} has no {sign}, expected two sentences separated by one"
                    )
                one, two = (read(text, row.file, row.line) for text in layout.sentences(cells))
                pair_id = str(number)
                if layout.id is not None:
                    pair_id = cells[layout.id].strip() or pair_id
                    if not seen.is_new(pair_id):
                        raise FormatError(f"pair {pair_id}: {REPEATED_ID}")
                yield _pair(pair_id, row, one, two, row.warnings)
            except FormatError as error:
                yield row.rejected(error)


def _first_cells(source: Iterator[Row], format: str) -> tuple[list[Row], list[list[str]]]:
    """Take the first rows of TSV or CSV; return them and their cells."""
    beginning = _take_first(source, lambda row: len(row.content))
    table = [_cells_if_any(row, format) for row in beginning]
    if format == CSV and csv.is_separated_by_semicolons(
        [decode(row.content) for row in beginning], table
    ):
        raise FormatError(
            "the columns seem to be separated by semicolons, expected commas: save the table with "
            "commas between the columns, or as TSV",
            beginning[0].file,
            beginning[0].line,
        )
    return beginning, table


def _with_header_warning(row: Row, cells: Sequence[str], columns: tuple[int, int]) -> Row:
    names = ",".join(cells[place].strip() for place in columns)
    reason = (
        f"{shown(names)} was read as a pair, but looks like the names of the columns: if it is, "
        f"skip it with --columns {shlex.quote(names)}"
    )
    return row._replace(warnings=(*row.warnings, str(FormatError(reason, row.file, row.line))))


def _cells_if_any(row: Row, format: str) -> list[str]:
    try:
        return row.cells(format)
    except FormatError:
        return []


def _reader(table: Sequence[Sequence[str]], layout: Layout, bracketed: bool | None) -> _Reader:
    looks = [BracketCounter(), BracketCounter()]
    for number, cells in enumerate(table):
        for look, place in zip(looks, layout.columns, strict=True):
            if place < len(cells) and number >= layout.header:
                look.take(number, cells[place])
    if bracketed is None:
        one, two = (
            (f"column {place + 1}", look.verdict(f"column {place + 1}"))
            for place, look in zip(layout.columns, looks, strict=True)
        )
        bracketed = alike(one, two)
    return _Reader(bracketed, all(look.bracketed for look in looks))


def _scan_records(
    path: str | Path, format: str, bracketed: bool | None, choice: Choice | None
) -> Iterator[InputPair | RejectedItem]:
    keys = record_keys(path, format, choice)
    with SeenIds() as seen:
        for row in rows(path, format, wanted_columns(keys)):
            try:
                pair = pair_of(row.record(), row, bracketed, keys)
                if not seen.is_new(pair.id):
                    raise FormatError(f"pair {pair.id}: {REPEATED_ID}")
                yield pair
            except FormatError as error:
                yield row.rejected(error)


def record_keys(path: str | Path, format: str, choice: Choice | None) -> Choice | None:
    """Return the names of the two text columns of JSONL or Parquet; None for `PAIR_COLUMNS`."""
    if format != PARQUET:
        if choice is not None and any(map(is_number, choice)):
            reason = "the columns of JSONL have names, not numbers, expected --columns NAME,NAME"
            raise FormatError(reason, shown_name(path))
        return choice
    with open_parquet(path) as table:
        names = list(table.schema_arrow.names)
    if choice is None and set(PAIR_COLUMNS[1:]) & set(names):
        return None
    try:
        keys = pair_of_names(names, choice)
    except FormatError as error:
        raise FormatError(error.reason, str(path)) from None
    if keys is None:
        reason = f"expected these, or --columns with two of {listed_columns(names)}"
        raise FormatError(f"no 'sentence1' and 'sentence2', {reason}", str(path))
    return keys


def wanted_columns(keys: Choice | None) -> tuple[str, ...]:
    """Return the names of the columns to read."""
    return PAIR_COLUMNS if keys is None else ("id", *keys)


def pair_of(
    record: dict[str, Any],
    row: Row,
    bracketed: bool | None = None,
    keys: Choice | None = None,
) -> InputPair:
    """Convert a record to a pair, from `PAIR_COLUMNS` or from the two text columns `keys`."""
    pair_id = record.get("id")
    if pair_id is not None and (isinstance(pair_id, bool) or not isinstance(pair_id, str | int)):
        raise FormatError(f"'id' is {shown_value(pair_id)}, expected a string or a whole number")
    if isinstance(pair_id, str):
        _reject_unwritable("id", (pair_id,))
    if keys is None:
        one, two = _side(record, "1", bracketed), _side(record, "2", bracketed)
    else:
        one, two = (_text_of(record, key, bracketed) for key in keys)
    pair_id = str(row.line if pair_id is None else pair_id)
    return InputPair(pair_id, one, two, row.line, row.file, row.warnings)


def sentence_of(record: dict[str, Any]) -> InputSentence:
    """Convert a record to a sentence, from ``sentence``, ``tokens`` or ``chunks``."""
    return _side(record, "", bracketed=False)


def scan_sentences(
    path: str | Path, format: str = TEXT, column: str | None = None
) -> Iterator[InputLine | RejectedItem]:
    """Yield the sentences of a text file, one per line, or of a column of a table.

    The column is a name, or in TSV and CSV a number from 1. The default is ``sentence``, or
    ``text`` or else the last column in TSV and CSV. JSONL and Parquet may have ``tokens`` instead.
    """
    if format in _IN_CELLS:
        yield from _scan_column(path, format, column)
        return
    for row in rows(path, format, (column or "sentence", "tokens")):
        try:
            yield InputLine(_sentence(row, format, column), row.line, row.file, row.warnings)
        except FormatError as error:
            yield row.rejected(error)


def _sentence(row: Row, format: str, column: str | None) -> InputSentence:
    if format == TEXT:
        return InputSentence(decode(row.text()).rstrip("\r\n"))
    if column is not None:
        return _text_of(row.record(), column, bracketed=False)
    return sentence_of(row.record())


def _scan_column(
    path: str | Path, format: str, column: str | None
) -> Iterator[InputLine | RejectedItem]:
    source = rows(path, format)
    beginning, table = _first_cells(source, format)
    head = [cell.strip().lower() for cell in table[0]] if table else []
    by_name = column is not None and not is_number(column)
    header = by_name or is_header(table) or any(name in head for name in _NAMES_OF_SENTENCES)
    place = None if column is None or by_name else int(column) - 1
    if by_name and table:
        try:
            place = place_of(str(column), table[0])
        except FormatError as error:
            raise FormatError(error.reason, shown_name(path), beginning[0].line) from None
    elif header and column is None:
        place = next((head.index(name) for name in _NAMES_OF_SENTENCES if name in head), None)
    for number, row in enumerate(chain(beginning, source)):
        if not number and header:
            continue
        try:
            cells = row.cells(format)
            at = len(cells) - 1 if place is None else place
            if not 0 <= at < len(cells):
                raise FormatError(f"{len(cells)} columns, expected a column {at + 1}")
            yield InputLine(InputSentence(cells[at]), row.line, row.file, row.warnings)
        except FormatError as error:
            yield row.rejected(error)


def looks_bracketed(path: str | Path) -> bool:
    """Return whether the lines of a file are bracketed chunks.

    A few malformed lines are allowed; otherwise all lines or none must be bracketed.
    """
    look = BracketCounter()
    with open_input(path) as stream:
        for number, line in numbered_lines(stream, LONGEST):
            look.take(number, decode(line))
    return look.verdict(shown_name(path))


def _side(record: dict[str, Any], side: str, bracketed: bool | None) -> InputSentence:
    chunks, tokens = record.get(f"chunks{side}"), record.get(f"tokens{side}")
    if chunks is not None:
        if not _is_list_of(chunks, lambda chunk: _is_list_of(chunk, _is_token) and bool(chunk)):
            raise FormatError(f"'chunks{side}' is not a list of lists of tokens")
        _reject_unwritable(f"chunks{side}", chain.from_iterable(chunks))
        return InputSentence(chunks=tuple(tuple(chunk) for chunk in chunks))
    if tokens is not None:
        if not _is_list_of(tokens, _is_token):
            raise FormatError(f"'tokens{side}' is not a list of tokens without white space")
        _reject_unwritable(f"tokens{side}", tokens)
        return InputSentence(tokens=tuple(tokens))
    return _text_of(record, f"sentence{side}", bracketed)


def _text_of(record: dict[str, Any], key: str, bracketed: bool | None) -> InputSentence:
    if key not in record:
        raise FormatError(f"no '{key}'{_among(record)}, expected a string")
    text = record[key]
    if not isinstance(text, str):
        raise FormatError(f"'{key}' is {shown_value(text)}, expected a string")
    if len(text) > LONGEST:
        raise FormatError(f"'{key}' is longer than a million characters, expected a sentence")
    _reject_unwritable(key, (text,))
    if bracketed or (bracketed is None and brackets.is_bracketed(text)):
        return InputSentence(chunks=brackets.parse(text))
    return InputSentence(text)


def _among(record: dict[str, Any]) -> str:
    """List the keys of a record, for a message that one is missing."""
    if not record:
        return ""
    names = [shown(str(key), _LONGEST_KEY) for key in islice(record, _LISTED_KEYS)]
    return f" among the keys {', '.join(names)}" + (", …" if len(record) > len(names) else "")


def _reject_unwritable(key: str, texts: Iterable[str]) -> None:
    try:
        for text in texts:
            reject_unwritable(text)
    except FormatError as error:
        raise FormatError(f"'{key}': {error.reason}") from None


def _is_list_of(value: object, test: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(test(item) for item in value)


def _is_token(value: object) -> bool:
    return isinstance(value, str) and value.split() == [value]
