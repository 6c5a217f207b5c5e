"""The annotation page in a browser: keys, mouse, two windows, a killed server."""

import pytest

from ists.cli.annotate import suggester_of
from ists.formats import read
from ists.pairs import Relation
from tests.browser.annotating import Process, sentence_files, served
from tests.conftest import EXAMPLES

CATS = ("A tabby cat sleeps .", "A cat is sleeping .")
SNOW = ("Snow closes roads", "Roads are closed")
NASTY = ("<img src=x onerror=alert(1)> sleeps", "<script>alert(2)</script> sleeps")

TO_CHUNK = ("ArrowRight", "ArrowRight", "Space", "ArrowRight", "Space", "Enter")
TO_CHUNK_2 = ("ArrowRight", "Space", "End", "Space", "Enter")
TO_LINK = ("ArrowRight", "Space", "Space", "5", "e")
TO_LINK_2 = ("Home", "Space", "Space", "4", "t")
TO_FINISH = ("Enter", "n", "c", "Enter")


@pytest.fixture
def gold(tmp_path):
    return tmp_path / "gold.wa"


@pytest.fixture
def cats(gold):
    with served(gold, CATS, SNOW) as address:
        yield address


def visit(page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("main:not([hidden])")


def press(page, *keys: str) -> None:
    """Press keys as fast as they come, then wait until the page has done with them."""
    for key in keys:
        page.keyboard.press(key)
    settle(page)


def settle(page) -> None:
    page.evaluate("() => import(new URL('static/page.js', location.href)).then((m) => m.settled())")


def step_of(page) -> str:
    return page.get_attribute('.steps [aria-current="step"]', "data-step")


def alignments(gold, place: int = 0) -> list[tuple[str, str, float | None]]:
    pair = list(read(gold))[place]
    return [(a.comment, a.label, a.score) for a in pair.alignments]


CATS_ALIGNED = [
    ("A tabby cat <==> A cat", "SPE1", 4.0),
    ("sleeps <==> is sleeping", "EQUI", 5.0),
    (". <==> -not aligned-", "NOALI", None),
    ("-not aligned- <==> .", "ALIC", None),
]


def test_from_empty_to_done_by_keyboard_alone(page, requests, cats, gold, ists):
    visit(page, cats)
    press(page, *TO_CHUNK, *TO_CHUNK_2)
    assert step_of(page) == "links"
    press(page, *TO_LINK, *TO_LINK_2, *TO_FINISH)
    assert step_of(page) == "done"
    assert page.inner_text("#count") == "1 of 2 done"
    assert alignments(gold) == CATS_ALIGNED
    press(page, "Enter")
    assert page.input_value("#place") == "2"
    # Snow | closes | roads, Roads | are closed: a crossed link, and a chunk for which 0 is rejected
    press(page, "Space", "ArrowRight", "Space", "Enter", "Space", "Enter")
    press(page, "End", "Space", "Home", "Space", "5", "e", "ArrowRight", "Space", "Space", "3", "s")
    press(page, "p", "Enter", "l", "Enter")
    assert page.inner_text("#count") == "2 of 2 done"
    assert ("closes <==> are closed", "SIMI_POL", 3.0) in alignments(gold, 1)
    outcome = ists("check", "--guidelines", gold)
    assert (outcome.code, outcome.out) == (0, "")
    assert {request.rsplit("/", 1)[0] for request in requests if "/pairs" not in request} <= {
        cats.rstrip("/"),
        f"{cats}static",
    }
    assert all(request.startswith(cats) for request in requests)


def test_from_empty_to_done_by_mouse(page, cats, gold, ists):
    visit(page, cats)

    def click(selector: str) -> None:
        page.click(selector)
        settle(page)

    def chunk(side: int, start: int) -> str:
        return f'.chunk[data-side="{side}"][data-start="{start}"]'

    for before in (4, 5):
        click(f'.gap[data-before="{before}"]')
    click('[data-command="advance"]')
    for before in (2, 3, 5):
        click(f'.gap[data-before="{before}"]')
    click('.gap[data-before="2"]')
    click('[data-command="advance"]')
    for first, second, score, label in ((4, 3, 5, "EQUI"), (1, 1, 4, "SPE1")):
        click(chunk(1, first))
        click(chunk(2, second))
        click(f'[data-command="score"][data-value="{score}"]')
        if score < 5:
            click(f'[data-command="label"][data-value="{label}"]')
    click('[data-command="advance"]')
    click(chunk(2, 5))
    click('[data-command="alone"][data-value="ALIC"]')
    click('[data-command="alone"][data-value="NOALI"]')  # the other full stop is next by itself
    click('.moves [data-command="advance"]')
    assert step_of(page) == "done"
    assert alignments(gold) == CATS_ALIGNED


def test_the_other_sentence_is_nowhere_while_one_is_cut(page, cats):
    visit(page, cats)
    assert "tabby" in page.inner_text("#board")
    assert "sleeping" not in page.content()
    press(page, "Enter")
    assert "sleeping" in page.inner_text("#board")
    assert "tabby" not in page.content()


def test_what_is_missing_is_said_and_the_score_comes_first(page, cats):
    visit(page, cats)
    press(page, *TO_CHUNK, *TO_CHUNK_2, "Space", "Space", "t")
    assert "score comes before the label" in page.inner_text("#message")
    press(page, "Enter")
    assert "has no score" in page.inner_text("#message")
    assert step_of(page) == "links"
    press(page, "5", "Home", "s")
    assert "Score 5 is only for EQUI" in page.inner_text("#message")
    press(page, "3")
    assert "has no label" in page.inner_text("#missing")
    press(page, "5", "Enter")
    assert step_of(page) == "rest"
    press(page, "Enter")
    assert "needs NOALI or ALIC" in page.inner_text("#message")


def test_undo_and_redo_walk_through_everything(page, cats, gold):
    visit(page, cats)
    before = gold.read_bytes()
    press(page, *TO_CHUNK, *TO_CHUNK_2, *TO_LINK, *TO_LINK_2, *TO_FINISH)
    done = gold.read_bytes()
    for _ in range(17):
        page.keyboard.press("z")
    settle(page)
    assert step_of(page) == "chunks1"
    assert gold.read_bytes() == before
    assert page.get_attribute('.moves [data-command="undo"]', "aria-disabled") == "true"
    for _ in range(17):
        page.keyboard.press("Control+Shift+Z")
    settle(page)
    assert gold.read_bytes() == done


def test_a_killed_server_has_lost_nothing(page, tmp_path, gold):
    server = Process(*sentence_files(tmp_path, CATS), "-o", gold)
    visit(page, server.address)
    press(page, *TO_CHUNK, *TO_CHUNK_2, *TO_LINK, "m")
    page.keyboard.type("is this a fact?")
    press(page, "Escape")
    server.kill()
    with served(gold) as again:
        visit(page, again)
        assert step_of(page) == "links"
        assert "1 · EQUI 5" in page.inner_text("#board")
        assert page.input_value("#note") == "is this a fact?"
        press(page, *TO_LINK_2, *TO_FINISH)
    assert alignments(gold) == CATS_ALIGNED


def test_a_server_that_is_gone_is_said_to_be_gone(browser, gold):
    page = browser.new_context().new_page()
    with served(gold, CATS) as address:
        visit(page, address)
    press(page, "Space")
    assert "does not answer" in page.inner_text("#message")
    page.context.close()


def test_two_windows_do_not_overwrite_each_other_silently(browser, cats, gold):
    context = browser.new_context()
    one, two = context.new_page(), context.new_page()
    visit(one, cats)
    visit(two, cats)
    press(one, "Space")
    data = gold.read_bytes()
    # An action on an outdated view is rejected; the window says so and shows the current state.
    press(two, "ArrowRight", "Space")
    assert "changed in another window" in two.inner_text("#message")
    assert two.get_attribute('.gap[data-before="2"]', "aria-pressed") == "true"
    assert two.get_attribute('.gap[data-before="3"]', "aria-pressed") == "false"
    assert gold.read_bytes() == data
    press(two, "Space")
    assert two.get_attribute('.gap[data-before="3"]', "aria-pressed") == "true"
    context.close()


def test_a_note_typed_beside_other_changes_is_not_lost(browser, cats):
    context = browser.new_context()
    one, two = context.new_page(), context.new_page()
    visit(one, cats)
    visit(two, cats)
    press(one, "Space")
    two.fill("#note", "mine")
    two.keyboard.press("Escape")
    two.wait_for_selector("#note-state:has-text('saved')")
    one.reload()
    one.wait_for_selector("main:not([hidden])")
    assert one.input_value("#note") == "mine"
    context.close()


def test_a_note_that_another_window_has_written_is_not_replaced_unasked(browser, cats):
    context = browser.new_context()
    one, two = context.new_page(), context.new_page()
    visit(one, cats)
    visit(two, cats)
    one.fill("#note", "theirs")
    press(one, "Escape")
    two.fill("#note", "mine")
    press(two, "Escape", "Space")
    one.reload()
    one.wait_for_selector("main:not([hidden])")
    assert one.input_value("#note") == "theirs"
    assert two.input_value("#note") == "mine"
    two.fill("#note", "mine after all")
    press(two, "Escape")
    one.reload()
    one.wait_for_selector("main:not([hidden])")
    assert one.input_value("#note") == "mine after all"
    context.close()


def test_escape_lets_a_picked_chunk_go(page, cats):
    visit(page, cats)
    press(page, *TO_CHUNK, *TO_CHUNK_2, "Space")
    assert page.locator('.chunk[aria-pressed="true"]').count() == 1
    press(page, "Escape")
    assert page.locator('.chunk[aria-pressed="true"]').count() == 0


def test_markup_in_a_sentence_or_a_note_is_text(page, gold):
    with served(gold, NASTY) as address:
        page.on("dialog", lambda _: pytest.fail("a script of the data has run"))
        visit(page, address)
        assert "<img" in page.inner_text("#board")
        press(
            page, "ArrowRight", "ArrowRight", "Space", "Enter", "Space", "Enter", "Space", "Space"
        )
        assert "onerror=alert(1)>" in page.inner_text("#board")
        assert "<script>alert(2)</script>" in page.inner_text("#missing")
        page.fill("#note", "<b>bold</b>")
        page.reload()
        page.wait_for_selector("main:not([hidden])")
        assert page.input_value("#note") == "<b>bold</b>"
        assert page.locator("#board img, #board script, main b:has-text('bold')").count() == 0


def test_the_next_unfinished_pair_and_the_overview(page, gold):
    gold.write_bytes(
        (EXAMPLES / "gold.wa")
        .read_bytes()
        .replace(b'id="5" status=""', b'id="5" status="unfinished"')
    )
    with served(gold) as address:
        visit(page, address)
        assert page.input_value("#place") == "5"
        press(page, "[", "[")
        assert page.input_value("#place") == "3"
        press(page, "u")
        assert page.input_value("#place") == "5"
        press(page, "Enter")
        press(page, "g")
        assert page.locator("#pairs .done").count() == 8 - 1 + (step_of(page) == "done")
        page.click('#pairs [data-place="7"]')
        settle(page)
        assert page.input_value("#place") == "8"
        page.fill("#place", "2")
        press(page, "Enter")
        assert page.url.endswith("#2")


def test_the_help_panel_names_every_key_and_letters_can_be_turned_off(page, cats):
    visit(page, cats)
    press(page, "?")
    assert page.is_visible("#help")
    text = page.inner_text("#help")
    assert all(relation in text for relation in Relation)
    page.uncheck("#letters")
    page.keyboard.press("Escape")
    press(page, "u")
    assert page.input_value("#place") == "1"


def test_suggestions_are_accepted_one_by_one(page, gold, ists):
    with served(gold, CATS, suggester=suggester_of("default")) as address:
        visit(page, address)
        page.wait_for_selector(".gap.suggested")
        press(page, "a", "Enter")
        page.wait_for_selector(".gap.suggested")
        press(page, "a", "Enter")
        page.wait_for_selector(".chunk.proposed")
        assert alignments(gold) == []
        press(page, "a")
        assert len(alignments(gold)) == 1
        while page.locator(".chunk.proposed").count():
            press(page, "a")
        press(page, "Enter")
        while step_of(page) == "rest" and page.locator(".chunk.proposed").count():
            press(page, "a")
        press(page, *["l", "Enter"] * (step_of(page) == "rest"))
        assert step_of(page) == "done"
    assert ists("check", "--guidelines", gold).code == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_and_nothing_sticks_out_on_a_phone(page, cats, scheme):
    page.emulate_media(color_scheme=scheme)
    visit(page, cats)
    press(page, *TO_CHUNK, *TO_CHUNK_2, *TO_LINK)
    for width in (320, 500, 1400):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_LOW_CONTRAST) == []


# Every piece of text with less contrast to its ground than 4.5 to 1.
_LOW_CONTRAST = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!text || !element.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push(`${element.textContent}: ${contrast.toFixed(2)}`);
  }
  return low;
}"""


def test_every_control_has_a_name_and_tab_reaches_each_part(page, cats):
    visit(page, cats)
    press(page, *TO_CHUNK, *TO_CHUNK_2, *TO_LINK)
    unnamed = page.evaluate("""() => [...document.querySelectorAll("button, input, textarea")]
        .filter((e) => e.checkVisibility())
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
        .map((e) => e.outerHTML)""")
    assert unnamed == []
    page.evaluate("document.activeElement.blur()")
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate("""() => document.activeElement.closest(
                "header, .steps, #board, .moves, #panels, aside")?.outerHTML.slice(0, 40)""")
        )
    parts = list(dict.fromkeys(part for part in seen if part))
    assert len(parts) == 6
