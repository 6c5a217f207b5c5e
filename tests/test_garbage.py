import gc
import subprocess
import sys
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
    own = _Cycle()
    gc.freeze()
    try:
        for _ in range(64):
            with collection_disabled():
                pass
        # Not their number: objects of other threads and modules may go meanwhile.
        assert all(one is not own for one in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(one is own for one in gc.get_objects())


def test_commands_skip_the_last_collections_but_freeze_nothing_before():
    script = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0))\n"
        "import ists.cli\n"
        "print(gc.get_freeze_count() > 0)\n"
        # Called in reverse order: the command line's own function comes first.
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]
