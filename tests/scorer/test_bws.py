from collections import Counter
from math import comb
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ists.errors import UndefinedError
from scorer.bws import Annotation, draw_tuples, reliability, score_items


def answers(truth: dict[str, float], noise: float, per_tuple: int = 2) -> list[Annotation]:
    """Answers of simulated annotators: the true order with noise."""
    random = Random(5)
    found = []
    for shown in draw_tuples(list(truth), 4, 8, seed=3):
        for _ in range(per_tuple):
            ranked = sorted(shown, key=lambda item: truth[item] + random.gauss(0, noise))
            found.append(Annotation(tuple(shown), ranked[-1], ranked[0]))
    return found


TRUTH = {f"item {number}": number / 30 for number in range(30)}


@given(st.integers(2, 14), st.integers(2, 6), st.integers(1, 12), st.integers(0, 5))
def test_tuples_are_balanced_without_repetition(count, size, per_item, seed):
    assume(size <= count)
    wanted = -(-count * per_item // size)
    assume(wanted <= comb(count, size))
    tuples = draw_tuples(range(count), size, per_item, seed)
    assert len(tuples) == wanted
    assert all(len(set(one)) == size for one in tuples)
    assert len(set(map(frozenset, tuples))) == len(tuples)
    times = Counter(item for one in tuples for item in one)
    assert set(times) == set(range(count))
    assert {per_item, per_item + 1} >= set(times.values())


def test_the_seed_decides():
    items = list(range(40))
    assert draw_tuples(items, seed=1) == draw_tuples(items, seed=1)
    assert draw_tuples(items, seed=1) != draw_tuples(items, seed=2)


def test_few_pairs_of_items_meet_twice():
    tuples = draw_tuples(range(200), 4, 8)
    together = Counter(frozenset((a, b)) for one in tuples for a in one for b in one if a < b)
    assert sum(count > 1 for count in together.values()) < 0.08 * len(together)


@pytest.mark.parametrize(
    ("items", "size", "per_item", "words"),
    [
        ("abc", 4, 1, "tuples of 4 items cannot be drawn from 3"),
        ("abcde", 4, 8, "5 items make 5 different tuples of 4, but 10 are needed"),
        ("abca", 2, 1, "an item occurs twice"),
    ],
)
def test_impossible_designs_are_reported(items, size, per_item, words):
    with pytest.raises(UndefinedError, match=words):
        draw_tuples(items, size, per_item)


def test_scores_by_hand():
    scores = score_items(
        [
            Annotation(("a", "b", "c", "d"), "a", "d"),
            Annotation(("a", "b", "c", "e"), "a", "e"),
            Annotation(("a", "b", "d", "e"), "b", "d"),
            Annotation(("a", "c", "d", "e"), "c", "a"),
        ]
    )
    assert (scores["a"].best, scores["a"].worst, scores["a"].shown) == (2, 1, 4)
    assert scores["a"].difference == pytest.approx(0.25)
    assert scores["a"].score == pytest.approx(0.625)
    assert scores["d"].score == pytest.approx((1 - 2 / 3) / 2)
    assert scores["b"].score == pytest.approx((1 + 1 / 3) / 2)


@given(st.integers(0, 3))
def test_scores_lie_between_0_and_1_and_even_out(noise):
    scores = score_items(answers(TRUTH, noise)).values()
    assert all(0 <= one.score <= 1 for one in scores)
    assert sum(one.best for one in scores) == sum(one.worst for one in scores)


def test_identical_answers_have_reliability_1():
    # With two equal answers to each tuple the halves are the same.
    assert reliability(answers(TRUTH, 0), splits=20).mean == pytest.approx(1)


def test_more_noise_is_less_reliable():
    some, much = (reliability(answers(TRUTH, noise), splits=50).mean for noise in (0.1, 1.0))
    assert 1 > some > 0.8
    assert some > much
    chance = reliability(answers(dict.fromkeys(TRUTH, 0.0), 1.0), splits=200).mean
    assert abs(chance) < 0.4


def test_reliability_repeats_by_its_seed():
    found = [reliability(answers(TRUTH, 0.3), 10, seed).correlations for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_too_few_answers_have_no_reliability():
    with pytest.raises(UndefinedError, match="too few annotations"):
        reliability([Annotation(("a", "b", "c", "d"), "a", "d")], 5)
