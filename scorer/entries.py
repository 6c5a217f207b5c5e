"""Sentence pairs of files that are too large for memory, read one at a time."""

import io
import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from ists.files import open_input
from ists.formats import jsonl, read, shown_name, wa
from ists.formats.problems import Problem
from ists.formats.text import encode
from ists.pairs import Origin, SentencePair
from scorer.annotations import annotation_of, read_block
from scorer.joining import Source
from scorer.judge import Hashing, has_records, list_problems
from scorer.measures import Annotation


class Entry(NamedTuple):
    """A sentence pair together with its annotation in the scorer's form."""

    id: str
    annotation: Annotation
    pair: SentencePair
    problems: tuple[Problem, ...]
    pack: Callable[[], bytes]
    """Serialise the entry for `Entries.unpack`."""


class Entries:
    """Iterable of a file's entries; none is kept in memory."""

    def __init__(self, path: str | Path, as_gold: bool) -> None:
        self.name = shown_name(path)
        self._path = path
        self._as_gold = as_gold
        self._is_wa = not has_records(path)
        self._hash = sha256()

    @property
    def digest(self) -> str:
        """The file's hash after it was read to the end; empty for formats other than ``.wa``."""
        return self._hash.hexdigest() if self._is_wa else ""

    def __iter__(self) -> Iterator[Entry]:
        if not self._is_wa:
            yield from map(self._from_pair, read(self._path))
            return
        with open_input(self._path) as stream:
            hashing = Hashing(stream)
            self._hash = hashing.hash
            for block in wa.blocks(cast(BinaryIO, hashing), self.name):
                yield self._from_block(block)

    def source(self) -> Source[Entry]:
        """Return the file as a source for `scorer.joining`."""
        return Source(
            self.name,
            self,
            lambda entry: entry.pack(),
            self.unpack,
            lambda entry: entry.pair.line_of(None),
        )

    def unpack(self, data: bytes) -> Entry:
        """Return an entry from its serialised form."""
        line, _, text = data.partition(b"\n")
        if self._is_wa:
            (block,) = wa.blocks(io.BytesIO(text), self.name)
            return self._from_block(block._replace(line=int(line)))
        return self._from_pair(unpack_pair(data, self.name))

    def _from_block(self, block: wa.Block) -> Entry:
        annotation, well_formed = read_block(block, self._as_gold)
        pair, problems = wa.parse(block)
        assert pair is not None  # noqa: S101 (a block without a header was rejected above)
        return Entry(
            block.id,
            annotation,
            pair,
            () if well_formed else tuple(list_problems(pair, problems)),
            lambda: b"%d\n" % block.line + encode(block.text),
        )

    def _from_pair(self, pair: SentencePair) -> Entry:
        problems = tuple(list_problems(pair, ()))
        return Entry(pair.id, annotation_of(pair), pair, problems, lambda: pack_pair(pair))


def pairs_source(pairs: Iterable[SentencePair], name: str) -> Source[SentencePair]:
    """Return pairs as a source for `scorer.joining`."""
    return Source(
        name,
        pairs,
        pack_pair,
        lambda data: unpack_pair(data, name),
        lambda pair: pair.line_of(None),
    )


def pack_pair(pair: SentencePair) -> bytes:
    """Serialise a pair with its line number."""
    return b"%d\n" % (pair.origin.line if pair.origin else 0) + jsonl.render(pair)


def unpack_pair(data: bytes, name: str) -> SentencePair:
    """Return a pair from its serialised form."""
    line, _, text = data.partition(b"\n")
    return jsonl.from_record(json.loads(text), Origin(name, int(line)))
