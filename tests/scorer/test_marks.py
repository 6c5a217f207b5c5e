from dataclasses import replace

from hypothesis import given

from ists.pairs import Alignment, Chunk, Relation
from scorer.marks import Mark, marks
from tests.samples import CAT_PAIR, pairs


def test_a_pair_is_all_hits_against_itself_and_all_misses_against_nothing():
    assert set(marks(CAT_PAIR, CAT_PAIR)) == {Mark.HIT}
    assert set(marks(CAT_PAIR, None)) == {Mark.MISS}


def test_another_label_is_near_other_chunks_a_part_and_the_rest_a_miss():
    other = replace(
        CAT_PAIR,
        alignments=(
            Alignment(Chunk((1, 2)), Chunk((1, 2)), Relation.SPE1, 4.0),
            Alignment(Chunk((4,)), Chunk((3, 4)), Relation.SIMI, 4.0),
            Alignment(Chunk((5,)), Chunk((5,)), Relation.EQUI, 5.0),
        ),
    )
    assert marks(CAT_PAIR, other) == (Mark.PART, Mark.NEAR, Mark.MISS, Mark.MISS)


@given(pairs())
def test_every_alignment_has_a_mark(pair):
    assert len(marks(pair, pair)) == len(pair.alignments)
    assert Mark.MISS not in marks(pair, pair)
