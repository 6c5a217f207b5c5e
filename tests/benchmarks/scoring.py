"""`ists score`: pairs per second and memory, from ×1 to ×100."""

import sys
import tempfile
import time
from pathlib import Path

from ists import read
from scorer.measures import Link
from tests.benchmarks.material import cost_of, gold_file, repeated
from tests.scorer.test_measures import by_definition


def run() -> None:
    source = gold_file()
    pairs = sum(1 for _ in read(source))
    reference = _seconds_by_definition(source)
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'pairs':>8} {'CPU s':>8} {'pairs/s':>9} {'peak MB':>8} {'vs definition':>14}")
        for times in (1, 10, 100):
            file = str(repeated(source, times, Path(folder) / "big.wa"))
            cost = cost_of(sys.executable, "-m", "ists", "score", file, file)
            count = pairs * times
            ratio = reference * times / cost.cpu
            print(
                f"{count:>8} {cost.cpu:>8.2f} {count / cost.cpu:>9.0f} "
                f"{cost.peak_mb:>8.0f} {ratio:>13.1f}x"
            )


def _seconds_by_definition(source: Path) -> float:
    """Time the same work by definition: every line parsed, every token link enumerated."""
    begin = time.process_time()
    gold, system = list(read(source)), list(read(source))
    for one, other in zip(gold, system, strict=True):
        by_definition(_links(one), _links(other))
    return time.process_time() - begin


def _links(pair) -> tuple[Link, ...]:
    return tuple(
        Link.of(
            frozenset(link.chunk1.tokens),
            frozenset(link.chunk2.tokens),
            frozenset({link.label}),
            link.score or 0.0,
        )
        for link in pair.links
    )
