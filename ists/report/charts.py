"""Charts of the report: points of lines and bars, which the template draws as SVG."""

from collections.abc import Sequence
from typing import NamedTuple

from ists.report.contents import LengthClass
from scorer.calibration import Reliability, bounds
from scorer.report import NAMES

LEFT, TOP, WIDTH, HEIGHT = 34.0, 10.0, 260.0, 150.0
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Point(NamedTuple):
    """A point of a line, and its description."""

    x: float
    y: float
    note: str


class Lines(NamedTuple):
    """A chart of lines, one per system, over named classes."""

    title: str
    ticks: tuple[tuple[float, str], ...]
    lines: tuple[tuple[Point, ...], ...]


class BinBar(NamedTuple):
    """A bar up to the share of correct decisions, and a dot at the mean confidence."""

    x: float
    y: float
    width: float
    height: float
    dot_x: float
    note: str


class Diagram(NamedTuple):
    """A reliability diagram."""

    title: str
    summary: str
    bars: tuple[BinBar, ...]


def y_of(value: float) -> float:
    """Return the vertical position of a figure from 0 to 1."""
    return round(TOP + (1 - value) * HEIGHT, 1)


def x_of(value: float) -> float:
    """Return the horizontal position of a figure from 0 to 1."""
    return round(LEFT + value * WIDTH, 1)


def length_charts(classes: Sequence[LengthClass], names: Sequence[str]) -> list[Lines]:
    """Return a chart for each measure: F1 by sentence length."""
    places = [x_of((number + 0.5) / len(classes)) for number in range(len(classes))]
    ticks = tuple(zip(places, (one.range for one in classes), strict=True))
    charts = []
    for measure, title in enumerate(NAMES):
        lines = []
        for system, name in enumerate(names):
            figures = [one.totals[system].f1[measure] for one in classes]
            lines.append(
                tuple(
                    Point(x, y_of(figure), f"{name}, {one.name}: {figure:.3f} ({one.pairs} pairs)")
                    for x, figure, one in zip(places, figures, classes, strict=True)
                )
            )
        charts.append(Lines(title, ticks, tuple(lines)))
    return charts


def reliability_diagram(title: str, reliability: Reliability) -> Diagram | None:
    """Return the diagram of a system's confidences; None without decisions."""
    if reliability.ece is None:
        return None
    bars = []
    for (low, high), one in zip(bounds(), reliability.bins, strict=True):
        if one.share_right is None or one.mean_confidence is None:
            continue
        top = y_of(one.share_right)
        note = (
            f"{low:g} to {high:g}: {one.count} decisions, mean confidence "
            f"{one.mean_confidence:.3f}, correct {one.share_right:.3f}"
        )
        width = round(x_of(high) - x_of(low), 1)
        height = round(y_of(0) - top, 1)
        bars.append(BinBar(x_of(low), top, width, height, x_of(one.mean_confidence), note))
    count = reliability.total.count
    return Diagram(title, f"ECE {reliability.ece:.3f}, {count} decisions", tuple(bars))
