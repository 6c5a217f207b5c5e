"""The procedure: what each step allows, what it asks for, and what a file says of it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.annotate import actions, guidance
from ists.annotate.actions import RejectedError, parse
from ists.annotate.draft import (
    Draft,
    Link,
    Step,
    chunked,
    draft_from,
    draft_of,
    fresh,
    misfits,
    missing,
    pair_of,
    state_of,
)
from ists.annotate.history import History
from ists.errors import FormatError
from ists.pairs import Alignment, Chunk, Flag, Relation, Sentence, SentencePair
from tests.annotate.drafts import (
    CHUNKED,
    DONE,
    LINKED,
    WORDS1,
    WORDS2,
    after,
    any_action,
    cat_draft,
    likely_actions,
)
from tests.samples import CAT_PAIR

EMPTY_PAIR = replace(CAT_PAIR, alignments=(), status="unfinished")


def test_a_new_pair_is_one_chunk_a_sentence_and_lacks_everything():
    draft = cat_draft()
    assert draft.starts == ((1,), (1,))
    assert len(missing(draft)) == 3


def test_what_is_missing_does_not_show_the_other_sentence():
    assert not any("tabby" in reason or "sleep" in reason for reason in missing(cat_draft()))


def test_the_whole_procedure_ends_in_a_pair_by_the_guidelines():
    pair = pair_of(after(cat_draft(), *DONE), EMPTY_PAIR)
    assert pair == CAT_PAIR
    assert not [*pair.problems(), *pair.violations()]


def test_an_unfinished_pair_is_well_formed_and_says_that_it_is_unfinished():
    pair = pair_of(after(cat_draft(), *CHUNKED, actions.Connect(4, 3)), EMPTY_PAIR)
    assert pair.status == "unfinished"
    assert pair.alignments == ()
    assert not list(pair.problems())


def test_where_every_chunk_is_linked_nothing_is_asked_of_the_rest():
    draft = after(
        fresh(["Snow"], ["Snow"]),
        actions.Advance(),
        actions.Advance(),
        actions.Accept((1,), (1,), 5, Relation.EQUI, frozenset()),
        actions.Advance(),
    )
    assert draft.step is Step.DONE


@pytest.mark.parametrize(
    ("before", "action", "reason"),
    [
        (CHUNKED, actions.Cut(1, 2), "another step"),
        ((), actions.Cut(2, 2), "another step"),
        ((), actions.Cut(1, 1), "no chunk can begin there"),
        ((), actions.Cut(1, 6), "no chunk can begin there"),
        ((), actions.Recut(1, ()), "no chunk can begin there"),
        ((), actions.Connect(1, 1), "another step"),
        ((), actions.Return(Step.LINKS), "finish the steps before it"),
        (CHUNKED, actions.Connect(2, 1), "no such chunk"),
        (CHUNKED, actions.Score(1, 4), "no such link"),
        ((*CHUNKED, actions.Connect(1, 1)), actions.Connect(1, 3), "‘A tabby cat’ is linked"),
        ((*CHUNKED, actions.Connect(1, 1)), actions.Label(1, Relation.SIMI), "score comes before"),
        ((*CHUNKED, actions.Connect(1, 1)), actions.Score(1, 0), "remove the link"),
        ((*CHUNKED, actions.Connect(1, 1)), actions.Score(1, 6), "from 1 to 5"),
        ((*CHUNKED, actions.Connect(1, 1)), actions.Advance(), "has no score"),
        (
            (*CHUNKED, actions.Connect(1, 1), actions.Score(1, 4)),
            actions.Label(1, Relation.EQUI),
            "EQUI requires score 5",
        ),
        (
            (*CHUNKED, actions.Connect(1, 1), actions.Score(1, 5)),
            actions.Label(1, Relation.SIMI),
            "score 5 is only for EQUI",
        ),
        (
            (*CHUNKED, actions.Connect(1, 1), actions.Score(1, 4)),
            actions.Label(1, Relation.NOALI),
            "for unaligned chunks",
        ),
        (
            (*CHUNKED, actions.Connect(1, 1), actions.Score(1, 4)),
            actions.FlagLink(1, Flag.FACT),
            "label comes before FACT",
        ),
        ((*CHUNKED, actions.Connect(1, 1), actions.Score(1, 4)), actions.Advance(), "no label"),
        (LINKED, actions.LeaveAlone(1, 4, Relation.NOALI), "‘sleeps’ is linked"),
        (LINKED, actions.LeaveAlone(1, 5, Relation.SIMI), "for two linked chunks"),
        (LINKED, actions.FlagAlone(1, 5, Flag.POL), "comes before POL"),
        (LINKED, actions.Advance(), "needs NOALI or ALIC"),
        (DONE, actions.Advance(), "is done"),
    ],
)
def test_what_the_procedure_rejects_and_why(before, action, reason):
    draft = after(cat_draft(), *before)
    with pytest.raises(RejectedError, match=reason):
        action.apply(draft)


def test_cutting_a_linked_chunk_forgets_its_link_and_no_other():
    back = after(cat_draft(), *DONE, actions.Return(Step.CHUNKS1), actions.Cut(1, 2))
    assert [link.first for link in back.links] == [4]
    assert len(back.alone) == 2


def test_score_5_sets_equi_and_a_lower_score_keeps_a_label_that_agrees():
    draft = after(cat_draft(), *LINKED, actions.Return(Step.LINKS), actions.Score(1, 5))
    assert draft.link_at(1, 1) == Link((1,), (1,), 5.0, Relation.EQUI)
    draft = after(cat_draft(), *LINKED, actions.Return(Step.LINKS), actions.Score(1, 2))
    assert draft.link_at(1, 1) == Link((1,), (1,), 2.0, Relation.SPE1)


def test_linking_a_chunk_that_was_left_alone_takes_its_label_away():
    draft = after(cat_draft(), *DONE, actions.Return(Step.LINKS), actions.Connect(5, 5))
    assert draft.alone == ()


def test_flags_go_on_and_off():
    draft = after(cat_draft(), *LINKED, actions.LeaveAllAlone(), actions.FlagAlone(1, 5, Flag.POL))
    assert draft.alone_at(1, 5).flags == {Flag.POL}
    assert actions.FlagAlone(1, 5, Flag.POL).apply(draft).alone_at(1, 5).flags == set()
    assert actions.LeaveAlone(1, 5, Relation.ALIC).apply(draft).alone_at(1, 5).flags == {Flag.POL}


def test_given_chunks_lead_straight_to_linking():
    draft = chunked(cat_draft(), (1, 4), (1, 3))
    assert draft.step is Step.LINKS
    assert draft.text(1, 1) == "A tabby cat"


def test_a_pair_read_from_a_file_is_done_if_the_guidelines_say_so():
    assert draft_of(CAT_PAIR).step is Step.DONE
    assert draft_of(replace(CAT_PAIR, status="unfinished")).step is Step.REST
    assert draft_of(EMPTY_PAIR).step is Step.CHUNKS1


def test_tokens_that_a_file_does_not_use_are_still_to_be_cut():
    draft = draft_of(replace(CAT_PAIR, alignments=CAT_PAIR.alignments[1:]))
    assert draft.starts == ((1, 4, 5), (1, 3, 5))
    assert draft.step is Step.CHUNKS1
    draft = draft_of(replace(CAT_PAIR, alignments=CAT_PAIR.alignments[:-1]))
    assert draft.step is Step.CHUNKS2


def test_a_score_that_breaks_the_rules_is_read_and_reported():
    odd = Alignment(Chunk((1, 2, 3)), Chunk((1, 2)), Relation.EQUI, 4.0)
    draft = draft_of(replace(CAT_PAIR, alignments=(odd, *CAT_PAIR.alignments[1:])))
    assert draft.step is Step.LINKS
    assert any("EQUI has score 4, expected 5" in reason for reason in missing(draft))


def test_a_score_on_a_chunk_left_alone_is_read_and_goes_with_a_new_label():
    odd = replace(CAT_PAIR.alignments[2], score=0.0)
    pair = replace(CAT_PAIR, alignments=(*CAT_PAIR.alignments[:2], odd, CAT_PAIR.alignments[3]))
    draft = draft_of(pair)
    assert draft.step is Step.REST
    assert missing(draft) == ("‘.’ of sentence 1 has a score, NOALI has none: label it again",)
    assert set(pair_of(draft, pair).alignments) == set(pair.alignments)
    with pytest.raises(RejectedError, match="has a score"):
        actions.Advance().apply(draft)
    for mend in (actions.LeaveAlone(1, 5, Relation.NOALI), actions.LeaveAllAlone()):
        assert pair_of(after(draft, mend, actions.Advance()), pair) == CAT_PAIR


@pytest.mark.parametrize(
    "alignments",
    [
        (Alignment(Chunk((1, 3)), None, Relation.NOALI),),
        (Alignment(Chunk((1,)), Chunk((1,)), Relation.SIMI, 3.0), CAT_PAIR.alignments[0]),
        (Alignment(Chunk((9,)), None, Relation.NOALI),),
    ],
)
def test_what_is_not_one_to_one_or_has_gaps_is_rejected(alignments):
    with pytest.raises(FormatError, match="pair 1"):
        draft_of(replace(CAT_PAIR, alignments=alignments))


def test_a_pair_without_its_sentences_is_rejected():
    with pytest.raises(FormatError, match="no sentence 1"):
        draft_of(replace(CAT_PAIR, sentence1=Sentence(), alignments=()))


def test_a_sentence_without_tokens_has_no_chunks():
    draft = after(fresh([], ["Snow"]), actions.Advance(), actions.Advance(), actions.Advance())
    assert draft.undecided() == [(2, 1)]
    assert after(draft, actions.LeaveAllAlone(), actions.Advance()).step is Step.DONE


def walk(data: st.DataObject, draft: Draft) -> Draft:
    for _ in range(data.draw(st.integers(0, 25))):
        try:
            draft = data.draw(likely_actions(draft)).apply(draft)
        except RejectedError:
            continue
    return draft


@given(st.data())
@settings(max_examples=200)
def test_any_walk_keeps_the_draft_sound_and_its_file_well_formed(data):
    draft = walk(data, cat_draft())
    assert draft_from(state_of(draft), draft.words) == draft
    assert draft.words == (tuple(WORDS1), tuple(WORDS2))
    pair = pair_of(draft, EMPTY_PAIR)
    assert not list(pair.problems())
    assert not any(True for alignment in pair.alignments for _ in alignment.violations())
    assert draft.done == (pair.status == "")
    if draft.step is Step.DONE:
        assert not [*missing(draft)]
    if draft.done:
        assert not [*pair.violations()]
        again = draft_of(pair)
        assert (again.starts, again.step) == (draft.starts, Step.DONE)
        assert pair_of(again, pair) == pair


@given(st.data(), any_action)
def test_undo_after_do_is_as_if_nothing_had_happened(data, action):
    history = History(walk(data, cat_draft()))
    try:
        done = history.do(action.apply(history.present))
    except RejectedError:
        return
    if done is not history:
        assert done.undo() == replace(history, future=(done.present,))
        assert done.undo().redo() == done


def test_undo_and_redo_at_the_ends_do_nothing():
    history = History(cat_draft())
    assert history.undo() is history
    assert history.redo() is history


def test_something_new_gives_up_what_was_undone():
    history = History(cat_draft()).do(after(cat_draft(), actions.Cut(1, 2))).undo()
    assert history.future
    assert not history.do(after(cat_draft(), actions.Cut(1, 3))).future


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"do": "explode"},
        {"do": ["cut"]},
        {"do": "cut", "side": 1},
        {"do": "cut", "side": 3, "before": 2},
        {"do": "cut", "side": True, "before": 2},
        {"do": "cut", "side": 1, "before": "2"},
        {"do": "cut", "side": 1, "before": 2.5},
        {"do": "cut", "side": 1, "before": 2, "file": "/etc/passwd"},
        {"do": "recut", "side": 1, "starts": "135"},
        {"do": "label", "first": 1, "relation": "SAME"},
        {"do": "return", "step": "nowhere"},
        {
            "do": "accept",
            "firsts": [1],
            "seconds": [1],
            "score": 4,
            "relation": "SIMI",
            "flags": ["X"],
        },
    ],
)
def test_what_is_no_action_is_a_value_error(record):
    with pytest.raises(ValueError, match=r"."):
        parse(record)


def test_actions_are_read_as_the_page_writes_them():
    assert parse({"do": "cut", "side": 1, "before": 3}) == actions.Cut(1, 3)
    assert parse({"do": "recut", "side": 2, "starts": [1, 3]}) == actions.Recut(2, (1, 3))
    assert parse({"do": "advance"}) == actions.Advance()
    assert parse({"do": "flag", "first": 1, "flag": "POL"}) == actions.FlagLink(1, Flag.POL)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"step": "links", "starts": [[1]], "links": [], "alone": []},
        {"step": "links", "starts": [[2], [1]], "links": [], "alone": []},
        {"step": "links", "starts": [[1], [1, 9]], "links": [], "alone": []},
        {"step": "links", "starts": [[1], [1]], "links": [[2, 1, None, None, []]], "alone": []},
        {
            "step": "links",
            "starts": [[1], [1]],
            "links": [],
            "alone": [[1, 1, "NOALI", [], None]] * 2,
        },
        {"step": "nowhere", "starts": [[1], [1]], "links": [], "alone": []},
    ],
)
def test_a_state_that_fits_no_draft_is_rejected(state):
    with pytest.raises(ValueError, match=r"."):
        draft_from(state, cat_draft().words)


def test_any_pair_that_is_done_survives_the_way_through_a_draft():
    pair = SentencePair(
        "7",
        Sentence.of(["Snow", "closes", "roads"]),
        Sentence.of(["Roads", "shut"]),
        (
            Alignment(Chunk((2,)), Chunk((2,)), Relation.SIMI, 3.5, frozenset({Flag.FACT})),
            Alignment(Chunk((3,)), Chunk((1,)), Relation.EQUI, 5.0),
            Alignment(Chunk((1,)), None, Relation.ALIC, None, frozenset({Flag.POL})),
        ),
        "checked",
    )
    back = pair_of(draft_of(pair), pair, "checked")
    assert [replace(a, comment=None) for a in back.alignments] == list(pair.alignments)
    assert back.status == "checked"


def test_all_suggestions_are_accepted_as_one_change_that_finishes_the_step():
    accepted = parse(
        {
            "do": "accept-all",
            "accepted": [
                {
                    "do": "accept",
                    "firsts": [4],
                    "seconds": [3],
                    "score": 5,
                    "relation": "EQUI",
                    "flags": [],
                }
            ],
        }
    )
    draft = after(cat_draft(), *CHUNKED, accepted)
    assert draft.step is Step.REST
    unscored = after(cat_draft(), *CHUNKED, actions.Connect(1, 1), accepted)
    assert unscored.step is Step.LINKS, "a link lacks its score"


def test_a_change_of_a_finished_pair_must_be_confirmed_again():
    looked = after(cat_draft(), *DONE, actions.Return(Step.LINKS))
    assert looked.done
    assert not after(looked, actions.Score(1, 3)).done
    assert after(looked, actions.Score(1, 4)).done, "the same score is no change"
    assert after(looked, actions.Score(1, 3), actions.Advance(), actions.Advance()).done
    assert draft_from(state_of(looked), looked.words) == looked


def test_cards_follow_the_rules_they_explain():
    assert [card.value for card in guidance.CARDS][:2] == ["EQUI", "OPPO"]
    assert {card.value for card in guidance.CARDS} == {relation.value for relation in Relation}
    for card in guidance.CARDS:
        for example in card.examples:
            if Relation(card.value).links:
                assert not misfits(example.score, Relation(card.value))
            else:
                assert example.score is None
