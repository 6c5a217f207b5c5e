from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ists.errors import UndefinedError
from scorer.correlation import (
    fisher_z,
    is_triangle,
    one_sample_t,
    pearson,
    spearman,
    steiger_bounds,
    steiger_z,
    third_side,
    two_sample_t,
)

GOLD = [0.0, 1.0, 2.5, 3.0, 4.0, 5.0]
SYSTEM = [0.5, 0.4, 3.0, 2.0, 4.5, 4.4]

scores = st.lists(st.integers(0, 50).map(lambda n: n / 10), min_size=4, max_size=30)
coefficients = st.floats(-0.98, 0.98)


# The worked examples of the STSS-131 appendix, B: STASIS, LSA and the gold, 64 pairs.
@pytest.mark.parametrize(
    ("triangle", "z", "p", "within"),
    [
        ((0.636, 0.693, 0.52), -0.677, 0.4986, 0.001),
        ((0.636, 0.52, 0.693), 1.48, 0.139, 0.01),
        ((0.693, 0.52, 0.636), 2.126, 0.0334, 0.01),
    ],
)
def test_steigers_z_gives_the_appendix_its_figures(triangle, z, p, within):
    outcome = steiger_z(*triangle, 64)
    assert outcome.statistic == pytest.approx(z, abs=within)
    assert outcome.p == pytest.approx(p, abs=within)


def test_the_one_sided_p_values_of_the_appendix_come_out():
    outcome = steiger_z(0.636, 0.693, 0.52, 64)
    assert outcome.p_less == pytest.approx(0.2493, abs=0.001)
    assert outcome.p_greater == pytest.approx(0.7507, abs=0.001)


def test_pearson_by_hand():
    mean1, mean2 = sum(GOLD) / 6, sum(SYSTEM) / 6
    above = sum((a - mean1) * (b - mean2) for a, b in zip(GOLD, SYSTEM, strict=True))
    below = sqrt(sum((a - mean1) ** 2 for a in GOLD) * sum((b - mean2) ** 2 for b in SYSTEM))
    outcome = pearson(GOLD, SYSTEM)
    assert outcome.r == pytest.approx(above / below)
    assert 0.001 < outcome.p < 0.05
    assert outcome.n == 6


def test_spearman_uses_ranks_only():
    assert spearman(GOLD, [score**3 for score in GOLD]).r == pytest.approx(1)
    # three neighbours are swapped: 1 - 6 * 6 / (6 * 35)
    assert spearman(GOLD, SYSTEM).r == pytest.approx(1 - 6 * 6 / 210)


def test_fishers_z_by_hand():
    # atanh(.5) - atanh(.3) over sqrt(1/100 + 1/100)
    outcome = fisher_z(0.5, 103, 0.3, 103)
    assert outcome.statistic == pytest.approx((0.549306 - 0.309520) / sqrt(0.02), abs=1e-4)
    assert outcome.p == pytest.approx(0.0900, abs=1e-3)


def test_a_single_correlation_is_compared_with_those_of_raters():
    # mean .7, standard deviation .1, n = 3: t = (.9 - .7) / (.1 / sqrt 3)
    outcome = one_sample_t(0.9, [0.6, 0.7, 0.8])
    assert outcome.statistic == pytest.approx(2 * sqrt(3))
    assert outcome.df == 2
    assert outcome.p == pytest.approx(2 * outcome.p_greater)


def test_two_sets_of_correlations_are_compared():
    outcome = two_sample_t([0.6, 0.7, 0.8], [0.5, 0.6, 0.7])
    assert outcome.statistic == pytest.approx(0.1 / sqrt(2 * 0.01 / 3))
    assert outcome.df == pytest.approx(4)


@given(scores, st.integers(1, 9), st.integers(-5, 5))
def test_a_linear_change_of_scale_changes_nothing(gold, factor, shift):
    assume(min(gold) < max(gold))
    system = [score * score for score in gold]
    assume(min(system) < max(system))
    changed = [factor * score + shift for score in system]
    for function in (pearson, spearman):
        assert function(gold, system).r == pytest.approx(function(gold, changed).r)


@given(coefficients, coefficients, st.floats(0.02, 0.98), st.integers(4, 5000))
def test_swapping_the_systems_turns_the_sign(r1, r2, share, n):
    low, high = third_side(r1, r2)
    r12 = low + share * (high - low)
    one, other = steiger_z(r1, r2, r12, n), steiger_z(r2, r1, r12, n)
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.p == pytest.approx(other.p)
    assert 0 <= one.p <= 1
    assert one.p_less + one.p_greater == pytest.approx(1)


@given(coefficients, coefficients, st.floats(0.001, 0.999))
def test_the_bounds_hold_whatever_the_third_side(r1, r2, share):
    assume(abs(r1 - r2) > 0.001)
    weakest, strongest = steiger_bounds(r1, r2, 64)
    low, high = third_side(r1, r2)
    between = abs(steiger_z(r1, r2, low + share * (high - low), 64).statistic)
    assert abs(weakest.statistic) <= between + 1e-9
    assert between <= abs(strongest.statistic) + 1e-9


def test_the_third_side_has_bounds():
    assert is_triangle(0.9, 0.9, 0.62)
    assert not is_triangle(0.9, 0.9, 0.6)
    with pytest.raises(UndefinedError, match="cannot belong to one data set"):
        steiger_z(0.9, 0.9, 0.1, 64)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pearson([1, 2, 3], [1, 2, 3]), "3 pairs, expected at least 4"),
        (lambda: pearson([1, 2, 3, 4], [2, 2, 2, 2]), "all system scores are 2"),
        (lambda: spearman([3, 3, 3, 3], [1, 2, 3, 4]), "all gold scores are 3"),
        (lambda: pearson([1, 2, 3, 4], [1, 2, 3]), "4 scores cannot be correlated with 3"),
        (lambda: fisher_z(0.5, 3, 0.4, 100), "3 pairs"),
        (lambda: fisher_z(1.0, 30, 0.4, 100), "has no Fisher z"),
        (lambda: fisher_z(1.2, 30, 0.4, 100), "is not a correlation"),
        (lambda: one_sample_t(0.5, [0.4]), "1 correlations, expected at least 2"),
        (lambda: one_sample_t(0.5, [0.4, 0.4]), "t is undefined"),
        (lambda: two_sample_t([0.4, 0.4], [0.5, 0.5]), "t is undefined"),
    ],
)
def test_undefined_figures_are_reported(call, words):
    with pytest.raises(UndefinedError, match=words):
        call()


@given(scores, st.randoms(use_true_random=True))
def test_correlations_and_t_tests_are_those_of_scipy(gold, random):
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    system = [random.random() for _ in gold]
    assume(len({*gold}) > 1 and len({*system}) > 1)
    for own, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr)):
        found, expected = own(gold, system), theirs(gold, system)
        assert found.r == pytest.approx(expected.statistic, abs=1e-12)
        assert found.p == pytest.approx(expected.pvalue, rel=1e-6)
    found, expected = two_sample_t(gold, system), stats.ttest_ind(gold, system, equal_var=False)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    found, expected = one_sample_t(0.5, system), stats.ttest_1samp(system, 0.5)
    assert (-found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
