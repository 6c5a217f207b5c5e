"""The picture in a real browser, with its own fonts."""

from dataclasses import replace
from itertools import combinations

import pytest

import ists
from ists.explanation import render
from ists.pairs import Alignment, Chunk, Relation, Sentence
from tests.conftest import EXAMPLES
from tests.explanation.test_picture import HOSTILE, chain, hostile_pair

AREAS = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility())
    .map(element => { const box = element.getBoundingClientRect();
                      return [box.left, box.top, box.right, box.bottom]; })"""


def shown(page, tmp_path, pairs, **options) -> None:
    file = tmp_path / "picture.html"
    file.write_text(render(pairs, **options))
    page.goto(file.as_uri())
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # draws what is below the window


def overlap(a: list[float], b: list[float]) -> bool:
    return a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5


def examples() -> list:
    return [*ists.read(EXAMPLES / "gold.wa"), chain(13), chain(13, backwards=True)]


@pytest.mark.parametrize("width", [400, 900, 1400])
def test_no_label_and_no_box_overlaps_another(page, tmp_path, width):
    page.set_viewport_size({"width": width, "height": 900})
    shown(page, tmp_path, examples())
    areas = page.evaluate(AREAS, ".ists-label rect, main .ists-box rect")
    assert len(areas) > 60
    assert not [pair for pair in combinations(areas, 2) if overlap(*pair)]
    texts = page.evaluate(AREAS, ".ists text")
    assert not [pair for pair in combinations(texts, 2) if overlap(*pair)]


@pytest.mark.parametrize("width", [400, 1400])
def test_every_text_stays_inside_its_box_and_the_page_needs_no_scrolling(page, tmp_path, width):
    page.set_viewport_size({"width": width, "height": 900})
    shown(page, tmp_path, examples())
    sticking_out = page.evaluate("""() =>
        [...document.querySelectorAll("main .ists-box, .ists-label")]
        .filter(group => group.checkVisibility())
        .filter(group => {
            const rect = group.querySelector("rect").getBoundingClientRect();
            return [...group.querySelectorAll("text")].some(text => {
                const box = text.getBoundingClientRect();
                return box.left < rect.left || box.right > rect.right;
            });
        }).map(group => group.textContent)""")
    assert not sticking_out
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hostile_sentence_is_shown_as_text_and_nothing_is_fetched(page, requests, tmp_path):
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    shown(page, tmp_path, hostile_pair(), title=HOSTILE)
    assert page.inner_text("h1") == HOSTILE
    assert page.locator(f"main text:text-is('{HOSTILE}')").count() == 1
    assert page.locator("img").count() == 0
    assert not dialogs
    assert requests == [(tmp_path / "picture.html").as_uri()]


def test_the_picture_follows_the_reader_s_light_or_dark(page, tmp_path):
    shown(page, tmp_path, examples()[:1])
    evidence = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        evidence.append(page.eval_on_selector("main .ists-ground", "e => getComputedStyle(e).fill"))
    assert evidence == ["rgb(255, 255, 255)", "rgb(18, 23, 29)"]


def test_an_svg_file_opens_by_itself(page, requests, tmp_path):
    file = tmp_path / "pair.svg"
    file.write_text(render(examples()[1], "svg"))
    page.goto(file.as_uri())
    texts = page.eval_on_selector_all("text", "all => all.map(text => text.textContent)")
    assert "Harbour ferry" in texts
    assert requests == [file.as_uri()]


def opacity(locator) -> float:
    return float(locator.evaluate("e => getComputedStyle(e).opacity"))


def test_a_link_that_is_pointed_at_is_lit_and_the_rest_dimmed(page, tmp_path):
    shown(page, tmp_path, examples()[1])
    label, other = page.locator(".ists-label.ists-k2"), page.locator(".ists-label.ists-k3")
    assert opacity(other) == 1
    label.hover()
    assert opacity(label) == 1
    assert opacity(page.locator(".ists-box.ists-k2").first) == 1
    assert opacity(other) < 0.5
    assert opacity(page.locator(".ists-box.ists-k3").first) < 0.5
    assert "close in meaning" in page.inner_text("#tip")
    page.mouse.move(1, 1)
    assert opacity(other) == 1
    assert not page.is_visible("#tip")


def test_the_keyboard_goes_from_link_to_link(page, tmp_path):
    shown(page, tmp_path, examples()[1])
    page.keyboard.press("Tab")  # the link to the pair
    page.keyboard.press("Tab")
    assert page.locator(".ists-label.ists-k1:focus").count() == 1
    assert opacity(page.locator(".ists-label.ists-k2")) < 0.5
    page.keyboard.press("ArrowRight")
    assert page.locator(".ists-label.ists-k2:focus").count() == 1
    assert opacity(page.locator(".ists-label.ists-k1")) < 0.5
    assert "“sinks” and “goes down”" in page.inner_text("#tip")
    page.keyboard.press("Escape")
    assert not page.is_visible("#tip")
    page.keyboard.press("Tab")
    assert page.locator(".ists-label:focus").count() == 0


def test_an_svg_by_itself_lights_a_link_without_a_script(page, tmp_path):
    file = tmp_path / "pair.svg"
    file.write_text(render(examples()[1], "svg"))
    page.goto(file.as_uri())
    page.locator(".ists-label.ists-k2").hover()
    assert opacity(page.locator(".ists-label.ists-k2")) == 1
    assert opacity(page.locator(".ists-label.ists-k3")) < 0.5
    page.mouse.move(1, 1)
    page.locator(".ists-label.ists-k3").focus()
    assert opacity(page.locator(".ists-label.ists-k2")) < 0.5


def test_links_are_numbered_as_in_the_words_below(page, tmp_path):
    shown(page, tmp_path, examples()[1])
    assert page.locator(".ists-label text").all_text_contents() == [
        *("1 SPE1 4", "2 EQUI 5", "3 SIMI 4", "4 SIMI 3")
    ]
    assert page.locator("main li b").all_inner_texts() == ["1", "2", "3", "4"]


def test_alic_and_noali_look_different(page, tmp_path):
    pair = replace(examples()[0], alignments=examples()[0].alignments[:-2])
    alone = [Alignment(Chunk((1,)), None, Relation.ALIC), Alignment(None, Chunk((1,)), "NOALI")]
    shown(page, tmp_path, replace(pair, alignments=tuple(alone)))
    style = "e => { const s = getComputedStyle(e); return [s.stroke, s.strokeDasharray, s.fill]; }"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        looks = [
            page.eval_on_selector(f"main .ists-{name} rect", style) for name in ("ALIC", "NOALI")
        ]
        assert all(one != other for one, other in zip(*looks, strict=True))


def test_a_byte_that_is_no_utf8_is_a_replacement_character(page, tmp_path):
    pair = replace(examples()[0], sentence1=Sentence.of(["caf\udce9"] * 7))
    shown(page, tmp_path, pair)
    assert "caf\ufffd" in page.locator("main .ists-box text").first.text_content()


def test_many_pairs_are_drawn_when_they_are_scrolled_to(page, tmp_path):
    many = [replace(examples()[n % 8], id=str(n), origin=None) for n in range(60)]
    file = tmp_path / "picture.html"
    file.write_text(render(many))
    page.goto(file.as_uri())
    page.locator("[id='pair-0'] .ists-label").first.wait_for()
    assert page.locator("[id='pair-59'] svg:empty").count() == 1
    height = page.evaluate("document.body.scrollHeight")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("[id='pair-57'] .ists-label").first.wait_for()
    assert page.locator("[id='pair-30'] svg:empty").count() == 1
    assert page.evaluate("document.body.scrollHeight") == height
    page.pdf()
    assert page.locator("main svg:empty").count() == 0


def test_pairs_are_found_by_words_id_and_relation(page, tmp_path):
    shown(page, tmp_path, ists.read(EXAMPLES / "gold.wa"))
    visible = page.locator("main section:visible h2")
    page.fill("#search input", "LISBON")
    assert visible.all_inner_texts() == ["Pair 2"]
    page.fill("#search input", "7")
    assert visible.all_inner_texts() == ["Pair 7"]
    page.fill("#search input", "")
    page.select_option("#search select", "OPPO")
    assert visible.all_inner_texts() == ["Pair 3", "Pair 6"]
    assert page.inner_text("#search output") == "2 of 8 pairs"
    page.select_option("#search select", "")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.locator("#search input").bounding_box()["y"] >= 0


def test_a_pair_of_a_page_has_an_address(page, tmp_path):
    file = tmp_path / "picture.html"
    file.write_text(render(ists.read(EXAMPLES / "gold.wa")))
    page.goto(file.as_uri() + "#pair-6")
    page.locator("[id='pair-6'] .ists-label").first.wait_for()
    top = page.locator("[id='pair-6']").bounding_box()["y"]
    search = page.locator("#search").bounding_box()
    assert search["y"] + search["height"] <= top + 16 < 800


def test_the_picture_follows_the_width_of_the_window(page, tmp_path):
    shown(page, tmp_path, examples()[0])
    wide = page.locator("main svg").bounding_box()["width"]
    page.set_viewport_size({"width": 380, "height": 700})
    page.locator("main svg .ists-label").first.wait_for()
    assert page.locator("main svg").bounding_box()["width"] < wide


def test_the_pilot_s_headlines_take_less_than_a_megabyte(shared):
    file = shared / "ists2015" / "train" / "STSint.gs.headlines.wa"
    assert len(render(ists.read(file)).encode()) < 1_000_000
