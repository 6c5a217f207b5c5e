"""A folder of batches for several annotators, in plain files.

``assignment.tsv`` has a line for each pair of each annotator: the pair's id, the batch, the
annotator and the file. A batch of one annotator is a ``.wa`` file with its journal. Shared batches,
on which agreement can be measured, are given to every annotator, in a file of their own each.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from ists.annotate.journal import SUFFIX, read_notes
from ists.annotate.workbook import Beginning, Workbook
from ists.errors import FormatError
from ists.files import atomic_output
from ists.formats import read, wa
from ists.pairs import UNFINISHED, Edition, SentencePair

TABLE = "assignment.tsv"
PROVENANCE = "provenance.jsonl"
_COLUMNS = ("pair", "batch", "annotator", "file")
_NAME = re.compile(r"\w[\w.-]*")
SHARED, OWN = "shared", "batch"


class Assigned(NamedTuple):
    """One pair of one annotator."""

    pair: str
    batch: str
    annotator: str
    file: str


class Batch(NamedTuple):
    """The pairs that one annotator has in one file."""

    name: str
    annotator: str
    path: Path


class Plan(NamedTuple):
    """A batch before it is written: its name, its annotators and the indices of its pairs."""

    name: str
    annotators: tuple[str, ...]
    places: tuple[int, ...]


def annotator_names(text: str) -> tuple[str, ...]:
    """Parse names separated by commas; they become folder names."""
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(f"‘{name}’ is not a name of letters, digits, '.', '_' and '-'")
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError("a name is given twice")
    return names


def plan(count: int, annotators: Sequence[str], size: int, overlap: float) -> list[Plan]:
    """Give a share of the pairs, spread evenly, to all annotators, the others in equal parts."""
    shared_count = round(count * overlap) if len(annotators) > 1 else 0
    shared = tuple(place * count // shared_count for place in range(shared_count))
    taken = {*shared}
    own = [place for place in range(count) if place not in taken]
    everyone = tuple(annotators)
    plans = [
        Plan(f"{SHARED}-{number}", everyone, places)
        for number, places in enumerate(_batches(shared, size), start=1)
    ]
    number = 0
    for turn, annotator in enumerate(annotators):
        for places in _batches(own[turn :: len(annotators)], size):
            number += 1
            plans.append(Plan(f"{OWN}-{number}", (annotator,), places))
    return plans


def _batches(places: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    for start in range(0, len(places), size):
        yield tuple(places[start : start + size])


def create(
    folder: Path, source: Sequence[Beginning], plans: Iterable[Plan], edition: Edition = "2015"
) -> None:
    """Create the folder with all batches; the table is written last."""
    if (folder / TABLE).exists():
        raise FormatError("already exists: open it without pairs", str(folder / TABLE))
    rows = []
    for one in plans:
        for annotator in one.annotators:
            path = folder / annotator / f"{one.name}.wa"
            path.parent.mkdir(parents=True, exist_ok=True)
            given = [source[place] for place in one.places]
            with closing(Workbook.open(path, given, edition=edition)):
                pass
            name = path.relative_to(folder).as_posix()
            rows += [
                (place, Assigned(source[place].pair.id, one.name, annotator, name))
                for place in one.places
            ]
    rows.sort(key=lambda row: row[0])
    lines = ["\t".join(_COLUMNS), *("\t".join(row) for _, row in rows)]
    with atomic_output(folder / TABLE) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def table(folder: Path) -> list[Assigned]:
    """Read the folder's table; a line that is not one of it is a `FormatError`."""
    path = folder / TABLE
    try:
        text = path.read_text("utf-8", "surrogateescape")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FormatError(f"{reason}; --annotators creates a folder", str(path)) from None
    lines = text.splitlines()
    if not lines or tuple(lines[0].split("\t")) != _COLUMNS:
        raise FormatError(f"expected the columns {', '.join(_COLUMNS)}", str(path), 1)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if len(fields) != len(_COLUMNS):
            raise FormatError(f"{len(fields)} columns, expected 4", str(path), number)
        row = Assigned(*fields)
        inside = Path(row.file)
        if inside.is_absolute() or ".." in inside.parts or not _NAME.fullmatch(row.annotator):
            raise FormatError(f"‘{row.file}’ is not a file of the folder", str(path), number)
        rows.append(row)
    return rows


