"""Control of Python's garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

_BETWEEN_FULL_COLLECTIONS = 64
_ended_blocks = count(1)


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
            _make_old()
            gc.enable()


def _make_old() -> None:
    """Move all objects to the oldest generation: the next collection need not traverse them.

    Only full collections free cyclic garbage of the oldest generation, and Python starts them by
    the number of objects that grew old by themselves; here, every so many blocks end with one.
    """
    if next(_ended_blocks) % _BETWEEN_FULL_COLLECTIONS == 0:
        gc.collect()
    elif not gc.get_freeze_count():  # the program may have frozen objects for its own reasons
        gc.freeze()
        gc.unfreeze()


def skip_last_collections() -> None:
    """Exempt all objects from the collections that Python makes when it exits.

    They would traverse every cached word, and the memory is about to be freed as a whole.
    """
    gc.freeze()
