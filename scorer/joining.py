"""The pairs of several files by their ids, however large the files and whatever their order.

Files are read side by side. As long as they have the same pairs in the same order, one pair of each
is held; what comes early in one of them waits in a temporary file.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Generic, NamedTuple, Protocol, TypeVar

from ists.errors import FormatError
from ists.formats.ids import SeenIds
from ists.formats.problems import REPEATED_ID


class Identified(Protocol):
    """Something that a file has once under an id."""

    @property
    def id(self) -> str:
        """Its id."""


Item = TypeVar("Item", bound=Identified)


class Source(NamedTuple, Generic[Item]):
    """A file of items, and how one is put aside and taken back."""

    name: str
    items: Iterable[Item]
    pack: Callable[[Item], bytes]
    unpack: Callable[[bytes], Item]
    line_of: Callable[[Item], int | None] = lambda _: None


class Joined(NamedTuple, Generic[Item]):
    """What the files have under one id; None for a file that does not have it."""

    id: str
    items: tuple[Item | None, ...]
    places: tuple[int | None, ...]
    """Where each file has it, counted from 0."""


def joined(sources: Sequence[Source[Item]]) -> Iterator[Joined[Item]]:
    """Every id of the files, once all of them have it or have ended; repeated ids are rejected."""
    with closing(_Waiting(sources)) as waiting:
        streams = [enumerate(_once(source)) for source in sources]
        while streams and waiting.open_sides:
            heads = [next(stream, None) for stream in streams]
            ids = {head[1].id if head else None for head in heads}
            if len(ids) == 1 and None not in ids:
                yield _met(heads)
                continue
            for side, head in enumerate(heads):
                if head is not None:
                    yield from waiting.meet(side, *head)
                elif side in waiting.open_sides:
                    yield from waiting.end(side)


def _once(source: Source[Item]) -> Iterator[Item]:
    with SeenIds() as seen:
        for item in source.items:
            if not seen.is_new(item.id):
                where = source.name, source.line_of(item)
                raise FormatError(f"pair {item.id}: {REPEATED_ID}", *where)
            yield item


def _met(heads: Sequence[tuple[int, Item] | None]) -> Joined[Item]:
    items = tuple(head[1] if head else None for head in heads)
    first = next(item for item in items if item is not None)
    return Joined(first.id, items, tuple(head[0] if head else None for head in heads))


class _Waiting(Generic[Item]):
    """What some files have had and others may still have."""

    def __init__(self, sources: Sequence[Source[Item]]) -> None:
        self._sources = sources
        self.open_sides = set(range(len(sources)))
        # A database without a name lies in memory, and in a temporary file when it is large.
        self._kept = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._kept.execute(
            "create table kept (id blob, side integer, place integer, data blob, "
            "primary key (id, side)) without rowid"
        )
        self._kept.execute("begin")

    def close(self) -> None:
        """Forget everything."""
        self._kept.close()

    def meet(self, side: int, place: int, item: Item) -> Iterator[Joined[Item]]:
        """An item of one file; with those of the others if none is still to come."""
        key = _key(item.id)
        rows = self._kept.execute("select side, place, data from kept where id = ?", (key,))
        found: dict[int, tuple[int, bytes]] = {there: (at, data) for there, at, data in rows}
        if self.open_sides - found.keys() - {side}:
            packed = self._sources[side].pack(item)
            self._kept.execute("insert into kept values (?, ?, ?, ?)", (key, side, place, packed))
            return
        if found:
            self._kept.execute("delete from kept where id = ?", (key,))
        heads = self._unpacked(found)
        heads[side] = (place, item)
        yield _met(heads)

    def end(self, side: int) -> Iterator[Joined[Item]]:
        """A file has ended: what waits for nothing else any more, in the order of the files."""
        self.open_sides.discard(side)
        # The order comes first: what is deleted below must not move what is still to be seen.
        self._kept.execute(
            "create temporary table ended as select id from kept group by id "
            "order by min(side), min(place)"
        )
        for (key,) in self._kept.execute("select id from ended order by rowid"):
            rows = self._kept.execute("select side, place, data from kept where id = ?", (key,))
            found: dict[int, tuple[int, bytes]] = {there: (at, data) for there, at, data in rows}
            if not self.open_sides - found.keys():
                self._kept.execute("delete from kept where id = ?", (key,))
                yield _met(self._unpacked(found))
        self._kept.execute("drop table ended")

    def _unpacked(self, found: dict[int, tuple[int, bytes]]) -> list[tuple[int, Item] | None]:
        heads: list[tuple[int, Item] | None] = [None] * len(self._sources)
        for side, (place, data) in found.items():
            heads[side] = (place, self._sources[side].unpack(data))
        return heads


def _key(pair_id: str) -> bytes:
    return pair_id.encode("utf-8", "surrogatepass")
