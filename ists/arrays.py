"""Array types and functions that several packages use."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def total(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, from first to last; `sum` compensates since Python 3.12."""
    result = 0.0
    for number in numbers:
        result += number
    return result


def softmax(logits: NDArray[np.floating]) -> Floats:
    """Return the softmax of logits along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares
