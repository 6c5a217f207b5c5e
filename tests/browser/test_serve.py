"""The page of ``ists serve`` as its users meet it: typing, correcting, copying, tables, keys."""

import json
import re
from pathlib import Path

import pytest

from tests.serve.serving import CATS, SHARES, SNOW, served

AXE = Path(__file__).parent / "axe.min.js"
NASTY = ("<img src=x onerror=alert(1)> sleeps", "<script>alert(2)</script> sleeps")
COLUMNS = "\n".join("\t".join(pair.values()) for pair in (CATS, SHARES, SNOW))

GROUPED = {
    "sentence1": "Grandma and the twins baked a cake .",
    "sentence2": "Grandma baked a cake with the twins .",
}
LONG = {
    "sentence1": "The mayor of the small coastal town announced on Monday morning that the old "
    "bridge across the river would stay closed to all heavy lorries until the end of next winter "
    "because of cracks in two of its pillars.",
    "sentence2": "On Monday the town's mayor said the river bridge will remain shut for heavy "
    "trucks until spring after engineers found cracks in two pillars.",
}
BEHIND = """() => {
  const inside = ({ x, y }, box) =>
    x > box.left + 3 && x < box.right - 3 && y > box.top + 3 && y < box.bottom - 3;
  const boxes = [...document.querySelectorAll(".chunk")].map((one) => one.getBoundingClientRect());
  const frame = document.querySelector("#curves").getBoundingClientRect();
  return [...document.querySelectorAll(".curve .line")].filter((line) => {
    for (let part = 0; part <= 1; part += 0.02) {
      const { x, y } = line.getPointAtLength(part * line.getTotalLength());
      if (boxes.some((box) => inside({ x: x + frame.left, y: y + frame.top }, box))) return true;
    }
    return false;
  }).map((line) => line.closest(".curve").dataset.link);
}"""
COVERED = """() => {
  const circles = [...document.querySelectorAll(".curve circle")];
  const at = circles.map((one) => one.getBoundingClientRect());
  return at.flatMap((one, place) => at.slice(place + 1).filter(
    (other) => Math.hypot(one.left - other.left, one.top - other.top) < 12)).length;
}"""


@pytest.fixture(scope="module")
def address():
    pytest.importorskip("starlette", reason="the packages of ists serve are not installed")
    with served() as found:
        yield found


@pytest.fixture
def open_page(page, address):
    """Opens the page and waits for its first answer."""

    def opening(fragment: str = "") -> None:
        page.goto(address + fragment)
        settle(page)

    return opening


def settle(page) -> None:
    """Wait until what is shown belongs to what was typed."""
    page.wait_for_selector("#result:not([hidden])")
    page.wait_for_selector("body:not([aria-busy])")


def type_pair(page, pair: dict[str, str]) -> None:
    for number, text in enumerate(pair.values(), start=1):
        page.fill(f"#sentence{number}", text)
    settle(page)


def chunks(page, side: int) -> list[str]:
    return page.locator(f'.sentence[data-side="{side}"] .chunk .text').all_inner_texts()


def copied_link(page) -> str:
    """The link to the pair and its settings, from the clipboard."""
    page.click("#copy-link")
    page.wait_for_selector("#export-state:not(:empty)")
    link: str = page.evaluate("navigator.clipboard.readText()")
    return link


def links(page) -> list[str]:
    return page.locator("#links .texts").all_inner_texts()


