"""Finding a repeated id among any number of them."""

import sqlite3
from hashlib import blake2b
from types import TracebackType

_DIGEST = 16


class SeenIds:
    """The ids that stood before; past a few megabytes they lie in a temporary file.

    A set would grow with the file: a billion ids would not fit into memory.
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
        """Remember an id; whether it did not stand before."""
        digest = blake2b(pair_id.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
        inserted = self._known.execute("insert or ignore into ids values (?)", (digest,))
        return inserted.rowcount > 0
