"""Run the network on the next block while the caller works on this one."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Block = TypeVar("Block")
Result = TypeVar("Result")


def in_one_thread(
    blocks: Iterator[Block], work: Callable[[Block], Result]
) -> Iterator[tuple[Block, Result]]:
    """Yield each block with its result, computed when it is needed."""
    return ((block, work(block)) for block in blocks)


def one_ahead(
    blocks: Iterator[Block], work: Callable[[Block], Result]
) -> Iterator[tuple[Block, Result]]:
    """Yield each block with its result; the next one is computed in a second thread meanwhile.

    onnxruntime releases the interpreter lock, so encoding and labelling use different cores.
    """
    with ThreadPoolExecutor(1) as worker:
        block = next(blocks, None)
        pending = worker.submit(work, block) if block is not None else None
        while block is not None and pending is not None:
            following = next(blocks, None)
            done = pending.result()
            if following is not None:
                pending = worker.submit(work, following)
            yield block, done
            block = following
