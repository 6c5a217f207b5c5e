"""Input and output files of best–worst scaling.

Items: one per line. Tuples: CSV with the columns ``Item1``, ``Item2``, … Annotations: the same with
``BestItem`` and ``WorstItem``, one line per answer. The column names are those of Kiritchenko and
Mohammad's scripts; other columns are ignored.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from ists.errors import FormatError
from ists.files import open_input
from ists.formats.text import decode, shown
from scorer.bws import Annotation, ItemScore

_ITEM = re.compile(r"item_?(\d{1,9})")
_BEST = {"bestitem", "best_item", "best"}
_WORST = {"worstitem", "worst_item", "worst"}
_EXPECTED = "expected the columns Item1, Item2, … BestItem, WorstItem"
_BYTE_ORDER_MARK = "\ufeff"


def read_items(path: str | Path) -> list[str]:
    """Read the items of a file, one per line."""
    items: dict[str, int] = {}
    with open_input(path) as stream:
        for number, line in enumerate(stream, start=1):
            item = decode(line).strip().lstrip(_BYTE_ORDER_MARK)
            if not item:
                continue
            if item in items:
                reason = f"item {shown(item)} is already in line {items[item]}"
                raise FormatError(f"{reason}, expected each item once", str(path), number)
            items[item] = number
    if not items:
        raise FormatError("no item found, expected one per line", str(path))
    return list(items)


def read_annotations(path: str | Path, known: Collection[str] | None = None) -> list[Annotation]:
    """Read the answers of a file; items that are not in ``known`` are an error."""
    annotations: list[Annotation] = []
    places: _Places | None = None
    for number, cells in _rows(path):
        try:
            if places is None:
                places = _Places(cells)
            else:
                annotations.append(places.annotation(cells, known))
        except FormatError as error:
            raise FormatError(error.reason, str(path), number) from None
    if not annotations:
        raise FormatError(f"no annotation found, {_EXPECTED}", str(path))
    return annotations


def tuples_as_csv(tuples: Sequence[Sequence[str]]) -> str:
    """Render tuples as CSV."""
    head = [f"Item{number}" for number, _ in enumerate(tuples[0], start=1)]
    return _csv([head, *tuples])


def scores_as_csv(scores: Iterable[tuple[str, ItemScore]]) -> str:
    """Render item scores as CSV."""
    rows = [
        (item, f"{one.score:.6g}", f"{one.difference:.6g}", one.best, one.worst, one.shown)
        for item, one in scores
    ]
    return _csv([("Item", "Score", "Difference", "Best", "Worst", "Shown"), *rows])


class _Places:
    """Column indices of the items, the best and the worst item."""

    def __init__(self, head: Sequence[str]) -> None:
        names = [name.strip().lower().lstrip(_BYTE_ORDER_MARK) for name in head]
        numbered = [
            (int(m[1]), at) for at, name in enumerate(names) if (m := _ITEM.fullmatch(name))
        ]
        best = [at for at, name in enumerate(names) if name in _BEST]
        worst = [at for at, name in enumerate(names) if name in _WORST]
        if len(numbered) < 2 or len(best) != 1 or len(worst) != 1:
            raise FormatError(f"the header is {shown(', '.join(head))}, {_EXPECTED}")
        self._width = len(head)
        self._items = [at for _, at in sorted(numbered)]
        self._best, self._worst = best[0], worst[0]

    def annotation(self, cells: Sequence[str], known: Collection[str] | None) -> Annotation:
        if len(cells) != self._width:
            raise FormatError(f"{len(cells)} cells, expected {self._width} as in the header")
        items = tuple(cells[at].strip() for at in self._items)
        best, worst = cells[self._best].strip(), cells[self._worst].strip()
        for item in items:
            if not item:
                raise FormatError(f"an empty item, expected {len(items)} items")
            if items.count(item) > 1:
                raise FormatError(f"item {shown(item)} occurs twice in the tuple")
            if known is not None and item not in known:
                raise FormatError(f"unknown item {shown(item)}, expected one of the list")
        for name, chosen in (("best", best), ("worst", worst)):
            if chosen not in items:
                raise FormatError(
                    f"the {name} item {shown(chosen)} is not in the tuple: "
                    f"expected one of {shown(', '.join(items))}"
                )
        if best == worst:
            raise FormatError(f"{shown(best)} is both the best and the worst item")
        return Annotation(items, best, worst)


def _rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    with open_input(path) as stream:
        text = io.StringIO(decode(stream.read()), newline="")
    reader = csv.reader(text, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise FormatError(f"invalid CSV: {error}", str(path), reader.line_num) from None


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
