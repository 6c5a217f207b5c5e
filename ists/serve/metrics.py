"""Counters and histograms in the text format of Prometheus."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from threading import Lock

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_PAIRS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

Labels = tuple[tuple[str, str], ...]


class _Histogram:
    """Counts of values up to each bound, and their sum."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self, name: str, labels: Labels) -> Iterator[str]:
        """Yield the samples of the histogram."""
        total = 0
        for bound, count in zip((*map(_number, self._bounds), "+Inf"), self._counts, strict=True):
            total += count
            yield f"{name}_bucket{_braced((*labels, ('le', bound)))} {total}"
        yield f"{name}_sum{_braced(labels)} {self._sum:.6f}"
        yield f"{name}_count{_braced(labels)} {total}"


class Metrics:
    """What the server counts; no text of any request is among it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: dict[Labels, int] = {}
        self._seconds: dict[Labels, _Histogram] = {}
        self._batches: dict[Labels, _Histogram] = {}
        self._batch_seconds: dict[Labels, _Histogram] = {}

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        with self._lock:
            labels = (("path", path), ("status", str(status)))
            self._requests[labels] = self._requests.get(labels, 0) + 1
            self._seconds.setdefault((("path", path),), _Histogram(_SECONDS)).add(seconds)

    def batch(self, model: str, pairs: int, seconds: float) -> None:
        """Count a batch that was computed."""
        with self._lock:
            labels = (("model", model),)
            self._batches.setdefault(labels, _Histogram(_PAIRS)).add(pairs)
            self._batch_seconds.setdefault(labels, _Histogram(_SECONDS)).add(seconds)

    def render(self, queues: Mapping[str, int]) -> str:
        """Return all metrics as text; `queues` are the pairs in the queue of each model."""
        with self._lock:
            return "\n".join(self._lines(queues)) + "\n"

    def _lines(self, queues: Mapping[str, int]) -> Iterator[str]:
        yield from _head("ists_requests_total", "counter", "Requests by path and status.")
        for labels, count in sorted(self._requests.items()):
            yield f"ists_requests_total{_braced(labels)} {count}"
        for name, help_, histograms in (
            ("ists_request_seconds", "Time from request to answer.", self._seconds),
            ("ists_batch_pairs", "Pairs computed together.", self._batches),
            ("ists_batch_seconds", "Time to compute a batch.", self._batch_seconds),
        ):
            yield from _head(name, "histogram", help_)
            for labels, histogram in sorted(histograms.items()):
                yield from histogram.lines(name, labels)
        yield from _head("ists_queue_pairs", "gauge", "Pairs waiting or being computed.")
        for model, pairs in sorted(queues.items()):
            yield f"ists_queue_pairs{_braced((('model', model),))} {pairs}"


def _head(name: str, kind: str, help_: str) -> tuple[str, str]:
    return f"# HELP {name} {help_}", f"# TYPE {name} {kind}"


def _braced(labels: Labels) -> str:
    shown = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{shown}}}" if shown else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return f"{value:g}"
