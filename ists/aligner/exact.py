"""Matrix products that are the same on every processor and for any number of rows.

A floating-point sum depends on the order of its terms, and a BLAS library chooses that order by the
processor and by the shape of the matrices. Here both factors are first rounded to integers of so
few bits that every product and every partial sum is exact in float64, so all orders give the same
result, to the last bit.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats
from ists.compiled import kernels

Wholes = NDArray[np.float64]
"""Integers, stored as float64."""

_EXACT_BITS = 53
"""Integers of this many bits are exact in float64."""
_ROW_BITS = 24
_ROW_SCALE = 2.0**16
"""Rows have 16 bits after the binary point and 8 before it."""
_ROW_LIMIT = 2.0**_ROW_BITS
_MOST_TERMS = 1 << 10
_MATRIX_BITS = _EXACT_BITS - _ROW_BITS - 10
_SMALL = np.float32(1e-6)
_UNIT_SCALE = 2.0**21
"""Components of unit vectors: 21 bits each, 42 a product, 52 for a sum of 1,024 products."""


_IS_WIDE = kernels is not None and kernels.has_wide_products()
_PANEL = 16
"""Columns that the extension multiplies together."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear layer: matrix (inputs, outputs) and bias."""

    inputs: int
    scale: float
    """The value of one step of the product."""
    bias: Floats
    whole: Wholes | None
    """The matrix; None if there are panels."""
    panels: Floats | None
    """(panels, inputs, 16): the columns of the matrix as the extension takes them."""

    @cached_property
    def matrix(self) -> Wholes:
        """The matrix, of integers."""
        if self.whole is not None:
            return self.whole
        assert self.panels is not None  # noqa: S101 (one of the two is given)
        matrix = self.panels.swapaxes(0, 1).reshape(self.inputs, -1)[:, : len(self.bias)]
        return matrix.astype(np.float64)

    @classmethod
    def of(cls, matrix: Floats, bias: Floats) -> "Linear":
        """Round a matrix to a power-of-two grid that its largest element fits."""
        if len(matrix) > _MOST_TERMS:
            raise ValueError(f"a layer of {len(matrix)} inputs, expected at most {_MOST_TERMS}")
        if not np.isfinite(matrix).all():
            raise ValueError("a layer with elements that are not finite")
        _, exponent = np.frexp(np.abs(matrix).max(initial=0.0))
        step = 2.0 ** (int(exponent) - _MATRIX_BITS)
        whole = np.rint(matrix / step)
        kept = (None, _panels(whole)) if _IS_WIDE else (whole, None)
        bias = np.ascontiguousarray(bias, np.float32)
        return cls(len(matrix), step / _ROW_SCALE, bias, *kept)

    def __call__(self, rows: Floats) -> Floats:
        """Apply the layer to rows; a row's result does not depend on the other rows."""
        result = np.empty((len(rows), len(self.bias)), np.float32)
        if self.panels is not None and kernels is not None:
            kernels.multiply_exactly(
                *(np.ascontiguousarray(rows, np.float32), self.panels, self.bias, result),
                *(self.inputs, _ROW_SCALE, _ROW_LIMIT, self.scale),
            )
            return result
        products = _on_grid(rows) @ self.matrix
        if kernels is not None:
            kernels.off_grid(products, self.scale, self.bias, result)
            return result
        products *= self.scale
        result[...] = products
        result += self.bias
        return result


def _panels(matrix: Wholes) -> Floats:
    """(panels, inputs, 16): a matrix in panels of columns, padded with zeros."""
    count = -(-matrix.shape[1] // _PANEL)
    padded = np.zeros((len(matrix), count * _PANEL), np.float32)
    padded[:, : matrix.shape[1]] = matrix
    return np.ascontiguousarray(padded.reshape(len(matrix), count, _PANEL).swapaxes(0, 1))


def _on_grid(rows: Floats) -> Wholes:
    if kernels is not None:
        rounded = np.empty(rows.shape)
        rows = np.ascontiguousarray(rows, np.float32)
        kernels.on_grid(rows, _ROW_SCALE, _ROW_LIMIT, rounded)
        return rounded
    whole: Wholes = np.multiply(rows, _ROW_SCALE, dtype=np.float64)
    np.rint(whole, out=whole)
    return np.clip(whole, -_ROW_LIMIT, _ROW_LIMIT, out=whole)


def unit_grid(rows: Floats) -> Wholes:
    """Scale vectors to length 1 and round them for `cosines`."""
    if kernels is not None and rows.dtype == np.float32:
        rounded = np.empty(rows.shape)
        own_lengths = np.ascontiguousarray(lengths(rows))
        kernels.unit_grid(np.ascontiguousarray(rows), own_lengths, _UNIT_SCALE, rounded)
        return rounded
    return np.rint(np.multiply(unit(rows), _UNIT_SCALE, dtype=np.float64))


def unit(rows: Floats) -> Floats:
    """Scale vectors to length 1."""
    scaled: Floats = rows / lengths(rows)[..., None]
    return scaled


def lengths(rows: Floats) -> Floats:
    """Return the lengths of vectors, never quite 0."""
    found: Floats = np.maximum(np.sqrt(np.einsum("...d,...d->...", rows, rows)), _SMALL)
    return found


def cosines(one: Wholes, two: Wholes) -> Wholes:
    """Return the cosines of all rows of two matrices made by `unit_grid`."""
    products: Wholes = one @ two.T
    products *= _UNIT_SCALE**-2
    return products
