"""Two annotators' files become one gold: agreement is kept, differences are decided."""

import json
from contextlib import closing
from dataclasses import replace

import pytest

from ists.annotate import actions
from ists.annotate.actions import RejectedError
from ists.annotate.adjudication import (
    Adjudication,
    beginnings,
    differences,
    record_path,
    versions,
)
from ists.annotate.draft import Step
from ists.annotate.workbook import Workbook
from ists.errors import FormatError
from ists.formats import read
from ists.pairs import Alignment, Chunk, Relation, Sentence
from tests.samples import CAT_PAIR

NAMES = ("anna.wa", "ben.wa")
LABELLED = replace(
    CAT_PAIR,
    alignments=(
        replace(CAT_PAIR.alignments[0], relation=Relation.SIMI, score=3.0),
        *CAT_PAIR.alignments[1:],
    ),
)
RECUT = replace(
    CAT_PAIR,
    alignments=(
        Alignment(Chunk((1, 2)), Chunk((1, 2)), Relation.SIMI, 3.0),
        Alignment(Chunk((3,)), None, Relation.ALIC),
        *CAT_PAIR.alignments[1:],
    ),
)


def opened(path, first, second) -> tuple[Workbook, Adjudication]:
    found, _ = versions([first], [second], NAMES)
    book = Workbook.open(path, beginnings(found), grow=True)
    return book, Adjudication(book, NAMES, found)


def act(book, judged, action) -> None:
    book.act(0, book[0].version, judged.completed(0, action))
    judged.save_record()


@pytest.fixture
def gold(tmp_path):
    return tmp_path / "gold.wa"


def test_what_both_agree_on_is_done(gold):
    book, judged = opened(gold, CAT_PAIR, CAT_PAIR)
    with closing(book):
        assert book.done == 1
        assert judged.differences(0) == []
    assert next(iter(read(gold))).value == CAT_PAIR.value


def test_a_label_that_differs_is_one_difference_and_the_rest_is_taken_over(gold):
    book, judged = opened(gold, CAT_PAIR, LABELLED)
    with closing(book):
        draft = book[0].draft
        assert draft.step is Step.LINKS
        assert len(draft.links) == 1
        assert len(draft.alone) == 2
        [one] = judged.differences(0)
        assert one["open"]
        assert one["said"] == [
            "‘A tabby cat’ ⇔ ‘A cat’: SPE1 4",
            "‘A tabby cat’ ⇔ ‘A cat’: SIMI 3",
        ]
        act(book, judged, judged.take(0, 1, 0))
        assert not judged.differences(0)[0]["open"]
        act(book, judged, actions.Advance())
        assert book.done == 1
    assert next(iter(read(gold))).value == LABELLED.value
    record = json.loads(record_path(gold).read_text())
    assert record["done"]
    taken = {one["gold"]: one["from"] for one in record["alignments"]}
    assert taken["A tabby cat <==> A cat // SIMI // 3"] == "ben.wa"
    assert taken["sleeps <==> is sleeping // EQUI // 5"] == "both"
    said = record["alignments"][0]["said"]
    assert said["anna.wa"] == ["A tabby cat <==> A cat // SPE1 // 4"]


def test_other_chunks_are_decided_first_and_agreement_follows(gold):
    book, judged = opened(gold, CAT_PAIR, RECUT)
    with closing(book):
        assert book[0].draft.step is Step.CHUNKS1
        [one] = judged.differences(0)
        assert one["said"][1].startswith("[ A tabby ] [ cat ]")
        act(book, judged, judged.take(0, 1, 0))
        draft = book[0].draft
        assert draft.step is Step.LINKS, "the chunks of sentence 2 are the same"
        assert draft.starts[0] == (1, 3, 4, 5)
        assert [link.first for link in draft.links] == [4]
        found = judged.differences(0)
        assert [one["able"] for one in found] == [[False, True], [False, True]]
        with pytest.raises(RejectedError, match="decide yourself"):
            act(book, judged, judged.take(0, 0, 0))
        act(book, judged, judged.take(0, 1, 0))
        act(book, judged, judged.take(0, 1, 1))
        act(book, judged, actions.Advance())
        assert book.done == 1
    record = json.loads(record_path(gold).read_text())
    assert [one["from"] for one in record["chunks"]] == ["ben.wa", "both"]


def test_a_decision_of_ones_own_is_recorded_as_such(gold):
    book, judged = opened(gold, CAT_PAIR, LABELLED)
    with closing(book):
        for action in (
            actions.Connect(1, 1),
            actions.Score(1, 2),
            actions.Label(1, Relation.REL),
            actions.Advance(),
        ):
            act(book, judged, action)
        assert book.done == 1
    record = json.loads(record_path(gold).read_text())
    assert [one["from"] for one in record["alignments"]].count("adjudicator") == 1


def test_crossed_links_are_one_difference():
    first = replace(
        CAT_PAIR,
        alignments=(
            Alignment(Chunk((1, 2, 3)), Chunk((1, 2)), Relation.SPE1, 4.0),
            Alignment(Chunk((4,)), Chunk((3, 4)), Relation.EQUI, 5.0),
            *CAT_PAIR.alignments[2:],
        ),
    )
    second = replace(
        CAT_PAIR,
        alignments=(
            Alignment(Chunk((1, 2, 3)), Chunk((3, 4)), Relation.REL, 1.0),
            Alignment(Chunk((4,)), Chunk((1, 2)), Relation.REL, 1.0),
            *CAT_PAIR.alignments[2:],
        ),
    )
    found, _ = versions([first], [second], NAMES)
    [begun] = beginnings(found)
    [one] = differences(begun.draft, found[0].drafts)
    assert len(one.nodes) == 4


def test_new_finished_pairs_are_added_to_the_gold(gold):
    other = replace(CAT_PAIR, id="2")
    book, judged = opened(gold, CAT_PAIR, LABELLED)
    with closing(book):
        act(book, judged, judged.take(0, 0, 0))
    found, unfinished = versions([CAT_PAIR, other], [LABELLED, other], NAMES)
    assert unfinished == 0
    with closing(Workbook.open(gold, beginnings(found), grow=True)) as book:
        assert [book[place].original.id for place in range(2)] == ["1", "2"]
        assert len(book[0].draft.links) == 2, "decisions are kept"
        assert book[1].done
    with closing(Workbook.open(gold, beginnings(found), grow=True)) as book:
        assert len(book) == 2


def test_files_that_do_not_belong_together_are_rejected():
    unfinished = replace(CAT_PAIR, status="unfinished")
    other = replace(CAT_PAIR, id="7")
    words = replace(CAT_PAIR, sentence1=Sentence.of(["A", "tabby", "dog", "sleeps", "."]))
    for first, second, reason in (
        (CAT_PAIR, other, "anna.wa: pair 1 is not in ben.wa"),
        (CAT_PAIR, words, "ben.wa: pair 1: its tokens are not those of anna.wa"),
        (CAT_PAIR, unfinished, "anna.wa: no pair is finished in both"),
    ):
        with pytest.raises(FormatError, match=reason):
            versions([first], [second], NAMES)
