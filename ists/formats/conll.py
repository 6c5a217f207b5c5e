"""CoNLL-2000 format: token, part of speech and chunk tag; an empty line after each sentence."""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ists.errors import FormatError
from ists.formats.text import decode, numbered_lines, reject_endless, shown

_COLUMNS = 3
_TAG = re.compile(r"O|[BI]-\S+")


class TaggedSentence(NamedTuple):
    """Tokens with their parts of speech and IOB chunk tags."""

    tokens: tuple[str, ...]
    pos: tuple[str, ...]
    iob: tuple[str, ...]


def read(stream: BinaryIO, name: str) -> Iterator[TaggedSentence]:
    """Yield the sentences of a file."""
    rows: list[list[str]] = []
    found_any = False
    for number, line in numbered_lines(stream):
        try:
            columns = decode(reject_endless(line)).split()
        except FormatError as error:
            raise FormatError(error.reason, name, number) from None
        if columns and len(columns) != _COLUMNS:
            reason = f"{shown(decode(line))}, expected token, part of speech and chunk tag"
            raise FormatError(reason, name, number)
        if columns and not _TAG.fullmatch(columns[-1]):
            reason = f"{shown(columns[-1])} is not a chunk tag, expected O, B-TYPE or I-TYPE"
            raise FormatError(reason, name, number)
        if columns:
            rows.append(columns)
        elif rows:
            yield _sentence(rows)
            found_any, rows = True, []
    if rows:
        yield _sentence(rows)
    elif not found_any:
        raise FormatError("no sentence found, expected CoNLL-2000's columns", name)


def _sentence(rows: list[list[str]]) -> TaggedSentence:
    tokens, pos, iob = zip(*rows, strict=True)
    return TaggedSentence(tokens, pos, iob)
