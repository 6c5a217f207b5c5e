"""Chunks with gaps (2016 edition) in pictures, in a real browser."""

from itertools import combinations

import pytest

import ists
from ists.explanation import render
from ists.report import compile_report
from ists.report import render as render_report
from tests.browser.test_picture import AREAS, opacity, overlap, shown
from tests.conftest import ROOT
from tests.explanation.test_groups import GROUP_PAIR

GOLDEN = ROOT / "tests" / "golden" / "aligned2016.wa"
PARTS = ["The lamp", "to the switch", "The lamp", "and", "the switch"]


def words_and_numbers(where, boxes: str) -> list[list[str]]:
    return [box.locator("text").all_text_contents() for box in where.locator(boxes).all()]


@pytest.mark.parametrize("width", [400, 1400])
def test_no_part_and_no_text_overlaps_another(page, tmp_path, width):
    page.set_viewport_size({"width": width, "height": 900})
    shown(page, tmp_path, [GROUP_PAIR, *ists.read(GOLDEN, edition="2016")])
    for selector in (".ists-label rect, main .ists-box rect", ".ists text"):
        areas = page.evaluate(AREAS, selector)
        assert len(areas) > 60
        assert not [pair for pair in combinations(areas, 2) if overlap(*pair)]


def test_a_group_is_drawn_in_its_parts_with_one_link(page, tmp_path):
    shown(page, tmp_path, GROUP_PAIR)
    assert words_and_numbers(page, "main .ists-box.ists-k1") == [[part, "1"] for part in PARTS]
    assert page.locator("main .ists-label.ists-k1").count() == 1
    assert page.locator("main .ists-link.ists-k1 path").count() == 1
    assert "'The lamp is now wired to the switch .'" in page.get_attribute("main svg", "aria-label")
    touched = page.evaluate("""() => {
        const path = document.querySelector("main .ists-link.ists-k1 path");
        return [...document.querySelectorAll("main .ists-box.ists-k1 rect")].map((rect) => {
            const { x, y, width, height } = rect.getBBox();
            return [y - 1, y + height + 1].some((edge) =>
                path.isPointInStroke(new DOMPoint(x + width / 2, edge)));
        });
    }""")
    assert touched == [True] * len(PARTS)


def test_a_part_that_is_pointed_at_lights_all_parts_and_the_link(page, tmp_path):
    shown(page, tmp_path, GROUP_PAIR)
    page.locator("main .ists-box.ists-k1").nth(1).hover()
    assert [opacity(one) for one in page.locator("main .ists-k1").all()] == [1] * 7
    assert all(opacity(one) < 0.5 for one in page.locator("main .ists-k2").all())
    assert "“The lamp … to the switch”" in page.inner_text("#tip")
    page.mouse.move(1, 1)
    page.locator("main .ists-label.ists-k2").focus()
    assert [opacity(one) for one in page.locator("main .ists-k2").all()] == [1] * 5
    assert all(opacity(one) < 0.5 for one in page.locator("main .ists-k1").all())


def test_an_svg_lights_all_parts_without_a_script(page, tmp_path):
    file = tmp_path / "pair.svg"
    file.write_text(render(GROUP_PAIR, "svg"))
    page.goto(file.as_uri())
    assert words_and_numbers(page, ".ists-box.ists-k1") == [[part, "1"] for part in PARTS]
    page.locator(".ists-box.ists-k1").last.hover()
    assert [opacity(one) for one in page.locator(".ists-k1").all()] == [1] * 7
    assert all(opacity(one) < 0.5 for one in page.locator(".ists-k2").all())


def test_the_report_draws_the_parts(page, tmp_path):
    gold, file = tmp_path / "gold.wa", tmp_path / "report.html"
    ists.write([GROUP_PAIR], gold, edition="2016")
    file.write_text(render_report(compile_report(gold, [gold], bootstrap=20, trials=20)))
    page.goto(file.as_uri())
    page.locator("article").first.scroll_into_view_if_needed()
    page.locator("article .ists-label").first.wait_for()
    first = page.locator("article .column").first
    assert words_and_numbers(first, ".ists-box.ists-k1") == [[part, "1"] for part in PARTS]
    assert first.locator(".ists-label.ists-k1 text").text_content() == "1 EQUI 5 ✓"
