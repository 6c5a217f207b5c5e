import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists.aligner.matching import Edge, by_networkx, components, match, total

weights = st.integers(1, 6).flatmap(
    lambda columns: st.lists(
        st.lists(st.floats(0, 1), min_size=columns, max_size=columns), min_size=1, max_size=6
    )
)


def test_the_strongest_correspondences_win_together_not_one_by_one():
    # Greedy would take 0.9 first and lose the two 0.8.
    assert match([[0.9, 0.8], [0.8, 0.0]]) == [(0, 1), (1, 0)]


def test_what_is_not_above_the_threshold_stays_alone():
    assert match([[0.5, 0.2], [0.1, 0.9]], threshold=0.5) == [(1, 1)]


@pytest.mark.parametrize("empty", [[], [[]], [[], []]])
def test_nothing_matches_nothing(empty):
    assert match(empty) == []


@given(weights, st.sampled_from([0.0, 0.3, 0.7]))
def test_the_total_weight_is_that_of_the_reference(rows, threshold):
    edges = {
        (i, j): Edge(i, j, weight - threshold)
        for i, row in enumerate(rows)
        for j, weight in enumerate(row)
        if weight > threshold
    }
    ours = [edges[pair] for pair in match(rows, threshold)]
    assert total(ours) == pytest.approx(total(by_networkx(edges.values())))


@given(weights)
def test_no_chunk_is_matched_twice(rows):
    matched = match(rows)
    assert len({i for i, _ in matched}) == len(matched) == len({j for _, j in matched})


def test_components_share_no_chunk():
    edges = [Edge(0, 0, 1), Edge(1, 1, 1), Edge(2, 2, 1), Edge(0, 2, 1)]
    groups = sorted(sorted(group) for group in components(edges))
    assert groups == [[Edge(0, 0, 1), Edge(0, 2, 1), Edge(2, 2, 1)], [Edge(1, 1, 1)]]
