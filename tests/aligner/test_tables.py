import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ists.aligner.tables import Grid, Groups, Padding, Side

ROWS = np.random.default_rng(5).normal(0, 1, (12, 3)).astype(np.float32)


@given(st.lists(st.lists(st.integers(0, 11), min_size=1, max_size=15), min_size=1, max_size=9))
def test_groups_have_the_maxima_and_means_of_their_members(members):
    groups = Groups.of(members)
    np.testing.assert_array_equal(groups.best(ROWS), [ROWS[own].max(0) for own in members])
    np.testing.assert_allclose(groups.mean(ROWS), [ROWS[own].mean(0) for own in members], atol=1e-5)


@given(st.lists(st.lists(st.integers(0, 11), min_size=1, max_size=15), min_size=1, max_size=9))
def test_a_group_has_the_same_mean_in_any_company(members):
    together = Groups.of(members).mean(ROWS)
    for own, mean in zip(members, together, strict=True):
        np.testing.assert_array_equal(Groups.of([own]).mean(ROWS)[0], mean)


def test_padding_gives_all_pairs_as_many_rows():
    padded = Padding.of([2, 1, 3])(ROWS[:6])
    assert padded.shape == (3, 3, 3)
    np.testing.assert_array_equal(padded[0, :2], ROWS[:2])
    np.testing.assert_array_equal(padded[1, :1], ROWS[2:3])
    np.testing.assert_array_equal(padded[2], ROWS[3:6])
    assert not padded[0, 2:].any()
    assert not padded[1, 1:].any()


def test_a_side_has_tokens_of_pieces_and_chunks_of_tokens():
    side = Side.of(
        ROWS, [0, 6], [[(1, 2), (2, 4), (4, 5)], [(1, 2), (2, 3)]], [[(0, 2), (1,)], [(0, 1)]]
    )
    tokens = np.stack([ROWS[1], ROWS[2:4].mean(0), ROWS[4]])
    np.testing.assert_allclose(side.tokens[0], tokens, atol=1e-6)
    np.testing.assert_allclose(side.sentences, [tokens.mean(0), ROWS[7:9].mean(0)], atol=1e-6)
    means = [(tokens[0] + tokens[2]) / 2, tokens[1], ROWS[7:9].mean(0)]
    np.testing.assert_allclose(side.means, means, atol=1e-6)
    np.testing.assert_allclose(side.vectors[:, 3:], [tokens[2], tokens[1], ROWS[8]], atol=1e-6)
    np.testing.assert_array_equal(side.last(side.tokens)[0], [tokens[2], tokens[1]])
    assert side.chunks == [slice(0, 2), slice(2, 3)]


def test_a_grid_knows_the_place_of_every_cell():
    spans = [[(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 2)]]
    side1 = Side.of(ROWS, [0, 6], spans, [[(0,), (1,)], [(0, 1)]])
    side2 = Side.of(ROWS, [0, 6], spans, [[(0,), (1,), (2,)], [(0,), (1,)]])
    grid = Grid.of(side1, side2)
    assert grid.row.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert grid.column.tolist() == [0, 1, 2, 0, 1, 2, 3, 4]
    assert [places.tolist() for places in grid.padded] == [
        [0, 0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 1, 1, 1, 0, 0],
        [0, 1, 2, 0, 1, 2, 0, 1],
    ]
    assert grid.first.tolist() == [0, 1]
    assert grid.second.tolist() == [4, 5]
    cells = np.array([3, 1, 2, 0, 9, 4, 7, 8], np.float32)
    assert grid.rows.best(cells).tolist() == [3, 9, 8]
    assert grid.columns.best(cells).tolist() == [3, 9, 4, 7, 8]
    assert grid.of_pair(0, cells).tolist() == [[3, 1, 2], [0, 9, 4]]
