import numpy as np
import pytest

from ists.labeler.features import FEATURES, feature_matrix
from ists.labeler.linking import LINK_FEATURES, LINK_MIRROR, LINK_NAMES, candidates, link_matrix
from ists.scored_pair import PairScores
from tests.labeler.conftest import named

ONE = "[ A wooden boat ] [ leaves ] [ the harbour ] [ . ]"
TWO = "[ A boat ] [ is leaving ] [ its harbour ] [ . ]"


@pytest.fixture
def signals() -> PairScores:
    absent = PairScores.empty(4, 4)
    absent.link[:] = np.diag([0.9, 0.3, 0.6, 0.9])
    absent.link[2, 0] = 0.1
    absent.link[1, 3] = 0.2
    absent.alic1[:] = 0.1, 0.2, 0.3, 0.4
    return absent


def rows_of(pair, signals, cells):
    return link_matrix(pair, signals, cells, feature_matrix(pair, signals, cells))


def test_likely_links_between_words_are_candidates(view, signals):
    assert candidates(view(ONE, TWO), signals) == [(0, 0), (1, 1), (2, 0), (2, 2)]


def test_a_chunk_is_seen_among_its_rivals_and_neighbours(view, signals):
    [row] = rows_of(view(ONE, TWO), signals, [(2, 2)])
    found = named(LINK_NAMES, row)
    assert found["link"] == pytest.approx(0.6)
    assert (found["link rival 1"], found["link lead 1"]) == pytest.approx((0.1, 0.5))
    assert found["link rival 2"] == 0
    assert (found["link choices 1"], found["link choices 2"]) == (2, 1)
    assert (found["link free 1"], found["link loose neighbours 1"]) == (1, 1)
    assert found["link before 1"] == pytest.approx(0.3)
    assert found["link neighbours before"] == pytest.approx(0.3)
    assert found["link neighbours after"] == pytest.approx(0.9)
    assert found["link ALIC 1"] == pytest.approx(0.3)


def test_at_the_border_there_is_no_neighbour(view, signals):
    found = named(LINK_NAMES, rows_of(view(ONE, TWO), signals, [(0, 0)])[0])
    assert found["link before 1"] == found["link before 2"] == found["link neighbours before"] == -1


def test_exchanging_the_sentences_only_permutes_the_features(view, signals):
    cells = candidates(view(ONE, TWO), signals)
    there = rows_of(view(ONE, TWO), signals, cells)
    back = rows_of(view(TWO, ONE), signals.swapped, [(j, i) for i, j in cells])
    np.testing.assert_allclose(there[:, list(LINK_MIRROR)], back, atol=1e-6)


def test_every_feature_has_a_name_of_its_own(view, signals):
    assert len(set(LINK_NAMES)) == len(LINK_FEATURES) == len(LINK_MIRROR)
    assert rows_of(view(ONE, TWO), signals, []).shape == (0, len(LINK_FEATURES))
    assert LINK_FEATURES[: len(FEATURES)] == FEATURES
