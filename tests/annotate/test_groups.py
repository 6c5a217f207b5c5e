"""Groups of the 2016 edition: links of several chunks, with gaps, and no ALIC."""

import json
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.annotate import actions, guidance
from ists.annotate.actions import RejectedError, parse
from ists.annotate.adjudication import Take, beginnings, differences, taken_over, versions
from ists.annotate.changes import describe
from ists.annotate.draft import Link, Step, draft_from, draft_of, missing, pair_of, state_of
from ists.annotate.history import History
from ists.annotate.source import two_files
from ists.annotate.suggestions import Suggester
from ists.annotate.workbook import Workbook
from ists.errors import FormatError
from ists.formats import read, write
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair
from tests.annotate.drafts import after, cat_draft, likely_actions
from tests.browser.annotating import sentence_files
from tests.samples import CAT_PAIR

CHUNKED = (
    actions.Recut(1, (1, 3, 4, 5)),
    actions.Advance(),
    actions.Recut(2, (1, 2, 3, 5)),
    actions.Advance(),
)
GROUPED = (*CHUNKED, actions.Connect(1, 2), actions.Join(1, 1, 4), actions.Join(1, 2, 3))
"""Sentence 1: A tabby | cat | sleeps | . with the first and third chunk in one link."""
DONE = (
    *GROUPED,
    actions.Score(1, 4),
    actions.Label(1, Relation.SIMI),
    actions.Advance(),
    actions.LeaveAllAlone(),
    actions.Advance(),
)
EMPTY_PAIR = replace(CAT_PAIR, alignments=(), status="unfinished")
TWINS = SentencePair(
    "1",
    Sentence.of(["Grandma", "and", "the", "twins", "baked", "a", "cake", "."]),
    Sentence.of(["Grandma", "baked", "a", "cake", "with", "the", "twins", "."]),
    (
        Alignment(Chunk((1, 2, 3, 4)), Chunk((1, 5, 6, 7)), Relation.EQUI, 5.0),
        Alignment(Chunk((5,)), Chunk((2,)), Relation.EQUI, 5.0),
        Alignment(Chunk((6, 7)), Chunk((3, 4)), Relation.EQUI, 5.0),
        Alignment(Chunk((8,)), Chunk((8,)), Relation.EQUI, 5.0),
    ),
)


@pytest.fixture
def gold(tmp_path):
    return tmp_path / "gold.wa"


def test_chunks_of_either_sentence_join_a_link_and_leave_it():
    draft = after(cat_draft("2016"), *GROUPED)
    assert draft.links == (Link((1, 4), (2, 3)),)
    assert draft.link_name(draft.links[0]) == "‘A tabby … sleeps’ ⇔ ‘cat is sleeping’"
    assert draft.link_at(1, 4) is draft.link_at(2, 3)
    assert after(draft, actions.Leave(1, 1)).links == (Link((4,), (2, 3)),)
    assert after(draft, actions.Disconnect(4)).links == ()


def test_a_group_is_one_alignment_with_gaps():
    pair = pair_of(after(cat_draft("2016"), *DONE), EMPTY_PAIR)
    link = pair.links[0]
    assert (link.chunk1.tokens, link.chunk2.tokens) == ((1, 2, 4), (2, 3, 4))
    assert link.comment == "A tabby sleeps <==> cat is sleeping"
    assert not [*pair.problems("2016"), *pair.violations()]


@pytest.mark.parametrize(
    ("edition", "before", "action", "reason"),
    [
        ("2015", GROUPED[:-2], actions.Join(1, 1, 4), "2015 edition, a link has one chunk"),
        ("2016", GROUPED, actions.Join(1, 1, 4), "is linked already"),
        ("2016", GROUPED, actions.Join(1, 1, 2), "no such chunk"),
        ("2016", GROUPED, actions.Join(3, 1, 3), "no such link"),
        ("2016", GROUPED, actions.Connect(4, 1), "is linked already"),
        ("2016", GROUPED, actions.Leave(1, 3), "not linked"),
        ("2016", GROUPED[:-1], actions.Leave(2, 2), "remove the link instead"),
        ("2016", DONE, actions.Join(1, 1, 3), "another step"),
        ("2016", DONE[:-2], actions.LeaveAlone(1, 3, Relation.ALIC), "2016 edition has no ALIC"),
        ("2016", CHUNKED, actions.Accept((1,), (), 4, Relation.SIMI, frozenset()), "needs a chunk"),
    ],
)
def test_what_groups_do_not_allow_and_why(edition, before, action, reason):
    draft = after(cat_draft(edition), *before)
    with pytest.raises(RejectedError, match=reason):
        action.apply(draft)


def test_joining_takes_the_label_of_an_unaligned_chunk_away_and_the_pair_must_be_confirmed():
    draft = after(cat_draft("2016"), *DONE, actions.Return(Step.LINKS), actions.Join(1, 1, 3))
    assert draft.alone_at(1, 3) is None
    assert not draft.done
    assert draft.links[0].relation is Relation.SIMI