def test_typing_shows_the_answer_and_asks_nobody_else(page, requests, open_page, address):
    open_page()
    type_pair(page, SHARES)
    assert chunks(page, 1) == ["Shares", "climb", "after bank report"]
    assert links(page)[1] == "climb ↔ tumble"
    second = page.locator("#links > li").nth(1)
    assert second.locator("b").inner_text().lower() == "opposite"
    assert second.locator(".label").inner_text() == "OPPO · 4 of 5"
    assert re.fullmatch(r"\d+ % sure", second.locator(".sure").inner_text())
    assert "adds" in second.locator(".points").inner_text()
    assert page.get_attribute("[role=meter]", "aria-valuenow") == "3.6"
    assert page.locator("#curves .curve text").all_text_contents() == ["1", "2", "3"]
    assert page.inner_text("#live").startswith("Similarity 3.6 of 5. 3 links: ")
    assert "climb and tumble: opposite" in page.inner_text("#live")
    assert all(request.startswith(address) for request in requests)
    asked = [request for request in requests if "/v1/explain" in request]
    assert len(asked) <= 4, "keys in a row are one question"


def test_a_late_answer_never_replaces_a_newer_one(page, open_page):
    open_page()
    held = []

    def hold_first(route) -> None:
        if not held:
            held.append(route)
        else:
            route.continue_()

    page.evaluate(
        """() => {
          const fetched = window.fetch;
          // As if the first request could not be aborted any more.
          window.fetch = (path, { signal, ...options } = {}) => fetched(path, options);
        }"""
    )
    page.route("**/v1/explain**", hold_first)
    with page.expect_request("**/v1/explain**"):
        page.fill("#sentence1", "A dog barks.")
    page.fill("#sentence1", "Ferry sinks off Lisbon, 14 rescued")
    page.wait_for_function("() => document.querySelector('.chunk .text')?.textContent === 'Ferry'")
    held[0].continue_()
    page.wait_for_timeout(300)
    assert chunks(page, 1)[0] == "Ferry"


def test_text_is_never_markup(page, open_page):
    open_page()
    type_pair(page, dict(zip(("sentence1", "sentence2"), NASTY, strict=True)))
    assert "<img" in " ".join(chunks(page, 1))
    assert page.locator("main img").count() == 0


def test_examples_exchange_and_an_empty_sentence(page, open_page):
    open_page()
    page.select_option("#example", "Shares")
    page.wait_for_function("() => document.querySelector('#links')?.textContent.includes('tumble')")
    page.click("#exchange")
    page.wait_for_function(
        "() => document.querySelector('.chunk:nth-child(2) .text')?.textContent === 'tumble'"
    )
    assert page.input_value("#sentence1") == SHARES["sentence2"]
    page.fill("#sentence2", "")
    page.wait_for_selector("#result", state="hidden")


def test_another_language_is_pointed_out(page, open_page):
    open_page()
    assert page.locator("#language").is_hidden()
    german = {
        "sentence1": "Der alte Kater schläft auf dem Dach der Scheune und träumt von vielen Mäusen",
        "sentence2": "Ein junger Hund bellt vor dem Tor des Hofes, weil der Briefträger kommt",
    }
    type_pair(page, german)
    assert page.locator("#language").is_visible()


def test_pointing_at_a_chunk_or_a_link_lights_up_both_ends(page, open_page):
    open_page()
    for target in (
        '.chunk[data-side="1"][data-link="1"]',
        '.chunk[data-side="2"][data-link="1"]',
        '#links li[data-link="1"] summary',
    ):
        page.hover(target)
        assert page.locator("#board .chunk.on").count() == 2
        assert page.locator("#board .curve.on").count() == 1
        dim = page.locator("#board .chunk:not(.on)").first
        page.wait_for_function(
            "(one) => getComputedStyle(one).opacity < 0.5", arg=dim.element_handle()
        )
        page.mouse.move(1, 1)
        assert page.locator("#board .on").count() == 0
    page.hover('.curve[data-link="0"] circle', force=True)
    assert page.locator("#board .chunk.on").count() == 2
    page.focus('.chunk[data-side="2"][data-link="3"]')
    assert set(
        page.locator("#board .chunk.on").evaluate_all("all => all.map(o => o.dataset.link)")
    ) == {"3"}


