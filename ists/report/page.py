"""The report as one HTML file: charts as plain elements, the pairs as data for a small script.

Everything is inside the file. Its policy lets no other script run than the one below, and nothing
be fetched; the script writes what the files say as text only.
"""

from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from ists.errors import printable
from ists.explain.relations import RELATION_STYLES
from ists.pairs import Relation
from ists.report.contents import Contents
from scorer.marks import Mark
from scorer.measures import NONE
from scorer.report import NAMES, Totals

_SIGNIFICANT = 0.05
_DATA = "\0"
"""Stands for the data in the page: whatever is printable has no such sign."""

MARKS = {
    Mark.HIT: ("✓", "in both files, with the same label and score"),
    Mark.NEAR: ("≈", "in both files, with another label or score"),
    Mark.PART: ("◐", "in the other file with more or fewer words"),
    Mark.MISS: ("✗", "not in the other file"),
}


class Bar(NamedTuple):
    """A figure from 0 to 1 with its interval, to be drawn."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""


def render(contents: Contents, title: str = "") -> str:
    """The report as a page."""
    return "".join(parts(contents, title))


def parts(contents: Contents, title: str = "") -> Iterator[str]:
    """The page in parts, to be written one after the other: its pairs may be many."""
    environment = _environment()
    script = _source("report.js")
    page = environment.get_template("report.html.j2").render(
        title=printable(title or f"{', '.join(contents.names)} judged by {contents.gold_name}"),
        contents=contents,
        names=[printable(name) for name in contents.names],
        signature=printable(contents.signature),
        measures=[name.removeprefix("F1 ") for name in NAMES],
        f1_bars=_f1_bars(contents),
        comparisons=list(_comparisons(contents)),
        agreements=_agreements(contents),
        relations=list(_relations(contents)),
        confusions=[_heat_map(report.totals) for report in contents.reports],
        absent=NONE,
        marks=MARKS,
        looks=RELATION_STYLES,
        data=Markup(_DATA),  # noqa: S704 (our own sign)
        script=Markup(script),  # noqa: S704 (our own file)
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        style=Markup(_source("report.css")),  # noqa: S704
    )
    head, foot = page.split(_DATA)
    yield head
    yield from _data(contents)
    yield foot


def _f1_bars(contents: Contents) -> list[tuple[str, list[Bar]]]:
    """For each measure a bar for each system."""
    groups = []
    for place, measure in enumerate(NAMES):
        bars = []
        for system, (name, report) in enumerate(zip(contents.names, contents.reports, strict=True)):
            bounds = contents.intervals[system][place]
            bars.append(Bar(printable(name), report.f1[place], *bounds))
        groups.append((measure, bars))
    return groups


def _comparisons(contents: Contents) -> Iterator[dict[str, Any]]:
    """Each two systems: how far the second is ahead, and in how many pairs."""
    names = [printable(name) for name in contents.names]
    for compared in contents.comparisons:
        yield {
            "first": names[compared.first],
            "second": names[compared.second],
            "differences": [
                {"value": difference, "p": p, "significant": p < _SIGNIFICANT}
                for difference, p in zip(compared.result.difference, compared.result.p, strict=True)
            ],
            "better": compared.better,
            "worse": compared.worse,
        }


def _agreements(contents: Contents) -> list[tuple[str, list[str]]]:
    """What is agreed on, and how far each system does."""
    found = [agreement.figures() for agreement in contents.agreements]
    return [
        (same[0].name, ["–" if one.value is None else f"{one.value:.3f}" for one in same])
        for same in zip(*found, strict=True)
    ]


def _relations(contents: Contents) -> Iterator[tuple[str, float, list[Bar]]]:
    """Each label, its weight in the gold, and a bar for each system."""
    tables = [report.totals.by_label() for report in contents.reports]
    met = {label for table in tables for label in table}
    known = [relation.value for relation in Relation if relation.value in met]
    for label in [*known, *sorted(met - set(known))]:
        rows = [table.get(label) for table in tables]
        weight = max((row["gold"] for row in rows if row), default=0.0)
        bars = [
            Bar(
                printable(name),
                row["f1"] if row else 0.0,
                note=f"P {row['precision']:.2f} R {row['recall']:.2f}" if row else "never used",
            )
            for name, row in zip(contents.names, rows, strict=True)
        ]
        yield printable(label), weight, bars


def _heat_map(totals: Totals) -> list[tuple[str, list[tuple[str, float, float]]]]:
    """Gold labels down; system labels across with their weight and their share of the row."""
    rows = []
    for gold, row in totals.confusion().items():
        total = sum(row.values())
        cells = [
            (printable(label), weight, weight / total if total else 0.0)
            for label, weight in row.items()
        ]
        rows.append((printable(gold), cells))
    return rows


def _data(contents: Contents) -> Iterator[str]:
    """What the script shows, as JSON that no HTML can end."""
    known = {
        "systems": [printable(name) for name in contents.names],
        "measures": [name.removeprefix("F1 ") for name in NAMES],
        "marks": {mark.value: list(shown) for mark, shown in MARKS.items()},
        "left_out": contents.left_out,
    }
    yield str(htmlsafe_json_dumps(known)).removesuffix("}") + ', "pairs": ['
    for number, record in enumerate(contents.shown):
        yield (",\n" if number else "\n") + str(htmlsafe_json_dumps(record))
    yield "]}"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ists.report"), autoescape=True, undefined=StrictUndefined
    )


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None  # noqa: S101 (see above)
    return environment.loader.get_source(environment, name)[0]
