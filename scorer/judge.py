"""Load gold and system files and score them pair by pair.

Blocks with malformed lines are also parsed by `ists.formats.wa`, to get the error messages.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, BinaryIO, cast

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import read, shown_name, wa
from ists.formats.problems import REPEATED_ID, Problem, problems_of
from ists.garbage import collection_disabled
from ists.pairs import SentencePair
from scorer.annotations import annotation_of, read_bytes
from scorer.measures import MATCHES, Annotation, Match, judge_pair
from scorer.report import Report

Source = str | Path | IO[bytes] | IO[str] | Iterable[SentencePair]


@dataclass(frozen=True)
class Loaded:
    """The annotations of a file by pair id, as the scorer needs them."""

    name: str
    pairs: dict[str, Annotation]
    problems: list[Problem] = field(default_factory=list)
    digest: str = ""


def load(source: Source, as_gold: bool = True, name: str | None = None) -> Loaded:
    """Read a gold or system file, so that it can be scored several times.

    Tokens are read from the gold only, to find its punctuation; a system file needs none. JSONL and
    XML files are recognised by their extension; everything else is read as ``.wa``.
    """
    if isinstance(source, str | Path):
        if has_records(source):
            return _load_pairs(read(source), name or shown_name(source))
        with open_input(source) as file, collection_disabled():
            return _load_stream(file, name or shown_name(source), as_gold)
    if hasattr(source, "read"):
        stream = cast("IO[bytes] | IO[str]", source)
        name = name or str(getattr(stream, "name", "<stream>"))
        return _load_stream(_binary(stream), name, as_gold)
    return _load_pairs(source, name or "<pairs>")


def score(gold: Source | Loaded, system: Source | Loaded, match: Match = "strict") -> Report:
    """Score a system's alignments against the gold's.

    Pairs are matched by id. All links of a gold pair that the system lacks count as missed; all
    links of a pair that the gold lacks count as wrong.
    """
    if match not in MATCHES:
        raise ValueError(f"match is {match!r}, expected one of {', '.join(MATCHES)}")
    if not isinstance(gold, Loaded):
        gold = load(gold)
    if not isinstance(system, Loaded):
        system = load(system, as_gold=False)
    if gold.pairs.keys().isdisjoint(system.pairs):
        raise no_common_ids(gold.name, list(gold.pairs), system.name, len(system.pairs))
    nothing = Annotation()
    unknown = tuple(pair_id for pair_id in system.pairs if pair_id not in gold.pairs)
    with collection_disabled():
        pairs = (
            *[
                judge_pair(pair_id, annotation, system.pairs.get(pair_id, nothing), match)
                for pair_id, annotation in gold.pairs.items()
            ],
            *[judge_pair(pair_id, nothing, system.pairs[pair_id], match) for pair_id in unknown],
        )
    return Report(
        gold=gold.name,
        digest=gold.digest,
        system=system.name,
        match=match,
        pairs=pairs,
        missing=tuple(pair_id for pair_id in gold.pairs if pair_id not in system.pairs),
        unknown=unknown,
        problems=tuple(system.problems),
    )


def no_common_ids(gold: str, ids: Sequence[str], system: str, pairs: int) -> FormatError:
    """Return the error for a file that has none of the gold's pair ids."""
    expected = ", ".join(ids[:3])
    reason = f"none of its {pairs} pair ids is in {gold}: expected ids such as {expected}"
    return FormatError(reason, system)


def has_records(path: str | Path) -> bool:
    """Return whether a file has another format than ``.wa``, by its extension."""
    return str(path).lower().endswith((".jsonl", ".xml"))


def _binary(stream: "IO[bytes] | IO[str]") -> BinaryIO:
    if isinstance(stream, io.TextIOBase):
        buffer = getattr(stream, "buffer", None)
        if buffer is not None:
            return cast(BinaryIO, buffer)
        return io.BytesIO(stream.read().encode("utf-8", "surrogateescape"))
    return cast(BinaryIO, stream)


class Hashing(io.RawIOBase):
    """Stream wrapper that computes the hash of the bytes while they are read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.hash = sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.hash.update(data)
        return data


def _load_stream(stream: BinaryIO, name: str, as_gold: bool) -> Loaded:
    hashing = Hashing(stream)
    pairs: dict[str, Annotation] = {}
    problems: list[Problem] = []
    line = 1
    for data in wa.split(cast(BinaryIO, hashing), name):
        pair_id, annotation, well_formed, lines = read_bytes(data, name, line, as_gold)
        if pair_id in pairs:
            raise FormatError(f"pair {pair_id}: {REPEATED_ID}", name, line)
        pairs[pair_id] = annotation
        if not well_formed:
            problems += list_problems(*wa.parse(wa.block_of(data, name, line)))
        line += lines
    return Loaded(name, pairs, problems, hashing.hash.hexdigest())


def list_problems(pair: SentencePair | None, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems of a pair that is scored in spite of them."""
    yield from problems
    if pair is not None:
        yield from problems_of(pair, "2016")


def _load_pairs(source: Iterable[SentencePair], name: str) -> Loaded:
    pairs: dict[str, Annotation] = {}
    problems: list[Problem] = []
    for pair in source:
        if pair.id in pairs:
            raise FormatError(f"pair {pair.id}: {REPEATED_ID}", name)
        pairs[pair.id] = annotation_of(pair)
        problems += problems_of(pair, "2016")
    if not pairs:
        raise FormatError("no sentence pair to score", name)
    return Loaded(name, pairs, problems)
