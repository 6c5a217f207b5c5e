"""The four measures on small pairs, computed by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorer
from ists.pairs import Alignment, Chunk, Flag, Relation, Sentence, SentencePair
from scorer.confusion import label_cells
from scorer.measures import Annotation, Link, PairCounts, jaccard, judge_pair, single_links

LABELS = ["EQUI", "OPPO", "SPE1", "SPE2", "SIMI", "REL"]


def pair(*links, id_="1", words="a b c d e f"):
    alignments = tuple(
        Alignment(
            Chunk(tuple(left)),
            Chunk(tuple(right)),
            Relation[label.split("_")[0]],
            score,
            frozenset(Flag[flag] for flag in label.split("_")[1:]),
        )
        for left, right, label, score in links
    )
    sentence = Sentence.of(words.split())
    return SentencePair(id_, sentence, sentence, alignments)


def f1(gold, system, match="strict"):
    return scorer.score([pair(*gold)], [pair(*system)], match).f1


def test_the_gold_against_itself_is_perfect():
    links = [([1, 2], [1], "SPE1", 4), ([3], [2, 3], "OPPO_FACT", 3)]
    assert f1(links, links) == (1, 1, 1, 1)


def test_a_wrong_relation_costs_the_type_alone():
    figures = f1([([1], [1], "EQUI", 5)], [([1], [1], "OPPO", 5)])
    assert figures == (1, 0, 1, 0)


def test_a_wrong_score_costs_a_fifth_for_each_point():
    figures = f1([([1], [1], "SIMI", 4)], [([1], [1], "SIMI", 2)])
    assert figures == pytest.approx((1, 1, 0.6, 0.6))


def test_flags_count_as_labels():
    figures = f1([([1], [1], "SIMI_FACT", 4)], [([1], [1], "SIMI", 4)])
    assert figures == (1, 0.5, 1, 0.5)


def test_chunks_that_overlap_share_the_links_of_their_tokens():
    # Gold: 2 links of weight 1/2. System: 4 links of weight 1/2, two of them right.
    figures = f1([([1, 2], [1], "EQUI", 5)], [([1, 2], [1, 2], "EQUI", 5)])
    precision, recall = Fraction(1, 2), Fraction(1)
    assert figures.ali == pytest.approx(float(2 * precision * recall / (precision + recall)))


def test_punctuation_does_not_count():
    words = "a , c"
    gold = pair(([1, 2], [1, 2], "EQUI", 5), words=words)
    system = pair(([1], [1], "EQUI", 5), words=words)
    assert scorer.score([gold], [system]).f1.ali == 1


def test_only_single_signs_of_the_official_list_are_punctuation():
    words = "a -- !"
    gold = pair(([1, 2, 3], [1, 2, 3], "EQUI", 5), words=words)
    system = pair(([1], [1], "EQUI", 5), words=words)
    assert scorer.score([gold], [system]).f1.ali < 1


def test_weights_are_summed_over_all_pairs_before_the_f1():
    gold = [pair(([1], [1], "EQUI", 5)), pair(([1, 2, 3], [1, 2, 3], "EQUI", 5), id_="2")]
    system = [pair(([1], [1], "EQUI", 5)), pair(id_="2")]
    report = scorer.score(gold, system)
    assert report.recall.ali == pytest.approx(1 / 4)
    assert report.precision.ali == 1


def test_a_missing_pair_costs_recall_and_an_unknown_pair_precision():
    a, b = pair(([1], [1], "EQUI", 5)), pair(([1], [1], "EQUI", 5), id_="2")
    missing, unknown = scorer.score([a, b], [a]), scorer.score([a], [a, b])
    assert (missing.precision.ali, missing.recall.ali, missing.missing) == (1, 0.5, ("2",))
    assert (unknown.precision.ali, unknown.recall.ali, unknown.unknown) == (0.5, 1, ("2",))


@pytest.mark.parametrize(
    ("gold", "system", "credit"),
    [
        (("EQUI", 5), ("SIMI", 4), 1),
        (("SPE2", 4), ("EQUI", 5), 1),
        (("EQUI", 5), ("SIMI", 3), 0),
        (("EQUI", 5), ("REL", 4), 0),
        (("REL", 2), ("SPE1", 2), 1),
        (("REL", 3), ("SPE1", 2), 0),
        (("OPPO", 2), ("SIMI", 2), 0),
        (("EQUI_FACT", 5), ("SIMI", 4), 0.5),
    ],
)
def test_lenient_matching_forgives_close_relations_in_type_and_score_only(gold, system, credit):
    lenient = f1([([1], [1], *gold)], [([1], [1], *system)], "lenient")
    strict = f1([([1], [1], *gold)], [([1], [1], *system)])
    closeness = 1 - abs(gold[1] - system[1]) / 5
    assert lenient.type_score == pytest.approx(credit * closeness)
    assert lenient[:3] == strict[:3]


def test_two_files_that_align_nothing_give_zero():
    report = scorer.score([pair()], [pair()])
    assert report.f1 == (0, 0, 0, 0)
    assert report.pairs[0].f1 is None


def test_jaccard_of_nothing_is_nothing():
    assert jaccard(frozenset(), frozenset()) == 0


tokens = st.frozensets(st.integers(1, 6), min_size=1)
odd_tokens = st.frozensets(st.sampled_from([1, 2, 3, 127, 128, 129, 10**9, -1]), min_size=1)


def links_between(chunks):
    labels = st.sampled_from(LABELS).map(lambda label: frozenset({label}))
    link = st.builds(Link.of, chunks, chunks, labels, st.integers(0, 5).map(float))
    return st.lists(link, max_size=4).map(tuple)


links = links_between(tokens)
any_links = links | links_between(odd_tokens)


def by_definition(gold: tuple[Link, ...], system: tuple[Link, ...]) -> list[float]:
    """The measures by the task's definition, with all token links enumerated."""

    def enumerated_links(links):
        labels = {}
        for link in links:
            for left in link.tokens1:
                for right in link.tokens2:
                    labels[left, right] = link
        weights = {
            (left, right): 1
            / max(
                sum(1 for key in labels if key[0] == left),
                sum(1 for key in labels if key[1] == right),
            )
            for left, right in labels
        }
        return labels, weights

    (gold_labels, gold_weights), (labels, weights) = (
        enumerated_links(gold),
        enumerated_links(system),
    )
    figures = []
    for use_type, use_score in ((0, 0), (1, 0), (0, 1), (1, 1)):

        def credit(key, use_type=use_type, use_score=use_score):
            theirs, ours = gold_labels[key], labels[key]
            worth = float(theirs.labels == ours.labels) if use_type else 1.0
            return worth * (1 - abs(theirs.score - ours.score) / 5 if use_score else 1)

        shared = gold_labels.keys() & labels.keys()
        precision = sum(weights[key] * credit(key) for key in shared) / (sum(weights.values()) or 1)
        recall = sum(gold_weights[key] * credit(key) for key in shared) / (
            sum(gold_weights.values()) or 1
        )
        both = precision + recall
        figures.append(2 * precision * recall / both if both else 0.0)
    return figures


