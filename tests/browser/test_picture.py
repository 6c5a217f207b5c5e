"""The picture in a real browser, whose fonts are not those we reckon with."""

from itertools import combinations

import pytest

import ists
from ists.explain import render
from tests.conftest import EXAMPLES
from tests.explain.test_picture import HOSTILE, chain, hostile_pair

_AREAS = """selector => [...document.querySelectorAll(selector)]
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
    areas = page.evaluate(_AREAS, ".ists-label rect, main .ists-box rect")
    assert len(areas) > 60
    assert not [pair for pair in combinations(areas, 2) if overlap(*pair)]
    texts = page.evaluate(_AREAS, ".ists text")
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
