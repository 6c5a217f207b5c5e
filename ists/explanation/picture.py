"""Pictures of aligned pairs as a string: an HTML page, a fragment of one, or an SVG file.

The output is deterministic and loads no external resources; all input text is escaped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable
from urllib.parse import quote

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from ists.explanation import layout
from ists.explanation.display import displayed, displayed_id
from ists.explanation.explanation import Explanation, explain
from ists.explanation.layout import Layout, lay_out
from ists.explanation.markup import filled, picture_script, script_hash, source
from ists.explanation.records import picture_record
from ists.explanation.relations import RELATION_STYLES
from ists.explanation.widths import text_width
from ists.pairs import Relation, SentencePair

PictureFormat = Literal["html", "svg"]
PICTURE_FORMATS: tuple[PictureFormat, ...] = ("html", "svg")

WIDE = 960
NARROW = 340
CELL = 470
"""Width of the narrow picture of a fragment: that of a notebook's cell on a small screen."""
_SEARCHED = 6
"""Pages with at least so many pairs have a search form."""
_HEADING = 24
_SAMPLE = 48
_BETWEEN_ITEMS = 24
_LEGEND_LINE = 22


@runtime_checkable
class Scored(Protocol):
    """An aligned pair with its similarity, such as `ists.similarity.Similarity`."""

    @property
    def pair(self) -> SentencePair:
        """The aligned pair."""

    @property
    def score(self) -> float:
        """Similarity of the sentences, from 0 to 5."""

    @property
    def contributions(self) -> tuple[float, ...]:
        """Contribution of each alignment to the score."""


Drawable = SentencePair | Explanation | Scored


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
    pairs: Drawable | Iterable[Drawable],
    format: PictureFormat = "html",
    *,
    page: bool = True,
    title: str = "Aligned sentence pairs",
    width: float = WIDE,
) -> str:
    """Draw one pair or many as HTML or SVG.

    Explanations and similarities are drawn like their pairs; HTML shows the similarity too. HTML is
    a page that adapts to the width of the screen; without `page`, it is a fragment to be embedded
    in another page. `width` is the maximum width of a fragment and of SVG.
    """
    if format not in PICTURE_FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(PICTURE_FORMATS)}")
    explanations = explained(pairs)
    if format == "svg":
        return _svg(explanations, width)
    return _page(explanations, title) if page else _fragment(explanations, width)


def explained(pairs: Drawable | Iterable[Drawable]) -> list[Explanation]:
    """Return the explanations of one pair or many."""
    if isinstance(pairs, Drawable) or not isinstance(pairs, Iterable):
        return [_explained(pairs)]
    return [_explained(one) for one in pairs]


def _explained(one: Drawable) -> Explanation:
    if isinstance(one, Explanation):
        return one
    if not isinstance(one, SentencePair) and isinstance(one, Scored):
        return explain(one.pair, one.score, one.contributions)
    return explain(one)


def plain_svg(explanations: Sequence[Explanation], width: float) -> str:
    """Return SVG in light colours without rules for a pointer, for programs that convert it."""
    return filled("standalone.svg.j2", plate=plate(explanations, width), links=0, themes="light")


def _svg(explanations: Sequence[Explanation], width: float) -> str:
    links = most_links(explanations)
    return filled("standalone.svg.j2", plate=plate(explanations, width), links=links, themes="page")


def _fragment(explanations: Sequence[Explanation], width: float) -> str:
    return filled(
        "fragment.html.j2",
        wide=plate(explanations, width),
        narrow=plate(explanations, min(width, CELL)),
        explanations=explanations,
        displayed=displayed,
        links=most_links(explanations),
        themes="notebook",
    )


def _page(explanations: Sequence[Explanation], title: str) -> str:
    script = picture_script() + source("page.js")
    fragments = fragment_ids(explanation.pair.id for explanation in explanations)
    records = (picture_record(explanation, (WIDE, NARROW)) for explanation in explanations)
    data = ",\n".join(str(htmlsafe_json_dumps(record, separators=(",", ":"))) for record in records)
    return filled(
        "page.html.j2",
        title=displayed(title),
        legend={"wide": _legend_plate(WIDE), "narrow": _legend_plate(NARROW)},
        sections=[
            {
                "id": fragment,
                "pair": displayed_id(explanation.pair.id),
                "heading": _heading(explanation),
                "statements": [
                    (statement.links, displayed(statement.text))
                    for statement in explanation.statements
                ],
            }
            for fragment, explanation in zip(fragments, explanations, strict=True)
        ],
        relations=[relation.value for relation in RELATION_STYLES],
        searched=len(explanations) >= _SEARCHED,
        links=0,
        themes="page",
        data=Markup(f"[{data}]"),  # noqa: S704 (JSON without signs of HTML)
        script=Markup(script),  # noqa: S704 (our own files)
        script_hash=script_hash(script),
    )


def fragment_ids(ids: Iterable[str]) -> list[str]:
    """Return a different HTML id for each pair id: ``pair-12``."""
    found: dict[str, int] = {}
    names = []
    for pair_id in ids:
        name = "pair-" + quote(displayed(pair_id), safe="")
        found[name] = found.get(name, 0) + 1
        names.append(name if found[name] == 1 else f"{name}~{found[name]}")
    return names


def most_links(explanations: Iterable[Explanation]) -> int:
    """Return the largest number of links of a pair."""
    return max((len(explanation.numbers) for explanation in explanations), default=0)


def plate(explanations: Sequence[Explanation], width: float) -> Plate:
    """Lay out pairs below each other, and the legend of their relations."""
    parts = []
    y = 0.0
    for explanation in explanations:
        heading = _heading(explanation) if len(explanations) > 1 else ""
        y += _HEADING if heading else 0
        parts.append(Part(y, heading, lay_out(explanation, width)))
        y += parts[-1].layout.height
    widest = max((part.layout.width for part in parts), default=0.0)
    present = {found.alignment.relation for e in explanations for found in e.alignments}
    legend = _legend([r for r in RELATION_STYLES if r in present], max(widest, NARROW), y)
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
    return f"Pair {displayed_id(explanation.pair.id)}"


def _name(explanations: Sequence[Explanation]) -> str:
    """Accessible name of the picture."""
    if len(explanations) != 1:
        return f"{len(explanations)} aligned sentence pairs"
    pair = explanations[0].pair
    return displayed(f"The chunks of “{pair.sentence1}” aligned with those of “{pair.sentence2}”")
