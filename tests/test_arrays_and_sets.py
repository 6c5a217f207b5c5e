"""Softmax and Jaccard index."""

import numpy as np
import pytest

from ists.arrays import softmax
from ists.sets import jaccard


def test_softmax_gives_shares_along_the_last_axis():
    shares = softmax(np.array([[0.0, 0.0], [0.0, np.log(3)]]))
    assert shares.dtype == np.float32
    assert shares == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))


def test_softmax_does_not_overflow():
    assert softmax(np.array([1000.0, 1000.0])) == pytest.approx([0.5, 0.5])


def test_jaccard_is_the_share_of_common_items():
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset("ab"), frozenset("ab")) == 1
    assert jaccard(frozenset("a"), frozenset()) == jaccard(frozenset(), frozenset()) == 0
