from dataclasses import FrozenInstanceError, replace

import pytest

from ists.pairs import Alignment, Chunk, Flag, Relation, Sentence, SentencePair, comment_for
from tests.samples import CAT_PAIR


def link(relation: Relation, score: float | None) -> Alignment:
    return Alignment(Chunk((1,)), Chunk((1,)), relation, score)


def test_a_valid_pair_has_neither_problems_nor_violations():
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
def test_equi_and_only_equi_has_score_five(relation, score, broken):
    assert bool(list(link(relation, score).violations())) is broken
    assert not list(link(relation, score).problems())


@pytest.mark.parametrize("relation", [Relation.NOALI, Relation.ALIC])
def test_an_unaligned_chunk_has_no_score(relation):
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
def test_violations_in_every_edition_are_problems(alignment):
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


def test_the_guidelines_require_every_token():
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


def test_names_of_relations_and_flags_are_converted():
    alignment = Alignment(Chunk((1,)), Chunk((1,)), "SIMI", 3, ["FACT", Flag.POL])
    assert alignment == replace(link(Relation.SIMI, 3), flags=frozenset(Flag))
    assert alignment.relation is Relation.SIMI
    assert alignment.label == "SIMI_FACT_POL"
    assert Alignment(Chunk((1,)), None, "NOALI", flags="POL").flags == {Flag.POL}


def test_lists_are_converted():
    assert Chunk([1, 2]) == Chunk((1, 2))
    assert Sentence(tokens=["A", "cat"]).tokens == ("A", "cat")
    assert hash(replace(CAT_PAIR, alignments=list(CAT_PAIR.alignments))) == hash(CAT_PAIR)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: link("NICE", 3), "relation is 'NICE', expected one of EQUI, OPPO, SPE1"),
        (
            lambda: Alignment(None, Chunk((1,)), "ALIC", None, "FCT"),
            "a flag is 'FCT', expected any",
        ),
    ],
)
def test_unknown_names_are_a_value_error(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: link(None, 3), "relation is None, expected one of EQUI"),
        (lambda: link(Relation.SIMI, "3"), "score is '3', expected a number from 0 to 5 or None"),
        (lambda: link(Relation.SIMI, True), "score is True, expected a number"),
        (lambda: Alignment((1,), None, "NOALI"), r"chunk1 is \(1,\), expected a Chunk or None"),
        (lambda: Alignment(None, Chunk((1,)), "ALIC", None, 5), "flags is 5, expected any of FACT"),
        (lambda: Chunk("12"), r"tokens is '12', expected token positions such as \(1, 2\)"),
        (lambda: Chunk((1, "2")), "expected token positions"),
        (lambda: Chunk(1), "tokens is 1, expected token positions"),
        (
            lambda: Sentence.of("A cat"),
            r"tokens is 'A cat', expected tokens such as \['A', 'cat'\]",
        ),
        (lambda: Sentence("A cat", "A cat"), "tokens is 'A cat', expected tokens"),
        (lambda: Sentence(["A"]), r"text is \['A'\], expected a string or None"),
        (lambda: SentencePair(1), "id is 1, expected a string"),
        (lambda: SentencePair("1", "A cat"), "sentence1 is 'A cat', expected a Sentence"),
        (lambda: SentencePair("1", alignments="x"), "an alignment is 'x', expected an Alignment"),
        (lambda: SentencePair("1", alignments=5), "an alignment is 5, expected an Alignment"),
    ],
)
def test_wrong_shapes_are_a_type_error_that_names_what_was_expected(make, message):
    with pytest.raises(TypeError, match=message):
        make()
