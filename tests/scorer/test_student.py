import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.student import tail

stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")


@given(st.floats(-40, 40), st.integers(1, 20_000) | st.floats(1, 500))
def test_the_tail_is_that_of_scipy(t, df):
    assert tail(t, df) == pytest.approx(float(stats.t.sf(t, df)), rel=1e-8, abs=1e-300)


@given(st.floats(-1e6, 1e6), st.floats(1, 1e4))
def test_both_tails_are_one_together(t, df):
    assert tail(t, df) + tail(-t, df) == pytest.approx(1)


def test_nothing_is_beyond_infinity():
    assert (tail(math.inf, 3), tail(-math.inf, 3), tail(0, 3)) == (0, 1, 0.5)
