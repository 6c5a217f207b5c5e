"""The report as one HTML file: charts as HTML and SVG, the pairs as data for the page's script.

The file is self-contained. Its content security policy allows only its own script and loads
nothing; the script sets all text of the input as text.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from ists.explanation.display import displayed, displayed_weight
from ists.explanation.markup import picture_script, picture_style, script_hash, source
from ists.explanation.relations import RELATION_STYLES
from ists.pairs import Relation
from ists.report import charts
from ists.report.contents import Contents
from scorer.confusion import NONE, LabelCounts
from scorer.marks import Mark
from scorer.report import NAMES

_SIGNIFICANT = 0.05
_DATA = "\0"
"""Placeholder of the data in the page; displayed text never contains it."""

MARKS = {
    Mark.HIT: ("✓", "in both files, with the same label and score"),
    Mark.NEAR: ("≈", "in both files, with another label or score"),
    Mark.PART: ("◐", "in the other file with more or fewer words"),
    Mark.MISS: ("✗", "not in the other file"),
}


class Bar(NamedTuple):
    """A figure from 0 to 1 with its interval."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""


def render(contents: Contents, title: str = "") -> str:
    """Return the report as a page."""
    return "".join(parts(contents, title))


def parts(contents: Contents, title: str = "") -> Iterator[str]:
    """Yield the page in parts, since it may have many pairs."""
    environment = _environment()
    script = picture_script() + source("report.js", environment)
    style = source("base.css") + source("report.css", environment) + source("tip.css")
    names = [displayed(name) for name in contents.names]
    gold = displayed(contents.gold_name)
    page = environment.get_template("report.html.j2").render(
        title=displayed(title) or f"{', '.join(names)} scored against {gold}",
        contents=contents,
        names=names,
        signature=displayed(contents.signature),
        measures=[name.removeprefix("F1 ") for name in NAMES],
        f1_bars=_f1_bars(contents),
        comparisons=list(_comparisons(contents)),
        agreements=_agreements(contents),
        relations=list(_relations(contents)),
        confusions=[_heat_map(counts) for counts in contents.label_counts],
        length_charts=charts.length_charts(contents.lengths, names),
        diagrams=list(_diagrams(contents)),
        axes=charts,
        weight_of=displayed_weight,
        absent=NONE,
        marks=MARKS,
        looks=RELATION_STYLES,
        data=Markup(_DATA),  # noqa: S704 (our own sign)
        script=Markup(script),  # noqa: S704 (our own file)
        script_hash=script_hash(script),
        style=Markup(style),  # noqa: S704
        picture_style=Markup(picture_style()),  # noqa: S704
    )
    head, foot = page.split(_DATA)
    yield head
    yield from _data(contents)
    yield foot


def _f1_bars(contents: Contents) -> list[tuple[str, list[Bar]]]:
    """Return a bar for each system, for each measure."""
    groups = []
    for place, measure in enumerate(NAMES):
        bars = []
        for system, (name, report) in enumerate(zip(contents.names, contents.reports, strict=True)):
            bounds = contents.intervals[system][place]
            bars.append(Bar(displayed(name), report.f1[place], *bounds))
        groups.append((measure, bars))
    return groups


def _comparisons(contents: Contents) -> Iterator[dict[str, Any]]:
    """Yield the differences of each two systems, and the pairs won and lost."""
    names = [displayed(name) for name in contents.names]
    for compared in contents.comparisons:
        yield {
            "first": names[compared.first],
            "second": names[compared.second],
            "places": (compared.first, compared.second),
            "differences": [
                {"value": difference, "p": p, "significant": p < _SIGNIFICANT}
                for difference, p in zip(compared.result.difference, compared.result.p, strict=True)
            ],
            "better": compared.better,
            "worse": compared.worse,
        }


def _agreements(contents: Contents) -> list[tuple[str, list[str]]]:
    """Return the name of each figure of agreement, and its value for each system."""
    found = [agreement.figures() for agreement in contents.agreements]
    return [
        (same[0].name, ["–" if one.value is None else f"{one.value:.3f}" for one in same])
        for same in zip(*found, strict=True)
    ]


def _relations(contents: Contents) -> Iterator[tuple[str, float, list[Bar]]]:
    """Yield each label, its weight in the gold, and a bar for each system."""
    tables = [counts.by_label() for counts in contents.label_counts]
    met = {label for table in tables for label in table}
    known = [relation.value for relation in Relation if relation.value in met]
    for label in [*known, *sorted(met - set(known))]:
        rows = [table.get(label) for table in tables]
        weight = max((row["gold"] for row in rows if row), default=0.0)
        bars = [
            Bar(
                displayed(name),
                row["f1"] if row else 0.0,
                note=f"P {row['precision']:.2f} R {row['recall']:.2f}" if row else "never used",
            )
            for name, row in zip(contents.names, rows, strict=True)
        ]
        yield displayed(label), weight, bars


def _heat_map(counts: LabelCounts) -> list[tuple[str, list[tuple[str, float, float]]]]:
    """Return a row for each gold label: system labels, their weight and their share of the row."""
    rows = []
    for gold, row in counts.confusion().items():
        total = sum(row.values())
        cells = [
            (displayed(label), weight, weight / total if total else 0.0)
            for label, weight in row.items()
        ]
        rows.append((displayed(gold), cells))
    return rows


def _data(contents: Contents) -> Iterator[str]:
    """Yield the data of the script as JSON in which all signs of HTML are escaped."""
    known = {
        "systems": [displayed(name) for name in contents.names],
        "measures": [name.removeprefix("F1 ") for name in NAMES],
        "marks": {mark.value: list(shown) for mark, shown in MARKS.items()},
        "left_out": contents.left_out,
    }
    yield str(htmlsafe_json_dumps(known)).removesuffix("}") + ', "pairs": ['
    for number, record in enumerate(contents.shown):
        yield (",\n" if number else "\n") + str(htmlsafe_json_dumps(record, separators=(",", ":")))
    yield "]}"


def _diagrams(contents: Contents) -> Iterator[tuple[str, list[charts.Diagram]]]:
    """Yield the reliability diagrams of each system that has confidences."""
    for name, calibration in zip(contents.names, contents.calibrations, strict=True):
        found = [
            charts.reliability_diagram("Links", calibration.link),
            charts.reliability_diagram("Labels", calibration.label),
        ]
        if calibration:
            yield displayed(name), [diagram for diagram in found if diagram is not None]


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ists.report"), autoescape=True, undefined=StrictUndefined
    )
