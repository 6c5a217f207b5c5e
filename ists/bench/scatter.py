"""Scatter plot as deterministic SVG: the same points always give the same bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ists.errors import printable

_WIDTH, _HEIGHT = 640, 520
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 50, 60
_TICKS = 4
_STYLE = (
    "text{font-family:sans-serif;font-size:13px;fill:#222}"
    ".title{font-size:15px;font-weight:bold}"
    ".axis{stroke:#222}.grid{stroke:#ddd}"
    ".fit{stroke:#b4470f;stroke-dasharray:6 4}"
    "circle{fill:#1f5f99;fill-opacity:.65;stroke:#fff;stroke-width:.5}"
)


@dataclass(frozen=True)
class Point:
    """A point and its tooltip."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Axis:
    """An axis: its label and range."""

    label: str
    smallest: float
    largest: float

    def share(self, value: float) -> float:
        """Return the relative position of a value on the axis, from 0 to 1."""
        return (value - self.smallest) / (self.largest - self.smallest)

    def ticks(self) -> list[float]:
        """Return evenly spaced tick values."""
        step = (self.largest - self.smallest) / _TICKS
        return [self.smallest + number * step for number in range(_TICKS + 1)]


def scatter(title: str, x: Axis, y: Axis, points: Sequence[Point]) -> str:
    """Draw the points with their least-squares line."""
    marks = [
        f'<circle cx="{_x(point.x, x):.1f}" cy="{_y(point.y, y):.1f}" r="4.5">'
        f"<title>{_text(point.label)}</title></circle>"
        for point in points
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
            f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
            f"<title>{_text(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
            f'<text class="title" x="{_LEFT}" y="{_TOP - 22}">{_text(title)}</text>',
            *_axes(x, y),
            *_fit(x, y, points),
            *marks,
            "</svg>\n",
        ]
    )


def _axes(x: Axis, y: Axis) -> Iterator[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for value in x.ticks():
        at = f"{_x(value, x):.1f}"
        yield f'<line class="grid" x1="{at}" y1="{_TOP}" x2="{at}" y2="{bottom}"/>'
        yield f'<text x="{at}" y="{bottom + 20}" text-anchor="middle">{value:g}</text>'
    for value in y.ticks():
        at = f"{_y(value, y):.1f}"
        yield f'<line class="grid" x1="{_LEFT}" y1="{at}" x2="{right}" y2="{at}"/>'
        yield f'<text x="{_LEFT - 8}" y="{at}" dy="4" text-anchor="end">{value:g}</text>'
    yield f'<line class="axis" x1="{_LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>'
    yield f'<line class="axis" x1="{_LEFT}" y1="{_TOP}" x2="{_LEFT}" y2="{bottom}"/>'
    middle_x, middle_y = (_LEFT + right) / 2, (_TOP + bottom) / 2
    yield (
        f'<text x="{middle_x:.1f}" y="{_HEIGHT - 16}" text-anchor="middle">{_text(x.label)}</text>'
    )
    yield (
        f'<text transform="translate(20 {middle_y:.1f}) rotate(-90)" text-anchor="middle">'
        f"{_text(y.label)}</text>"
    )


def _fit(x: Axis, y: Axis, points: Sequence[Point]) -> Iterator[str]:
    """Draw the least-squares line over the range of the points."""
    mean_x = sum(point.x for point in points) / len(points)
    mean_y = sum(point.y for point in points) / len(points)
    spread = sum((point.x - mean_x) ** 2 for point in points)
    if not spread:
        return
    slope = sum((point.x - mean_x) * (point.y - mean_y) for point in points) / spread
    ends = [min(point.x for point in points), max(point.x for point in points)]
    (x1, y1), (x2, y2) = ((_x(end, x), _y(mean_y + slope * (end - mean_x), y)) for end in ends)
    yield f'<line class="fit" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _x(value: float, axis: Axis) -> float:
    return _LEFT + axis.share(value) * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, axis: Axis) -> float:
    bottom = _HEIGHT - _BOTTOM
    return bottom - axis.share(value) * (bottom - _TOP)


def _text(text: str) -> str:
    return escape(printable(text))
