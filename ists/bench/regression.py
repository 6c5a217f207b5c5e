"""Kernel ridge regression, for benchmarks that train on their own folds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_CONSTANT = 1e-6
_FARTHEST = 5.0
_RIDGE = 1.0
_NARROWNESS = 0.1
"""Parameter γ of the Gaussian kernel over standardised features."""


@dataclass(frozen=True)
class Block:
    """Features with a common weight, independent of their number; one row per pair."""

    rows: Matrix
    weight: float


def predict(blocks: Sequence[Block], targets: Matrix, known: NDArray[np.bool_]) -> Matrix:
    """Fit the targets of the known rows and predict those of the others."""
    rows = np.concatenate([_scale(block, known) for block in blocks], axis=1)
    seen, unknown = rows[known], rows[~known]
    mean = targets[known].mean()
    ridge = _RIDGE * np.eye(len(seen))
    weights = np.linalg.solve(_kernel(seen, seen) + ridge, targets[known] - mean)
    predicted: Matrix = _kernel(unknown, seen) @ weights + mean
    return predicted


def _scale(block: Block, known: NDArray[np.bool_]) -> Matrix:
    """Standardise by the known rows and scale the block to its weight."""
    seen = block.rows[known]
    spread = seen.std(0)
    spread[spread < _CONSTANT] = 1.0
    # Outliers are clipped, so that their kernel values do not vanish.
    rows = np.clip((block.rows - seen.mean(0)) / spread, -_FARTHEST, _FARTHEST)
    scaled: Matrix = rows * np.sqrt(block.weight / rows.shape[1])
    return scaled


def _kernel(one: Matrix, two: Matrix) -> Matrix:
    squares = (one**2).sum(1)[:, None] + (two**2).sum(1) - 2 * one @ two.T
    kernel: Matrix = np.exp(-_NARROWNESS * np.maximum(squares, 0))
    return kernel
