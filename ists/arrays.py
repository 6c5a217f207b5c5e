"""Array types and functions that several packages use."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def softmax(logits: NDArray[np.floating]) -> Floats:
    """Return the softmax of logits along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares
