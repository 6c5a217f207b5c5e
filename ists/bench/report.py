"""Report of a benchmark: tables for display, plain data for JSON, a signature."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ists.seen import Seen
from scorer.tables import Table, as_markdown, as_text


@dataclass(frozen=True)
class Report:
    """The result of one benchmark."""

    title: str
    tables: Sequence[Table]
    notes: Sequence[str]
    """Remarks shown below the tables."""
    document: Mapping[str, Any]
    """All figures, unrounded, and the signature."""

    @property
    def signature(self) -> str:
        """One line with the data, system and version the figures were computed with."""
        return str(self.document["signature"])

    def text(self) -> str:
        """Render the report as text for a terminal."""
        parts = [as_text(table) for table in self.tables]
        notes = "\n".join(self.notes)
        return "\n\n".join([*parts, *([notes] if notes else []), self.signature])

    def markdown(self) -> str:
        """Render the report as a section of a Markdown document."""
        parts = [as_markdown(table) for table in self.tables]
        notes = "\n".join(f"- {note}" for note in self.notes)
        body = [*parts, *([notes] if notes else []), f"`{self.signature}`"]
        return "\n\n".join([f"## {self.title}", *body])


def training_mark(seen: int, pairs: int) -> str:
    """Return the mark for figures on a model's training data; empty for unseen data."""
    if not seen:
        return ""
    return f"TRAINING DATA of this model ({seen} of {pairs} pairs): figures on these are not a test"


def seen_notes(marks: Mapping[str, str], seen: Seen) -> list[str]:
    """Return the notes on training data: the marks by data set, and their limits."""
    notes = [f"* {name}: {mark}" if name else f"* {mark}" for name, mark in marks.items() if mark]
    if not seen.lists_pairs:
        notes.append(
            "The model does not list its training pairs: only files identical to its training "
            "files are marked."
        )
    return notes


def digest(files: Iterable[Path]) -> str:
    """Return a short hash of the content of files, in this order."""
    total = sha256()
    for file in files:
        total.update(file.read_bytes())
    return total.hexdigest()[:8]
