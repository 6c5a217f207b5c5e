"""Figures in the documents are those of the models' cards, or what our commands measure."""

import json
import re
from typing import Any

import pytest

from ists.resources import models_path
from tests.docs import shown
from tests.docs.shown import Table

README = shown.text_of("README.md")
FIGURES = shown.text_of("docs/figures.md")
SIMILARITY = shown.text_of("docs/similarity.md")
BENCHMARKS = shown.text_of("docs/benchmarks.md")

_MEASURES = ("ali", "type", "score", "type_score")
_PILOT_ROWS = {
    "headlines, gold chunks": ("headlines", "gold_chunks"),
    "images, gold chunks": ("images", "gold_chunks"),
    "headlines, raw": ("headlines", "own_chunks"),
    "images, raw": ("images", "own_chunks"),
}
_SIMILARITY_ROWS = {
    "cosine of plain MiniLM": "minilm_cosine",
    "cosine of our vectors": "cosine",
    "similarity": "similarity",
}
_YEAR = "2014/"
_SICK = "sick2014/SICK_test_annotated"

Cell = tuple[str, str]
Figures = dict[Cell, list[float]]


def card(model: str) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(models_path(model, "model.json").read_text())
    return card


def table(column: str) -> Table:
    """The one table of docs/figures.md that has such a column."""
    (found,) = (table for table in shown.tables(FIGURES) if column in table.head)
    return found


def agree(figure: str, recorded: float) -> bool:
    """Whether a figure is a rounded number; a last digit of 5 may have gone either way."""
    decimals = len(figure.partition(".")[2])
    return abs(float(figure) - recorded) <= 0.5 * 10**-decimals + 1e-9


def pilot_figures() -> Figures:
    sets = card("pilot")["figures"]["cross_validated"]
    return {
        (row, "cross-validated"): [sets[name][chunks][measure] for measure in _MEASURES]
        for row, (name, chunks) in _PILOT_ROWS.items()
    }


_DEFAULT_ROWS = {
    "everyday English, written (6,881 pairs)": "everyday",
    "of these, short pairs that differ in one point (200)": "everyday-minimal",
    "everyday English, real text (1,000 pairs)": "real",
    "students' answers of 2016 (330 pairs)": "students",
    "headlines of the pilot": "pilot-headlines",
    "images of the pilot": "pilot-images",
    "headlines of 2016": "more-headlines",
    "images of 2016": "more-images",
}


def default_figures() -> Figures:
    sets = card("default")["figures"]["cross_validated"]
    figures: Figures = {}
    for row, name in _DEFAULT_ROWS.items():
        for column, chunks in (("gold chunks", "gold_chunks"), ("raw", "own_chunks")):
            figures[row, column] = [sets[name][chunks][measure] for measure in _MEASURES]
        figures[row, "chunk F1"] = [sets[name]["chunk_f1"]]
    return figures


def chunker_figures() -> Figures:
    sets = card("chunker")["figures"]
    return {("with CoNLL-2000", name): [sets[name]["exact_f1"]] for name in sets}


def similarity_figures() -> Figures:
    sets = card("similarity")["figures"]["sets"]
    years = {name.removeprefix(_YEAR): s for name, s in sets.items() if name.startswith(_YEAR)}
    pairs = sum(one["pairs"] for one in years.values())
    figures: Figures = {}
    for row, key in _SIMILARITY_ROWS.items():
        figures |= {(row, name): [one[key]] for name, one in years.items()}
        mean = sum(one["pairs"] * one[key] for one in years.values()) / pairs
        figures |= {(row, "STS 2014"): [mean], (row, "SICK test"): [sets[_SICK][key]]}
    return figures


def of_others(figures: Table) -> set[Cell]:
    """Cells that no card records: other programs' figures, and trainings that are not shipped."""
    return {
        (row, column)
        for row, column in figures.figures()
        if row == "gold chunks alone"
        or column in ("command", "best published run in each column (on the pilot's test set)")
    }


