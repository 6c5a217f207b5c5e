import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists.aligner.surface import SURFACE, surface_features
from ists.compiled import kernels

LOG2, LOG3 = np.log(2), np.log(3)


def features() -> dict[str, list[list[float]]]:
    """Of "[the old cats] [sleep]" and "[the cats] [snore] [!]"."""
    found = surface_features(
        ["the", "old", "cats", "sleep"],
        ["the", "cats", "snore", "!"],
        [[1], [2], [3, 4], [5]],
        [[1], [3, 4], [6], [7]],
        [(0, 1, 2), (3,)],
        [(0, 1), (2,), (3,)],
    )
    assert found.dtype == np.float32
    return {name: found[..., k] for k, name in enumerate(SURFACE)}


def test_chunks_are_compared_by_their_pieces():
    seen = features()
    np.testing.assert_allclose(seen["pieces of 1 found in 2"], [[0.75, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(seen["pieces of 2 found in 1"], [[1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(seen["same pieces"], np.zeros((2, 3)))
    np.testing.assert_allclose(seen["same last token"], [[1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(seen["same first token"], [[1, 0, 0], [0, 0, 0]])


def test_chunks_have_places_and_lengths():
    seen = features()
    first, second = [0.25, 0.75], [1 / 6, 0.5, 5 / 6]
    apart = np.subtract.outer(first, second)
    np.testing.assert_allclose(seen["place 1"], np.transpose([first] * 3), atol=1e-6)
    np.testing.assert_allclose(seen["place 2"], [second] * 2, atol=1e-6)
    np.testing.assert_allclose(seen["place difference"], apart, atol=1e-6)
    np.testing.assert_allclose(seen["place distance"], abs(apart), atol=1e-6)
    np.testing.assert_allclose(seen["both first"], [[1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(seen["both last"], [[0, 0, 0], [0, 0, 1]])
    np.testing.assert_allclose(seen["log length 1"], [[LOG3] * 3, [0] * 3], atol=1e-6)
    np.testing.assert_allclose(seen["log length 2"], [[LOG2, 0, 0]] * 2, atol=1e-6)
    np.testing.assert_allclose(seen["log chunks 1"], [[LOG2] * 3] * 2, atol=1e-6)
    np.testing.assert_allclose(seen["log chunks 2"], [[LOG3] * 3] * 2, atol=1e-6)


def test_punctuation_is_no_word():
    seen = features()
    np.testing.assert_allclose(seen["no letter or digit 1"], np.zeros((2, 3)))
    np.testing.assert_allclose(seen["no letter or digit 2"], [[0, 0, 1]] * 2)


def test_without_chunks_there_is_nothing_to_see():
    assert surface_features(["a"], [], [[1]], [], [(0,)], []).shape == (1, 0, len(SURFACE))


def both(*arguments) -> list[np.ndarray]:
    """The features as computed with the extension, where there is one, and without."""
    found = [surface_features(*arguments)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ists.aligner.surface.kernels", None)
        return [*found, surface_features(*arguments)]


def test_positions_may_be_numbers_of_numpy():
    tokens, pieces, chunks = ["a", "b"], [[1], [2, 3]], [(0,), (1,)]
    expected = surface_features(tokens, tokens, pieces, pieces, chunks, chunks)
    places = np.arange(2)[:, None]
    for found in both(tokens, tokens, pieces, pieces, places, places):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("compiled", [kernels, None])
@pytest.mark.parametrize(
    ("pieces", "chunk", "error"),
    [
        ([[]], (0,), ValueError),
        ([[1]], (1,), IndexError),
        ([[1]], (1 << 70,), IndexError),
        ([[1]], ("0",), TypeError),
    ],
)
def test_chunks_without_pieces_are_rejected(pieces, chunk, error, compiled, monkeypatch):
    monkeypatch.setattr("ists.aligner.surface.kernels", compiled)
    with pytest.raises(error):
        surface_features(["a"], ["a"], pieces, [[1]], [chunk], [(0,)])


words = st.lists(st.sampled_from(["a", "b", "!", "...", "7"]), min_size=1, max_size=9)
chunk_sizes = st.lists(st.integers(1, 3), min_size=9, max_size=9)


def cut(tokens: list[str], sizes: list[int]) -> list[tuple[int, ...]]:
    places, chunks = list(range(len(tokens))), []
    for size in sizes:
        if places:
            chunks.append(tuple(places[:size]))
            del places[:size]
    return chunks


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
@given(words, words, chunk_sizes, chunk_sizes, st.randoms(use_true_random=False))
def test_compiled_and_python_features_are_the_same(one, two, sizes1, sizes2, random):
    pieces = [
        [[random.randrange(6) for _ in range(random.randint(1, 3))] for _ in own]
        for own in (one, two)
    ]
    given_both = (one, two, *pieces, cut(one, sizes1), cut(two, sizes2))
    np.testing.assert_array_equal(*both(*given_both))
