"""CSV by RFC 4180: fields separated by commas, optionally quoted.

A quoted field may contain commas, line breaks and doubled quotes. The file is first split into
records, which are parsed separately, so that an error in one does not affect the next.
"""

from collections.abc import Iterable, Iterator, Sequence

from ists.errors import FormatError

_QUOTES = "expected quotes around the whole field, and doubled inside it"


def records(lines: Iterable[tuple[int, bytes]], longest: int) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a file with the number of their first line; blank lines are skipped.

    An unclosed quote would extend to the end of the file, so a record ends at the latest with the
    line that makes it longer than `longest`.
    """
    parts: list[bytes] = []
    begin, size, is_open = 0, 0, False
    for number, line in lines:
        if not parts:
            if not line.strip():
                continue
            begin = number
        parts.append(line)
        size += len(line)
        is_open = _open_after(line, is_open)
        if not is_open or size > longest:
            yield begin, b"".join(parts)
            parts, size, is_open = [], 0, False
    if parts:
        yield begin, b"".join(parts)


def _open_after(line: bytes, is_open: bool) -> bool:
    """Return whether a quoted field continues after a line."""
    at = 0
    while True:
        if not is_open:
            if line[at : at + 1] != b'"':
                at = line.find(b",", at) + 1
                if not at:
                    return False
                continue
            at += 1
        at = line.find(b'"', at) + 1
        if not at:
            return True
        is_open = line[at : at + 1] == b'"'  # a doubled quote
        if not is_open and line[at : at + 1] != b",":
            return False
        at += 1


def is_separated_by_semicolons(records: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Return whether the fields of the first records are separated by semicolons, not commas.

    `cells` are the records' fields if they are separated by commas. Excel writes semicolons in
    many countries, and ``sep=;`` above them if it is told to.
    """
    if records and records[0].strip() == "sep=;":
        return True
    if len(widths := {len(row) for row in cells}) == 1 and widths != {1}:
        return False
    try:
        widths = {len(parse(record, ";")) for record in records}
    except FormatError:
        return False
    return len(widths) == 1 and widths != {1}


def parse(record: str, separator: str = ",") -> list[str]:
    """Parse the fields of one record."""
    text = record.removesuffix("\n").removesuffix("\r")
    fields = []
    at = 0
    while True:
        if text.startswith('"', at):
            field, at = _parse_quoted(text, at + 1)
        else:
            end = text.find(separator, at)
            field, at = (text[at:], len(text)) if end < 0 else (text[at:end], end)
            if '"' in field:
                raise FormatError(f"a quote inside a field without quotes, {_QUOTES}")
        fields.append(field)
        if at >= len(text):
            return fields
        if text[at] != separator:
            raise FormatError(f"{text[at]!r} after a closing quote, {_QUOTES}")
        at += 1


def _parse_quoted(text: str, at: int) -> tuple[str, int]:
    """Parse a quoted field from after its opening quote; also return the index after its end."""
    parts = []
    while True:
        end = text.find('"', at)
        if end < 0:
            raise FormatError(f"a quote is not closed, {_QUOTES}")
        parts.append(text[at:end])
        if not text.startswith('"', end + 1):
            return '"'.join(parts), end + 1
        at = end + 2
