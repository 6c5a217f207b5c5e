"""The report in a real browser: order, filters, and a thousand pairs."""

from dataclasses import replace

import pytest

import ists
from ists.report import compile_report, render
from tests.conftest import EXAMPLES
from tests.report.test_report import HOSTILE, hostile_file, with_confidences

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
    return [text.removeprefix("Pair ") for text in page.locator("article h3 a").all_inner_texts()]


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
    words = page.locator("article .words").first.inner_text()
    assert words == f"1 {HOSTILE}↔{HOSTILE}"
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


def test_every_pair_is_a_picture_with_marks_and_evidence(opened):
    opened.fill("#text", "3")
    pictures = opened.locator("article svg")
    assert pictures.count() == 2
    labels = pictures.nth(1).locator(".ists-label text").all_text_contents()
    assert "2 SIMI 3 ≈" in labels
    assert "1 EQUI 5 ✓" in labels
    pictures.nth(0).locator(".ists-label.ists-OPPO").hover()
    assert "“climb” and “tumble” say the opposite" in opened.inner_text("#tip")
    opened.mouse.move(0, 0)
    assert not opened.is_visible("#tip")


def test_only_differences_hides_what_agrees(opened):
    opened.select_option("#system", label="system.wa")
    opened.check("#differences")
    assert "8" not in ids(opened)
    assert opened.locator(".line.hit").count() == 0
    assert opened.locator(".line.near").count() > 0
    agreed = opened.locator("article .ists-label.agreed").first
    assert float(agreed.evaluate("e => getComputedStyle(e).opacity")) < 0.5
    opened.select_option("#system", label="gold.wa")
    assert ids(opened) == []


@pytest.mark.parametrize("width", [400, 1240])
def test_the_filters_stay_in_view(opened, width):
    opened.set_viewport_size({"width": width, "height": 800})
    opened.evaluate("scrollTo(0, document.body.scrollHeight)")
    if width == 400:
        opened.click("#filters")
    for control in ("#count", "#text", "#differences"):
        box = opened.locator(control).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800


def test_a_pair_has_an_address(opened):
    opened.fill("#text", "lisbon")
    opened.click("article h3 a")
    assert opened.url.endswith("#pair-2")
    opened.fill("#text", "")
    opened.evaluate("location.hash = 'pair-5'")
    fifth = opened.locator("[id='pair-5']")
    opened.locator("[id='pair-5']:focus").wait_for()
    bar = opened.locator("#bar").bounding_box()
    assert fifth.bounding_box()["y"] >= bar["y"] + bar["height"] - 1


def test_an_address_shows_a_pair_far_down_the_list(page, tmp_path):
    pairs = list(ists.read(GOLD))
    hundred = [replace(pairs[n % 8], id=f"a b/{n}", origin=None) for n in range(100)]
    source, file = tmp_path / "many.wa", tmp_path / "report.html"
    ists.write(hundred, source)
    file.write_text(render(compile_report(source, [source], bootstrap=10)))
    page.goto(file.as_uri() + "#pair-a%20b%2F93")
    page.locator("article:focus").wait_for()
    assert page.inner_text("article:focus h3 a") == "Pair a b/93"
    page.locator("article.named .ists-label").first.wait_for()


def test_pairs_won_and_lost_are_shown_by_their_numbers(opened):
    won, lost = opened.locator("button.result").all()
    assert (won.inner_text(), lost.inner_text()) == ("7", "0")
    won.click()
    assert opened.inner_text("#count") == "7 of 8 pairs"
    assert opened.inner_text("#asked") == "gold.wa, better than system.wa by Typ+Sco"
    lost.click()
    assert ids(opened) == []
    opened.select_option("#result", "equal")
    assert ids(opened) == ["8"]


def test_print_has_every_pair_in_colour_on_white_without_the_form(opened, tmp_path):
    opened.emulate_media(color_scheme="dark")
    opened.set_viewport_size({"width": 900, "height": 300})
    pages = opened.pdf(print_background=True)
    assert pages.startswith(b"%PDF")
    # Printing has drawn all pictures.
    assert opened.locator("article svg").count() == 16
    assert opened.locator("article svg:empty").count() == 0
    opened.emulate_media(media="print", color_scheme="dark")
    assert not opened.is_visible("#controls")
    assert opened.inner_text("#count") == "8 of 8 pairs"
    style = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).printColorAdjust]"
    assert opened.eval_on_selector("body", style) == ["rgb(255, 255, 255)", "exact"]


def test_confidences_are_a_chart(page, tmp_path):
    sure, file = with_confidences(SYSTEM, tmp_path / "sure.jsonl"), tmp_path / "report.html"
    file.write_text(render(compile_report(GOLD, [sure], bootstrap=10)))
    page.goto(file.as_uri())
    assert page.locator("#calibration .plot").count() == 2
    link = page.locator("#calibration .bin rect").first.bounding_box()
    plot = page.locator("#calibration .plot").first.bounding_box()
    assert plot["y"] <= link["y"] < link["y"] + link["height"] <= plot["y"] + plot["height"]
    assert page.locator("#lengths .plot .point").count() == 12
