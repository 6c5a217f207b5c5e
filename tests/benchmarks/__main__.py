"""Run the benchmarks named on the command line, or all of them."""

import sys

from tests.benchmarks import chunking, reading, scoring

_BENCHMARKS = {"scoring": scoring.run, "reading": reading.run, "chunking": chunking.run}

for name in sys.argv[1:] or _BENCHMARKS:
    print(f"\n== {name}")
    _BENCHMARKS[name]()
