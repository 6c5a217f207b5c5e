import gc
import weakref

import pytest

from ists.garbage import collection_disabled


class _Cycle:
    def __init__(self):
        self.own = self


@pytest.fixture(autouse=True)
def _enabled():
    gc.enable()
    yield
    gc.enable()


def test_the_collector_is_disabled_inside_and_enabled_after():
    with collection_disabled():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_disabled_remains_so():
    gc.disable()
    with collection_disabled():
        pass
    assert not gc.isenabled()


def test_the_objects_of_a_block_are_old_after_it():
    with collection_disabled():
        kept = [[number] for number in range(10_000)]
    assert len(gc.get_objects(generation=0)) < len(kept) / 10


def test_cyclic_garbage_is_freed_after_some_blocks():
    gone = weakref.ref(_Cycle())
    assert gone() is not None
    for _ in range(64):
        with collection_disabled():
            pass
    assert gone() is None


def test_objects_that_the_program_has_frozen_remain_frozen():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        for _ in range(64):
            with collection_disabled():
                pass
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
