"""Run the benchmarks named on the command line, or all of them."""

import sys

import ists.cli  # noqa: F401 (sets what numpy must know before it is imported)
from tests.benchmarks import aligning, annotating, chunking, reading, scoring, serving

_BENCHMARKS = {
    "scoring": scoring.run,
    "reading": reading.run,
    "chunking": chunking.run,
    "aligning": aligning.run,
    "annotating": annotating.run,
    "serving": serving.run,
}

for name in sys.argv[1:] or _BENCHMARKS:
    print(f"\n== {name}")
    _BENCHMARKS[name]()
