"""Layout of the picture of a pair: boxes in rows, links as curves, labels without overlap.

Sentence 1 is above, sentence 2 below; each takes as many rows as it needs. A link leaves its box
vertically, passes further rows through the gaps between their boxes, and bends only between rows.
A link of chunks with gaps has a curve from each part of its chunks to its label. The labels are on
their curves, in the middle between the sentences, at heights chosen so that no two overlap.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from statistics import fmean
from typing import Generic, NamedTuple, Protocol, TypeVar

from ists.explanation.boxes import Box, boxes_of
from ists.explanation.display import displayed
from ists.explanation.explanation import Explained, Explanation
from ists.explanation.widths import text_width, wrapped
from ists.pairs import Relation, format_score

FONT_SIZE = 14
SMALL_SIZE = 11
LINE = 18
TAG_LINE = 13
PADDING = 10
MARGIN = 24
LABEL_HEIGHT = 20
NO_CHUNK = "This is in no chunk."
_GAP = 18
_BETWEEN_ROWS = 26
_LANE = 30
_BESIDE_LANES = 28
_LOWEST_MIDDLE = 92
_LABEL_PADDING = 8
_BETWEEN_LABELS = 6
_ABREAST = 4
"""Distance between links that pass through the same gap."""
_FURTHEST_ASIDE = 7
_STEEPEST = 0.14
"""Height of the middle, relative to the greatest horizontal distance of a link."""
_HIGHEST_MIDDLE = 150
_HALVINGS = 24


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box with its position and its lines of text."""

    box: Box
    lines: tuple[str, ...]
    tag: str
    """The label of an unaligned chunk, or the link numbers of a part."""
    relation: Relation | None
    """The relation of all its alignments; None if they differ."""
    links: tuple[int, ...]
    """Numbers of its links."""
    hint: str
    """Tooltip."""
    suffix: str = ""
    """Text that may be added to the tag."""
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """Width of the widest line or the tag, plus padding."""
        widest = max(text_width(line, FONT_SIZE) for line in self.lines)
        tag = text_width(self.tag + self.suffix, SMALL_SIZE) if self.tag else 0.0
        return max(widest, tag, FONT_SIZE) + 2 * PADDING

    @property
    def height(self) -> float:
        """Height of all lines, plus padding."""
        return len(self.lines) * LINE + 2 * (PADDING - 3)

    @property
    def tag_y(self) -> float:
        """Baseline of the tag, on the side away from the links."""
        return self.y - 5 if self.box.side == 1 else self.y + self.height + TAG_LINE

    @property
    def right(self) -> float:
        """The x coordinate of the right edge."""
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link: its curves as one SVG path, and its label, centred on them."""

    relation: Relation
    number: int
    path: str
    label: str
    x: float
    y: float
    width: float
    hint: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The picture of one pair."""

    width: float
    height: float
    boxes: tuple[PlacedBox, ...]
    links: tuple[PlacedLink, ...]


class Extent(Protocol):
    """Horizontal position of a box."""

    @property
    def x(self) -> float:
        """The x coordinate of the left edge."""

    @property
    def right(self) -> float:
        """The x coordinate of the right edge."""


AnyBox = TypeVar("AnyBox", bound=Extent)
_Station = tuple[float, float, float]
"""Column of a link in a row, and the row's top and bottom."""


@dataclass(frozen=True, slots=True)
class Row(Generic[AnyBox]):
    """A row of boxes, from left to right."""

    top: float
    bottom: float
    boxes: tuple[AnyBox, ...]

    def gaps(self) -> list[float]:
        """Columns where a link may pass: before, between and after the boxes."""
        between = [
            (left.right + right.x) / 2
            for left, right in zip(self.boxes, self.boxes[1:], strict=False)
        ]
        return [self.boxes[0].x - _GAP / 2, *between, self.boxes[-1].right + _GAP / 2]


