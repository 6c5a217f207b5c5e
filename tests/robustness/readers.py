"""All file readers as functions of a path that read to the end or raise an `IstsError`."""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import scorer
from ists import formats
from ists.errors import IstsError
from ists.files import open_input
from ists.formats import brackets, conll, sentences
from ists.runs import journal
from scorer import bws_files, scores
from scorer.wellformed import check
from tests.conftest import EXAMPLES
from tests.robustness.inputs import VALID, valid_table

Reader = Callable[[Path], object]


def _to_the_end(items: Iterable[Any]) -> None:
    deque(items, maxlen=0)


def _pairs(format_: str) -> Reader:
    return lambda path: _to_the_end(formats.read(path, format_))


def _lines(read: Callable[..., Iterable[Any]]) -> Reader:
    def reader(path: Path) -> None:
        with open_input(path) as stream:
            _to_the_end(read(stream, str(path)))

    return reader


def _table(format_: str) -> Reader:
    return lambda path: _to_the_end(sentences.scan_pairs(path, format_))


def _sentences(format_: str) -> Reader:
    return lambda path: _to_the_end(sentences.scan_sentences(path, format_))


def _scored(path: Path) -> None:
    scorer.score(EXAMPLES / "gold.wa", path)


READERS: dict[str, tuple[str, Reader]] = {
    "pairs in .wa": ("wa", _pairs("wa")),
    "pairs in JSONL": ("jsonl", _pairs("jsonl")),
    "pairs in XML": ("xml", _pairs("xml")),
    "the checker, .wa": ("wa", lambda path: check(path, "wa")),
    "the checker, XML": ("xml", lambda path: check(path, "xml")),
    "the scorer": ("wa", _scored),
    "brackets": ("brackets", _lines(brackets.read)),
    "brackets, repaired": (
        "brackets",
        _lines(lambda stream, name: brackets.read(stream, name, lambda _: None)),
    ),
    "faults of brackets": ("brackets", _lines(brackets.faults)),
    "columns": ("conll", _lines(conll.read)),
    "two files": (
        "text",
        lambda path: _to_the_end(sentences.scan_two_files(path, path, bracketed=False)),
    ),
    "two files as they look": (
        "brackets",
        lambda path: _to_the_end(sentences.scan_two_files(path, path, bracketed=None)),
    ),
    "two bracketed files": (
        "brackets",
        lambda path: _to_the_end(sentences.scan_two_files(path, path, bracketed=True)),
    ),
    "are they bracketed": ("brackets", sentences.looks_bracketed),
    "pairs to align, TSV": ("tsv", _table("tsv")),
    "pairs to align, CSV": ("pair records", _table("csv")),
    "pairs to align, chosen columns": (
        "pair records",
        lambda path: _to_the_end(sentences.scan_pairs(path, "csv", columns=("2", "sentence2"))),
    ),
    "pairs to align, JSONL": ("pair lines", _table("jsonl")),
    "pairs to align, Parquet": ("parquet", _table("parquet")),
    "sentences": ("text", _sentences("txt")),
    "sentences, TSV": ("tsv", _sentences("tsv")),
    "sentences, CSV": ("pair records", _sentences("csv")),
    "sentences, JSONL": ("pair lines", _sentences("jsonl")),
    "sentences, Parquet": ("parquet", _sentences("parquet")),
    "scores": ("scores", lambda path: scores.read_scores(path)),
    "best-worst answers": ("csv", lambda path: bws_files.read_annotations(path)),
    "a run's journal": (
        "journal",
        lambda path: journal._parse_journal(path.read_bytes().decode("utf-8", "replace"), path),
    ),
}


def valid_files(kind: str) -> tuple[bytes, ...]:
    return (valid_table(),) if kind == "parquet" else VALID[kind]


def read_anything(reader: Reader, path: Path, data: bytes) -> str | None:
    """Read these bytes with a reader; return the message if it raises an `IstsError`."""
    path.write_bytes(data)
    try:
        reader(path)
    except IstsError as error:
        return str(error)
    return None
