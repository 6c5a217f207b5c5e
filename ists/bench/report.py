"""What every benchmark hands back: tables for people, plain data for programs, one signature."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ists import __version__
from scorer.tables import Table, as_markdown, as_text


@dataclass(frozen=True)
class Report:
    """The outcome of one benchmark."""

    title: str
    tables: Sequence[Table]
    notes: Sequence[str]
    """What a reader of the figures must know."""
    document: Mapping[str, Any]
    """Everything unrounded, the signature included."""

    @property
    def signature(self) -> str:
        """One line that tells how the figures came about."""
        return str(self.document["signature"])

    def text(self) -> str:
        """For a terminal."""
        parts = [as_text(table) for table in self.tables]
        notes = "\n".join(self.notes)
        return "\n\n".join([*parts, *([notes] if notes else []), self.signature])

    def markdown(self) -> str:
        """A section of a document."""
        parts = [as_markdown(table) for table in self.tables]
        notes = "\n".join(f"- {note}" for note in self.notes)
        body = [*parts, *([notes] if notes else []), f"`{self.signature}`"]
        return "\n\n".join([f"## {self.title}", *body])


def signature(bench: str, **parts: object) -> str:
    """The signature of a benchmark."""
    named = {"bench": bench, **parts, "version": __version__}
    return "|".join(["ists", *(f"{key}:{value}" for key, value in named.items())])


def digest(files: Iterable[Path]) -> str:
    """A short hash of the content of some files, in this order."""
    total = sha256()
    for file in files:
        total.update(file.read_bytes())
    return total.hexdigest()[:8]
