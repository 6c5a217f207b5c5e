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
from markupsafe import Markup

from ists.errors import printable
from ists.explain.explanation import chunk_text
from ists.explain.relations import LOOKS
from ists.pairs import Alignment, Relation, SentencePair, format_score
from ists.report.contents import Contents
from scorer.marks import Mark, marks
from scorer.measures import NONE, PairCounts
from scorer.report import NAMES, Report

_DECIMALS = 4
_SIGNIFICANT = 0.05

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
    environment = _environment()
    script = _source("report.js")
    return environment.get_template("report.html.j2").render(
        title=printable(title or f"{', '.join(contents.names)} judged by {contents.gold_name}"),
        contents=contents,
        names=[printable(name) for name in contents.names],
        signature=printable(contents.summary.signature),
        measures=[name.removeprefix("F1 ") for name in NAMES],
        f1_bars=_f1_bars(contents),
        comparisons=list(_comparisons(contents)),
        agreements=_agreements(contents),
        relations=list(_relations(contents)),
        confusions=[_heat_map(report) for report in contents.reports],
        absent=NONE,
        marks=MARKS,
        looks=LOOKS,
        data=_data(contents),
        script=Markup(script),  # noqa: S704 (our own file)
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        style=Markup(_source("report.css")),  # noqa: S704
    )


def _f1_bars(contents: Contents) -> list[tuple[str, list[Bar]]]:
    """For each measure a bar for each system."""
    intervals = contents.summary.intervals
    groups = []
    for place, measure in enumerate(NAMES):
        bars = []
        for system, (name, report) in enumerate(zip(contents.names, contents.reports, strict=True)):
            bounds = intervals[system][place] if intervals else (None, None)
            bars.append(Bar(printable(name), report.f1[place], *bounds))
        groups.append((measure, bars))
    return groups


def _comparisons(contents: Contents) -> Iterator[dict[str, Any]]:
    """Each two systems: how far the second is ahead, and in how many pairs."""
    by_name = {report.system: report for report in contents.reports}
    short = dict(zip(by_name, map(printable, contents.names), strict=False))
    for result in contents.summary.comparisons:
        first, second = by_name[result.first], by_name[result.second]
        yield {
            "first": short[result.first],
            "second": short[result.second],
            "differences": [
                {"value": difference, "p": p, "significant": p < _SIGNIFICANT}
                for difference, p in zip(result.difference, result.p, strict=True)
            ],
            "better": _ahead(second, first),
            "worse": _ahead(first, second),
        }


def _ahead(one: Report, other: Report) -> int:
    """In how many pairs one system's Typ+Sco is higher than another's."""
    theirs = {pair.id: pair.f1 for pair in other.pairs}
    count = 0
    for pair in one.pairs:
        ours, their = pair.f1, theirs.get(pair.id)
        count += (ours.type_score if ours else 0.0) > (their.type_score if their else 0.0)
    return count


def _agreements(contents: Contents) -> list[tuple[str, list[str]]]:
    """What is agreed on, and how far each system does."""
    found = [agreement.figures() for agreement in contents.agreements]
    return [
        (same[0].name, ["–" if one.value is None else f"{one.value:.3f}" for one in same])
        for same in zip(*found, strict=True)
    ]


def _relations(contents: Contents) -> Iterator[tuple[str, float, list[Bar]]]:
    """Each label, its weight in the gold, and a bar for each system."""
    tables = [report.by_label() for report in contents.reports]
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


def _heat_map(report: Report) -> list[tuple[str, list[tuple[str, float, float]]]]:
    """Gold labels down; system labels across with their weight and their share of the row."""
    rows = []
    for gold, row in report.confusion().items():
        total = sum(row.values())
        cells = [
            (printable(label), weight, weight / total if total else 0.0)
            for label, weight in row.items()
        ]
        rows.append((printable(gold), cells))
    return rows


def _data(contents: Contents) -> dict[str, Any]:
    """What the script shows of every pair."""
    counts = [{pair.id: pair for pair in report.pairs} for report in contents.reports]
    ids = dict.fromkeys([*contents.gold, *(i for found in counts for i in found)])
    return {
        "systems": [printable(name) for name in contents.names],
        "measures": [name.removeprefix("F1 ") for name in NAMES],
        "marks": {mark.value: list(shown) for mark, shown in MARKS.items()},
        "pairs": [
            _pair_record(
                pair_id,
                contents.gold.get(pair_id),
                [
                    (system.get(pair_id), judged.get(pair_id))
                    for system, judged in zip(contents.systems, counts, strict=True)
                ],
            )
            for pair_id in ids
        ],
    }


def _pair_record(
    pair_id: str,
    gold: SentencePair | None,
    systems: list[tuple[SentencePair | None, PairCounts | None]],
) -> dict[str, Any]:
    known = gold or next((pair for pair, _ in systems if pair is not None), None)
    return {
        "id": printable(pair_id),
        "sentences": [
            printable(str(sentence))
            for sentence in ((known.sentence1, known.sentence2) if known else ())
        ],
        "gold": _lines(gold) if gold else None,
        "systems": [
            {
                "f1": [round(x, _DECIMALS) for x in judged.f1] if judged and judged.f1 else None,
                "cells": [
                    [*map(printable, cell)] for cell in sorted(judged.cells if judged else ())
                ],
                "lines": _lines(pair) if pair else None,
                "marks": [mark.value for mark in _marks(pair, gold)],
                "gold_marks": [mark.value for mark in _marks(gold, pair)],
            }
            for pair, judged in systems
        ],
    }


def _lines(pair: SentencePair) -> list[list[str]]:
    """Both chunks, the label and the score of each alignment, from left to right."""
    return [
        [
            printable(chunk_text(pair, alignment, 1)),
            printable(chunk_text(pair, alignment, 2)),
            alignment.label,
            "" if alignment.score is None else format_score(alignment.score),
        ]
        for alignment in _in_order(pair)
    ]


def _marks(pair: SentencePair | None, other: SentencePair | None) -> list[Mark]:
    if pair is None:
        return []
    found = dict(zip(map(id, pair.alignments), marks(pair, other), strict=True))
    return [found[id(alignment)] for alignment in _in_order(pair)]


def _in_order(pair: SentencePair) -> list[Alignment]:
    """Links by their place in sentence 1, then what stays alone on either side."""
    return sorted(
        pair.alignments,
        key=lambda alignment: (
            not alignment.is_link,
            alignment.chunk1 is None,
            alignment.chunk1.tokens if alignment.chunk1 else (),
            alignment.chunk2.tokens if alignment.chunk2 else (),
        ),
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ists.report"), autoescape=True, undefined=StrictUndefined
    )


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None  # noqa: S101 (see above)
    return environment.loader.get_source(environment, name)[0]