@dataclass(frozen=True, slots=True)
class _Course:
    """Columns of a link, row by row: first at its box, then through gaps.

    Each part of a chunk with gaps has columns of its own.
    """

    explained: Explained
    number: int
    suffix: str
    above: tuple[tuple[float, ...], ...]
    """Columns from each box in sentence 1 down to the last row of the sentence."""
    below: tuple[tuple[float, ...], ...]
    """Columns from each box in sentence 2 up to the first row of the sentence."""

    @property
    def label(self) -> str:
        """Relation and score."""
        alignment = self.explained.alignment
        if alignment.score is None:
            return alignment.label
        return f"{alignment.label} {format_score(alignment.score)}"

    @property
    def label_width(self) -> float:
        """Width of the number and the label with their padding."""
        text = f"{self.number} {self.label}{self.suffix}"
        return text_width(text, SMALL_SIZE) * 1.1 + 2 * _LABEL_PADDING

    @property
    def reach(self) -> float:
        """Greatest horizontal distance between its ends at the two sides of the middle."""
        return max(abs(one[-1] - two[-1]) for one in self.above for two in self.below)

    def column_at(self, share: float) -> float:
        """Return the curve's x at this share of the middle's height; parts count as their mean."""
        t = _parameter_at(share)
        start, end = (fmean(columns[-1] for columns in side) for side in (self.above, self.below))
        return start + (end - start) * (3 * t**2 - 2 * t**3)


@lru_cache(maxsize=1 << 10)
def _parameter_at(share: float) -> float:
    """Return the curve's parameter at this share of the middle's height, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        t = (low + high) / 2
        low, high = (t, high) if 1.5 * t * (1 - t) + t**3 < share else (low, t)
    return low


def lay_out(explanation: Explanation, width: float, suffix: str = "") -> Layout:
    """Lay out the picture of a pair, at most `width` wide unless a label needs more.

    Every label has space for a suffix, which is not part of the layout.
    """
    available = width - 2 * MARGIN
    rows1 = _placed(_filled(explanation, 1, available, suffix), MARGIN / 2, from_top=False)
    rows2 = _placed(_filled(explanation, 2, available, suffix), 0.0, from_top=True)
    courses = list(_courses(explanation, rows1, rows2, suffix))
    rightmost = max((box.right for row in (*rows1, *rows2) for box in row.boxes), default=0.0)
    total = max(rightmost + MARGIN, max((c.label_width for c in courses), default=0.0) + 2 * MARGIN)
    middle, places = _label_places(courses, total)
    start = rows1[-1].bottom if rows1 else MARGIN / 2
    rows2 = _placed([row.boxes for row in rows2], start + middle, from_top=True)
    end = rows2[-1].bottom if rows2 else start + middle
    links = [
        PlacedLink(
            course.explained.alignment.relation,
            course.number,
            _course_path(course, rows1, rows2, Point(column, start + middle * share)),
            course.label,
            column,
            start + middle * share,
            course.label_width,
            displayed(course.explained.sentence),
        )
        for course, (column, share) in zip(courses, places, strict=True)
    ]
    boxes = tuple(box for row in (*rows1, *rows2) for box in row.boxes)
    return Layout(total, end + MARGIN / 2, boxes, tuple(links))


def _filled(
    explanation: Explanation, side: int, available: float, suffix: str
) -> list[tuple[PlacedBox, ...]]:
    """Arrange the boxes of a sentence in rows of at most this width."""
    rows: list[list[PlacedBox]] = []
    used = 0.0
    for box in boxes_of(explanation, side):
        sized = _sized(explanation, box, available, suffix)
        if not rows or used + _GAP + sized.width > available:
            rows.append([])
            used = -_GAP
        rows[-1].append(sized)
        used += _GAP + sized.width
    return [tuple(row) for row in rows]


def _sized(explanation: Explanation, box: Box, available: float, suffix: str) -> PlacedBox:
    found = [explanation.alignments[place] for place in box.alignments]
    relations = {explained.alignment.relation for explained in found}
    links = tuple(explanation.numbers[p] for p in box.alignments if p in explanation.numbers)
    tag = ", ".join(map(str, links)) if box.is_part else ""
    return PlacedBox(
        box,
        wrapped(displayed(box.text), FONT_SIZE, available - 2 * PADDING),
        found[0].alignment.label if found and not links else tag,
        relations.pop() if len(relations) == 1 else None,
        links,
        "\n".join(displayed(explained.sentence) for explained in found) or NO_CHUNK,
        suffix,
    )


def _placed(
    rows: Sequence[Sequence[PlacedBox]], top: float, from_top: bool
) -> list[Row[PlacedBox]]:
    """Place rows below each other; boxes are aligned at the edge where links begin."""
    placed = []
    for row in rows:
        tags = TAG_LINE + 2 if any(box.tag for box in row) else 0
        height = max(box.height for box in row) + tags
        x, boxes = float(MARGIN), []
        for box in row:
            boxes.append(replace(box, x=x, y=top if from_top else top + height - box.height))
            x += box.width + _GAP
        placed.append(Row(top, top + height, tuple(boxes)))
        top += height + _BETWEEN_ROWS
    return placed


def _courses(
    explanation: Explanation,
    rows1: Sequence[Row[PlacedBox]],
    rows2: Sequence[Row[PlacedBox]],
    suffix: str,
) -> Iterator[_Course]:
    """Yield the courses of all links, from left to right."""
    homes1, homes2 = _homes(rows1), _homes(rows2)
    links = list(explanation.numbers)
    starts, ends = _anchors(links, homes1, homes2), _anchors(links, homes2, homes1)
    passing1, passing2 = _Passing(rows1), _Passing(rows2[::-1])
    for place in sorted(links, key=lambda place: (fmean(starts[place]), fmean(ends[place]))):
        yield _Course(
            explanation.alignments[place],
            explanation.numbers[place],
            suffix,
            tuple(
                passing1.columns(x, home.row)
                for x, home in zip(starts[place], homes1[place], strict=True)
            ),
            tuple(
                passing2.columns(x, len(rows2) - 1 - home.row)
                for x, home in zip(ends[place], homes2[place], strict=True)
            ),
        )


class _Home(NamedTuple):
    """A box of an alignment and the number of its row."""

    row: int
    box: PlacedBox


_Homes = dict[int, list[_Home]]
"""Boxes of each alignment in one sentence, by the alignment's index: one for each part."""


