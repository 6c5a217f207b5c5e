"""Reliability diagrams as deterministic SVG: the same figures always give the same bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ists.errors import printable
from scorer.calibration import Reliability, bounds

_SIDE = 200
_LEFT, _TOP = 50, 46
_WIDTH, _HEIGHT = _LEFT + _SIDE + 20, _TOP + _SIDE + 50
_HEAD = 40
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_STYLE = (
    "text{font-family:sans-serif;font-size:11px;fill:#222}"
    ".title{font-size:15px;font-weight:bold}.panel{font-size:12px;font-weight:bold}"
    ".axis{stroke:#222}.grid{stroke:#ddd}"
    ".perfect{stroke:#b4470f;stroke-dasharray:6 4}"
    "rect.bin{fill:#1f5f99;fill-opacity:.65;stroke:#fff;stroke-width:.5}"
    "circle{fill:#b4470f;stroke:#fff;stroke-width:.5}"
)


@dataclass(frozen=True)
class Panel:
    """One diagram of a figure with several."""

    title: str
    reliability: Reliability


def reliability_diagram(title: str, rows: Sequence[Sequence[Panel]]) -> str:
    """Draw rows of panels.

    Bars show the share of correct decisions in each bin, dots are at the bin's mean confidence, and
    the dashed line is perfect calibration.
    """
    width = _WIDTH * max(map(len, rows))
    height = _HEAD + _HEIGHT * len(rows)
    panels = [
        line
        for down, row in enumerate(rows)
        for across, panel in enumerate(row)
        for line in _panel(panel, across * _WIDTH, _HEAD + down * _HEIGHT)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">',
            f"<title>{_text(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            f'<text class="title" x="{_LEFT}" y="26">{_text(title)}</text>',
            *panels,
            "</svg>\n",
        ]
    )


def _panel(panel: Panel, left: int, top: int) -> Iterator[str]:
    yield f'<g transform="translate({left} {top})">'
    yield f'<text class="panel" x="{_LEFT}" y="18">{_text(panel.title)}</text>'
    yield f'<text x="{_LEFT}" y="34">{_summary(panel.reliability)}</text>'
    yield from _axes()
    yield from _bins(panel.reliability)
    yield f'<line class="perfect" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>'
    yield from _dots(panel.reliability)
    yield "</g>"


def _summary(reliability: Reliability) -> str:
    if reliability.ece is None:
        return "no decision"
    return f"ECE {reliability.ece:.4f}, {reliability.total.count} decisions"


def _axes() -> Iterator[str]:
    for value in _TICKS:
        x, y = _x(value), _y(value)
        yield f'<line class="grid" x1="{x}" y1="{_y(0)}" x2="{x}" y2="{_y(1)}"/>'
        yield f'<line class="grid" x1="{_x(0)}" y1="{y}" x2="{_x(1)}" y2="{y}"/>'
        yield f'<text x="{x}" y="{_TOP + _SIDE + 16}" text-anchor="middle">{value:g}</text>'
        yield f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{value:g}</text>'
    yield f'<line class="axis" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(0)}"/>'
    yield f'<line class="axis" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(0)}" y2="{_y(1)}"/>'
    below = _TOP + _SIDE + 34
    yield f'<text x="{_x(0.5)}" y="{below}" text-anchor="middle">confidence</text>'
    yield (
        f'<text transform="translate(14 {_y(0.5)}) rotate(-90)" text-anchor="middle">'
        "share right</text>"
    )


def _bins(reliability: Reliability) -> Iterator[str]:
    for (low, high), one in zip(bounds(), reliability.bins, strict=True):
        if one.share_right is None or one.mean_confidence is None:
            continue
        top, width = _y(one.share_right), _x(high) - _x(low)
        tooltip = (
            f"{low:g} to {high:g}: {one.count} decisions, mean confidence "
            f"{one.mean_confidence:.3f}, right {one.share_right:.3f}"
        )
        yield (
            f'<rect class="bin" x="{_x(low)}" y="{top}" width="{width:.1f}" '
            f'height="{_y(0) - top:.1f}"><title>{tooltip}</title></rect>'
        )


def _dots(reliability: Reliability) -> Iterator[str]:
    for one in reliability.bins:
        if one.share_right is not None and one.mean_confidence is not None:
            x, y = _x(one.mean_confidence), _y(one.share_right)
            yield f'<circle cx="{x}" cy="{y}" r="3"/>'


def _x(value: float) -> float:
    return round(_LEFT + value * _SIDE, 1)


def _y(value: float) -> float:
    return round(_TOP + (1 - value) * _SIDE, 1)


def _text(text: str) -> str:
    return escape(printable(text))