def test_cutting_one_chunk_of_a_group_removes_the_link():
    draft = after(cat_draft("2016"), *DONE, actions.Return(Step.CHUNKS1), actions.Cut(1, 2))
    assert draft.links == ()


def test_the_parts_of_a_chunk_with_gaps_become_chunks_of_a_group():
    draft = draft_of(TWINS, "2016")
    assert draft.starts == ((1, 5, 6, 8), (1, 2, 3, 5, 8))
    assert draft.links[0] == Link((1,), (1, 5), 5.0, Relation.EQUI)
    assert draft.step is Step.DONE
    assert set(pair_of(draft, TWINS).links) == {
        replace(link, comment=f"{link.text1} <==> {link.text2}") for link in TWINS.links
    }
    with pytest.raises(FormatError, match=r"not contiguous \(--edition 2016 allows this\)"):
        draft_of(TWINS)


def test_links_that_share_a_chunk_become_one_group():
    one, two, *rest = TWINS.alignments
    shared = replace(two, chunk1=Chunk((1, 2, 3, 4)))
    alone = Alignment(Chunk((5,)), None, Relation.NOALI)
    pair = replace(TWINS, alignments=(one, shared, alone, *rest))
    draft = draft_of(pair, "2016")
    assert draft.links[0] == Link((1,), (1, 2, 5), 5.0, Relation.EQUI)
    assert not draft.done
    other = replace(shared, relation=Relation.SIMI, score=3.0)
    draft = draft_of(replace(pair, alignments=(one, other, alone, *rest)), "2016")
    assert draft.links[0] == Link((1,), (1, 2, 5)), "the annotator decides on score and label"


@pytest.mark.parametrize(
    ("alignment", "reason"),
    [
        (Alignment(Chunk((1,)), None, Relation.NOALI), "token 1 of sentence 1 is used twice"),
        (Alignment(Chunk((9,)), None, Relation.NOALI), "past the end"),
    ],
)
def test_what_cannot_be_shown_as_groups_is_rejected(alignment, reason):
    with pytest.raises(FormatError, match=reason):
        draft_of(replace(TWINS, alignments=(*TWINS.alignments, alignment)), "2016")


def test_alic_of_a_file_is_shown_and_must_be_replaced():
    alic = Alignment(None, Chunk((5,)), Relation.ALIC)
    pair = replace(CAT_PAIR, alignments=(*CAT_PAIR.alignments[:3], alic))
    assert draft_of(pair).done
    draft = draft_of(pair, "2016")
    assert draft.step is Step.REST
    assert missing(draft) == (
        "‘.’ of sentence 2 has ALIC, which this edition lacks: it needs NOALI",
    )
    mended = after(draft, actions.LeaveAllAlone(), actions.Advance())
    assert {one.relation for one in mended.alone} == {Relation.NOALI}


def test_the_guidance_of_2016_has_groups_and_no_alic():
    assert [choice.value for choice in guidance.lone_choices("2016")] == ["NOALI"]
    assert "ALIC" not in {card.value for card in guidance.cards("2016")}
    texts = [choice.meaning for choice in guidance.decision_tree("2016")]
    assert not any("ALIC" in text for text in texts)
    assert any("several chunks together" in text for text in texts)


def test_undo_names_the_chunk_that_joined():
    before = after(cat_draft("2016"), *GROUPED[:-1])
    joined = after(before, actions.Join(1, 2, 3))
    name = "‘A tabby … sleeps’ ⇔ ‘cat’"
    assert describe(before, joined, Step.LINKS) == f"‘is sleeping’ added to {name}"
    back = "‘is sleeping’ taken out of ‘A tabby … sleeps’ ⇔ ‘cat is sleeping’"
    assert describe(joined, before, Step.LINKS) == back
    assert "is sleeping" not in describe(before, joined, Step.CHUNKS1)


def test_joining_and_leaving_are_read_as_the_page_writes_them():
    assert parse({"do": "join", "first": 1, "side": 2, "start": 3}) == actions.Join(1, 2, 3)
    assert parse({"do": "leave", "side": 1, "start": 4}) == actions.Leave(1, 4)


def test_the_journal_keeps_groups_and_their_history(gold, ists):
    files = sentence_files(gold.parent, (str(CAT_PAIR.sentence1), str(CAT_PAIR.sentence2)))
    source = two_files(*files, edition="2016")
    with closing(Workbook.open(gold, source, edition="2016")) as book:
        for action in DONE:
            book.act(0, book[0].version, action)
        entry = book[0]
        assert book.edition == "2016"
    assert ists("check", "--edition", "2016", "--guidelines", gold).code == 0
    assert ists("check", gold).code == 1, "the file has a gap"
    with closing(Workbook.open(gold, edition="2016")) as book:
        assert book[0].history == entry.history
        for _ in range(6):
            book.undo(0, book[0].version)
        assert book[0].draft.links == (Link((1, 4), (2,)),)
    with pytest.raises(FormatError, match="needs --edition 2016"):
        Workbook.open(gold)