def _homes(rows: Sequence[Row[PlacedBox]]) -> _Homes:
    homes: _Homes = {}
    for number, row in enumerate(rows):
        for box in row.boxes:
            for place in box.box.alignments:
                homes.setdefault(place, []).append(_Home(number, box))
    return homes


def _anchors(links: Sequence[int], own: _Homes, others: _Homes) -> dict[int, list[float]]:
    """Return the x where each link leaves its boxes; several links of a box are evenly spaced."""
    left = {place: fmean(home.box.x for home in homes) for place, homes in others.items()}
    anchors: dict[int, list[float]] = {}
    for place in links:
        for _, box in own[place]:
            abreast = [other for other in box.box.alignments if other in others]
            abreast.sort(key=lambda other: (left[other], other))
            x = box.x + box.width * (abreast.index(place) + 1) / (len(abreast) + 1)
            anchors.setdefault(place, []).append(x)
    return anchors


class _Passing:
    """Routes links through the gaps of rows; links in the same gap run side by side."""

    def __init__(self, rows: Sequence[Row[AnyBox]]) -> None:
        self._gaps = [row.gaps() for row in rows]
        self._taken: dict[tuple[int, int], int] = {}

    def columns(self, start: float, row: int) -> tuple[float, ...]:
        """Return the column at the link's own row, then one for each row to be passed."""
        columns = [start]
        for number in range(row + 1, len(self._gaps)):
            gaps = self._gaps[number]
            if columns[-1] > gaps[-1]:  # to the right of all boxes of this row
                columns.append(columns[-1])
                continue
            nearest = min(range(len(gaps)), key=lambda gap: abs(gaps[gap] - columns[-1]))
            columns.append(gaps[nearest] + self._aside(number, nearest))
        return tuple(columns)

    def _aside(self, row: int, gap: int) -> float:
        """Return the offset of the next link through a gap from the gap's middle."""
        before = self._taken.get((row, gap), 0)
        self._taken[row, gap] = before + 1
        if gap == len(self._gaps[row]) - 1:
            return before * _ABREAST
        if gap == 0:
            return max(-before * _ABREAST, _GAP / 2 - MARGIN)
        # The first in the middle, then alternately to the right and to the left.
        aside = (before + 1) // 2 * (1 if before % 2 else -1) * _ABREAST
        return max(-_FURTHEST_ASIDE, min(_FURTHEST_ASIDE, aside))


