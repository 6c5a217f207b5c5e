"""Many processes that work on blocks of items; their outcomes come back in the order of the input.

Each worker loads its model once and keeps to one thread. No more than a few blocks are under way: a
reader that is faster than the workers waits for them.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from threading import Thread
from typing import Any

from ists.errors import IstsError
from ists.formats.rows import Refused
from ists.runs.tasks import Task, Work

Outcomes = list[bytes | Refused]

_BLOCKS_PER_WORKER = 2
"""One to work on and one to go on with at once."""


def outcomes(task: Task, items: Iterable[Any], workers: int) -> Iterator[Outcomes]:
    """The outcomes of all items, block by block, in their order.

    Without workers (0) this process does it all, with as many threads as there are cores.
    """
    if workers <= 1:
        yield from _blocks(task.load(workers)(items), task.block)
    else:
        yield from _from_workers(task, _blocks(items, task.block), workers)


def _blocks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    waiting = iter(items)
    while block := list(islice(waiting, size)):
        yield block


def _from_workers(task: Task, blocks: Iterable[list[Any]], workers: int) -> Iterator[Outcomes]:
    # Forked processes would share the parent's threads and locks half-way.
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, _begin, (task,))
    under_way: deque[Future[Outcomes]] = deque()
    try:
        for block in blocks:
            if len(under_way) >= workers * _BLOCKS_PER_WORKER:
                yield under_way.popleft().result()
            with _not_to_be_interrupted():
                under_way.append(pool.submit(_work, block))
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool:
        raise IstsError("a worker process was killed; perhaps the memory was too small") from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _not_to_be_interrupted() -> Iterator[None]:
    """Processes started in here never see an interruption: ending them is their parent's affair."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """What a worker process keeps between blocks."""

    task: Task
    work: Work | None = None


def _begin(task: Task) -> None:
    _Worker.task = task
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot say so, and its workers would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(block: list[Any]) -> Outcomes:
    if _Worker.work is None:  # not in `_begin`: what goes wrong there has no way back
        _Worker.work = _Worker.task.load(1)
    return list(_Worker.work(block))
