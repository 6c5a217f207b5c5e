"""Where the time goes: named stages of a run, timed when somebody asks.

A stage costs nothing worth speaking of when nobody does. Stages of several threads run beside each
other, so that their times may add up to more than the run took.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter


class Stages:
    """The seconds spent in each stage, in the order in which they were first entered."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._lock = Lock()

    def add(self, name: str, seconds: float) -> None:
        """Count time spent in a stage."""
        with self._lock:
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds

    def table(self, whole: float, pairs: int) -> str:
        """The stages of a run that took `whole` seconds, a line each."""
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
    """Time what is done inside, if somebody is watching."""
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
    """Watch the stages of everything done inside, in whatever thread."""
    global _watching
    before, _watching = _watching, Stages()
    try:
        yield _watching
    finally:
        _watching = before
