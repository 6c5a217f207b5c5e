"""Working on the annotation page: focus, dock, curves, list of pairs, guidelines, direct keys."""

from contextlib import closing

import pytest

from ists.annotate.suggestions import Suggester
from ists.annotate.workbook import Workbook
from ists.formats import read
from ists.formats.sentences import InputSentence
from ists.pairs import Alignment, Chunk, Evidence, Relation, Sentence, SentencePair
from tests.benchmarks import annotating
from tests.browser.annotating import served
from tests.browser.test_annotate import (
    CATS,
    SNOW,
    TO_CHUNK,
    TO_CHUNK_2,
    TO_FINISH,
    TO_LINK,
    TO_LINK_2,
    alignments,
    press,
    settle,
    step_of,
    visit,
)
from tests.conftest import EXAMPLES

LONG = (
    "The old harbour master of the little town closed both ferry piers late on Monday evening "
    "because of the heavy autumn storm",
    "On Monday evening a very heavy storm forced the master of the harbour to close two piers of "
    "the northern town at once",
)
DIRECT = ("3", "4", "Enter", "2", "4", "Enter")
"""The chunks of `CATS`, by the keys at the gaps."""


@pytest.fixture
def gold(tmp_path):
    return tmp_path / "gold.wa"


@pytest.fixture
def cats(gold):
    with served(gold, CATS, SNOW) as address:
        yield address