@given(links, links)
def test_the_short_cut_gives_what_the_definition_gives(gold, system):
    counts = judge_pair("1", Annotation(gold), Annotation(system), "strict")
    figures = counts.f1 or (0, 0, 0, 0)
    assert figures == pytest.approx(by_definition(gold, system))


@given(links, links)
def test_every_link_stands_in_exactly_one_cell(gold, system):
    counts = judge_pair("1", Annotation(gold), Annotation(system), "strict")
    cells = label_cells(counts).values()
    assert sum(in_gold for in_gold, _ in cells) == pytest.approx(counts.gold)
    assert sum(in_system for _, in_system in cells) == pytest.approx(counts.system)


@given(links)
def test_single_links_never_weigh_more_than_one(links):
    assert all(0 < link.weight <= 1 for link in single_links(links))


def test_counts_of_a_pair_are_a_plain_value():
    nothing = Annotation()
    counts = judge_pair("1", nothing, nothing, "strict")
    assert counts == PairCounts("1", 0, 0, (0, 0, 0, 0), (0, 0, 0, 0), (nothing, nothing))


@given(any_links, any_links, tokens | odd_tokens)
def test_comparing_bits_gives_what_comparing_tokens_gives(gold, system, punctuation):
    def judged(change):
        ours, theirs = (tuple(map(change, links)) for links in (gold, system))
        return judge_pair("1", Annotation(ours, (), punctuation), Annotation(theirs), "lenient")

    assert judged(lambda link: link)[:5] == judged(lambda link: link._replace(bits=0))[:5]
