"""Process items block by block, in this process or in worker processes."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ists.runs.tasks import Outcomes, Task


def outcomes(task: Task, items: Iterable[Any], workers: int) -> Iterator[Outcomes]:
    """Yield the outcomes of all items, block by block, in input order.

    With 0 or 1 workers, this process does the work: with 0, one thread per core; with 1, one.
    """
    if workers <= 1:
        yield from _blocks(task.load(workers)(items), task.block)
        return
    from ists.runs.workers import from_workers  # slow to import

    yield from from_workers(task, _blocks(items, task.block), workers)


def _blocks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    waiting = iter(items)
    while block := list(islice(waiting, size)):
        yield block
