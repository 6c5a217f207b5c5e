"""Load gold and system files and score them pair by pair.

The scorer accepts what the official program accepts: unknown labels, scores out of range and
non-numeric tokens are counted as it counts them and reported as problems. For that reason, and for
speed, files are not read with `ists.formats.wa.parse`; it is called only for blocks with malformed
lines, to get the error messages.
"""

import io
import re
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
from ists.pairs import LINK_SIGN, SentencePair
from scorer.measures import (
    MATCHES,
    NO_TOKENS,
    PUNCTUATION,
    Annotation,
    Link,
    Lone,
    Match,
    Tokens,
    judge_pair,
)
from scorer.report import Report

Source = str | Path | IO[bytes] | IO[str] | Iterable[SentencePair]

_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_PUNCTUATION_TOKEN = re.compile(
    r"\n[ \t]*([0-9]{1,9})[ \t]+[" + re.escape("".join(sorted(PUNCTUATION))) + r"][ \t]*:[ \t\r]*$",
    re.MULTILINE,
)
_LARGEST_NUMBER = 1e9

_known: dict[str, Link | Lone] = {}
"""The alignments of well-formed lines by what precedes their comments.

Chunks, labels and scores repeat a lot, within a file and between system and gold: nearly every line
is found here.
"""
_MOST_KNOWN = 1 << 16


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
    for block in wa.blocks(cast(BinaryIO, hashing), name):
        annotation, well_formed = read_block(block, as_gold)
        if block.id in pairs:
            raise FormatError(f"pair {block.id}: {REPEATED_ID}", name, block.line)
        pairs[block.id] = annotation
        if not well_formed:
            problems += list_problems(*wa.parse(block))
    return Loaded(name, pairs, problems, hashing.hash.hexdigest())


def read_block(block: wa.Block, as_gold: bool) -> tuple[Annotation, bool]:
    """Return a block's annotation and whether all its lines are well-formed.

    Raises a `FormatError` if the block has no alignment section or no valid header.
    """
    section = block.section("alignment")
    if section is None or block.fault is not None:
        reason = f"pair {block.id}: {block.what_is_missing()}" if block.id else block.fault
        raise FormatError(reason or "", block.file, block.line)
    links, lone, well_formed = _read_alignments(section)
    punctuation1, punctuation2 = _punctuation(block) if as_gold else (NO_TOKENS, NO_TOKENS)
    annotation = Annotation(links, lone, punctuation1, punctuation2)
    return annotation, well_formed and block.has_one_alignment_section


def list_problems(pair: SentencePair | None, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems of a pair that is scored in spite of them."""
    yield from problems
    if pair is not None:
        yield from problems_of(pair, "2016")


def _read_alignments(section: str) -> tuple[tuple[Link, ...], tuple[Lone, ...], bool]:
    links, lone = [], []
    all_well_formed = True
    for line in section.split("\n"):
        alignment = _known.get(line.rpartition("//")[0])
        if alignment is None:
            alignment, well_formed = _read_line(line)
            all_well_formed = all_well_formed and well_formed
        if isinstance(alignment, Link):
            links.append(alignment)
        elif alignment is not None:
            lone.append(alignment)
    return tuple(links), tuple(lone), all_well_formed


def _read_line(line: str) -> tuple[Link | Lone | None, bool]:
    """Parse a line; also return whether it is well-formed."""
    fields = line.split("//", 3)
    if len(fields) < 3:
        return None, not line.strip()
    alignment, well_formed = _read_alignment(fields[0], fields[1], fields[2])
    start = "//".join(fields[:3])
    # A line without a comment, or with "//" in it, would be looked up by another start.
    if well_formed and alignment is not None and start == line.rpartition("//")[0]:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[start] = alignment
    return alignment, well_formed


def _read_alignment(sides: str, label: str, score: str) -> tuple[Link | Lone | None, bool]:
    """Parse the first three fields of a line; also return whether they are well-formed."""
    chunks = sides.split(LINK_SIGN)
    if len(chunks) != 2:
        return None, False
    tokens1, tokens2 = map(_tokens, chunks)
    labels = frozenset(label.strip().upper().split("_"))
    well_formed = _is_well_formed(f"{sides}//{label}//{score}")
    if tokens1 and tokens2:
        return Link.of(tokens1, tokens2, labels, _number(score)), well_formed
    return Lone(1 if tokens1 else 2, tokens1 or tokens2, labels), well_formed


def _is_well_formed(line: str) -> bool:
    try:
        alignment = wa.parse_alignment(line)
    except FormatError:
        return False
    return not any(alignment.problems())


def _tokens(text: str) -> Tokens:
    numbers = (int(_number(word)) for word in text.split())
    return frozenset(number for number in numbers if number)


def _number(text: str) -> float:
    """Parse a number as the official program does: the numeric prefix of the text, or 0."""
    found = _NUMBER.match(text)
    value = float(found[1]) if found else 0.0
    return max(-_LARGEST_NUMBER, min(_LARGEST_NUMBER, value))


def _punctuation(block: wa.Block) -> tuple[Tokens, Tokens]:
    """Return the positions of both sentences' punctuation."""
    usual = block.usual
    if usual is not None:  # mostly neither sentence has any, which one search for both shows
        begin, end = usual.start("source") - 1, usual.end("translation")
        if _PUNCTUATION_TOKEN.search(block.text, begin, end) is None:
            return NO_TOKENS, NO_TOKENS
    return _punctuation_of(block.section("source")), _punctuation_of(block.section("translation"))


def _punctuation_of(section: str | None) -> Tokens:
    found = _PUNCTUATION_TOKEN.findall("\n" + section) if section else ()
    return frozenset(map(int, found)) if found else NO_TOKENS


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


def annotation_of(pair: SentencePair) -> Annotation:
    """Return the parts of a pair that are scored."""
    links, lone = [], []
    for alignment in pair.alignments:
        tokens1, tokens2 = (
            frozenset(chunk.tokens if chunk else ())
            for chunk in (alignment.chunk1, alignment.chunk2)
        )
        labels = frozenset(alignment.label.split("_"))
        if tokens1 and tokens2:
            links.append(Link.of(tokens1, tokens2, labels, alignment.score or 0.0))
        else:
            lone.append(Lone(1 if tokens1 else 2, tokens1 or tokens2, labels))
    punctuation = (
        frozenset(n for n, token in enumerate(s.tokens or (), start=1) if token in PUNCTUATION)
        for s in (pair.sentence1, pair.sentence2)
    )
    return Annotation(tuple(links), tuple(lone), *punctuation)
