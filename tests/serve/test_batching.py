"""The queue: what is computed together, what is rejected, and what an error leaves behind."""

import asyncio
from threading import Event

import pytest

from ists.errors import ModelError
from ists.serve.batching import Batcher, QueueFullError
from ists.serve.limits import MAX_BATCH, WINDOW


class Recorder:
    """Stands for a model: keeps the batches, and waits where a test wants it to."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[str]]] = []
        self.may_go = Event()
        self.may_go.set()
        self.begun = Event()

    def __call__(self, task, items):
        self.begun.set()
        assert self.may_go.wait(60)
        self.batches.append((task, list(items)))
        if "bad" in items:
            raise ModelError("bad item")
        if "defect" in items:
            raise KeyError("a secret sentence")
        return [item.encode() for item in items]


@pytest.fixture
def recorder():
    return Recorder()


def run(recorder, work, capacity=64):
    """Runs a coroutine function with a batcher, which is stopped in the end."""

    async def running():
        batcher = Batcher("test", lambda: recorder, capacity)
        try:
            return await work(batcher)
        finally:
            recorder.may_go.set()
            batcher.stop()

    return asyncio.run(running())


async def all_of(batcher, task, items):
    return [outcome async for outcome in batcher.outcomes(task, items)]


async def begun(recorder):
    await asyncio.to_thread(recorder.begun.wait, 60)


def test_requests_that_wait_at_the_same_time_are_computed_together(recorder):
    async def work(batcher):
        recorder.may_go.clear()
        first = asyncio.create_task(all_of(batcher, "t", ["a"]))
        await begun(recorder)
        others = [asyncio.create_task(all_of(batcher, "t", [name])) for name in "bcd"]
        await asyncio.sleep(0)
        recorder.may_go.set()
        return await first, *[await other for other in others]

    assert run(recorder, work) == ([b"a"], [b"b"], [b"c"], [b"d"])
    assert recorder.batches == [("t", ["a"]), ("t", ["b", "c", "d"])]


def test_pairs_with_other_options_are_not_computed_together(recorder):
    async def work(batcher):
        recorder.may_go.clear()
        first = asyncio.create_task(all_of(batcher, "t", ["a"]))
        await begun(recorder)
        rest = [
            asyncio.create_task(all_of(batcher, task, [name]))
            for task, name in (("u", "b"), ("t", "c"), ("u", "d"))
        ]
        await asyncio.sleep(0)
        recorder.may_go.set()
        await asyncio.gather(first, *rest)

    run(recorder, work)
    assert recorder.batches == [("t", ["a"]), ("u", ["b", "d"]), ("t", ["c"])]


def test_long_lists_come_in_order_and_in_full_batches(recorder):
    names = [str(number) for number in range(3 * WINDOW)]
    found = run(recorder, lambda batcher: all_of(batcher, "t", names), capacity=10 * WINDOW)
    assert found == [name.encode() for name in names]
    assert all(len(items) <= MAX_BATCH for _, items in recorder.batches)
    assert max(len(items) for _, items in recorder.batches) == MAX_BATCH


def test_a_full_queue_rejects_at_once_and_recovers(recorder):
    async def work(batcher):
        recorder.may_go.clear()
        first = asyncio.create_task(all_of(batcher, "t", ["a", "b"]))
        await begun(recorder)
        with pytest.raises(QueueFullError, match="try again in 1 s") as full:
            await all_of(batcher, "t", ["c"])
        assert full.value.seconds == 1
        assert batcher.reserved == 2
        recorder.may_go.set()
        assert await first == [b"a", b"b"]
        assert batcher.reserved == 0
        return await all_of(batcher, "t", ["c"])

    assert run(recorder, work, capacity=2) == [b"c"]


def test_a_list_longer_than_the_queue_is_computed_nevertheless(recorder):
    names = list("abcdefgh")
    found = run(recorder, lambda batcher: all_of(batcher, "t", names), capacity=3)
    assert found == [name.encode() for name in names]


def test_an_error_concerns_its_batch_alone(recorder):
    async def work(batcher):
        with pytest.raises(ModelError, match="bad item"):
            await all_of(batcher, "t", ["bad"])
        return await all_of(batcher, "t", ["good"])

    assert run(recorder, work) == [b"good"]


def test_the_message_of_a_defect_is_not_passed_on(recorder):
    async def work(batcher):
        with pytest.raises(Exception, match=r"^KeyError$"):
            await all_of(batcher, "t", ["defect"])

    run(recorder, work)


def test_a_model_that_cannot_be_loaded_is_tried_again():
    attempts = []

    def load():
        attempts.append(1)
        if len(attempts) == 1:
            raise ModelError("no such file")
        return Recorder()

    async def work():
        batcher = Batcher("test", load, 8)
        with pytest.raises(ModelError, match="no such file"):
            await all_of(batcher, "t", ["a"])
        found = await all_of(batcher, "t", ["b"])
        batcher.stop()
        return found

    assert asyncio.run(work()) == [b"b"]


def test_what_nobody_waits_for_any_more_is_not_computed(recorder):
    async def work(batcher):
        recorder.may_go.clear()
        first = asyncio.create_task(all_of(batcher, "t", ["a"]))
        await begun(recorder)
        second = asyncio.create_task(all_of(batcher, "t", ["b", "c"]))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        assert batcher.reserved == 1
        recorder.may_go.set()
        await first
        return await all_of(batcher, "t", ["d"])

    assert run(recorder, work) == [b"d"]
    assert recorder.batches == [("t", ["a"]), ("t", ["d"])]


def test_stopping_finishes_what_was_accepted_and_takes_nothing_more(recorder):
    async def work():
        batcher = Batcher("test", lambda: recorder, 8)
        recorder.may_go.clear()
        first = asyncio.create_task(all_of(batcher, "t", ["a"]))
        await begun(recorder)
        second = asyncio.create_task(all_of(batcher, "t", ["b"]))
        await asyncio.sleep(0)
        stopping = asyncio.create_task(asyncio.to_thread(batcher.stop))
        await asyncio.sleep(0)
        recorder.may_go.set()
        await stopping
        with pytest.raises(QueueFullError):
            await all_of(batcher, "t", ["c"])
        return await first, await second

    assert asyncio.run(work()) == ([b"a"], [b"b"])
