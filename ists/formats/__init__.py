"""Files of aligned sentence pairs: one module per format, with a common interface.

A format module has ``scan(stream, name)``, which yields each pair with its problems,
``write(pairs, stream)`` and ``render(pair)``. Modules are imported only when their format is used,
because XML needs lxml, which would slow down the start of `ists score`.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ists.errors import FormatError
from ists.files import STANDARD_STREAM, atomic_output, open_input
from ists.formats.problems import REPEATED_ID, Scanned, faults_of, reject_unknown, valid_pairs
from ists.pairs import Edition, SentencePair, brief

PAIR_FORMATS = ("wa", "jsonl", "xml")
BRACKETS = "brackets"
_EXTENSIONS = {".wa": "wa", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "xml", ".txt": BRACKETS}


class Rendering(NamedTuple):
    """The parts of a file of pairs: head, rendered pairs, foot."""

    head: bytes
    pair: Callable[[SentencePair], bytes]
    foot: bytes


def format_of(path: str | Path) -> str:
    """Return the format of a file by its extension."""
    suffix = Path(path).suffix.lower()
    if suffix in _EXTENSIONS:
        return _EXTENSIONS[suffix]
    raise FormatError(
        f"unknown format '{suffix or path}', expected {', '.join(sorted(_EXTENSIONS))} "
        "or a format by name",
        str(path),
    )


def pair_format_of(path: str | Path) -> str:
    """Return the format of a file of pairs by its extension."""
    format = format_of(path)
    if format == BRACKETS:
        expected = sorted(name for name, one in _EXTENSIONS.items() if one in PAIR_FORMATS)
        raise FormatError(
            f"'{Path(path).suffix}' is not an extension of aligned pairs, "
            f"expected {', '.join(expected)} or a format by name",
            str(path),
        )
    return format


def shown_name(path: str | Path) -> str:
    """Return the name of a file for messages."""
    return "<stdin>" if str(path) == STANDARD_STREAM else str(path)


def scan(path: str | Path, format: str | None = None) -> Iterator[Scanned]:
    """Yield each pair of a file with its problems; an invalid pair does not stop the reading."""
    module = _module(format or pair_format_of(path), shown_name(path))
    with open_input(path) as stream:
        yield from module.scan(stream, shown_name(path))


def read(
    path: str | Path, format: str | None = None, edition: Edition = "2015"
) -> Iterator[SentencePair]:
    """Yield the pairs of a file; the first invalid pair raises a `FormatError`."""
    reject_unknown(edition)
    return valid_pairs(scan(path, format), edition)


def write(
    pairs: Iterable[SentencePair],
    path: str | Path,
    format: str | None = None,
    edition: Edition = "2015",
) -> None:
    """Write pairs to a file atomically.

    Pairs that `read` would reject by the rules of the edition raise a `FormatError`.
    """
    if isinstance(pairs, SentencePair) or not isinstance(pairs, Iterable):
        raise TypeError(f"pairs is {brief(pairs)}, expected a list or another iterable of pairs")
    reject_unknown(edition)
    writer = writer_for(format or pair_format_of(path))
    with atomic_output(path) as stream:
        try:
            writer(_readable(pairs, str(path), edition), stream)
        except FormatError as error:
            raise error if error.file else FormatError(error.reason, str(path)) from None


def _readable(pairs: Iterable[SentencePair], file: str, edition: Edition) -> Iterator[SentencePair]:
    """Yield the pairs; raise a `FormatError` for one that could not be read back."""
    seen: set[str] = set()
    for pair in pairs:
        if not isinstance(pair, SentencePair):
            raise TypeError(f"a pair is {brief(pair)}, expected a SentencePair")
        for fault in faults_of(pair, edition):
            # The line the pair was read from is in another file, so it is not reported.
            raise FormatError(f"pair {pair.id}: {fault.reason}", file)
        if pair.id in seen:
            raise FormatError(f"pair {pair.id}: {REPEATED_ID}", file)
        seen.add(pair.id)
        yield pair


def writer_for(format: str) -> Callable[[Iterable[SentencePair], BinaryIO], None]:
    """Return the function that writes pairs in a format to an open file."""
    writer: Callable[[Iterable[SentencePair], BinaryIO], None] = _module(format).write
    return writer


def rendering(format: str) -> Rendering:
    """Return head, foot and pair renderer of a format, for writing pairs one by one."""
    module = _module(format)
    return Rendering(getattr(module, "HEAD", b""), module.render, getattr(module, "FOOT", b""))


def _module(format: str, file: str = "") -> Any:
    if format not in PAIR_FORMATS:
        raise FormatError(
            f"'{format}' is not a pair format, expected {', '.join(PAIR_FORMATS)}", file
        )
    return import_module(f"ists.formats.{format}")
