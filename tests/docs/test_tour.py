"""The notebook of the documentation runs and prints what is recorded in it."""

import re

import pytest

pytest.importorskip("nbclient", reason="the notebook's tools are not installed: extra 'dev'")

from tests.docs import tour

_FIGURE = re.compile(r"-?\d+\.\d+")


def without_figures(texts: list[str]) -> list[str]:
    """Last digits may differ with the versions of the packages that compute."""
    return [_FIGURE.sub("0.0", text) for text in texts]


@pytest.mark.filterwarnings("default")  # of Jupyter's packages, which are not ours
def test_the_notebook_runs_and_prints_what_it_shows():
    recorded = tour.read()
    assert any(tour.printed(recorded))
    shown = without_figures(tour.printed(recorded))
    assert without_figures(tour.printed(tour.executed(recorded))) == shown
