"""Timing of the named stages of a run.

Stages are timed only inside `watched`; otherwise their cost is negligible. Stages in several
threads run concurrently, so their times may add up to more than the run time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter


class Stages:
    """Seconds spent in each stage, in the order of their first completion."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._lock = Lock()

    def add(self, name: str, seconds: float) -> None:
        """Add time spent in a stage."""
        with self._lock:
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds

    def table(self, whole: float, pairs: int) -> str:
        """Format the stages of a run of `whole` seconds as a table, one line each."""
        width = max([len("whole run"), *map(len, self.seconds)])
        lines = [f"{'stage':{width}} {'seconds':>8} {'ms/pair':>8} {'share':>6}"]
        for name, seconds in (*self.seconds.items(), ("whole run", whole)):
            a_pair = 1000 * seconds / max(1, pairs)
            share = seconds / whole if whole else 0.0
            lines.append(f"{name:{width}} {seconds:8.2f} {a_pair:8.3f} {share:6.1%}")
        return "\n".join(lines)


_watching: Stages | None = None


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Time this block as a stage, if inside `watched`."""
    stages = _watching
    if stages is None:
        yield
        return
    begin = perf_counter()
    try:
        yield
    finally:
        stages.add(name, perf_counter() - begin)


@contextmanager
def watched() -> Iterator[Stages]:
    """Record the stages that run during this block, in all threads."""
    global _watching
    before, _watching = _watching, Stages()
    try:
        yield _watching
    finally:
        _watching = before
