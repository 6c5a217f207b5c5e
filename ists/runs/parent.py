"""Worker processes that exit when their parent does, even if it is killed."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread


def end_with_parent() -> None:
    """Make this worker process exit as soon as its parent does; to be called first in a worker.

    A parent that is killed cannot notify its workers: one that waits for work would wait forever,
    one that trains a network would continue for an hour. A thread waits for the end of the parent,
    which is signalled by a pipe (on Windows, by the process handle).
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        # Ctrl-C is sent to the whole process group, but the parent stops its workers itself.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        Thread(target=_end_after, args=(parent,), daemon=True).start()


@contextmanager
def not_to_be_interrupted() -> Iterator[None]:
    """Block SIGINT for processes started in this block, from their very start."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def ending_them_on_errors() -> Iterator[None]:
    """On any exception, also an interruption, terminate the processes started in this block.

    A pool would wait until they have finished all their tasks.
    """
    others = multiprocessing.active_children()
    try:
        yield
    except BaseException:
        for child in multiprocessing.active_children():
            if child not in others:
                child.terminate()
        raise


def _end_after(parent: "multiprocessing.process.BaseProcess") -> None:
    parent.join()
    os._exit(1)
