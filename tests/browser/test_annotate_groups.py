"""Groups of the 2016 edition on the annotation page: shown, made by mouse and by keys, undone."""

import pytest

from ists.formats import read, write
from tests.annotate.test_groups import TWINS
from tests.browser.accessibility import violations
from tests.browser.annotating import served
from tests.browser.test_annotate import press, settle, step_of, visit

BAKED = (str(TWINS.sentence1), str(TWINS.sentence2))
CHUNKS = ("1", "4", "5", "7", "Enter", "1", "2", "4", "7", "Enter")
"""Grandma | and the twins | baked | a cake | . and Grandma | baked | a cake | with the twins | ."""

ADD_TWINS = ("Shift+Space", "ArrowRight", "Space", "ArrowDown", *["ArrowRight"] * 3, "Space")
"""The twins of both sentences join the link at the cursor."""

# For each chunk of a link, whether an end of one of the link's curves is at its edge.
_TOUCHED = """(number) => {
  const frame = document.querySelector("#curves").getBoundingClientRect();
  const ends = [...document.querySelectorAll("#curves path")].flatMap((path) =>
    [0, path.getTotalLength()].map((length) => path.getPointAtLength(length)));
  const chunks = [...document.querySelectorAll(".chunk")].filter((chunk) =>
    chunk.querySelector(".badge").textContent.startsWith(`${number} ·`));
  return chunks.map((chunk) => {
    const box = chunk.getBoundingClientRect();
    return ends.some(({ x, y }) =>
      x + frame.left > box.left && x + frame.left < box.right &&
      y + frame.top > box.top - 12 && y + frame.top < box.bottom + 12);
  });
}"""


@pytest.fixture
def gold(tmp_path):
    return tmp_path / "gold.wa"


@pytest.fixture
def baked(gold):
    with served(gold, BAKED, edition="2016") as address:
        yield address


def chunk(side: int, start: int) -> str:
    return f'.chunk[data-side="{side}"][data-start="{start}"]'


def click(page, selector: str, *modifiers: str) -> None:
    page.click(selector, modifiers=[*modifiers])
    settle(page)


def numbered(page, number: int) -> list[tuple[str, str]]:
    """The chunks of a link."""
    found = page.locator(".chunk", has_text=f"{number} ·").all()
    return [(one.get_attribute("data-side"), one.get_attribute("data-start")) for one in found]


def test_groups_are_made_with_shift_and_a_click_and_undone(page, baked, gold, ists):
    visit(page, baked)
    press(page, *CHUNKS)
    click(page, chunk(1, 1))
    click(page, chunk(2, 1))
    click(page, chunk(2, 5), "Shift")
    click(page, chunk(1, 2), "Shift")
    assert numbered(page, 1) == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "5")]
    assert page.evaluate(_TOUCHED, 1) == [True] * 4
    assert "‘Grandma and the twins’ ⇔ ‘Grandma … with the twins’" in page.inner_text("#link-name")
    press(page, "z")
    assert "‘and the twins’ added to" in page.inner_text("#message")
    assert numbered(page, 1) == [("1", "1"), ("2", "1"), ("2", "5")]
    press(page, "y")
    click(page, '[data-command="score"][data-value="5"]')
    press(page, "2", "5", "3", "5", "5", "5", "Enter")
    assert step_of(page) == "done"
    (pair,) = read(gold)
    assert [(link.text1, link.text2) for link in pair.links] == [
        ("Grandma and the twins", "Grandma with the twins"),
        ("baked", "baked"),
        ("a cake", "a cake"),
        (".", "."),
    ]
    assert ists("check", "--edition", "2016", "--guidelines", gold).code == 0


def test_groups_are_made_by_keys(page, baked):
    visit(page, baked)
    press(page, *CHUNKS, "1", ADD_TWINS[0])
    assert "adds a chunk to link 1" in page.inner_text("#instruction")
    assert violations(page) == []
    press(page, *ADD_TWINS[1:])
    assert numbered(page, 1) == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "5")]
    press(page, "Shift+Space")
    assert numbered(page, 1) == [("1", "1"), ("1", "2"), ("2", "1")]
    press(page, "Space", "5")
    assert page.locator('.chunk[aria-pressed="true"]').count() == 0, "the link is decided"
    assert len(numbered(page, 1)) == 4


def test_groups_are_made_by_touch_alone(page, baked):
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, baked)
    press(page, *CHUNKS)
    for selector in (chunk(1, 1), chunk(2, 1), '[data-command="hold"]', chunk(2, 5), chunk(1, 2)):
        click(page, selector)
    assert len(numbered(page, 1)) == 4
    click(page, '[data-command="hold"]')
    click(page, chunk(1, 5))
    assert len(numbered(page, 1)) == 4, "the next chunk is picked for a link of its own"
    assert page.get_attribute(chunk(1, 5), "aria-pressed") == "true"


def test_a_file_with_groups_is_shown(page, gold):
    write([TWINS], gold)
    with served(gold, edition="2016") as address:
        visit(page, address)
        settle(page)
        assert step_of(page) == "done"
        assert numbered(page, 1) == [("1", "1"), ("2", "1"), ("2", "5")]
        assert page.evaluate(_TOUCHED, 1) == [True] * 3
        name = page.get_attribute(chunk(2, 5), "aria-label")
        assert (
            "link 1 with ‘Grandma and the twins’, in the group ‘Grandma … with the twins’" in name
        )
        assert "Grandma and the twins ⇔ Grandma … with the twins" in page.inner_text("#links")
        assert violations(page) == []


def test_there_is_no_alic_in_2016_and_no_group_in_2015(page, baked, tmp_path):
    visit(page, baked)
    press(page, *CHUNKS, "Enter", "c")
    assert page.locator('[data-value="ALIC"]').count() == 0
    assert "ALIC" not in page.inner_text("#board")
    with served(tmp_path / "one-to-one.wa", BAKED) as address:
        visit(page, address)
        press(page, *CHUNKS, "1")
        assert page.locator('[data-command="hold"]').count() == 0
        click(page, chunk(2, 5), "Shift")
        assert page.get_attribute(chunk(2, 5), "aria-pressed") == "true", "Shift changes nothing"
        assert len(numbered(page, 1)) == 2