def batches(folder: Path) -> list[Batch]:
    """Return the folder's batches, in the order of the table."""
    rows = dict.fromkeys((row.batch, row.annotator, row.file) for row in table(folder))
    found = [Batch(batch, annotator, folder / file) for batch, annotator, file in rows]
    return sorted(found, key=lambda batch: batch.name.partition("-")[0] != SHARED)


class OpenBatch(NamedTuple):
    """A batch with its open workbook."""

    batch: Batch
    book: Workbook


class Assignment:
    """All batches of a folder, open for annotation."""

    def __init__(self, folder: Path, edition: Edition = "2015") -> None:
        self.folder = folder
        self._closing = ExitStack()
        with self._closing:
            self.batches = [
                OpenBatch(
                    batch,
                    self._closing.enter_context(
                        closing(Workbook.open(batch.path, edition=edition))
                    ),
                )
                for batch in batches(folder)
            ]
            if not self.batches:
                raise FormatError("no batch is assigned", str(folder / TABLE))
            self._closing = self._closing.pop_all()

    def close(self) -> None:
        """Close all workbooks."""
        self._closing.close()

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators' names, in the order of the table."""
        return tuple(dict.fromkeys(one.batch.annotator for one in self.batches))

    def of(self, annotator: str) -> list[OpenBatch]:
        """Return the batches of one annotator."""
        return [one for one in self.batches if one.batch.annotator == annotator]


def progress(found: Iterable[OpenBatch]) -> tuple[int, int]:
    """Return how many pairs are done, and how many there are."""
    books = [one.book for one in found]
    return sum(book.done for book in books), sum(map(len, books))


def summary(found: Iterable[OpenBatch]) -> list[dict[str, Any]]:
    """Return the state of some batches as plain data."""
    return [
        {"name": one.batch.name, "done": one.book.done, "total": len(one.book)} for one in found
    ]


def export(folder: Path, target: Path) -> dict[str, int]:
    """Write a ``.wa`` file per annotator and the provenance of every pair; return pairs done.

    The files of the folder are only read: its pages may be open meanwhile.
    """
    rows = table(folder)
    files = {
        name: _pairs(folder, name, [row.pair for row in rows if row.file == name])
        for name in dict.fromkeys(row.file for row in rows)
    }
    notes = {name: read_notes(folder / (name + SUFFIX)) for name in files}
    target.mkdir(parents=True, exist_ok=True)
    done: dict[str, int] = {}
    for annotator in dict.fromkeys(row.annotator for row in rows):
        own = [files[row.file][row.pair] for row in rows if row.annotator == annotator]
        done[annotator] = sum(pair.status != UNFINISHED for pair in own)
        with atomic_output(target / f"{annotator}.wa") as stream:
            wa.write(own, stream)
    with atomic_output(target / PROVENANCE) as stream:
        for row in rows:
            about = {
                **row._asdict(),
                "done": files[row.file][row.pair].status != UNFINISHED,
                "note": notes[row.file].get(row.pair, ""),
            }
            stream.write(json.dumps(about).encode() + b"\n")
    return done


def _pairs(folder: Path, file: str, wanted: Iterable[str]) -> dict[str, SentencePair]:
    found = {pair.id: pair for pair in read(folder / file, "wa")}
    for pair_id in wanted:
        if pair_id not in found:
            raise FormatError(
                f"pair {pair_id} is missing, but {TABLE} names it", str(folder / file)
            )
    return found
