"""Counts of a corpus: pairs, chunks, links by label, flags and unaligned chunks."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ists.corpus.build import by_source
from ists.corpus.folder import Corpus
from ists.errors import FormatError
from ists.files import reject_no_folder
from ists.formats import read
from ists.pairs import LINKING, Flag, Relation, SentencePair
from scorer.tables import Table

_HEAD = ("corpus", "pairs", "chunks", "links", *LINKING, *Flag, Relation.ALIC, Relation.NOALI)


@dataclass(frozen=True)
class Counts:
    """Counts of pairs, chunks and labels."""

    pairs: int = 0
    chunks: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    """Number of alignments by relation, and by flag."""

    @property
    def links(self) -> int:
        """Number of alignments with a chunk on both sides."""
        return sum(self.labels[relation] for relation in LINKING)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.pairs + other.pairs, self.chunks + other.chunks, self.labels + other.labels
        )

    def to_dict(self) -> dict[str, int]:
        totals = {"pairs": self.pairs, "chunks": self.chunks, "links": self.links}
        return totals | {name: self.labels[name] for name in (*Relation, *Flag)}


def count(pairs: Iterable[SentencePair]) -> Counts:
    """Count pairs."""
    pairs = list(pairs)
    alignments = [alignment for pair in pairs for alignment in pair.alignments]
    return Counts(
        len(pairs),
        sum(len(pair.chunks1) + len(pair.chunks2) for pair in pairs),
        Counter(name.value for one in alignments for name in (one.relation, *one.flags)),
    )


def of_corpus(corpus: Corpus) -> dict[str, Counts]:
    """Return the counts of every theme and of every source of real pairs."""
    written = {f"everyday-{theme}": count(corpus.written(theme)) for theme in corpus.themes}
    real = by_source(corpus.real())
    return written | {f"real-{name}": count(one.pair for one in real[name]) for name in real}


def of_folder(folder: Path) -> dict[str, Counts]:
    """Return the counts of every ``.wa`` file of a folder."""
    reject_no_folder(folder)
    files = sorted(folder.glob("*.wa"))
    if not files:
        raise FormatError("no .wa file in this folder", str(folder))
    return {file.stem: count(read(file, edition="2016")) for file in files}


def table(counts: Mapping[str, Counts]) -> Table:
    """Tabulate the counts, one row per corpus, and their sum."""
    rows = [(name, *_cells(counts[name])) for name in counts]
    return Table("", _HEAD, [*rows, ("all", *_cells(total(counts)))])


def total(counts: Mapping[str, Counts]) -> Counts:
    """Return the sum of all counts."""
    return sum(counts.values(), Counts())


def to_dict(counts: Mapping[str, Counts]) -> dict[str, Any]:
    """Return the counts as plain data."""
    return {name: one.to_dict() for name, one in {**counts, "all": total(counts)}.items()}


def _cells(counts: Counts) -> tuple[str, ...]:
    figures = counts.to_dict()
    return tuple(str(figures[name]) for name in _HEAD[1:])