def test_why_opens_the_evidence_and_the_features(page, open_page):
    open_page()
    first = page.locator("#links > li").first
    first.locator("summary").click()
    assert "only sentence 1 says “Harbour”" in first.locator(".reasons").inner_text()
    assert "sure that these two belong together" in first.inner_text()
    assert first.locator(".features tbody tr").count() >= 3


def test_chunks_are_corrected_by_keyboard_and_the_answer_follows(page, open_page):
    open_page()
    before = chunks(page, 1)
    page.focus("#edit")
    page.keyboard.press("Enter")
    gap = page.locator('.gap[data-side="1"][data-before="1"]')
    assert gap.get_attribute("aria-label") == "Split between “Harbour” and “ferry”"
    gap.focus()
    page.keyboard.press("Space")
    page.wait_for_selector('.gap[data-side="1"][data-before="1"][aria-pressed="true"]')
    assert page.evaluate("document.activeElement.dataset.before") == "1"
    page.click("#edit")
    assert chunks(page, 1) == ["Harbour", "ferry", *before[1:]]
    assert "ferry ↔ Ferry" in links(page)
    page.click("#automatic")
    page.wait_for_function(
        "() => document.querySelector('.chunk .text').textContent === 'Harbour ferry'"
    )
    assert page.locator("#automatic").is_hidden()


def test_model_tokens_and_threshold_change_the_answer(page, open_page):
    open_page()
    page.click("#settings summary")
    page.fill("#threshold", "1")
    page.wait_for_function("() => document.querySelectorAll('.curve').length === 0")
    assert page.inner_text("#threshold-value") == "1.00"
    page.click("#threshold-reset")
    page.wait_for_function("() => document.querySelectorAll('.curve').length === 5")
    page.select_option("#tokens", "whitespace")
    page.wait_for_function("() => document.querySelector('#board').textContent.includes('Lisbon,')")
    page.select_option("#model", "baseline")
    page.wait_for_function(
        "() => document.querySelector('#dial').textContent.includes('no similarity')"
    )
    assert page.is_disabled("#threshold")
    page.select_option("#model", "pilot")
    page.wait_for_selector("[role=meter]")


