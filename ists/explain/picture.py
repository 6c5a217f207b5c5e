"""Pictures of aligned pairs as a string: an HTML page, a fragment of one, or an SVG file.

The output is deterministic and loads no external resources; all input text is escaped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from ists.errors import printable
from ists.explain import layout
from ists.explain.explanation import Explanation, explain
from ists.explain.layout import Layout, lay_out, short
from ists.explain.relations import RELATION_STYLES, RelationStyle
from ists.explain.widths import text_width
from ists.pairs import Relation, SentencePair

PictureFormat = Literal["html", "svg"]
PICTURE_FORMATS: tuple[PictureFormat, ...] = ("html", "svg")

WIDE = 960
_NARROW = 340
_HEADING = 24
_SAMPLE = 48
_BETWEEN_ITEMS = 24
_LEGEND_LINE = 22
_FONTS = '"Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif'


class Part(NamedTuple):
    """The picture of one pair and its vertical position."""

    y: float
    heading: str
    layout: Layout


class LegendItem(NamedTuple):
    """Legend entry: a sample of a relation's line and its meaning."""

    relation: Relation
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Plate:
    """Content of one SVG element."""

    name: str
    width: float
    height: float
    parts: tuple[Part, ...] = ()
    legend: tuple[LegendItem, ...] = ()


def render(
    pairs: SentencePair | Iterable[SentencePair],
    format: PictureFormat = "html",
    *,
    page: bool = True,
    title: str = "Aligned sentence pairs",
    width: float = WIDE,
) -> str:
    """Draw one pair or many as HTML or SVG.

    HTML is a page that adapts to the width of the screen; without `page`, it is a fragment to be
    embedded in another page. `width` is the maximum width of a fragment and of SVG.
    """
    if format not in PICTURE_FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(PICTURE_FORMATS)}")
    many = [pairs] if isinstance(pairs, SentencePair) or not isinstance(pairs, Iterable) else pairs
    explanations = [explain(pair) for pair in many]
    if format == "svg":
        return _filled("standalone.svg.j2", plate=_plate(explanations, width))
    if not page:
        return _filled("fragment.html.j2", plate=_plate(explanations, width))
    sections = [
        {
            "heading": _heading(explanation),
            "wide": _plate([explanation], WIDE, with_legend=False),
            "narrow": _plate([explanation], _NARROW, with_legend=False),
            "sentences": [printable(sentence) for sentence in explanation.sentences],
        }
        for explanation in explanations
    ]
    legend = {"wide": _legend_plate(WIDE), "narrow": _legend_plate(_NARROW)}
    return _filled("page.html.j2", title=printable(title), legend=legend, sections=sections)


def _plate(explanations: Sequence[Explanation], width: float, with_legend: bool = True) -> Plate:
    parts = []
    y = 0.0
    for explanation in explanations:
        heading = _heading(explanation) if len(explanations) > 1 else ""
        y += _HEADING if heading else 0
        parts.append(Part(y, heading, lay_out(explanation, width)))
        y += parts[-1].layout.height
    widest = max((part.layout.width for part in parts), default=0.0)
    legend: tuple[LegendItem, ...] = ()
    if with_legend:
        present = {found.alignment.relation for e in explanations for found in e.alignments}
        legend = _legend([r for r in RELATION_STYLES if r in present], max(widest, _NARROW), y)
        widest = max([widest, *map(_right_of, legend)])
        y = legend[-1].y + _LEGEND_LINE / 2 if legend else y
    return Plate(_name(explanations), widest, y, tuple(parts), legend)


def _legend_plate(width: float) -> Plate:
    items = _legend(list(RELATION_STYLES), width, 0.0)
    widest = max(map(_right_of, items))
    return Plate("What the lines mean", widest, items[-1].y + _LEGEND_LINE / 2, legend=items)


def _legend(relations: Sequence[Relation], width: float, top: float) -> tuple[LegendItem, ...]:
    """Lay out the legend entries in as many lines as they need."""
    items: list[LegendItem] = []
    x, y = float(layout.MARGIN), top + _LEGEND_LINE
    for relation in relations:
        item = LegendItem(relation, f"{relation}: {RELATION_STYLES[relation].meaning}", x, y)
        if items and _right_of(item) > width:
            x, y = float(layout.MARGIN), y + _LEGEND_LINE
            item = item._replace(x=x, y=y)
        items.append(item)
        x = _right_of(item) - layout.MARGIN + _BETWEEN_ITEMS
    return tuple(items)


def _right_of(item: LegendItem) -> float:
    return item.x + _SAMPLE + text_width(item.text, layout.SMALL_SIZE) + layout.MARGIN


def _heading(explanation: Explanation) -> str:
    return printable(f"Pair {explanation.pair.id}")


def _name(explanations: Sequence[Explanation]) -> str:
    """Accessible name of the picture."""
    if len(explanations) != 1:
        return f"{len(explanations)} aligned sentence pairs"
    pair = explanations[0].pair
    return printable(f"The chunks of '{pair.sentence1}' aligned with those of '{pair.sentence2}'")


def _filled(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ists.explain"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters["short"] = short
    looks: dict[Relation, RelationStyle] = RELATION_STYLES
    environment.globals.update(
        looks=looks,
        fonts=_FONTS,
        font_size=layout.FONT_SIZE,
        small_size=layout.SMALL_SIZE,
        line_height=layout.LINE,
        label_height=layout.LABEL_HEIGHT,
        padding=layout.PADDING,
        margin=layout.MARGIN,
    )
    return environment
