"""List of records in a temporary file, for more records than fit into memory."""

import json
from collections.abc import Iterator
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any


class Spool:
    """List of records that is written once and then read, in an unnamed file.

    The file disappears with the process, even if it is killed.
    """

    def __enter__(self) -> "Spool":
        self._file = TemporaryFile()
        self._count = 0
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return self._count

    def append(self, record: Any) -> None:
        """Add a record that can be encoded as JSON."""
        self._file.write(json.dumps(record).encode() + b"\n")
        self._count += 1

    def __iter__(self) -> Iterator[Any]:
        self._file.seek(0)
        return map(json.loads, self._file)