def test_groups_of_the_2016_edition_are_parts_with_one_number(page, open_page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page()
    type_pair(page, GROUPED)
    page.click("#settings summary")
    page.select_option("#edition", "2016")
    page.wait_for_selector('.chunk[data-side="2"][data-link="0"] >> nth=1')
    assert "Grandma and the twins ↔ Grandma … with the twins" in links(page)
    parts = page.locator('.chunk[data-side="2"][data-link="0"] .text')
    assert parts.all_inner_texts() == ["Grandma", "with the twins"]
    first = page.locator(".curve .line").first
    assert first.get_attribute("d").count("M") == 2, "each part is connected"
    page.click("#edit")
    page.click('.gap[data-side="1"][data-before="1"]')
    page.wait_for_selector('.gap[data-side="1"][data-before="1"][aria-pressed="true"]')
    link = copied_link(page)
    assert "edition=2016" in link
    page.goto("about:blank")
    page.goto(link)
    settle(page)
    assert page.input_value("#edition") == "2016"
    page.click("#edit")
    page.wait_for_selector('.gap[data-side="1"][data-before="1"][aria-pressed="true"]')
    page.click("#settings summary")
    page.select_option("#model", "baseline")
    page.wait_for_function(
        "() => document.querySelector('#dial').textContent.includes('no similarity')"
    )
    assert page.is_disabled("#edition")
    assert page.input_value("#edition") == "2015"


@pytest.mark.parametrize("width", [640, 1280])
def test_no_curve_runs_behind_a_box_and_no_number_covers_another(page, open_page, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_page()
    for pair in (CATS, LONG):
        type_pair(page, pair)
        assert page.locator(".curve").count() > 1
        assert page.evaluate(BEHIND) == []
    page.set_viewport_size({"width": 3 * width, "height": 800})
    page.wait_for_function(f"() => ({BEHIND})().length === 0")
    assert page.evaluate(COVERED) == 0


def test_the_link_holds_the_pair_its_chunks_and_settings(page, open_page, address, requests):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page()
    type_pair(page, CATS)
    page.click("#settings summary")
    page.fill("#threshold", "0.3")
    page.click("#edit")
    page.click('.gap[data-side="1"][data-before="2"]')
    page.wait_for_selector('.gap[data-side="1"][data-before="2"][aria-pressed="true"]')
    link = copied_link(page)
    assert link.startswith(address + "#s1=A+tabby+cat")
    page.goto("about:blank")
    page.goto(link)
    settle(page)
    page.wait_for_function(
        "() => document.querySelectorAll('.sentence[data-side=\"1\"] .chunk').length === 4"
    )
    assert chunks(page, 1) == ["A tabby", "cat", "sleeps", "."]
    assert page.input_value("#threshold") == "0.3"
    assert not [request for request in requests if "tabby" in request.partition("#")[0]]


def test_the_pair_is_copied_and_saved_in_every_format(page, open_page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page()
    contents = {}
    for format_ in ("svg", "json", "wa"):
        page.select_option("#export-format", format_)
        page.click("#copy")
        page.wait_for_selector("#export-state:not(:empty)")
        contents[format_] = page.evaluate("navigator.clipboard.readText()")
        with page.expect_download() as saving:
            page.click("#download")
        assert saving.value.suggested_filename == f"pair.{format_}"
        assert Path(saving.value.path()).read_text() == contents[format_]
    assert contents["svg"].startswith("<svg")
    assert json.loads(contents["json"])["similarity"] > 2
    assert "<alignment>" in contents["wa"]
    page.select_option("#export-format", "png")
    page.click("#copy")
    page.wait_for_function(
        "() => document.querySelector('#export-state').textContent === 'Copied.'"
    )
    kinds = page.evaluate(
        "navigator.clipboard.read().then((all) => all.flatMap((one) => one.types))"
    )
    assert "image/png" in kinds
    with page.expect_download() as saving:
        page.click("#download")
    picture = Path(saving.value.path()).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 5_000, "an empty picture is smaller"


def paste(page, target: str, text: str) -> None:
    page.eval_on_selector(
        target,
        """(field, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const options = { clipboardData: data, bubbles: true, cancelable: true };
          field.dispatchEvent(new ClipboardEvent("paste", options));
        }""",
        text,
    )


def numbers(page) -> list[str]:
    return page.locator("#rows [data-pair]").all_inner_texts()


def test_two_pasted_columns_are_a_table_that_sorts_and_opens(page, open_page):
    open_page()
    paste(page, "#sentence1", COLUMNS)
    page.wait_for_function("() => document.querySelector('#table-state').textContent === '3 pairs'")
    figures = [float(text) for text in page.locator("#rows td:nth-child(2)").all_inner_texts()]
    page.click('[data-sort="similarity"]')
    assert page.locator('th[aria-sort="descending"]').inner_text().strip().startswith("Similarity")
    by_figure = sorted(range(3), key=lambda at: -figures[at])
    assert numbers(page) == [str(at + 1) for at in by_figure]
    page.click('[data-sort="similarity"]')
    assert numbers(page) == [str(at + 1) for at in reversed(by_figure)]
    page.focus('[data-pair="2"]')
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#links').textContent.includes('tumble')")
    page.wait_for_function("() => document.activeElement.id === 'result'")
    assert page.input_value("#sentence1") == SHARES["sentence1"]
    with page.expect_download() as saving:
        page.click("#save-tsv")
    rows = Path(saving.value.path()).read_text().splitlines()
    assert rows[0] == "number\tsimilarity\tlinks\tsentence1\tsentence2"
    assert len(rows) == 4
    with page.expect_download() as saving:
        page.click("#save-jsonl")
    records = [json.loads(line) for line in Path(saving.value.path()).read_text().splitlines()]
    assert [record["id"] for record in records] == ["1", "2", "3"]


def test_a_single_pasted_row_fills_both_sentences(page, open_page):
    open_page()
    paste(page, "#sentence2", "\t".join(CATS.values()))
    page.wait_for_function("() => document.querySelector('#links').textContent.includes('tabby')")
    assert page.input_value("#sentence2") == CATS["sentence2"]


def test_a_dropped_csv_shows_the_first_200_pairs_and_saves_all(page, open_page):
    open_page("#model=baseline&s1=A+cat&s2=A+dog")
    pairs = [f'{n},"Cat {n}, asleep","A ""cat"" {n}"' for n in range(205)]
    text = "id,sentence1,sentence2\n" + "\n".join(pairs) + "\n"
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "pairs.csv", { type: "text/csv" }));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        text,
    )
    page.wait_for_function(
        "() => document.querySelector('#table-state').textContent.includes('the first 200')"
    )
    assert len(numbers(page)) == 200
    assert page.locator("#rows tr td:nth-child(4)").first.inner_text() == "Cat 0, asleep"
    with page.expect_download() as saving:
        page.click("#save-jsonl")
    records = [json.loads(line) for line in Path(saving.value.path()).read_text().splitlines()]
    assert len(records) == 205
    assert records[204]["sentence2"] == 'A " cat " 204'


