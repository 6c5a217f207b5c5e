"""Curves between the page's boxes, routed as in the pictures of ``ists render``.

The browser wraps the boxes and measures them; the router leads each link through the gaps.
"""

from math import isfinite
from typing import Any, NamedTuple

from ists.explanation.layout import LinkEnds, Row, link_paths

MOST_BOXES = 2000


class MeasuredBox(NamedTuple):
    """A box as the browser has placed it."""

    x: float
    right: float
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        """The x coordinate where a link leaves the box."""
        return (self.x + self.right) / 2


def paths(record: Any) -> list[str]:
    """Return an SVG path for each link of a request; an invalid request is a `ValueError`.

    The request has the boxes of both sentences in reading order, each as left, right, top and
    bottom, and the links as pairs of indices into them.
    """
    if not isinstance(record, dict) or set(record) != {"boxes", "links"}:
        raise ValueError("expected boxes and links")
    try:
        first, second = (
            [MeasuredBox(*map(_length, box)) for box in side] for side in record["boxes"]
        )
        links = [(int(one), int(two)) for one, two in record["links"]]
    except (TypeError, ValueError) as error:
        raise ValueError(f"not boxes and links: {error}") from None
    if len(first) + len(second) > MOST_BOXES:
        raise ValueError(f"expected at most {MOST_BOXES} boxes")
    if any(not (0 <= one < len(first) and 0 <= two < len(second)) for one, two in links):
        raise ValueError("a link to no box")
    rows1, rows2 = _rows(first), _rows(second)
    ends = [
        LinkEnds(
            _row_of(rows1, first[one]),
            first[one].middle,
            _row_of(rows2, second[two]),
            second[two].middle,
        )
        for one, two in links
    ]
    return link_paths(rows1, rows2, ends)


def _length(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError("expected finite numbers")
    return float(value)


def _rows(boxes: list[MeasuredBox]) -> list[Row[MeasuredBox]]:
    """Group boxes that overlap vertically with the first box of the row."""
    groups: list[list[MeasuredBox]] = []
    for box in boxes:
        if groups and box.top < groups[-1][0].bottom and box.x > groups[-1][-1].x:
            groups[-1].append(box)
        else:
            groups.append([box])
    return [
        Row(min(box.top for box in group), max(box.bottom for box in group), tuple(group))
        for group in groups
    ]


def _row_of(rows: list[Row[MeasuredBox]], box: MeasuredBox) -> int:
    return next(number for number, row in enumerate(rows) if box in row.boxes)
