"""The compact WordNet table: its columns and its file format.

The file is three lines of text and a payload::

    ists-wordnet 2
    <sha256 of everything after this line>
    <one line of JSON: the source's version and hashes, the columns' names, types and sizes>
    <the columns; integers are little-endian>

Nothing is compressed: every command that aligns reads the table, and unpacking it would take longer
than everything else that reading does. The format cannot execute code.
"""

import hashlib
import json
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from operator import eq
from pathlib import Path
from typing import Any, overload

from ists.compiled import kernels
from ists.errors import ModelError
from ists.files import atomic_output

MAGIC = b"ists-wordnet 2\n"
_TEXT = "text"
_SIZES = {"B": 1, "H": 2, "I": 4}


class SynsetEdge(IntEnum):
    """Kinds of edges between synsets; inverse edges are not stored."""

    HYPERNYM = 1
    INSTANCE_HYPERNYM = 2
    HOLONYM = 3
    SIMILAR = 4
    VERB_GROUP = 5
    ENTAILMENT = 6
    CAUSE = 7
    ATTRIBUTE = 8
    SEE_ALSO = 9
    ANTONYM = 10


class SenseEdge(IntEnum):
    """Kinds of edges between senses, that is, between words in a synset."""

    ANTONYM = 1
    DERIVATION = 2
    PERTAINYM = 3


LEXICOGRAPHER_FILES = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
]


class WordList(Sequence[str]):
    """Sorted words in one text, for the extension: as a list of strings they take 12 MB more."""

    def __init__(self, text: memoryview) -> None:
        import numpy as np  # when a table is read: importing the lexicon stays cheap

        self._text = bytes(text)
        str(self._text, "utf-8")  # raises a ValueError if it is not UTF-8
        ends = np.flatnonzero(np.frombuffer(self._text, np.uint8) == ord("\n"))
        self._starts = np.concatenate(([0], ends + 1, [len(text) + 1])).astype(np.uint32)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[k] for k in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        return self._text[self._starts[at] : self._starts[at + 1] - 1].decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self._text.decode().split("\n"))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WordList):
            return self._text == other._text
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def place(self, word: str) -> int:
        """Return the index of a word, or -1."""
        if kernels is None:  # a list that was unpickled where the extension is turned off
            return _bisected(self, word)
        place: int = kernels.place_of_word(self._text, self._starts, word)
        return place


def place_of(words: Sequence[str], word: str) -> int:
    """Return the index of a word in sorted words, or -1."""
    return words.place(word) if isinstance(words, WordList) else _bisected(words, word)


def _bisected(words: Sequence[str], word: str) -> int:
    at = bisect_left(words, word)
    return at if at < len(words) and words[at] == word else -1


@dataclass(frozen=True, slots=True)
class WordTable:
    """WordNet as columns.

    Words are sorted. The senses of a word are consecutive, most frequent first within a part of
    speech. The edges of a synset or sense are found by the offsets in ``…_start``.
    """

    words: Sequence[str]
    sense_start: "array[int]"  # offsets by word, with the total at the end
    sense_synset: "array[int]"
    sense_count: "array[int]"  # how often the sense was tagged in WordNet's corpora
    synset_file: "array[int]"  # index into LEXICOGRAPHER_FILES
    synset_breadth: "array[int]"  # number of synsets below it
    synset_edge_start: "array[int]"
    synset_edge_kind: "array[int]"
    synset_edge_target: "array[int]"
    sense_edge_start: "array[int]"
    sense_edge_kind: "array[int]"
    sense_edge_target: "array[int]"
    exceptions: dict[str, dict[str, tuple[str, ...]]]  # part of speech → inflected → base forms
    source: dict[str, Any]


# Types of the integer columns.
_COLUMN_TYPES = {
    "sense_start": "I",
    "sense_synset": "I",
    "sense_count": "H",
    "synset_file": "B",
    "synset_breadth": "I",
    "synset_edge_start": "I",
    "synset_edge_kind": "B",
    "synset_edge_target": "I",
    "sense_edge_start": "I",
    "sense_edge_kind": "B",
    "sense_edge_target": "I",
}