def certain(sentence1: InputSentence, sentence2: InputSentence) -> SentencePair:
    """A model that cuts after every second word and links chunks in their order."""
    chunks, words = [], []
    for given in (sentence1, sentence2):
        if given.chunks is not None:
            lengths = [len(chunk) for chunk in given.chunks]
            words.append(tuple(word for chunk in given.chunks for word in chunk))
        else:
            words.append(tuple(given.tokens))
            lengths = [2] * (len(words[-1]) // 2) + [1] * (len(words[-1]) % 2)
        starts = [sum(lengths[:number]) + 1 for number in range(len(lengths))]
        chunks.append([Chunk(tuple(range(s, s + n))) for s, n in zip(starts, lengths, strict=True)])
    both = min(map(len, chunks))
    aligned = [
        Alignment(one, two, Relation.SIMI, 4.0 - number % 3, evidence=Evidence(0.9, 0.8, ("so",)))
        for number, (one, two) in enumerate(zip(*(side[:both] for side in chunks), strict=True))
    ]
    alone = Evidence(None, 0.7)
    aligned += [Alignment(one, None, Relation.NOALI, evidence=alone) for one in chunks[0][both:]]
    aligned += [Alignment(None, two, Relation.ALIC, evidence=alone) for two in chunks[1][both:]]
    return SentencePair("1", Sentence.of(words[0]), Sentence.of(words[1]), tuple(aligned))


def focused(page) -> str:
    return page.evaluate("document.activeElement.className.split(' ')[0]")


def click(page, selector: str) -> None:
    page.click(selector)
    settle(page)


def in_view(page, selector: str) -> bool:
    """Whether an element is wholly inside the window and not behind the dock."""
    return page.evaluate(
        """(selector) => {
          const box = document.querySelector(selector).getBoundingClientRect();
          const dock = document.querySelector("#dock").getBoundingClientRect();
          return box.top >= 0 && box.bottom <= dock.top + 1;
        }""",
        selector,
    )


def test_after_every_click_the_focus_is_on_the_board(page, cats):
    visit(page, cats)
    click(page, '[data-command="next"]')
    assert focused(page) == "gap"
    press(page, "Space")
    assert page.input_value("#place") == "2"
    assert page.get_attribute('.gap[data-before="2"]', "aria-pressed") == "true"
    click(page, '[data-command="previous"]')
    press(page, *DIRECT, "1")
    click(page, '[data-command="score"][data-value="4"]')
    assert focused(page) == "chunk"
    click(page, '[data-command="label"][data-value="SPE1"]')
    assert focused(page) == "chunk"
    click(page, '.steps [data-step="chunks1"]')
    assert focused(page) == "gap"
    click(page, '[data-command="help"]')
    click(page, "#help [data-close]")
    assert focused(page) == "gap"


def test_the_suggested_link_is_in_view_and_read_out(page, gold):
    page.set_viewport_size({"width": 520, "height": 700})
    with served(gold, LONG, suggester=Suggester(certain)) as address:
        visit(page, address)
        page.wait_for_selector(".gap.suggested")
        press(page, "Shift+A")
        page.wait_for_selector(".gap.suggested")
        press(page, "Shift+A")
        page.wait_for_selector(".chunk.proposed")
        seen = set()
        while page.locator(".chunk.proposed").count():
            assert page.locator("#proposal").bounding_box()["y"] < 700
            assert in_view(page, '.chunk.proposed[data-side="1"]')
            spoken = page.inner_text("#spoken")
            text = page.inner_text('.chunk.proposed[data-side="1"] .text')
            assert spoken.startswith(f"Suggestion: ‘{text}’ ⇔")
            assert page.get_attribute("#spoken", "role") == "status"
            seen.add(spoken)
            press(page, "a")
        assert len(seen) > 3


def test_the_dock_with_the_editor_is_in_view_wherever_the_page_is_scrolled(page, gold):
    page.set_viewport_size({"width": 400, "height": 700})
    with served(gold, LONG) as address:
        visit(page, address)
        press(page, "3", "5", "Enter", "4", "Enter", "1")
        for place in (0, 10_000):
            page.evaluate(f"scrollTo(0, {place})")
            box = page.locator("#link-editor").bounding_box()
            assert 0 < box["y"] < 700
            bottom = page.locator("#dock").bounding_box()
            assert bottom["y"] + bottom["height"] == pytest.approx(700, abs=1)


_CROSSED = """() => {
  const frame = document.querySelector("#curves").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".chunk")].map((e) => e.getBoundingClientRect());
  const crossed = [];
  for (const path of document.querySelectorAll("#curves path")) {
    const length = path.getTotalLength();
    for (let at = 6; at < length - 6; at += 2) {
      const { x, y } = path.getPointAtLength(at);
      const [left, top] = [x + frame.left, y + frame.top];
      for (const box of boxes) {
        const inside = left > box.left + 1 && left < box.right - 1;
        if (inside && top > box.top + 1 && top < box.bottom - 1)
          crossed.push([path.getAttribute("d"), box.left, box.top]);
      }
    }
  }
  return crossed;
}"""


def test_curves_of_wrapped_rows_run_between_the_boxes(page, gold):
    page.set_viewport_size({"width": 700, "height": 900})
    with served(gold, LONG, suggester=Suggester(certain)) as address:
        visit(page, address)
        for _ in range(2):
            page.wait_for_selector(".gap.suggested")
            press(page, "Shift+A")
        page.wait_for_selector(".chunk.proposed")
        press(page, "Shift+A")
        page.wait_for_function("() => document.querySelectorAll('#curves path').length > 5")
        tops = page.evaluate(
            "[...document.querySelectorAll('.chunk[data-side=\"1\"]')].map((e) => e.offsetTop)"
        )
        assert len({*tops}) > 1, "the row does not wrap"
        assert page.evaluate(_CROSSED) == []
        page.set_viewport_size({"width": 480, "height": 900})
        page.wait_for_timeout(200)
        settle(page)
        assert page.evaluate(_CROSSED) == []


def test_a_label_does_not_change_the_width_of_a_box(page, cats):
    visit(page, cats)
    press(page, *DIRECT)
    widths = "[...document.querySelectorAll('.chunk')].map((e) => e.offsetWidth)"
    before = page.evaluate(widths)
    press(page, "1", "4", "t", "f", "p", "2", "5", "Enter", "c", "n")
    assert "SPE1 FACT POL 4" in page.inner_text("#links") or step_of(page) == "rest"
    assert page.evaluate(widths) == before


def test_the_list_of_pairs_has_text_search_and_filters_and_opens_at_the_present_pair(page, gold):
    gold.write_bytes(
        (EXAMPLES / "gold.wa")
        .read_bytes()
        .replace(b'id="5" status=""', b'id="5" status="unfinished"')
    )
    texts = [str(pair.sentence1) for pair in read(gold)]
    with served(gold, suggester=Suggester(certain)) as address:
        visit(page, address)
        press(page, "m")
        page.keyboard.type("look again")
        press(page, "Escape", "g")
        assert page.get_attribute(":focus", "data-place") == "4"
        assert texts[4] in page.inner_text('#pairs [data-place="4"]')
        assert "note" in page.inner_text('#pairs [data-place="4"] .state')

        def shown() -> list[int]:
            places = "[...document.querySelectorAll('#pairs button')].map((b) => b.dataset.place)"
            return [int(place) for place in page.evaluate(places)]

        assert shown() == list(range(8))
        page.fill("#search", texts[1].split()[1])
        assert 1 in shown()
        assert len(shown()) < 8
        page.fill("#search", "")
        page.check('[value="open"]')
        assert shown() == [4]
        page.check('[value="done"]')
        assert shown() == [0, 1, 2, 3, 5, 6, 7]
        page.check('[value="note"]')
        assert shown() == [4]
        page.check('[value="differs"]')
        page.wait_for_selector("#pairs li:nth-child(4)")
        page.check('[value="all"]')
        page.focus('#pairs [data-place="4"]')
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        settle(page)
        assert page.input_value("#place") == "6"


def test_joining_chunks_says_which_links_are_removed_and_undo_names_its_change(page, cats):
    visit(page, cats)
    press(page, *DIRECT, "1", "4", "t", "Backspace", "Backspace", "2")
    message = page.inner_text("#message")
    assert "Removed the link of ‘A tabby cat’ (SPE1 4)" in message
    assert "Undo brings this back" in message
    press(page, "z")
    assert "Undone: cut between ‘tabby’ and ‘cat’" in page.inner_text("#message")
    press(page, "y")
    assert "Redone: cut between ‘tabby’ and ‘cat’" in page.inner_text("#message")
    press(page, *"zzz", "z")
    assert "‘A tabby cat’ ⇔ ‘A cat’: 4 to SPE1 4" in page.inner_text("#message")


def test_going_back_to_look_leaves_the_pair_done(page, cats, gold):
    visit(page, cats)
    press(page, *TO_CHUNK, *TO_CHUNK_2, *TO_LINK, *TO_LINK_2, *TO_FINISH)
    data = gold.read_bytes()
    press(page, "Backspace", "Backspace", "Backspace", "Backspace")
    assert step_of(page) == "chunks1"
    assert page.inner_text("#count") == "1 of 2 done"
    assert gold.read_bytes() == data
    press(page, "1")
    assert page.inner_text("#count") == "0 of 2 done"


def test_the_guidelines_are_beside_the_editor_on_a_key(page, cats):
    visit(page, cats)
    press(page, "i")
    assert "noun phrase" in page.inner_text("#guide")
    press(page, *DIRECT, "1", "3", "s", "Home")
    for label in ("EQUI", "OPPO", "SPE1", "SPE2", "SIMI", "REL"):
        card = page.locator(f'.card[data-label="{label}"]')
        assert card.is_visible()
        assert card.locator("li").count() == 2
    assert not page.is_visible('.card[data-label="ALIC"]')
    assert page.get_attribute(".card.chosen", "data-label") == "SIMI"
    assert "EQUI always has 5" in page.inner_text("#guide")
    assert page.is_visible("#link-editor")
    press(page, "Enter")
    assert "inferred" in page.inner_text('.card[data-label="ALIC"]')
    press(page, "i")
    assert not page.is_visible("#guide")


def test_direct_keys_cut_link_and_move_on(page, cats, gold):
    visit(page, cats)
    assert page.inner_text('.gap[data-before="4"] .hint') == "3"
    press(page, *DIRECT)
    assert page.inner_text('.chunk[data-side="2"][data-start="1"] .hint') == "1"
    assert page.locator('.chunk[data-side="1"] .hint').count() == 0
    press(page, "1", "4", "t", "2", "5")
    assert page.get_attribute(".chunk.current .text", "class") == "text"
    assert page.inner_text(".chunk.current .text") == "."
    press(page, "f")  # belongs to the link that was just labelled
    assert "EQUI FACT 5" in page.inner_text("#links")
    press(page, "f", "Enter", "n", "c", "Enter")
    assert alignments(gold) == [
        ("A tabby cat <==> A cat", "SPE1", 4.0),
        ("sleeps <==> is sleeping", "EQUI", 5.0),
        (". <==> -not aligned-", "NOALI", None),
        ("-not aligned- <==> .", "ALIC", None),
    ]


def test_all_remaining_suggestions_are_accepted_and_undone_at_once(page, gold):
    with served(gold, CATS, suggester=Suggester(certain)) as address:
        visit(page, address)
        for _ in range(2):
            page.wait_for_selector(".gap.suggested")
            press(page, "Shift+A")
        page.wait_for_selector(".chunk.proposed")
        press(page, "Shift+A")
        assert len(alignments(gold)) == 3
        assert step_of(page) == "done"
        press(page, "z")
        assert alignments(gold) == []
        assert step_of(page) == "links"
        assert page.inner_text("#message").startswith("Undone: link ‘A tabby’ ⇔ ‘A cat’ (SIMI 4)")
        page.wait_for_selector(".chunk.proposed")
        press(page, "x", "Shift+A")
        assert len(alignments(gold)) == 2, "what was skipped is not accepted"


def test_links_are_listed_strongest_first_and_0_is_answered(page, cats):
    visit(page, cats)
    press(page, *DIRECT, "0")
    assert "stays unlinked" in page.inner_text("#message")
    press(page, "1", "2", "s", "2", "5", "Home", "0")
    assert "0 means unrelated: remove the link" in page.inner_text("#message")
    badges = page.locator("#links .badge").all_inner_texts()
    assert badges == ["2 · EQUI 5", "1 · SIMI 2"]


def test_on_a_phone_the_board_starts_in_the_upper_third(page, cats):
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, cats)
    assert page.locator("#board").bounding_box()["y"] < 740 / 3
    press(page, *DIRECT, "1")
    assert page.locator("#board").bounding_box()["y"] < 740 / 3
    assert in_view(page, ".chunk.current")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_order_of_the_page_is_not_that_of_the_file(page, gold):
    with served(gold, CATS, SNOW, order=[1, 0]) as address:
        visit(page, address)
        assert "Snow" in page.inner_text("#board")
        press(page, "]")
        assert "tabby" in page.inner_text("#board")
        press(page, "3")
    with closing(Workbook.open(gold)) as book:
        assert [book[place].original.id for place in (0, 1)] == ["1", "2"]
        assert book[0].draft.starts[0] == (1, 4)


def test_a_pair_takes_few_keys(page, tmp_path):
    pairs = [pair for pair in read(EXAMPLES / "gold.wa") if annotating.replayable(pair)][:6]
    assert len(pairs) == 6
    scratch = annotating.replay(page, tmp_path, pairs)
    assert sum(scratch) / len(scratch) <= annotating.FROM_SCRATCH
    suggested = annotating.replay_suggestions(page, tmp_path, pairs)
    assert max(suggested) <= annotating.WITH_SUGGESTIONS
