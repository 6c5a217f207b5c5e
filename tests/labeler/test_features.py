import time

import numpy as np
import pytest

from ists.labeler.features import FEATURES, LEXICAL, MIRROR, NAMES, feature_matrix, lexical_features
from ists.scored_pair import PairScores
from tests.labeler.conftest import named

LEXICAL_NAMES = [feature.name for feature in LEXICAL]


@pytest.fixture
def seen(view):
    """The named features of the first chunks of two bracketed sentences."""

    def see(one: str, two: str) -> dict[str, float]:
        return named(LEXICAL_NAMES, lexical_features(view(one, two), 0, 0))

    return see


def signals(chunks1: int, chunks2: int, seed: int = 0) -> PairScores:
    random = np.random.default_rng(seed)
    relation = random.random((chunks1, chunks2, 6), np.float32)
    score = random.random((chunks1, chunks2, 5), np.float32)
    return PairScores(
        link=random.random((chunks1, chunks2), np.float32),
        relation=relation / relation.sum(-1, keepdims=True),
        score=score / score.sum(-1, keepdims=True),
        alic1=random.random(chunks1, np.float32),
        alic2=random.random(chunks2, np.float32),
    )


def test_every_feature_has_its_own_name_and_says_what_it_means():
    assert len(set(NAMES)) == len(NAMES) == len(FEATURES)
    assert all(feature.description for feature in FEATURES)


def test_an_article_makes_no_difference_in_content(seen):
    found = seen("[ A tall sailor ]", "[ Tall sailor ]")
    assert found["same content"] == 1
    assert found["extra words 1"] == found["extra words 2"] == 0
    assert found["only determiner 1"] == 1


def test_an_adjective_more_is_an_extra_word_of_one_side(seen):
    found = seen("[ a wooden boat ]", "[ a boat ]")
    assert found["extra adjectives 1"] == 1
    assert found["only this side adds 1"] == 1
    assert found["contained 2"] == 1
    assert found["contained 1"] == 0


def test_a_kind_of_something_is_narrower(seen):
    found = seen("[ a violin ]", "[ an instrument ]")
    assert found["head narrower 1"] > 0.3
    assert found["head narrower 2"] == 0


def test_opposites_are_seen(seen):
    found = seen("[ rose ]", "[ fell ]")
    assert found["heads opposed"] > 0.5
    assert found["share opposite 1"] == 1


def test_numbers_are_compared_however_they_are_written(seen):
    assert seen("[ 7 sailors ]", "[ seven sailors ]")["quantities equal"] == 1
    differ = seen("[ 7 sailors ]", "[ 9 sailors ]")
    assert differ["quantities differ"] == 1
    assert differ["quantities gap"] == pytest.approx(np.log(3))
    assert differ["larger quantity 2"] == 1


def test_an_exact_number_is_more_exact_than_a_bound(seen):
    found = seen("[ 61 ]", "[ about 60 ]")
    assert found["more exact 1"] == 1
    assert found["more exact 2"] == 0


def test_one_and_many_are_different_counts(seen):
    assert seen("[ a kite ]", "[ two kites ]")["counts differ"] == 1
    assert seen("[ a kite ]", "[ a kite ]")["counts agree"] == 1


def test_a_preposition_on_one_side_only(seen):
    found = seen("[ in the harbour ]", "[ the harbour ]")
    assert found["only preposition 1"] == 1
    assert found["same text"] == 0


def test_negation_on_one_side_only(seen):
    assert seen("[ does not sail ]", "[ sails ]")["negation differs"] == 1


def test_extra_words_that_stand_elsewhere_are_told_from_new_ones(seen):
    found = seen("[ Norwegian sailors ] [ leave ]", "[ sailors ] [ leave ] [ Norway ]")
    assert found["extra elsewhere 1"] == 1
    assert found["extra nowhere 1"] == 0


def test_weekdays_are_compared_as_dates(seen):
    assert seen("[ on Monday ]", "[ Monday ]")["dates same"] == 1
    assert seen("[ on Monday ]", "[ on Friday ]")["dates differ"] == 1


PAIRS = [
    ("[ A wooden boat ] [ sails ] [ in 2 hours ]", "[ Two old ships ] [ are sailing ]"),
    ("[ Norwegian stocks ] [ fall ] [ on Monday ]", "[ Stocks ] [ rise ] [ in Norway ]"),
    ("[ . ]", "[ The ] [ !? ] [ ' ]"),
]


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_exchanging_the_sentences_permutes_the_features(view, one, two):
    pair = view(one, two)
    size1, size2 = len(pair.one.phrases), len(pair.two.phrases)
    network = signals(size1, size2)
    links = [(i, j) for i in range(size1) for j in range(size2)]
    there = feature_matrix(pair, network, links)
    back = feature_matrix(pair.swapped, network.swapped, [(j, i) for i, j in links])
    np.testing.assert_allclose(there[:, list(MIRROR)], back, atol=1e-6)
    assert np.isfinite(there).all()


def test_a_pair_without_links_has_no_rows(view):
    pair = view("[ A boat ]", "[ A ship ]")
    rows = feature_matrix(pair, PairScores.empty(1, 1), [])
    assert rows.shape == (0, len(FEATURES))


def test_features_are_the_same_at_every_call(view):
    one, two = PAIRS[0]
    rows = [feature_matrix(view(one, two), signals(3, 2), [(0, 0), (1, 1)]) for _ in range(2)]
    np.testing.assert_array_equal(*rows)


def test_features_are_quick_once_words_are_known(view):
    pair = view(*PAIRS[0])
    lexical_features(pair, 0, 0)
    start = time.process_time()
    for _ in range(200):
        lexical_features(pair, 0, 0)
    assert (time.process_time() - start) / 200 < 0.001  # a tenth of it on a quiet machine
