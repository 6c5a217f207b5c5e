"""Load gold and system files and score them pair by pair.

Blocks with malformed lines are also parsed by `ists.formats.wa`, to get the error messages.
"""

import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, BinaryIO, cast

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import read, shown_name, wa
from ists.formats.problems import REPEATED_ID, Problem, in_line_order, problems_of
from ists.garbage import collection_disabled
from ists.pairs import UNFINISHED, SentencePair
from scorer.annotations import annotation_of, read_bytes
from scorer.measures import MATCHES, Annotation, Match, judge_pair
from scorer.report import Report
from scorer.sentences import UNKNOWN, hash_of_pair, other_tokens

Source = str | Path | IO[bytes] | IO[str] | Iterable[SentencePair]


@dataclass(frozen=True)
class Loaded:
    """The annotations of a file by pair id, as the scorer needs them."""

    name: str
    pairs: dict[str, Annotation]
    lines: "array[int]"
    """The line of each pair; 0 if it is unknown."""
    tokens: "array[int]"
    """The hash of each pair's tokens (see `scorer.sentences`)."""
    problems: list[Problem] = field(default_factory=list)
    digest: str = ""
    """The hash of a gold file in the format ``.wa``; empty for others."""
    any_finished: bool = True
    """Whether the annotation of any pair is finished."""


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
    if not gold.any_finished:
        raise no_finished_pair(gold.name)
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
        other_tokens=tuple(_with_other_tokens(gold, system)),
        problems=tuple(system.problems),
    )


def _with_other_tokens(gold: Loaded, system: Loaded) -> Iterator[Problem]:
    expected = dict(zip(gold.pairs, gold.tokens, strict=True))
    for pair_id, tokens, line in zip(system.pairs, system.tokens, system.lines, strict=True):
        wanted = expected.get(pair_id, UNKNOWN)
        if tokens != wanted and UNKNOWN not in (tokens, wanted):
            yield other_tokens(system.name, line or None, pair_id, gold.name)


def no_common_ids(gold: str, ids: Sequence[str], system: str, pairs: int) -> FormatError:
    """Return the error for a file that has none of the gold's pair ids."""
    expected = ", ".join(ids[:3])
    reason = f"none of its {pairs} pair ids is in {gold}: expected ids such as {expected}"
    return FormatError(reason, system)


def no_finished_pair(gold: str) -> FormatError:
    """Return the error for a gold file whose pairs are all unfinished."""
    return FormatError(f'has no finished pair: the status of all is "{UNFINISHED}"', gold)


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
    hashing = Hashing(stream) if as_gold else None  # the signature names the gold alone
    pairs: dict[str, Annotation] = {}
    starts, hashes = array("q"), array("q")
    problems: list[Problem] = []
    any_finished = False
    line = 1
    for data in wa.split(cast(BinaryIO, hashing or stream), name):
        pair_id, annotation, tokens, well_formed, lines = read_bytes(data, name, line, as_gold)
        if pair_id in pairs:
            raise FormatError(f"pair {pair_id}: {REPEATED_ID}", name, line)
        pairs[pair_id] = annotation
        starts.append(line)
        hashes.append(tokens)
        if not well_formed:
            problems += list_problems(*wa.parse(wa.block_of(data, name, line)))
        any_finished = any_finished or wa.block_of(data, name, line).status != UNFINISHED
        line += lines
    digest = hashing.hash.hexdigest() if hashing else ""
    return Loaded(name, pairs, starts, hashes, problems, digest, any_finished)


def list_problems(pair: SentencePair | None, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems of a pair that is scored in spite of them, in line order."""
    found = [*problems, *(problems_of(pair, "2016") if pair is not None else ())]
    return in_line_order(found)


def _load_pairs(source: Iterable[SentencePair], name: str) -> Loaded:
    pairs: dict[str, Annotation] = {}
    lines, hashes = array("q"), array("q")
    problems: list[Problem] = []
    any_finished = False
    for pair in source:
        if pair.id in pairs:
            raise FormatError(f"pair {pair.id}: {REPEATED_ID}", name)
        pairs[pair.id] = annotation_of(pair)
        lines.append(pair.line_of(None) or 0)
        hashes.append(hash_of_pair(pair))
        problems += list_problems(pair, ())
        any_finished = any_finished or pair.status != UNFINISHED
    if not pairs:
        raise FormatError("no sentence pair to score", name)
    return Loaded(name, pairs, lines, hashes, problems, any_finished=any_finished)
