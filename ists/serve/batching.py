"""Micro-batching: pairs of concurrent requests are computed together, in one thread per model.

A request first reserves its part of the queue; if that is not free, it is rejected at once. The
worker takes what waits for the same task. If the last batch was larger than what waits now, more
is probably on its way: then it waits for that, but not longer than `MAX_WAIT`. A single client
therefore never waits.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from math import ceil
from threading import Condition, Thread
from typing import Any, NamedTuple

from ists.errors import IstsError
from ists.formats.rows import RejectedItem
from ists.serve.limits import MAX_BATCH, MAX_WAIT, WINDOW

Outcome = bytes | RejectedItem
Run = Callable[[Any, Sequence[Any]], list[Outcome]]
"""Computes a batch of items that have the same task."""
Observe = Callable[[int, float], None]
"""Called after each batch with its size and its seconds."""

_SMOOTHING = 0.2
_FIRST_GUESS = 0.01


class QueueFullError(Exception):
    """There is no space in the queue; try again after some seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the queue is full, try again in {seconds} s")
        self.seconds = seconds


class WorkerError(Exception):
    """A defect in the computation of a batch."""


class _Job(NamedTuple):
    item: Any
    task: Hashable
    future: "asyncio.Future[Outcome]"


class Batcher:
    """Queue and worker thread of one model, used from one event loop."""

    def __init__(
        self, name: str, load: Callable[[], Run], capacity: int, observe: Observe | None = None
    ) -> None:
        self._load = load
        self._capacity = capacity
        self._observe = observe or (lambda pairs, seconds: None)
        self._waiting: deque[_Job] = deque()
        self._changed = Condition()
        self._wanted = 1
        """How many waiting items wake the worker: not each of them, which would cost more."""
        self._stopping = False
        self._reserved = 0
        self._seconds_per_item = _FIRST_GUESS
        self._thread = Thread(target=self._work, name=f"ists-{name}", daemon=True)

    @property
    def reserved(self) -> int:
        """Number of items that wait or are being computed, or will be soon."""
        return self._reserved

    @property
    def waiting(self) -> int:
        """Number of items that wait."""
        return len(self._waiting)

    @contextmanager
    def reservation(self, items: int) -> Iterator[int]:
        """Reserve space for a request of so many items; raise `QueueFullError` if it is full.

        Gives the number of items that the request may have in the queue at once.
        """
        size = min(items, WINDOW, self._capacity)
        if self._reserved + size > self._capacity:
            raise QueueFullError(max(1, ceil(self._reserved * self._seconds_per_item)))
        self._reserved += size
        try:
            yield size
        finally:
            self._reserved -= size

    async def outcomes(self, task: Hashable, items: Sequence[Any]) -> AsyncGenerator[Outcome, None]:
        """Yield the outcome of each item, in order."""
        with self.reservation(len(items)) as size:
            pending = deque(self._submit(task, items[:size]))
            try:
                for item in items[size:]:
                    yield await pending.popleft()
                    pending += self._submit(task, [item])
                while pending:
                    yield await pending.popleft()
            finally:
                for future in pending:
                    future.cancel()

    def stop(self) -> None:
        """Finish what is in the queue and end the worker thread."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _submit(self, task: Hashable, items: Sequence[Any]) -> list["asyncio.Future[Outcome]"]:
        loop = asyncio.get_running_loop()
        jobs = [_Job(item, task, loop.create_future()) for item in items]
        with self._changed:
            if self._stopping:
                raise QueueFullError(1)
            if self._thread.ident is None:
                self._thread.start()
            self._waiting.extend(jobs)
            if len(self._waiting) >= self._wanted:
                self._changed.notify()
        return [job.future for job in jobs]

    def _work(self) -> None:
        run: Run | None = None
        last = 1
        while batch := self._next_batch(last):
            last = len(batch)
            begin = time.perf_counter()
            error: Exception | None = None
            outcomes: Sequence[Outcome] = ()
            try:
                run = run or self._load()
                outcomes = run(batch[0].task, [job.item for job in batch])
            except Exception as raised:
                # The worker must survive: the requests of this batch get the error.
                error = raised
            seconds = time.perf_counter() - begin
            self._seconds_per_item += _SMOOTHING * (seconds / last - self._seconds_per_item)
            _answer(batch, outcomes, error)
            self._observe(last, seconds)

    def _next_batch(self, expected: int) -> list[_Job]:
        """Wait for jobs of one task; an empty list ends the worker."""
        while True:
            with self._changed:
                self._wait_for(1)
                self._wait_for(min(expected, MAX_BATCH), MAX_WAIT)
                if not self._waiting:
                    return []
                batch = [job for job in self._taken() if not job.future.cancelled()]
            if batch:
                return batch

    def _wait_for(self, items: int, seconds: float | None = None) -> None:
        self._wanted = items
        self._changed.wait_for(lambda: len(self._waiting) >= items or self._stopping, seconds)
        self._wanted = 1

    def _taken(self) -> list[_Job]:
        """Remove the jobs with the task of the first one from the queue, up to a full batch."""
        task = self._waiting[0].task
        taken: list[_Job] = []
        others: deque[_Job] = deque()
        while self._waiting and len(taken) < MAX_BATCH:
            job = self._waiting.popleft()
            (taken if job.task == task else others).append(job)
        self._waiting.extendleft(reversed(others))
        return taken


def _answer(batch: Sequence[_Job], outcomes: Sequence[Outcome], error: Exception | None) -> None:
    """Give the outcomes to the event loop, all with one call."""

    def resolve() -> None:
        for place, job in enumerate(batch):
            if job.future.done():  # cancelled meanwhile
                continue
            if error is None:
                job.future.set_result(outcomes[place])
            else:
                job.future.set_exception(_fresh(error))

    try:
        batch[0].future.get_loop().call_soon_threadsafe(resolve)
    except RuntimeError:  # the loop was closed: no request waits any more
        return


def _fresh(error: Exception) -> Exception:
    """Return a copy of the error for each future; the message of a defect may quote a sentence."""
    return copy(error) if isinstance(error, IstsError) else WorkerError(type(error).__name__)