def test_everything_is_reached_by_keyboard(page, open_page):
    open_page()
    page.focus("#sentence1")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.id || document.activeElement.className")
        )
    for wanted in ("sentence2", "exchange", "edit", "export-format", "copy", "copy-link", "file"):
        assert wanted in reached
    assert any("chunk" in one for one in reached)


@pytest.mark.parametrize("width", [320, 640, 1280, 3840])
def test_nothing_is_cut_off_at_any_width(page, open_page, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_page()
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#edit")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_letters_of_twice_the_size_fit_on_a_small_screen(page, open_page):
    page.set_viewport_size({"width": 640, "height": 800})
    open_page()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def complaints_of(page) -> list[str]:
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {node['target']}: {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_and_its_documentation(page, open_page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    open_page()
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    paste(page, "#sentence1", COLUMNS)
    page.wait_for_function("() => document.querySelector('#table-state').textContent === '3 pairs'")
    assert complaints_of(page) == []
    page.click("#edit")
    page.evaluate("document.querySelector('#token-form').hidden = false")
    assert complaints_of(page) == []
    page.goto(address + "docs")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert complaints_of(page) == []


def test_a_server_with_a_token_asks_for_it_or_takes_it_from_the_link(page, browser):
    token = "a-token-of-some-length"  # noqa: S105
    with served(token=token) as address:
        page.set_default_timeout(60_000)
        page.goto(f"{address}#token={token}")
        settle(page)
        assert page.url == address
        context = browser.new_context()
        other = context.new_page()
        other.set_default_timeout(60_000)
        other.goto(address)
        other.wait_for_selector("#token-form:not([hidden])")
        other.fill("#token", token)
        other.keyboard.press("Enter")
        settle(other)
        context.close()


def test_a_server_that_is_busy_or_gone_is_said(page, open_page):
    open_page()
    page.evaluate(
        """() => {
          const answer = { status: 503, headers: { "Content-Type": "application/json" } };
          window.fetch = async () => new Response('{"error": "the queue is full"}', answer);
        }"""
    )
    page.fill("#sentence1", "A cat.")
    page.wait_for_selector("#error:not(:empty)")
    assert page.inner_text("#error") == "the queue is full"
    assert page.get_attribute("#error", "role") == "alert"
    assert page.is_hidden("#result"), "the answer to other sentences is not shown"
    page.evaluate("() => { window.fetch = async () => { throw new TypeError('no connection') } }")
    page.fill("#sentence1", "A dog.")
    page.wait_for_function(
        "() => document.querySelector('#error').textContent.includes('does not answer')"
    )
