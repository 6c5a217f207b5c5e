"""Products are exact: the same for any company of rows and any BLAS kernel."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import compiled
from ists.aligner.exact import _IS_WIDE, Linear, _on_grid, cosines, unit_grid
from tests.processors import kernels, run_under


def layer(rng: np.random.Generator, inputs: int, outputs: int) -> Linear:
    matrix = rng.normal(0, 0.3, (inputs, outputs)).astype(np.float32)
    return Linear.of(matrix, rng.normal(0, 1, outputs).astype(np.float32))


@given(st.integers(0, 999), st.integers(1, 40), st.integers(1, 60))
def test_a_product_is_the_exact_sum_of_the_rounded_factors(seed, inputs, count):
    rng = np.random.default_rng(seed)
    linear = layer(rng, inputs, 3)
    rows = rng.normal(0, 30, (count, inputs)).astype(np.float32)
    found = linear(rows)
    row, column = rng.integers(count), rng.integers(3)
    terms = zip(rows[row].tolist(), linear.matrix[:, column].tolist(), strict=True)
    total = sum(Fraction(round(Fraction(x) * 2**16)) * Fraction(w) for x, w in terms)
    exact = np.float32(float(total * Fraction(linear.scale))) + linear.bias[column]
    assert found[row, column] == exact


@given(st.integers(0, 999))
def test_a_row_has_the_same_product_in_any_company(seed):
    rng = np.random.default_rng(seed)
    linear = layer(rng, 768, 20)
    rows = rng.normal(0, 3, (70, 768)).astype(np.float32)
    together = linear(rows)
    for count in (1, 2, 3, 17, 64):
        np.testing.assert_array_equal(linear(rows[-count:]), together[-count:])


def test_a_product_is_close_to_that_of_floats():
    rng = np.random.default_rng(1)
    matrix = rng.normal(0, 0.3, (300, 10)).astype(np.float32)
    rows = rng.normal(0, 3, (50, 300)).astype(np.float32)
    found = Linear.of(matrix, np.zeros(10, np.float32))(rows)
    np.testing.assert_allclose(found, rows.astype(float) @ matrix, atol=2e-3)


@pytest.mark.skipif(not _IS_WIDE, reason="this processor has no AVX-512")
@given(st.integers(0, 999), st.integers(1, 70), st.integers(1, 40), st.integers(0, 40))
def test_products_of_the_extension_are_those_of_numpy(seed, inputs, outputs, count):
    rng = np.random.default_rng(seed)
    wide = layer(rng, inputs, outputs)
    plain = Linear(inputs, wide.scale, wide.bias, wide.matrix, None)
    assert wide.panels is not None
    rows = rng.normal(0, 30, (count, inputs)).astype(np.float32)
    rows *= rng.random(rows.shape) > 0.2
    for own in (rows, np.asfortranarray(rows), rows.astype(float), rows * 1e9):
        assert wide(own).tobytes() == plain(own).tobytes()


@pytest.mark.skipif(not _IS_WIDE, reason="this processor has no AVX-512")
@pytest.mark.parametrize(("inputs", "count"), [(9, 0), (7, 3), (9, 4), (0, 3), (1025, 3), (-1, 0)])
def test_products_of_other_sizes_are_rejected(inputs, count):
    linear, rows = layer(np.random.default_rng(1), 8, 20), np.zeros((3, 8), np.float32)
    result = np.zeros((count, 20), np.float32)
    arguments = rows, linear.panels, linear.bias, result, inputs, 1.0, 1.0, 1.0
    with pytest.raises(ValueError, match="different sizes"):
        compiled.kernels.multiply_exactly(*arguments)
    with pytest.raises(TypeError):
        compiled.kernels.multiply_exactly(*arguments[:-1])
    with pytest.raises(TypeError):
        compiled.kernels.multiply_exactly(*arguments[:-1], "1")


def test_values_beyond_the_grid_are_clipped():
    linear = Linear.of(np.ones((2, 1), np.float32), np.zeros(1, np.float32))
    assert linear(np.array([[1e9, 0.5]], np.float32)).tolist() == [[256.5]]


@pytest.mark.parametrize("matrix", [np.ones((1025, 1)), np.array([[np.nan]]), np.array([[np.inf]])])
def test_a_matrix_without_an_exact_product_is_rejected(matrix):
    with pytest.raises(ValueError, match="a layer"):
        Linear.of(matrix.astype(np.float32), np.zeros(1, np.float32))


def test_cosines_do_not_depend_on_the_other_vectors():
    rng = np.random.default_rng(2)
    vectors = rng.normal(0, 1, (40, 384))
    units = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    grid = unit_grid(units)
    every = cosines(grid, grid)
    np.testing.assert_allclose(every, units @ units.T, atol=1e-5)
    np.testing.assert_array_equal(cosines(grid[7:8], grid[3:9]), every[7:8, 3:9])


_DIGEST = """
import hashlib
import numpy as np
from tests.aligner.test_pair_head import HIDDEN, head_of, some_pair
rng = np.random.default_rng(5)
head = head_of(np.random.default_rng(1))
digest = hashlib.sha256()
for scores in head.logits([some_pair(rng) for _ in range(60)]):
    for name in ("link", "relation", "score", "alic1", "alic2"):
        digest.update(getattr(scores, name).tobytes())
print(digest.hexdigest())
"""


def test_the_head_gives_the_same_bits_under_every_blas_kernel():
    answers = {kernel: run_under(kernel, "-c", _DIGEST) for kernel in kernels()}
    assert len(set(answers.values())) == 1, answers


@pytest.mark.skipif(compiled.kernels is None, reason="the extension is not compiled")
@given(st.integers(0, 999), st.integers(0, 9), st.floats(0.001, 1e6))
def test_compiled_and_python_roundings_are_the_same(seed, count, size):
    rng = np.random.default_rng(seed)
    linear = layer(rng, 24, 5)
    rows = rng.normal(0, size, (count, 24)).astype(np.float32)
    rows *= rng.random(rows.shape) > 0.2
    table = rng.normal(0, size, (count, 3, 24)).astype(np.float32)

    def results() -> list[np.ndarray]:
        layouts = rows, rows[:, 4:], np.asfortranarray(rows), table, np.asfortranarray(table)
        tiny = rows * np.float32(1e-9)  # rounded to zeros with the numbers' signs
        whole = [_on_grid(own) for own in (*layouts, tiny)]
        return [linear(rows), *whole, *map(unit_grid, (*layouts, tiny))]

    compiled_results = results()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ists.aligner.exact.kernels", None)
        expected = results()
    for own, other in zip(compiled_results, expected, strict=True):
        assert own.dtype == other.dtype
        assert own.tobytes() == other.tobytes()
