"""Waiting for another process, but not for ever."""

import time
from collections.abc import Callable

_LONGEST = 120.0


def wait_until(happened: Callable[[], object]) -> None:
    """Look again and again; a test whose other process never comes so far fails, and says so."""
    end = time.monotonic() + _LONGEST
    while not happened():
        assert time.monotonic() < end, f"nothing happened in {_LONGEST:.0f} s"
        time.sleep(0.01)
