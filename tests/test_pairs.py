from dataclasses import FrozenInstanceError, replace

import pytest

from ists.pairs import Alignment, Chunk, Flag, Relation, Sentence, SentencePair, comment_for
from tests.samples import CAT_PAIR


def link(relation: Relation, score: float | None) -> Alignment:
    return Alignment(Chunk((1,)), Chunk((1,)), relation, score)


def test_a_sound_pair_has_neither_problems_nor_violations():
    assert not list(CAT_PAIR.problems("2015"))
    assert not list(CAT_PAIR.violations())


def test_values_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        CAT_PAIR.id = "2"


@pytest.mark.parametrize(
    ("relation", "score", "broken"),
    [
        (Relation.EQUI, 5, False),
        (Relation.EQUI, 4, True),
        (Relation.OPPO, 5, True),
        (Relation.SIMI, 0, True),
        (Relation.SIMI, 2.5, False),
        (Relation.SPE1, 1, False),
        (Relation.REL, 4.5, False),
    ],
)
def test_equi_goes_with_five_and_only_equi(relation, score, broken):
    assert bool(list(link(relation, score).violations())) is broken
    assert not list(link(relation, score).problems())


@pytest.mark.parametrize("relation", [Relation.NOALI, Relation.ALIC])
def test_a_chunk_left_alone_has_no_score(relation):
    assert list(Alignment(Chunk((1,)), None, relation, 3).violations())
    assert not list(Alignment(Chunk((1,)), None, relation).violations())


@pytest.mark.parametrize(
    "alignment",
    [
        link(Relation.NOALI, 3),
        link(Relation.EQUI, None),
        link(Relation.EQUI, 7),
        Alignment(Chunk((1,)), None, Relation.SIMI, 3),
        Alignment(None, None, Relation.NOALI),
        Alignment(Chunk((0, 1)), Chunk((1,)), Relation.EQUI, 5),
    ],
)
def test_what_no_edition_calls_well_formed_is_a_problem(alignment):
    assert list(alignment.problems())


def test_only_2015_forbids_gaps_and_many_to_many():
    gap = Alignment(Chunk((1, 3)), Chunk((1,)), Relation.EQUI, 5)
    again = Alignment(Chunk((3,)), Chunk((2,)), Relation.EQUI, 5)
    pair = replace(CAT_PAIR, alignments=(gap, again))
    reasons = [reason for _, reason in pair.problems("2015")]
    assert "chunk '1 3' is not contiguous" in reasons
    assert "token 3 of sentence 1 is used twice" in reasons
    assert not list(pair.problems("2016"))


def test_a_token_past_the_sentence_is_named():
    far = replace(CAT_PAIR, alignments=(Alignment(Chunk((6,)), None, Relation.NOALI),))
    assert [reason for _, reason in far.stray_tokens()] == [
        "token 6 is past the end of sentence 1, which has 5 tokens"
    ]


def test_the_guidelines_ask_for_every_token():
    pair = replace(CAT_PAIR, alignments=CAT_PAIR.alignments[:-1])
    assert [reason for _, reason in pair.violations()] == [
        "token 5 ('.') of sentence 2 is not used"
    ]


def test_chunks_come_from_left_to_right():
    pair = replace(CAT_PAIR, alignments=CAT_PAIR.alignments[::-1])
    assert [chunk.tokens for chunk in pair.chunks1] == [(1, 2, 3), (4,), (5,)]


def test_labels_carry_their_flags():
    both = frozenset({Flag.POL, Flag.FACT})
    assert Alignment(None, Chunk((1,)), Relation.ALIC, None, both).label == "ALIC_FACT_POL"


def test_the_comment_shows_both_chunks_in_words():
    comments = [comment_for(a, CAT_PAIR.sentence1, CAT_PAIR.sentence2) for a in CAT_PAIR.alignments]
    assert comments == [a.comment for a in CAT_PAIR.alignments]


def test_a_sentence_without_tokens_is_cut_at_white_space():
    assert Sentence("A cat sits").words == ("A", "cat", "sits")
    assert SentencePair("1").sentence1.words == ()
