from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ists
from ists.errors import FormatError
from ists.pairs import Relation, Sentence
from scorer.alpha import interval_alpha, nominal_alpha
from scorer.group_agreement import agree_all
from tests.conftest import EXAMPLES

GOLD = list(ists.read(EXAMPLES / "gold.wa"))
SYSTEM = list(ists.read(EXAMPLES / "system.wa"))


def test_alpha_of_krippendorffs_own_example():
    # Four observers, twelve units, missing values: .743 nominal, .849 interval (Krippendorff 2011).
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[value for value in unit if value is not None] for unit in zip(*table, strict=True)]
    assert nominal_alpha(units).value == pytest.approx(0.743, abs=0.0005)
    assert interval_alpha(units).value == pytest.approx(0.849, abs=0.0005)
    assert nominal_alpha(units).units == 11


def test_alpha_does_not_exist_without_comparable_or_different_values():
    assert nominal_alpha([]).value is None
    assert nominal_alpha([["a"], ["b"]]).value is None
    assert nominal_alpha([["a", "a"], ["a", "a"]]).value is None
    assert interval_alpha([[3.0, 3.0]]).value is None


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=9))
def test_alpha_is_at_most_1_whatever_the_order_of_annotators(units):
    here = nominal_alpha(units).value
    there = nominal_alpha([unit[::-1] for unit in units]).value
    assert here == there
    assert here is None or here <= 1


def test_three_who_agree_have_an_alpha_of_1():
    report = agree_all([GOLD, GOLD, GOLD], ["a", "b", "c"])
    assert [alpha.value for alpha in report.alphas[1:]] == [1, 1, 1]
    assert len(report.pairwise) == 3
    assert report.to_dict()["alpha"]["links"]["alpha"] == 1


def test_one_of_three_who_differs_lowers_alpha():
    report = agree_all([GOLD, GOLD, SYSTEM], ["a", "b", "c"])
    assert 0 < report.alphas.links.value < 1
    assert 0 < report.alphas.chunks.value < 1
    text = report.render()
    assert "Krippendorff's alpha, 3 annotators, 8 pairs" in text
    assert "a and c" in text


def test_a_pair_that_only_one_has_finished_does_not_count():
    begun = [replace(GOLD[0], status="unfinished"), *GOLD[1:]]
    report = agree_all([GOLD, begun, begun], ["a", "b", "c"])
    assert report.alphas.pairs == 7
    with pytest.raises(FormatError, match="no pair is finished in this file and in another one"):
        agree_all([GOLD[:1], begun[:1], begun[:1]], ["a", "b", "c"])


def test_other_tokens_are_rejected_with_the_file():
    other = [replace(GOLD[0], sentence1=Sentence.of(["Other", "words"])), *GOLD[1:]]
    with pytest.raises(
        FormatError, match="c:1: pair 1: the tokens of sentence 1 are not those of a"
    ):
        agree_all([GOLD, GOLD, other], ["a", "b", "c"])


def test_unaligned_chunks_count_as_labels_of_chunks():
    changed = [
        replace(
            pair,
            alignments=tuple(
                replace(a, relation=Relation.ALIC) if not a.is_link else a for a in pair.alignments
            ),
        )
        for pair in GOLD
    ]
    report = agree_all([GOLD, GOLD, changed], ["a", "b", "c"])
    assert report.alphas.links.value == 1
    assert report.alphas.chunks.value < 1
