"""Control of Python's garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_disabled() -> Iterator[None]:
    """Disable the garbage collector in this block.

    For work that allocates many objects of which none is garbage: each collection would traverse
    all of them and free nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