def _label_places(
    courses: Sequence[_Course], width: float
) -> tuple[float, list[tuple[float, float]]]:
    """Return the height of the middle, and each label's column and share of that height.

    Tries increasing numbers of lanes; one lane per label always suffices.
    """
    for lanes in count(1):
        middle = _middle_height(courses, lanes)
        steps = sorted((lane - (lanes - 1) / 2 for lane in range(lanes)), key=lambda s: (abs(s), s))
        taken: dict[float, list[tuple[float, float]]] = {step: [] for step in steps}
        places: list[tuple[float, float]] = []
        for course in courses:
            half = course.label_width / 2
            for step in steps:
                share = 0.5 + step * _LANE / middle
                column = min(max(course.column_at(share), half + 2), width - half - 2)
                span = column - half, column + half + _BETWEEN_LABELS
                if all(span[1] <= low or high <= span[0] for low, high in taken[step]):
                    taken[step].append(span)
                    places.append((column, share))
                    break
        if len(places) == len(courses):
            break
    return middle, places


def _middle_height(courses: Sequence[_Course], lanes: int) -> float:
    if not courses:
        return 2 * _BETWEEN_ROWS
    furthest = max(course.reach for course in courses)
    for_curves = max(_LOWEST_MIDDLE, min(_HIGHEST_MIDDLE, furthest * _STEEPEST))
    return max(for_curves, lanes * _LANE + _BESIDE_LANES)


class LinkEnds(NamedTuple):
    """The row and the x coordinate of a link's two ends; rows are numbered from the top."""

    row1: int
    x1: float
    row2: int
    x2: float


def link_paths(
    rows1: Sequence[Row[AnyBox]], rows2: Sequence[Row[AnyBox]], links: Sequence[LinkEnds]
) -> list[str]:
    """Return the SVG paths of links between boxes that were placed elsewhere, e.g. by a browser."""
    passing1, passing2 = _Passing(rows1), _Passing(rows2[::-1])
    return [
        _path(
            passing1.columns(link.x1, link.row1),
            passing2.columns(link.x2, len(rows2) - 1 - link.row2),
            rows1,
            rows2,
        )
        for link in links
    ]


class Point(NamedTuple):
    """A position in the picture."""

    x: float
    y: float


def _course_path(
    course: _Course,
    rows1: Sequence[Row[PlacedBox]],
    rows2: Sequence[Row[PlacedBox]],
    label: Point,
) -> str:
    """Return the SVG path of a link; with several parts on a side, all curves meet at its label."""
    if len(course.above) == len(course.below) == 1:
        return _path(course.above[0], course.below[0], rows1, rows2)
    meeting = (label.x, label.y, label.y)
    down = [_curve([*_way(columns, rows1), meeting]) for columns in course.above]
    up = [_curve([meeting, *reversed(_way(columns, rows2[::-1]))]) for columns in course.below]
    return "".join([*down, *up])


def _path(
    above: Sequence[float],
    below: Sequence[float],
    rows1: Sequence[Row[AnyBox]],
    rows2: Sequence[Row[AnyBox]],
) -> str:
    """Return the SVG path from one box to another."""
    return _curve([*_way(above, rows1), *reversed(_way(below, rows2[::-1]))])


def _curve(way: Sequence[_Station]) -> str:
    """Return the SVG path: straight through rows, curved between them."""
    x, _, y = way[0]
    commands = [f"M{short(x)} {short(y)}"]
    for number, (next_x, top, bottom) in enumerate(way[1:], start=1):
        half = (y + top) / 2
        commands.append(
            f"C{short(x)} {short(half)} {short(next_x)} {short(half)} {short(next_x)} {short(top)}"
        )
        if number < len(way) - 1:
            commands.append(f"V{short(bottom)}")
        x, y = next_x, bottom
    return "".join(commands)


def _way(columns: Sequence[float], rows: Sequence[Row[AnyBox]]) -> list[_Station]:
    passed = rows[len(rows) - len(columns) :]
    return [(x, row.top, row.bottom) for x, row in zip(columns, passed, strict=True)]


def short(value: float) -> str:
    """Format a coordinate as a whole number."""
    return str(round(value))
