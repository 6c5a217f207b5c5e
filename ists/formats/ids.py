"""Detection of repeated ids in bounded memory."""

import sqlite3
from collections.abc import Callable, Iterator
from hashlib import blake2b
from types import TracebackType

_DIGEST = 16


class SeenIds:
    """Set of the ids seen so far; beyond a few megabytes it is stored in a temporary file.

    A Python set would grow with the file: a billion ids would not fit into memory.
    """

    def __enter__(self) -> "SeenIds":
        self._known = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._known.execute("create table ids (digest blob primary key) without rowid")
        self._known.execute("begin")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._known.close()

    def is_new(self, pair_id: str) -> bool:
        """Add an id; return whether it was not seen before."""
        digest = blake2b(pair_id.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
        inserted = self._known.execute("insert or ignore into ids values (?)", (digest,))
        return inserted.rowcount > 0


def repeated(ids: Callable[[], Iterator[str]], count: int) -> Iterator[tuple[int, str]]:
    """Yield the index and id of each repeated id; `ids` is iterated twice.

    Uses eight bytes per id for hashes; only ids whose hash occurs twice are compared themselves.
    """
    import numpy as np

    hashes = np.fromiter(map(hash, ids()), np.int64, count)
    hashes.sort()
    suspects = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    if not suspects:
        return
    seen: set[str] = set()
    for place, one in enumerate(ids()):
        if hash(one) in suspects:
            if one in seen:
                yield place, one
            seen.add(one)
