"""Reading is streamed: one pair at a time, for files of any size.

The commands keep only the ids of the pairs, to find repeated ones.
"""

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.material import cost_of, gold_file, repeated

_MEGABYTE = 1_000_000
_READ_ALL = "import sys; from ists import formats; print(sum(1 for _ in formats.scan(sys.argv[1])))"


def run(sizes_mb: tuple[int, ...] = (5, 50, 500)) -> None:
    source = gold_file()
    print(f"{'file MB':>8} {'reader MB':>10} {'check MB':>9} {'check CPU s':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes_mb:
            times = -(-size * _MEGABYTE // source.stat().st_size)
            file = str(repeated(source, times, Path(folder) / "big.wa"))
            reader = cost_of(sys.executable, "-c", _READ_ALL, file)
            check = cost_of(sys.executable, "-m", "ists", "check", file)
            print(f"{size:>8} {reader.peak_mb:>10.1f} {check.peak_mb:>9.1f} {check.cpu:>12.1f}")
