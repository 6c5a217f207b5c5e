"""Files of aligned sentence pairs: one module a format, one way to read and write them all.

A format module offers ``scan(stream, name)``, which yields each pair with its problems,
``write(pairs, stream)`` and ``render(pair)``. Modules are imported when their format is used: XML
needs lxml, and `ists score` should not wait for it.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ists.errors import FormatError
from ists.files import STANDARD_STREAM, atomic_output, open_input
from ists.formats.problems import Scanned, sound_pairs
from ists.pairs import Edition, SentencePair

PAIR_FORMATS = ("wa", "jsonl", "xml")
BRACKETS = "brackets"
_EXTENSIONS = {".wa": "wa", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "xml", ".txt": BRACKETS}


class Rendering(NamedTuple):
    """A file of pairs in its parts."""

    head: bytes
    pair: Callable[[SentencePair], bytes]
    foot: bytes


def format_of(path: str | Path) -> str:
    """The format a file name promises."""
    suffix = Path(path).suffix.lower()
    if suffix in _EXTENSIONS:
        return _EXTENSIONS[suffix]
    raise FormatError(
        f"no format is known for '{suffix or path}', expected {', '.join(sorted(_EXTENSIONS))} "
        "or a format by name",
        str(path),
    )


def shown_name(path: str | Path) -> str:
    """What messages call a file."""
    return "<stdin>" if str(path) == STANDARD_STREAM else str(path)


def scan(path: str | Path, format: str | None = None) -> Iterator[Scanned]:
    """Read a file of pairs and go on past its faults, giving each pair with its problems."""
    module = _module(format or format_of(path), shown_name(path))
    with open_input(path) as stream:
        yield from module.scan(stream, shown_name(path))


def read(
    path: str | Path, format: str | None = None, edition: Edition = "2015"
) -> Iterator[SentencePair]:
    """Read the pairs of a file, one at a time; the first fault raises a `FormatError`."""
    return sound_pairs(scan(path, format), edition)


def write(pairs: Iterable[SentencePair], path: str | Path, format: str | None = None) -> None:
    """Write pairs to a file, which appears whole or not at all."""
    writer = writer_for(format or format_of(path))
    with atomic_output(path) as stream:
        writer(pairs, stream)


def writer_for(format: str) -> Callable[[Iterable[SentencePair], BinaryIO], None]:
    """The function that writes pairs in a format to an open file."""
    writer: Callable[[Iterable[SentencePair], BinaryIO], None] = _module(format).write
    return writer


def rendering(format: str) -> Rendering:
    """How to write pairs one by one, wherever each is made."""
    module = _module(format)
    return Rendering(getattr(module, "HEAD", b""), module.render, getattr(module, "FOOT", b""))


def _module(format: str, file: str = "") -> Any:
    if format not in PAIR_FORMATS:
        raise FormatError(
            f"'{format}' holds no sentence pairs, expected {', '.join(PAIR_FORMATS)}", file
        )
    return import_module(f"ists.formats.{format}")