def write_table(table: WordTable, path: str | Path) -> None:
    """Write the table; the same bytes for the same table."""
    parts = {"words": "\n".join(table.words).encode()}
    for name, kind in _COLUMN_TYPES.items():
        parts[name] = _little_endian(array(kind, getattr(table, name))).tobytes()
    parts["exceptions"] = _exception_lines(table.exceptions).encode()
    columns = [
        {"name": name, "type": _COLUMN_TYPES.get(name, _TEXT), "size": len(part)}
        for name, part in parts.items()
    ]
    header = {"columns": columns, "source": table.source}
    line = json.dumps(header, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    body = line + b"".join(parts.values())
    with atomic_output(path) as stream:
        stream.write(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def read_table(path: str | Path) -> WordTable:
    """Read a table; raise a `ModelError` if it is missing, of another format or damaged."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelError(f"{path}: the word table cannot be read: {reason.lower()}") from None
    if not content.startswith(MAGIC):
        raise ModelError(f"{path}: not a word table of ists (run `make lexicon` to build one)")
    # Without copies of the content, which would remain in the process's memory.
    begin = content.find(b"\n", len(MAGIC)) + 1
    body = memoryview(content)[begin:]
    if hashlib.sha256(body).hexdigest().encode() != content[len(MAGIC) : begin - 1]:
        raise ModelError(f"{path}: the word table is damaged (its sha256 does not match)")
    try:
        end_of_line = content.index(b"\n", begin) + 1 - begin
        return _parse_body(json.loads(bytes(body[:end_of_line])), body[end_of_line:])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelError(f"{path}: the word table is malformed ({error})") from None


def _parse_body(header: dict[str, Any], payload: memoryview) -> WordTable:
    raw: dict[str, memoryview] = {}
    at = 0
    for column in header["columns"]:
        end = at + int(column["size"])
        if not at <= end <= len(payload):
            raise ValueError(f"column {column['name']} is truncated")
        raw[column["name"]] = payload[at:end]
        at = end
    columns: dict[str, Any] = {
        name: _integers(kind, raw[name]) for name, kind in _COLUMN_TYPES.items()
    }
    table = WordTable(
        words=_parse_words(raw["words"]),
        exceptions=_parse_exceptions(str(raw["exceptions"], "utf-8")),
        source=header["source"],
        **columns,
    )
    _check_sizes(table)
    return table


def _parse_words(text: memoryview) -> Sequence[str]:
    if not len(text):
        return []
    return str(text, "utf-8").split("\n") if kernels is None else WordList(text)


def _check_sizes(table: WordTable) -> None:
    """Validate lengths and indices once, since lookups do not check them."""
    senses, synsets = len(table.sense_synset), len(table.synset_file)
    expected = {
        "sense_start": len(table.words) + 1,
        "sense_count": senses,
        "synset_breadth": synsets,
        "synset_edge_start": synsets + 1,
        "synset_edge_kind": table.synset_edge_start[-1],
        "synset_edge_target": table.synset_edge_start[-1],
        "sense_edge_start": senses + 1,
        "sense_edge_kind": table.sense_edge_start[-1],
        "sense_edge_target": table.sense_edge_start[-1],
    }
    for name, size in expected.items():
        if len(getattr(table, name)) != size:
            raise ValueError(f"column {name} has the wrong length")
    limits = {
        "sense_synset": synsets,
        "synset_edge_target": synsets,
        "sense_edge_target": senses,
        "synset_file": len(LEXICOGRAPHER_FILES),
        "synset_edge_kind": max(SynsetEdge) + 1,
        "sense_edge_kind": max(SenseEdge) + 1,
    }
    import numpy as np  # when a table is read: importing the lexicon stays cheap

    for name, limit in limits.items():
        values = np.asarray(getattr(table, name))
        if len(values) and values.max() >= limit:
            raise ValueError(f"column {name} points outside the table")
    for name in ("sense_start", "synset_edge_start", "sense_edge_start"):
        offsets = np.asarray(getattr(table, name))
        if offsets[0] or (offsets[1:] < offsets[:-1]).any():
            raise ValueError(f"column {name} does not ascend")
    if table.sense_start[-1] != senses:
        raise ValueError("column sense_start does not cover the senses")


def _little_endian(values: "array[int]") -> "array[int]":
    """Swap the bytes of integers on a big-endian machine."""
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _integers(kind: str, stored: memoryview) -> "array[int]":
    values = array(kind)
    if values.itemsize != _SIZES[kind]:  # no platform CPython supports today
        raise ValueError(f"this platform's integers of type {kind} have an unexpected size")
    values.frombytes(stored)  # raises a ValueError if these are not whole integers
    return _little_endian(values)


def _exception_lines(exceptions: Mapping[str, Mapping[str, Iterable[str]]]) -> str:
    return "\n".join(
        "\t".join((pos, inflected, *bases))
        for pos, forms in sorted(exceptions.items())
        for inflected, bases in sorted(forms.items())
    )


def _parse_exceptions(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    exceptions: dict[str, dict[str, tuple[str, ...]]] = {pos: {} for pos in "nvar"}
    for line in text.split("\n") if text else ():
        pos, inflected, *bases = line.split("\t")
        exceptions[pos][inflected] = tuple(bases)
    return exceptions


if {field.name for field in fields(WordTable)} != {
    "words",
    "exceptions",
    "source",
    *_COLUMN_TYPES,
}:  # pragma: no cover
    raise AssertionError("every column of WordTable needs a type on disk")
