"""Reading what is to be judged, and judging it pair by pair.

The scorer takes what the task's own program takes: labels that do not exist, scores out of range
and tokens that are no numbers are counted as it counts them and reported as problems. Reading is
kept apart from `ists.formats.wa.parse` for that reason and for speed; where a line looks odd,
`parse` is asked for the words of the complaint.
"""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import IO, BinaryIO, cast

from ists.errors import FormatError
from ists.files import open_input
from ists.formats import shown_name, wa
from ists.formats.problems import Problem, problems_of
from ists.pairs import LINK_SIGN, MAX_SCORE, SentencePair
from scorer.measures import (
    PUNCTUATION,
    Annotation,
    Labels,
    Link,
    Lone,
    Match,
    Tokens,
    compare,
)
from scorer.report import Report

Source = str | Path | IO[bytes] | IO[str] | Iterable[SentencePair]

_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_LABELS_OF_LONE = frozenset({"ALIC", "NOALI"})
_PUNCTUATION_TOKEN = re.compile(
    r"\n[ \t]*([0-9]{1,9})[ \t]+[" + re.escape("".join(sorted(PUNCTUATION))) + r"][ \t]*:[ \t\r]*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Loaded:
    """A file in the form the scorer needs, by pair id."""

    name: str
    pairs: dict[str, Annotation]
    problems: list[Problem] = field(default_factory=list)
    digest: str = ""


def load(source: Source, as_gold: bool = True) -> Loaded:
    """Read a file once, to judge it or with it many times.

    Only the gold's tokens are looked at, for its punctuation; a system file needs none.
    """
    if isinstance(source, str | Path):
        with open_input(source) as file:
            return _load_stream(file, shown_name(source), as_gold)
    if hasattr(source, "read"):
        stream = cast("IO[bytes] | IO[str]", source)
        return _load_stream(_binary(stream), str(getattr(stream, "name", "<stream>")), as_gold)
    return _load_pairs(source)


def score(gold: Source | Loaded, system: Source | Loaded, match: Match = "strict") -> Report:
    """Judge a system's alignments by the gold's.

    Pairs are matched by id. A gold pair that the system lacks has all its links missed; a pair that
    the gold does not know has all its links wrong.
    """
    if not isinstance(gold, Loaded):
        gold = load(gold)
    if not isinstance(system, Loaded):
        system = load(system, as_gold=False)
    if gold.pairs.keys().isdisjoint(system.pairs):
        raise FormatError(
            f"none of its {len(system.pairs)} pair ids is in {gold.name}: "
            f"expected ids such as {', '.join(list(gold.pairs)[:3])}",
            system.name,
        )
    nothing = Annotation()
    unknown = tuple(pair_id for pair_id in system.pairs if pair_id not in gold.pairs)
    return Report(
        gold=gold.name,
        digest=gold.digest,
        system=system.name,
        match=match,
        pairs=tuple(
            compare(
                pair_id,
                gold.pairs.get(pair_id, nothing),
                system.pairs.get(pair_id, nothing),
                match,
            )
            for pair_id in (*gold.pairs, *unknown)
        ),
        missing=tuple(pair_id for pair_id in gold.pairs if pair_id not in system.pairs),
        unknown=unknown,
        problems=tuple(system.problems),
    )


def _binary(stream: "IO[bytes] | IO[str]") -> BinaryIO:
    if isinstance(stream, io.TextIOBase):
        buffer = getattr(stream, "buffer", None)
        if buffer is not None:
            return cast(BinaryIO, buffer)
        return io.BytesIO(stream.read().encode("utf-8", "surrogateescape"))
    return cast(BinaryIO, stream)


class _Hashing(io.RawIOBase):
    """Passes a stream's bytes on and keeps their hash, so that a file is read only once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.hash = sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.hash.update(data)
        return data


def _load_stream(stream: BinaryIO, name: str, as_gold: bool) -> Loaded:
    hashing = _Hashing(stream)
    pairs: dict[str, Annotation] = {}
    problems: list[Problem] = []
    for block in wa.blocks(cast(BinaryIO, hashing), name):
        _refuse_repeated(block.id, pairs, name, block.line)
        links, lone, odd = _read_alignments(block.alignment_section())
        punctuation = _punctuation(block.text) if as_gold else ()
        pairs[block.id] = Annotation(links, lone, *punctuation)
        if odd:
            problems += _complaints(block)
    return Loaded(name, pairs, problems, hashing.hash.hexdigest())


def _complaints(block: wa.Block) -> Iterator[Problem]:
    scanned = wa.parse(block)
    yield from scanned.problems
    yield from problems_of(scanned.pair, "2016")


def _read_alignments(section: str) -> tuple[tuple[Link, ...], tuple[Lone, ...], bool]:
    links, lone = [], []
    odd = False
    for line in section.split("\n"):
        fields = line.split("//", 3)
        if len(fields) < 3:
            odd = odd or bool(line.strip())
            continue
        alignment, sound = _read_alignment(fields[0], fields[1], fields[2])
        if isinstance(alignment, Link):
            links.append(alignment)
        elif alignment is not None:
            lone.append(alignment)
        if not sound:
            odd = True
    return tuple(links), tuple(lone), odd


@lru_cache(maxsize=1 << 16)
def _read_alignment(sides: str, label: str, score: str) -> tuple[Link | Lone | None, bool]:
    """What a line's three fields come to, and whether they are sound.

    Chunks, labels and scores repeat a lot, within a file and from system to gold: nearly every
    line is found in the cache.
    """
    chunks = sides.split(LINK_SIGN)
    if len(chunks) != 2:
        return None, False
    (tokens1, sound1), (tokens2, sound2) = map(_tokens, chunks)
    labels, sound_label = _labels(label.strip())
    value, sound_score = _score(score.strip())
    sound = sound1 and sound2 and sound_label and sound_score
    if tokens1 and tokens2:
        sound = sound and labels.isdisjoint(_LABELS_OF_LONE) and score.strip() != "NIL"
        return Link.of(tokens1, tokens2, labels, value), sound
    sound = sound and bool(labels & _LABELS_OF_LONE) and bool(tokens1 or tokens2)
    return Lone(1 if tokens1 else 2, tokens1 or tokens2, labels), sound


def _tokens(text: str) -> tuple[Tokens, bool]:
    words = text.split()
    numbers = [int(_number(word)) for word in words]
    if words == ["0"]:
        return frozenset(), True
    plain = all(word.isascii() and word.isdigit() for word in words)
    sound = bool(words) and plain and all(numbers)
    return frozenset(number for number in numbers if number), sound


def _labels(text: str) -> tuple[Labels, bool]:
    try:
        wa.parse_label(text)
        sound = True
    except FormatError:
        sound = False
    return frozenset(text.upper().split("_")), sound


def _score(text: str) -> tuple[float, bool]:
    value = _number(text)
    plain = text.isascii() and text.replace(".", "", 1).isdigit() and text[0] != "."
    return value, text == "NIL" or (plain and 0 <= value <= MAX_SCORE)


def _number(text: str) -> float:
    """A number as the task's program takes it: what a text begins with, and 0 without one."""
    found = _NUMBER.match(text)
    value = float(found[1]) if found else 0.0
    return value if abs(value) < 1e9 else 0.0


def _punctuation(text: str) -> tuple[Tokens, Tokens]:
    border = text.find("<translation>")
    middle = border if border >= 0 else len(text)
    return (
        frozenset(map(int, _PUNCTUATION_TOKEN.findall(text, 0, middle))),
        frozenset(map(int, _PUNCTUATION_TOKEN.findall(text, middle))),
    )


def _load_pairs(source: Iterable[SentencePair]) -> Loaded:
    pairs: dict[str, Annotation] = {}
    for pair in source:
        _refuse_repeated(pair.id, pairs, "<pairs>", None)
        pairs[pair.id] = _annotation(pair)
    if not pairs:
        raise FormatError("no sentence pair to judge", "<pairs>")
    return Loaded("<pairs>", pairs)


def _annotation(pair: SentencePair) -> Annotation:
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


def _refuse_repeated(
    pair_id: str, pairs: dict[str, Annotation], name: str, line: int | None
) -> None:
    if pair_id in pairs:
        raise FormatError(
            f"pair {pair_id}: this id stands in the file before, expected each id once", name, line
        )
