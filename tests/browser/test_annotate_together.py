"""Several annotators in the browser: adjudication, batches, the page of disagreements; axe."""

import json
from contextlib import closing
from dataclasses import replace

import pytest

from ists.annotate import adjudication
from ists.annotate.app import Work, pages
from ists.annotate.assigned_app import annotator_app, coordinator_app
from ists.annotate.assignment import Assignment, create, plan
from ists.annotate.source import two_files
from ists.annotate.suggestions import Suggester
from ists.annotate.workbook import Workbook
from ists.formats import read
from ists.pairs import Relation
from tests.browser.accessibility import violations
from tests.browser.annotating import running, sentence_files, served
from tests.browser.test_annotate import (
    CATS,
    CATS_ALIGNED,
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
from tests.browser.test_annotate_work import DIRECT, certain, click
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR

OTHER = replace(
    CAT_PAIR,
    alignments=(
        replace(CAT_PAIR.alignments[0], relation=Relation.SIMI, score=3.0),
        CAT_PAIR.alignments[1],
        replace(CAT_PAIR.alignments[2], relation=Relation.ALIC),
        *CAT_PAIR.alignments[3:],
    ),
)


@pytest.fixture
def judged(tmp_path):
    """The address of a page that adjudicates two differences in one of two pairs."""
    same = replace(CAT_PAIR, id="2")
    found, _ = adjudication.versions([CAT_PAIR, same], [OTHER, same], ("anna.wa", "ben.wa"))
    gold = tmp_path / "gold.wa"
    with closing(Workbook.open(gold, adjudication.beginnings(found), grow=True)) as book:
        work = Work(
            book, adjudication=adjudication.Adjudication(book, ("anna.wa", "ben.wa"), found)
        )
        with running(pages(work)) as addresses:
            yield addresses[0]


def test_differences_are_decided_one_by_one(page, judged, tmp_path):
    visit(page, judged)
    assert page.inner_text("#count") == "1 of 2 done"
    assert page.inner_text("#difference-name") == "Links and labels: 2 open differences"
    assert "SPE1 4" in page.locator(".versions .said").nth(0).inner_text()
    assert "SIMI 3" in page.locator(".versions .said").nth(1).inner_text()
    assert page.locator(".chunk.proposed").count() == 2
    assert "anna.wa: ‘A tabby cat’ ⇔ ‘A cat’: SPE1 4" in page.inner_text("#spoken")
    press(page, "w")
    assert page.inner_text("#difference-name") == "Links and labels: 1 open difference"
    press(page, "z")
    assert page.inner_text("#difference-name") == "Links and labels: 2 open differences"
    click(page, '[data-command="take"][data-value="0"]')
    assert page.inner_text(".chunk.proposed .text") == "."
    press(page, "w")
    assert not page.is_visible("#difference")
    press(page, "Enter")
    assert step_of(page) == "done"
    gold = tmp_path / "gold.wa"
    assert ("A tabby cat <==> A cat", "SPE1", 4.0) in alignments(gold)
    assert (". <==> -not aligned-", "ALIC", None) in alignments(gold)
    record = (tmp_path / "gold.wa.record.jsonl").read_text().splitlines()
    sources = [one["from"] for one in json.loads(record[0])["alignments"]]
    assert sorted(sources) == ["anna.wa", "ben.wa", "both", "both"]


def test_a_difference_can_be_decided_in_another_way(page, judged, tmp_path):
    visit(page, judged)
    press(page, "x")
    assert page.inner_text(".chunk.proposed .text") == "."
    press(page, "Home", "1", "2", "r", "q", "Enter")
    assert step_of(page) == "done"
    assert ("A tabby cat <==> A cat", "REL", 2.0) in alignments(tmp_path / "gold.wa")
    record = json.loads((tmp_path / "gold.wa.record.jsonl").read_text().splitlines()[0])
    assert "adjudicator" in [one["from"] for one in record["alignments"]]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "work"
    source = two_files(*sentence_files(tmp_path, CATS, SNOW, CATS, SNOW))
    create(made, source, plan(4, ("anna", "ben"), 2, 0.25))
    return made


def test_each_annotator_has_batches_and_progress(page, folder):
    with (
        closing(Assignment(folder)) as opened,
        running(
            coordinator_app(opened),
            annotator_app(opened, "anna", None, uncertain=False),
        ) as (everyone, anna),
    ):
        page.set_default_timeout(60_000)
        page.goto(anna)
        assert page.inner_text("h2") == "anna"
        page.click("text=shared-1")
        page.wait_for_selector("main:not([hidden])")
        press(page, *TO_CHUNK, *TO_CHUNK_2, *TO_LINK, *TO_LINK_2, *TO_FINISH)
        assert alignments(folder / "anna" / "shared-1.wa") == CATS_ALIGNED
        page.click("text=All batches")
        assert "1 of 3 pairs done" in page.inner_text(".progress")
        page.goto(everyone)
        text = page.inner_text("main")
        assert "1 of 3 pairs done" in text
        assert "0 of 2 pairs done" in text
        assert page.locator("a").count() == 0
    assert next(iter(read(folder / "ben" / "shared-1.wa"))).status == "unfinished"


@pytest.fixture
def disagreements(tmp_path, ists):
    page = tmp_path / "page.html"
    gold, system = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
    assert ists("agreement", gold, system, "--html", page).code == 0
    return page


def test_the_page_of_disagreements_is_filtered_by_kind(page, disagreements):
    page.goto(disagreements.as_uri())
    rows = page.locator("tr[data-kind]:visible")
    assert rows.count() == 13
    assert page.locator(".pair").first.locator("svg:visible").count() == 2
    page.check("#only-score")
    kinds = {row.get_attribute("data-kind") for row in rows.all()}
    assert kinds == {"score"}
    assert page.locator(".pair:visible").count() == rows.count()


@pytest.mark.parametrize("edition", ["2015", "2016"])
def test_axe_finds_nothing_on_the_annotation_page(page, tmp_path, edition):
    gold, suggester = tmp_path / "gold.wa", Suggester(certain)
    with served(gold, CATS, SNOW, suggester=suggester, edition=edition) as address:
        visit(page, address)
        page.wait_for_selector(".gap.suggested")
        assert violations(page) == []
        press(page, *DIRECT)
        page.wait_for_selector(".chunk.proposed")
        assert violations(page) == []
        press(page, "1", "4", "t", "Home", "i")
        assert violations(page) == []
        press(page, "i", "a", "Enter")
        assert violations(page) == []
        press(page, "g")
        assert violations(page) == []
        page.keyboard.press("Escape")
        press(page, "?")
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 360, "height": 740})
        settle(page)
        assert violations(page) == []


def test_axe_finds_nothing_on_the_other_pages(page, judged, folder, disagreements):
    visit(page, judged)
    assert violations(page) == []
    page.goto(disagreements.as_uri())
    assert violations(page) == []
    with closing(Assignment(folder)) as opened, running(coordinator_app(opened)) as (everyone,):
        page.goto(everyone)
        assert violations(page) == []
