"""Limits of what the server accepts."""

from dataclasses import dataclass

MAX_BATCH = 32
"""Pairs per batch, as many as `ists align` reads at once by default.

More would not be faster: while one batch is computed, the requests of the next one are parsed.
"""
MAX_WAIT = 0.005
"""Seconds that a batch waits for more pairs."""
WINDOW = 4 * MAX_BATCH
"""Pairs that one request may have in the queue, so that long lists do not block single pairs."""


@dataclass(frozen=True)
class Limits:
    """Limits of requests, and of what may wait."""

    body: int = 8 << 20
    """Bytes of a request body."""
    pairs: int = 2_000
    """Pairs of a request."""
    characters: int = 2_000
    """Characters of a sentence."""
    seconds: float = 60.0
    """Time that a request may take; a stream, between two of its lines."""
    queue: int = 1_024
    """Pairs that may wait for a model."""
