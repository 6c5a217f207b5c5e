"""No page breaks a rule of axe-core, in light or dark, on a wide or a narrow screen."""

import pytest

import ists
from ists.explanation import explain, render, show
from ists.report import compile_report
from ists.report import render as render_report
from ists.similarity import Similarity
from tests.browser.accessibility import violations
from tests.browser.notebook import cell
from tests.conftest import EXAMPLES
from tests.report.test_report import with_confidences

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
WIDTHS = pytest.mark.parametrize("width", [400, 1240])


def opened(page, tmp_path, width: int, html: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    file = tmp_path / "page.html"
    file.write_text(html)
    page.goto(file.as_uri())


def test_axe_finds_what_is_wrong(page, tmp_path):
    wrong = """<!doctype html><title>x</title><link rel=icon href='data:,'><img src='data:,'>
        <button aria-label="Stop">Go</button>"""
    opened(page, tmp_path, 800, wrong)
    rules = {one.split(":")[1].strip() for one in violations(page)}
    assert rules >= {"html-has-lang", "image-alt", "label-content-name-mismatch"}


@WIDTHS
def test_a_page_of_pictures(page, tmp_path, width):
    opened(page, tmp_path, width, render(ists.read(GOLD)))
    page.locator(".ists-label").first.focus()
    assert violations(page) == []


@WIDTHS
def test_a_report(page, tmp_path, width):
    sure = with_confidences(SYSTEM, tmp_path / "sure.jsonl")
    contents = compile_report(GOLD, [sure, GOLD], bootstrap=10, trials=10, most=3)
    opened(page, tmp_path, width, render_report(contents))
    if width == 400:
        page.click("#filters")
        page.check("#differences")
        page.select_option("#beside", "1")
    assert violations(page) == []


@pytest.mark.parametrize("width", [400, 900])
def test_what_a_notebook_shows(page, tmp_path, width):
    pair = next(iter(ists.read(GOLD)))
    parts = tuple(0.5 for _ in pair.alignments)
    values = [
        pair,
        explain(pair, 3.2),
        Similarity(pair, 2.5, parts, parts),
        show(ists.read(GOLD)),
        compile_report(GOLD, [SYSTEM], bootstrap=5),
    ]
    opened(page, tmp_path, width, cell(*values))
    for row in page.locator("summary").all()[:2]:
        row.click()
    assert violations(page) == []