@pytest.mark.parametrize(
    ("column", "recorded"),
    [
        ("cross-validated", pilot_figures()),
        ("chunk F1", default_figures()),
        ("answers-students", chunker_figures()),
        ("STS 2014", similarity_figures()),
    ],
)
def test_a_table_has_the_figures_of_the_card(column, recorded):
    cells = table(column).figures()
    assert cells.keys() - of_others(table(column)) == recorded.keys()
    wrong = {
        cell: (cells[cell], numbers)
        for cell, numbers in recorded.items()
        if not all(agree(*both) for both in zip(cells[cell].split(), numbers, strict=True))
    }
    assert not wrong


_README_ROWS = {
    "everyday English, written for this corpus (6,881 pairs)": ("default", "everyday"),
    "everyday English, real text (1,000 pairs)": ("default", "real"),
    "headlines of the pilot": ("pilot", "headlines"),
    "images of the pilot": ("pilot", "images"),
}


def test_the_table_of_the_readme_shows_what_the_cards_record():
    (table,) = (table for table in shown.tables(README) if "Typ+Sco" in table.head)
    assert {row[0] for row in table.rows} == _README_ROWS.keys()
    for text, model, *figures, command in table.rows:
        name, data = _README_ROWS[text]
        recorded = card(name)["figures"]["cross_validated"][data]["own_chunks"]
        assert (model, command) == (f"`{name}`", f"`make model-{name}`")
        assert all(map(agree, figures, (recorded[measure] for measure in _MEASURES)))


def test_figures_in_the_text_of_the_readme_are_those_of_the_tables():
    in_readme = in_text(r"Typ\+Sco (\.\d+) \(headlines\) and (\.\d+) \(images\)", README)
    published = "best published run in each column (on the pilot's test set)"
    rows = table(published).figures()
    for figure, row in zip(in_readme, ("headlines, raw", "images, raw"), strict=True):
        assert agree(figure, float(rows[row, published].split()[-1]))
    (similarity,) = in_text(r"r (\.\d+) on STS 2014", README)
    assert agree(similarity, *similarity_figures()["similarity", "STS 2014"])


def in_text(pattern: str, text: str = FIGURES) -> tuple[str, ...]:
    """The figures at the one place of a text that is so worded."""
    (found,) = re.finditer(pattern.replace(" ", r"\s+"), text)
    return found.groups()


def test_the_points_in_the_text_are_those_of_the_card():
    points = card("similarity")["points"]
    (angle,) = in_text(r"up to ([\d.]+) points by the angle", SIMILARITY)
    (contradiction,) = in_text(r"A pair with an OPPO loses ([\d.]+) point more", SIMILARITY)
    assert agree(angle, points["angle"])
    assert agree(contradiction, points["contradiction"])


@pytest.mark.parametrize("year", ["2012", "2013", "2014"])
def test_the_baseline_is_what_the_benchmark_measures(shared, ists, year):
    (listed,) = in_text(r"The baseline on the sets of 2012–2014: ((?:[^.]|\.\d)*)\.", BENCHMARKS)
    (sets,) = re.findall(rf"([^()]*) \({year}\)", listed)
    outcome = ists("bench", "sts", shared / "sts" / year, "--baseline-only", "--format", "json")
    measured = {one["name"]: one["baseline"] for one in json.loads(outcome.out)["sets"]}
    figures = dict(re.findall(r"([\w-]+) (\.\d+)", " ".join(sets.split())))
    assert figures.keys() == {name for name in measured if not name.endswith(".train")}
    assert all(agree(figure, measured[name]) for name, figure in figures.items()), measured


def test_r_on_stss131_is_what_the_benchmark_measures(shared, ists):
    (r,) = in_text(r"On STSS-131 r is (\.\d+)")
    outcome = ists("bench", "stss131", shared / "stss131" / "stss131.tsv", "--format", "json")
    assert agree(r, json.loads(outcome.out)["r"])
