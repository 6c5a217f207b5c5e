"""What a notebook shows, in a page that stands for one."""

import pytest

import ists
from ists.explanation import explain, show
from ists.similarity import Similarity
from tests.browser.notebook import cell
from tests.conftest import EXAMPLES
from tests.explanation.test_picture import chain

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(18, 23, 29)"


def pair_of_examples(number: int = 1):
    return list(ists.read(EXAMPLES / "gold.wa"))[number]


def opened(page, tmp_path, *values, **options) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(cell(*values, **options))
    page.goto(file.as_uri())


def similarity() -> Similarity:
    pair = pair_of_examples()
    parts = tuple(0.5 for _ in pair.alignments)
    return Similarity(pair, 3.25, parts, parts)


@pytest.mark.parametrize("width", [500, 900])
def test_everything_fits_the_cell(page, tmp_path, width):
    pairs = list(ists.read(EXAMPLES / "gold.wa"))
    values = [pairs[0], pairs[1], chain(13), explain(pairs[2], 4.0), similarity(), show(pairs)]
    opened(page, tmp_path, *values, width=f"{width}px")
    for row in page.locator("summary").all():
        row.click()
    wider = page.evaluate("""() => [...document.querySelectorAll(".cell, .cell *")]
        .filter(e => e.checkVisibility() && e instanceof HTMLElement)
        .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
        .map(e => e.outerHTML.slice(0, 80))""")
    assert wider == []
    edges = page.evaluate("""() => [...document.querySelectorAll(".cell svg")]
        .filter(e => e.checkVisibility())
        .map(e => [e, e.closest(".cell")].map(one => one.getBoundingClientRect().right))""")
    assert all(picture <= end for picture, end in edges)


def test_a_narrow_cell_has_the_narrow_picture_at_full_size(page, tmp_path):
    pair = pair_of_examples()
    opened(page, tmp_path, pair, width="500px")
    assert page.locator("svg:visible").count() == 1
    shown = page.locator("svg:visible").bounding_box()["width"]
    assert shown == float(page.locator("svg:visible").get_attribute("width"))
    opened(page, tmp_path, pair, width="900px")
    assert page.locator("svg:visible").bounding_box()["width"] > shown


@pytest.mark.parametrize(
    ("marks", "scheme", "ground"),
    [
        ({}, "light", LIGHT),
        ({}, "dark", DARK),
        ({"body": 'data-jp-theme-light="false"'}, "light", DARK),
        ({"body": 'data-jp-theme-light="true"'}, "dark", LIGHT),
        ({"body": 'class="vscode-dark" data-vscode-theme-kind="vscode-dark"'}, "light", DARK),
        ({"body": 'class="vscode-light" data-vscode-theme-kind="vscode-light"'}, "dark", LIGHT),
        ({"body": 'class="vscode-high-contrast"'}, "light", DARK),
        ({"root": 'theme="dark"'}, "light", DARK),
        ({"root": 'theme="light"'}, "dark", LIGHT),
    ],
)
def test_the_theme_is_that_of_the_notebook(page, tmp_path, marks, scheme, ground):
    page.emulate_media(color_scheme=scheme)
    opened(page, tmp_path, pair_of_examples(), show([pair_of_examples()]), **marks)
    colours = page.evaluate("""() => [
        getComputedStyle(document.querySelector(".ists-ground")).fill,
        ...[...document.querySelectorAll(".ists-cell")]
            .map(e => getComputedStyle(e).backgroundColor)]""")
    assert set(colours) == {ground}


def test_words_similarity_and_points_are_shown(page, tmp_path):
    opened(page, tmp_path, similarity())
    text = page.inner_text(".cell")
    assert "Similarity 3.25 of 5" in text
    assert "“sinks” and “goes down” mean the same" in text
    assert page.locator("td:text-is('Harbour ferry ↔ Ferry')").count() == 1
    assert page.locator("td:text-is('+0.50')").count() == 6


def test_pairs_are_a_table_whose_rows_open(page, tmp_path):
    opened(page, tmp_path, show(ists.read(EXAMPLES / "gold.wa")), width="500px")
    assert page.locator("tbody tr").count() == 8
    assert page.locator("svg:visible").count() == 0
    page.locator("summary").nth(1).click()
    assert page.locator("svg:visible").count() == 1
    page.locator("svg:visible .ists-label.ists-k2").hover()
    dimmed = page.locator("svg:visible .ists-label.ists-k1")
    assert float(dimmed.evaluate("e => getComputedStyle(e).opacity")) < 0.5
