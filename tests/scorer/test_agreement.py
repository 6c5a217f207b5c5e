from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ists
import scorer
from ists.errors import FormatError
from ists.pairs import Alignment, Chunk, Relation, Sentence
from scorer.agreement import agree, cohen_kappa
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR

GOLD = list(ists.read(EXAMPLES / "gold.wa"))
SYSTEM = list(ists.read(EXAMPLES / "system.wa"))


def test_kappa_of_a_table_computed_by_hand():
    # 20 both yes, 15 both no, 5 and 10 apart: observed .7, expected .5·.6 + .5·.4 = .5.
    labels = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    kappa = cohen_kappa(labels)
    assert kappa.observed == pytest.approx(0.7)
    assert kappa.expected == pytest.approx(0.5)
    assert kappa.value == pytest.approx(0.4)


def test_kappa_does_not_exist_without_labels_or_with_only_one():
    assert cohen_kappa([]).value is None
    assert cohen_kappa([("EQUI", "EQUI")] * 3).value is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_kappa_is_the_same_from_both_sides_and_at_most_1(labels):
    here = cohen_kappa(labels).value
    assert here == cohen_kappa([(b, a) for a, b in labels]).value
    assert here is None or here <= 1


def test_a_file_agrees_with_itself():
    report = agree(GOLD, GOLD)
    assert report.by_first.f1 == report.by_second.f1 == (1, 1, 1, 1)
    assert report.chunks.f1 == report.links.f1 == report.sentences.f1 == 1
    assert report.relations.value == report.labels.value == 1
    assert report.scores.pearson.r == pytest.approx(1)
    assert report.scores.mean_difference == 0
    assert not report.disagreements


def test_the_f1_are_those_of_the_scorer_both_ways():
    report = agree(GOLD, SYSTEM)
    gold, system = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
    assert report.by_first.f1 == scorer.score(gold, system).f1
    assert report.by_second.f1 == scorer.score(system, gold).f1


def test_every_disagreement_is_listed_with_both_annotations():
    found = [(d.pair_id, d.kind, d.first, d.second) for d in agree(GOLD, SYSTEM).disagreements]
    assert (
        "2",
        "score",
        "14 rescued <==> 11 saved // SIMI // 3",
        "14 rescued <==> 11 saved // SIMI // 4",
    ) in found
    assert ("7", "link", "pulls <==> bakes // REL // 3", "-") in found
    assert sum(kind == "label" for _, kind, _, _ in found) == 11


def test_different_chunks_are_listed_and_their_links_compared():
    recut = replace(
        CAT_PAIR,
        alignments=(
            Alignment(Chunk((1, 2)), Chunk((1, 2)), Relation.SIMI, 3.0),
            Alignment(Chunk((3,)), None, Relation.NOALI),
            *CAT_PAIR.alignments[1:],
        ),
    )
    report = agree([CAT_PAIR], [recut])
    assert report.chunks.both == 5
    assert (report.chunks.gold, report.chunks.system) == (6, 7)
    assert report.sentences.both == 1
    assert [(d.kind, d.first, d.second) for d in report.disagreements] == [
        ("chunks", "[ A tabby cat ]", "[ A tabby ] [ cat ]"),
        (
            "link",
            "A tabby cat <==> A cat // SPE1 // 4",
            "A tabby <==> A cat // SIMI // 3",
        ),
    ]


def test_other_tokens_under_the_same_id_are_rejected():
    other = replace(CAT_PAIR, sentence2=Sentence.of(["A", "dog", "is", "sleeping", "."]))
    with pytest.raises(FormatError, match="pair 1: the tokens of sentence 2 are not those of a"):
        agree([CAT_PAIR], [other], ("a", "b"))


def test_pairs_in_one_file_only_are_listed_and_not_compared():
    report = agree(GOLD, SYSTEM[:3])
    assert report.pairs == 3
    assert report.to_dict()["only_in_first"] == ["4", "5", "6", "7", "8"]


def test_too_few_scores_have_no_correlation():
    report = agree([CAT_PAIR], [CAT_PAIR])
    assert report.scores.pearson is None
    assert "undefined" in report.render()


def test_the_order_of_the_files_does_not_matter():
    here, there = agree(GOLD, SYSTEM), agree(GOLD, SYSTEM[::-1])
    assert there.by_first.f1 == pytest.approx(here.by_first.f1)
    assert there.chunks == here.chunks
    assert there.relations == here.relations
    assert set(there.disagreements) == set(here.disagreements)


def test_disagreements_are_counted_where_they_are_not_kept():
    reported = []
    report = agree(GOLD, SYSTEM, keep=2, on_disagreement=reported.append)
    assert report.disagreements == tuple(reported[:2])
    assert len(reported) == report.disagreements_found == 13
    assert "Disagreements, 2 of 13 shown" in report.render()


def test_files_without_a_common_pair_are_rejected():
    other = [replace(pair, id=f"x{pair.id}") for pair in SYSTEM]
    with pytest.raises(FormatError, match=r"b: none of its 8 pair ids is in a: .* 1, 2, 3$"):
        agree(GOLD, other, ("a", "b"))
    with pytest.raises(FormatError, match="b: no sentence pair to compare"):
        agree(GOLD, [], ("a", "b"))
    with pytest.raises(FormatError, match="a: no sentence pair to compare"):
        agree([], GOLD, ("a", "b"))


def test_a_repeated_id_is_rejected():
    with pytest.raises(FormatError, match="pair 1: this id is already in the file"):
        agree(GOLD, [*SYSTEM, SYSTEM[0]])


def test_pairs_that_one_has_not_finished_do_not_count():
    begun = [replace(SYSTEM[0], alignments=(), status="unfinished"), *SYSTEM[1:]]
    report = agree(GOLD, begun)
    assert report.pairs == 7
    assert report.unfinished == ("1",)
    assert report.to_dict()["unfinished"] == ["1"]
    without = agree(GOLD[1:], SYSTEM[1:])
    assert report.by_first.f1 == without.by_first.f1
    assert report.relations == without.relations
    with pytest.raises(FormatError, match="a: no pair is finished in both this file and b"):
        agree(GOLD[:1], begun[:1], ("a", "b"))
