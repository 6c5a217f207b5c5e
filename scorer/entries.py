"""Pairs of files that are too large to be held: read one at a time, judged, shown, forgotten."""

import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from ists.files import open_input
from ists.formats import jsonl, read, shown_name, wa
from ists.formats.problems import Problem, problems_of
from ists.formats.text import encode
from ists.pairs import Origin, SentencePair
from scorer.joining import Source
from scorer.judge import Hashing, annotation_of, complaints, has_records, judged_block
from scorer.measures import Annotation


class Entry(NamedTuple):
    """A pair of a file as it is judged, and as people read it."""

    id: str
    annotation: Annotation
    pair: SentencePair
    problems: tuple[Problem, ...]
    packed: Callable[[], bytes]
    """What `Entries.unpack` makes the same entry of."""


class Entries:
    """The pairs of a file, one at a time; nothing of it is kept."""

    def __init__(self, path: str | Path, as_gold: bool) -> None:
        self.name = shown_name(path)
        self._path = path
        self._as_gold = as_gold
        self._is_wa = not has_records(path)
        self._hash = sha256()

    @property
    def digest(self) -> str:
        """The file's hash, once it was read to its end; none for other formats than ``.wa``."""
        return self._hash.hexdigest() if self._is_wa else ""

    def __iter__(self) -> Iterator[Entry]:
        if not self._is_wa:
            yield from map(self._of_pair, read(self._path))
            return
        with open_input(self._path) as stream:
            hashing = Hashing(stream)
            self._hash = hashing.hash
            for block in wa.blocks(cast(BinaryIO, hashing), self.name):
                yield self._of_block(block)

    def source(self) -> Source[Entry]:
        """The file as it can be joined with others."""
        return Source(
            self.name,
            self,
            lambda entry: entry.packed(),
            self.unpack,
            lambda entry: entry.pair.line_of(None),
        )

    def unpack(self, data: bytes) -> Entry:
        """An entry that was put aside."""
        line, _, text = data.partition(b"\n")
        if self._is_wa:
            (block,) = wa.blocks(io.BytesIO(text), self.name)
            return self._of_block(replace(block, line=int(line)))
        return self._of_pair(unpack_pair(data, self.name))

    def _of_block(self, block: wa.Block) -> Entry:
        annotation, sound = judged_block(block, self._as_gold)
        pair, problems = wa.parse(block)
        assert pair is not None  # noqa: S101 (a block without a header was rejected above)
        return Entry(
            block.id,
            annotation,
            pair,
            () if sound else tuple(complaints(pair, problems)),
            lambda: b"%d\n" % block.line + encode(block.text),
        )

    def _of_pair(self, pair: SentencePair) -> Entry:
        problems = tuple(problems_of(pair, "2016"))
        return Entry(pair.id, annotation_of(pair), pair, problems, lambda: pack_pair(pair))


def pairs_source(pairs: Iterable[SentencePair], name: str) -> Source[SentencePair]:
    """Pairs as they can be joined with others."""
    return Source(
        name,
        pairs,
        pack_pair,
        lambda data: unpack_pair(data, name),
        lambda pair: pair.line_of(None),
    )


def pack_pair(pair: SentencePair) -> bytes:
    """A pair as bytes, its line included, to be put aside and taken back."""
    return b"%d\n" % (pair.origin.line if pair.origin else 0) + jsonl.render(pair)


def unpack_pair(data: bytes, name: str) -> SentencePair:
    """A pair that was put aside."""
    line, _, text = data.partition(b"\n")
    return jsonl.from_record(json.loads(text), Origin(name, int(line)))
