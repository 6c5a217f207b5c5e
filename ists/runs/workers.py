"""Process pool for blocks of items; outcomes are returned in input order.

Each worker loads its model once and uses one thread. The number of submitted blocks is limited, so
that a reader faster than the workers waits for them.
"""

import atexit
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ists.compiled import use_one_heap
from ists.errors import IstsError
from ists.garbage import skip_last_collections
from ists.runs.parent import end_with_parent, not_to_be_interrupted
from ists.runs.tasks import Outcomes, Task, Work

_BLOCKS_PER_WORKER = 2
"""One in progress and one queued, so that no worker is idle."""


def from_workers(task: Task, blocks: Iterable[list[Any]], workers: int) -> Iterator[Outcomes]:
    """Yield the outcomes of each block, in input order."""
    # Forked processes would inherit locks held by the parent's threads.
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, _begin, (task,))
    under_way: deque[Future[Outcomes]] = deque()
    try:
        for block in blocks:
            if len(under_way) >= workers * _BLOCKS_PER_WORKER:
                yield under_way.popleft().result()
            with not_to_be_interrupted():
                under_way.append(pool.submit(_work, block))
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool:
        raise IstsError("a worker process was killed; perhaps it ran out of memory") from None
    finally:
        pool.shutdown(cancel_futures=True)


class _Worker:
    """State that a worker process keeps between blocks."""

    task: Task
    work: Work | None = None


def _begin(task: Task) -> None:
    end_with_parent()
    atexit.register(skip_last_collections)
    use_one_heap()
    _Worker.task = task


def _work(block: list[Any]) -> Outcomes:
    if _Worker.work is None:  # not in `_begin`, whose exceptions would be lost
        _Worker.work = _Worker.task.load(1)
    return list(_Worker.work(block))
