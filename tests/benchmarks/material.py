"""Input of the benchmarks: the pilot's training gold if available, else our own examples."""

import re
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from ists import read
from tests.conftest import EXAMPLES, ROOT

_DATA = ROOT.parent / "shared/data"
_PILOT = _DATA / "ists2015/train/STSint.gs.headlines.wa"
_ID = re.compile(rb'<sentence id="(\d+)"')


def gold_file() -> Path:
    return _PILOT if _PILOT.exists() else EXAMPLES / "gold.wa"


def corpus(count: int) -> list[tuple[str, str]]:
    """Return a number of pairs of the pilot's genres, repeated if necessary."""
    files = sorted(_DATA.glob("sts/201[34]/headlines.*")) + sorted(_DATA.glob("sts/2014/images.*"))
    lines = [line for file in files for line in file.read_text(errors="replace").splitlines()]
    pairs = [(one, two) for _, one, two in (line.split("\t")[:3] for line in lines)]
    pairs = pairs or [(str(pair.sentence1), str(pair.sentence2)) for pair in read(gold_file())]
    pairs = list(dict.fromkeys(pairs))
    Random(1).shuffle(pairs)
    return list(islice(cycle(pairs), count))


def repeated(source: Path, times: int, target: Path) -> Path:
    """Write a file with the source's pairs repeated under new ids."""
    text = source.read_bytes().rstrip() + b"\n\n\n"
    with target.open("wb") as stream:
        for turn in range(times):
            stream.write(_ID.sub(lambda m, t=turn: b'<sentence id="%d-%s"' % (t, m[1]), text))
    return target


class Cost(NamedTuple):
    cpu: float
    wall: float
    peak_mb: float
    output: str


def cost_of(*command: str) -> Cost:
    """Measure the cost of a command in a separate process."""
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "use = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1024)\n"
        "print(done.stdout, done.stderr)\n"
    )
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True
    )
    wall = time.perf_counter() - begin
    figures, _, output = done.stdout.partition("\n")
    cpu, peak = map(float, figures.split())
    return Cost(cpu, wall, peak, output)
