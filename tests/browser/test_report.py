"""The report in a real browser: order, filters, and a thousand pairs."""

from dataclasses import replace

import pytest

import ists
from ists.report import compile_report, render
from tests.conftest import EXAMPLES
from tests.report.test_report import HOSTILE, hostile_file

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"


@pytest.fixture(scope="module")
def report() -> str:
    return render(compile_report(GOLD, [SYSTEM, GOLD], bootstrap=20, trials=20))


@pytest.fixture
def opened(page, report, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(report)
    page.goto(file.as_uri())
    return page


def ids(page) -> list[str]:
    return [text.removeprefix("Pair ") for text in page.locator("article h3").all_inner_texts()]


def test_pairs_come_worst_first_and_in_any_order_asked_for(opened):
    worst_first = ids(opened)
    assert worst_first[0] == "7"
    assert worst_first[-1] == "8"  # nothing to align: not bad, but last
    opened.select_option("#order", "best")
    best_first = ids(opened)
    assert best_first[-1] == "8"
    assert best_first[-2] == "7"
    opened.select_option("#order", "file")
    assert ids(opened) == [str(number) for number in range(1, 9)]
    opened.select_option("#order", "worst")
    opened.select_option("#measure", label="Ali")
    assert ids(opened)[0] == "7"


def test_pairs_are_filtered_by_label_and_text(opened):
    opened.select_option("#gold-label", "OPPO")
    assert sorted(ids(opened)) == ["3", "6"]
    assert opened.inner_text("#count") == "2 of 8 pairs"
    opened.select_option("#system-label", "SIMI")
    assert ids(opened) == ["3"]
    opened.select_option("#gold-label", "")
    opened.select_option("#system-label", "")
    opened.fill("#text", "LISBON")
    assert ids(opened) == ["2"]
    opened.fill("#text", "no such words")
    assert ids(opened) == []


def test_a_cell_of_the_heat_map_shows_its_pairs(opened):
    opened.click(".heat button[data-system='0'][data-gold='OPPO'][data-label='SIMI']")
    assert ids(opened) == ["3"]


def test_gold_and_systems_stand_side_by_side_with_marks(opened):
    opened.fill("#text", "3")
    assert opened.locator("article .column").count() == 2
    opened.select_option("#beside", "1")
    heads = opened.locator("article .column h4").all_inner_texts()
    assert [head.splitlines()[0] for head in heads] == ["gold", "system.wa", "gold.wa"]
    line = opened.locator("article .column").nth(1).locator("li").nth(1)
    assert "with another label" in line.locator(".mark").get_attribute("aria-label")
    assert "climb" in line.inner_text()
    assert "SIMI 3" in line.inner_text()
    opened.fill("#text", "")
    opened.select_option("#order", "apart")
    assert ids(opened)[0] == "7"


def test_nothing_but_the_file_is_asked_for(opened, requests):
    assert requests == [opened.url]


@pytest.mark.parametrize("width", [400, 900, 1400])
def test_the_page_never_scrolls_sideways(opened, width):
    opened.set_viewport_size({"width": width, "height": 900})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hostile_sentence_is_shown_as_text(page, tmp_path):
    source, file = hostile_file(tmp_path), tmp_path / "report.html"
    file.write_text(render(compile_report(source, [source], bootstrap=10), title=HOSTILE))
    page.goto(file.as_uri())
    assert page.locator("article .sentence").first.inner_text() == HOSTILE
    assert page.locator("img").count() == 0


def test_a_thousand_pairs_are_drawn_as_the_reader_comes_to_them(page, tmp_path):
    pairs = list(ists.read(GOLD))
    thousand = [replace(pairs[n % 8], id=str(n), origin=None) for n in range(1000)]
    source, file = tmp_path / "thousand.wa", tmp_path / "report.html"
    ists.write(thousand, source)
    file.write_text(render(compile_report(source, [source], bootstrap=10)))
    page.goto(file.as_uri())
    assert page.inner_text("#count") == "1000 of 1000 pairs"
    assert page.locator("article").count() < 100
    page.evaluate("""() => new Promise(done => {
        // Someone who holds the End key down.
        const down = () => {
            window.scrollTo(0, document.body.scrollHeight);
            if (document.querySelectorAll("article").length < 1000) requestAnimationFrame(down);
            else done();
        };
        down();
    })""")
    page.fill("#text", "lisbon")
    assert page.inner_text("#count") == "125 of 1000 pairs"


def test_what_is_left_out_is_said(page, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(render(compile_report(GOLD, [SYSTEM], bootstrap=20, most=3)))
    page.goto(file.as_uri())
    assert ids(page)[0] == "7"
    assert page.inner_text("#count") == "3 of 3 pairs shown here, 5 are left out"
    assert "3 pairs with the lowest Typ+Sco; 5 of 8 are left out" in page.inner_text("#pairs")


def test_files_in_different_orders_are_shown_in_the_gold_s(page, tmp_path):
    other, file = tmp_path / "other.wa", tmp_path / "report.html"
    ists.write(list(ists.read(SYSTEM))[::-1], other)
    file.write_text(render(compile_report(GOLD, [other], bootstrap=20, most=None)))
    page.goto(file.as_uri())
    page.select_option("#order", "file")
    assert ids(page) == [str(number) for number in range(1, 9)]
