"""Join the pairs of several files by id, for files of any size and in any order.

Files are read side by side. As long as they have the same pairs in the same order, one pair of each
is in memory; pairs that come earlier in one file than in the others are kept in a temporary file.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Generic, NamedTuple, Protocol, TypeVar

from ists.errors import FormatError
from ists.formats.ids import SeenIds
from ists.formats.problems import REPEATED_ID


class Identified(Protocol):
    """An item with an id that is unique in its file."""

    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=Identified)


class Source(NamedTuple, Generic[Item]):
    """A file of items, with functions to serialise and restore an item."""

    name: str
    items: Iterable[Item]
    pack: Callable[[Item], bytes]
    unpack: Callable[[bytes], Item]
    line_of: Callable[[Item], int | None] = lambda _: None


class Joined(NamedTuple, Generic[Item]):
    """The items of all files with one id; None for a file without it."""

    id: str
    items: tuple[Item | None, ...]
    places: tuple[int | None, ...]
    """The item's index in each file, from 0."""


def joined(sources: Sequence[Source[Item]]) -> Iterator[Joined[Item]]:
    """Yield the items of every id as soon as all files have it or have ended.

    Raises a `FormatError` if an id occurs twice in a file.
    """
    with closing(_Waiting(sources)) as waiting:
        streams = [enumerate(_reject_repeated(source)) for source in sources]
        while streams and waiting.open_sides:
            heads = [next(stream, None) for stream in streams]
            ids = {head[1].id if head else None for head in heads}
            if len(ids) == 1 and None not in ids:
                yield _join_heads(heads)
                continue
            for side, head in enumerate(heads):
                if head is not None:
                    yield from waiting.add(side, *head)
                elif side in waiting.open_sides:
                    yield from waiting.end(side)


def _reject_repeated(source: Source[Item]) -> Iterator[Item]:
    with SeenIds() as seen:
        for item in source.items:
            if not seen.is_new(item.id):
                where = source.name, source.line_of(item)
                raise FormatError(f"pair {item.id}: {REPEATED_ID}", *where)
            yield item


def _join_heads(heads: Sequence[tuple[int, Item] | None]) -> Joined[Item]:
    items = tuple(head[1] if head else None for head in heads)
    first = next(item for item in items if item is not None)
    return Joined(first.id, items, tuple(head[0] if head else None for head in heads))


class _Waiting(Generic[Item]):
    """Items that some files have had and others may still have."""

    def __init__(self, sources: Sequence[Source[Item]]) -> None:
        self._sources = sources
        self.open_sides = set(range(len(sources)))
        # SQLite keeps a database without a name in memory, or in a temporary file if it is large.
        self._kept = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._kept.execute(
            "create table kept (id blob, side integer, place integer, data blob, "
            "primary key (id, side)) without rowid"
        )
        self._kept.execute("begin")

    def close(self) -> None:
        """Delete all items."""
        self._kept.close()

    def add(self, side: int, place: int, item: Item) -> Iterator[Joined[Item]]:
        """Add an item of one file; yield it if no other file can still have it."""
        key = _key(item.id)
        rows = self._kept.execute("select side, place, data from kept where id = ?", (key,))
        found: dict[int, tuple[int, bytes]] = {there: (at, data) for there, at, data in rows}
        if self.open_sides - found.keys() - {side}:
            packed = self._sources[side].pack(item)
            self._kept.execute("insert into kept values (?, ?, ?, ?)", (key, side, place, packed))
            return
        if found:
            self._kept.execute("delete from kept where id = ?", (key,))
        heads = self._unpack(found)
        heads[side] = (place, item)
        yield _join_heads(heads)

    def end(self, side: int) -> Iterator[Joined[Item]]:
        """Mark a file as ended; yield the items that are now complete, in the files' order."""
        self.open_sides.discard(side)
        # Fix the order first: the deletions below must not affect the iteration.
        self._kept.execute(
            "create temporary table ended as select id from kept group by id "
            "order by min(side), min(place)"
        )
        for (key,) in self._kept.execute("select id from ended order by rowid"):
            rows = self._kept.execute("select side, place, data from kept where id = ?", (key,))
            found: dict[int, tuple[int, bytes]] = {there: (at, data) for there, at, data in rows}
            if not self.open_sides - found.keys():
                self._kept.execute("delete from kept where id = ?", (key,))
                yield _join_heads(self._unpack(found))
        self._kept.execute("drop table ended")

    def _unpack(self, found: dict[int, tuple[int, bytes]]) -> list[tuple[int, Item] | None]:
        heads: list[tuple[int, Item] | None] = [None] * len(self._sources)
        for side, (place, data) in found.items():
            heads[side] = (place, self._sources[side].unpack(data))
        return heads


def _key(pair_id: str) -> bytes:
    return pair_id.encode("utf-8", "surrogatepass")