def test_a_journal_with_groups_asks_for_the_edition():
    draft = after(cat_draft("2016"), *GROUPED)
    with pytest.raises(ValueError, match="needs --edition 2016"):
        draft_from(state_of(draft), draft.words)


def test_links_of_one_chunk_each_are_numbers_in_the_journal():
    draft = after(cat_draft("2016"), *GROUPED[:-2])
    assert state_of(draft)["links"] == [[1, 2, None, None, []]]
    assert draft_from(state_of(draft), draft.words, "2015").links == draft.links


@pytest.mark.parametrize("links", [[[[], 1]], [[[4, 1], 1]], [[[1, 1], 2]], [[["1"], 2]]])
def test_a_state_with_no_such_group_is_rejected(links):
    draft = after(cat_draft("2016"), *GROUPED)
    state = {**state_of(draft), "links": [[*link, None, None, []] for link in links]}
    with pytest.raises(ValueError, match=r"."):
        draft_from(state, draft.words, "2016")


def test_suggested_groups_are_accepted_as_a_whole():
    group = Alignment(Chunk((1, 2, 4)), Chunk((2, 3, 4)), Relation.SIMI, 4.0)
    suggester = Suggester(lambda *_: SentencePair("1", alignments=(group,)))
    draft = after(cat_draft("2016"), *CHUNKED)
    (link,) = suggester.suggest(draft)["links"]
    assert (link["firsts"], link["seconds"]) == ((1, 4), (2, 3))
    keys = ("firsts", "seconds", "score", "relation", "flags")
    sent = json.loads(json.dumps({key: link[key] for key in keys}))
    accepted = parse({"do": "accept", **sent}).apply(draft)
    assert accepted.links == (Link((1, 4), (2, 3), 4.0, Relation.SIMI),)
    assert not suggester.differs(accepted)


def test_two_annotators_agree_on_a_group_or_differ_in_it():
    same, _ = versions([TWINS], [TWINS], ("anna.wa", "ben.wa"), "2016")
    assert [one.draft.done for one in beginnings(same)] == [True]
    smaller = (
        replace(TWINS.alignments[0], chunk2=Chunk((1,))),
        *TWINS.alignments[1:],
        Alignment(None, Chunk((5, 6, 7)), Relation.NOALI),
    )
    other = replace(TWINS, alignments=smaller)
    found, _ = versions([TWINS], [other], ("anna.wa", "ben.wa"), "2016")
    (begun,) = beginnings(found)
    assert [link.first for link in begun.draft.links] == [5, 6, 8]
    (difference,) = differences(begun.draft, found[0].drafts)
    assert difference.nodes == ((1, 1), (2, 1), (2, 5))
    assert "‘Grandma … with the twins’" in difference.said[0]
    taken = Take(difference.decisions[0], difference.nodes).apply(begun.draft)
    assert Link((1,), (1, 5), 5.0, Relation.EQUI) in taken.links
    assert taken_over(taken, found[0].drafts) == taken


def test_the_official_gold_of_2016_opens_and_keeps_its_bytes(gold, shared):
    source = shared / "ists2016" / "train" / "STSint.input.answers-students.wa"
    gold.write_bytes(source.read_bytes())
    with closing(Workbook.open(gold, edition="2016")) as book:
        drafts = [book[n].draft for n in range(len(book))]
        assert sum(link.is_group for draft in drafts for link in draft.links) > 50
        assert 300 < book.done < len(book)
        assert all(missing(draft) or not draft.undecided() for draft in drafts if not draft.done)
    assert gold.read_bytes() == source.read_bytes()


@given(st.data())
@settings(max_examples=200)
def test_any_walk_with_groups_keeps_the_draft_sound_and_its_file_well_formed(data):
    history = History(after(cat_draft("2016"), *data.draw(st.sampled_from([(), CHUNKED, GROUPED]))))
    for _ in range(data.draw(st.integers(0, 25))):
        try:
            changed = history.do(data.draw(likely_actions(history.present)).apply(history.present))
        except RejectedError:
            continue
        if changed is not history:
            assert changed.undo().present == history.present
        history = changed
    draft = history.present
    assert draft_from(state_of(draft), draft.words, "2016") == draft
    pair = pair_of(draft, EMPTY_PAIR)
    assert not list(pair.problems("2016"))
    assert not any(pair._tokens_used_twice())
    assert Relation.ALIC not in {alignment.relation for alignment in pair.alignments}
    if draft.done:
        assert not [*pair.violations()]
        again = draft_of(pair, "2016")
        assert again.step is Step.DONE
        assert pair_of(again, pair) == pair


def test_the_file_read_with_groups_is_written_again_with_them(gold):
    write([TWINS], gold)
    with closing(Workbook.open(gold, edition="2016")) as book:
        for action in (
            actions.Return(Step.LINKS),
            actions.Score(5, 4),
            actions.Label(5, Relation.SIMI),
        ):
            book.act(0, book[0].version, action)
    (pair,) = read(gold)
    assert pair.links[0].chunk2.tokens == (1, 5, 6, 7)
    assert pair.links[1].score == 4.0
