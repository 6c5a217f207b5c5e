"""Long-running test: hundreds of thousands of corrupted files, a hundred thousand pairs.

    python -m tests.robustness --inputs 200000 --pairs 100000 --seed 1

If atheris is installed, it also searches for inputs (``--atheris SECONDS``).
"""

import gc
import importlib.util
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from tests.golden import outputs
from tests.robustness.inputs import corrupt
from tests.robustness.readers import READERS, read_anything, valid_files

_EVERY = 20_000


@click.command()
@click.option(
    "--inputs", default=200_000, show_default=True, help="Spoiled files, over all readers."
)
@click.option(
    "--pairs", default=100_000, show_default=True, help="Pairs to align, watching memory."
)
@click.option(
    "--atheris", default=60, show_default=True, help="Seconds of atheris a reader; 0: none."
)
@click.option("--seed", default=1, show_default=True)
def main(inputs: int, pairs: int, atheris: int, seed: int) -> None:
    """Read corrupted files and align pairs; raise on any failure."""
    read_corrupted(inputs, seed)
    if atheris and importlib.util.find_spec("atheris"):
        run_atheris(atheris)
    elif atheris:
        print("atheris is not installed: skipped")
    align_watching_memory(pairs, seed)


def read_corrupted(inputs: int, seed: int) -> None:
    """Run every reader in turn; keep the file if one raises anything but an `IstsError`."""
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "input")
        for number in range(inputs):
            name = list(READERS)[number % len(READERS)]
            kind, reader = READERS[name]
            data = corrupt(chance.choice(valid_files(kind)), chance)
            try:
                message = read_anything(reader, file, data)
            except BaseException:
                kept = Path(tempfile.gettempdir(), f"ists-hardness-{os.getpid()}")
                kept.write_bytes(data)
                print(f"input {number}, {name}: kept as {kept}")
                raise
            outcomes["read" if message is None else "rejected"] += 1
            if (number + 1) % _EVERY == 0:
                print(f"{number + 1} inputs, {dict(outcomes)}, {time.monotonic() - begun:.0f} s")
    print(f"{inputs} corrupted files: {dict(outcomes)}, no exception but ours")


def run_atheris(seconds: int) -> None:
    """Run atheris on each reader, one process per reader."""
    for name in READERS:
        command = [sys.executable, "-m", "tests.robustness.with_atheris", name]
        subprocess.run([*command, f"-max_total_time={seconds}", "-verbosity=0"], check=True)
        print(f"atheris, {name}: {seconds} s, no exception but ours")


def align_watching_memory(pairs: int, seed: int) -> None:
    """Align pairs; memory and open files must not grow with their number."""
    from ists.pipeline import Aligner

    aligner = Aligner.load()
    marks: list[tuple[int, int]] = []
    for number, _ in enumerate(aligner.align_many(_pairs(pairs, seed)), start=1):
        if number % max(1, pairs // 10) == 0:
            gc.collect()
            marks.append((_resident(), sum(1 for _ in Path("/proc/self/fd").iterdir())))
            print(f"{number} pairs: {marks[-1][0] >> 20} MiB, {marks[-1][1]} open files")
    if len(marks) < 10:
        return
    (half, files), (end, files_at_end) = marks[4], marks[-1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    assert files_at_end <= files, f"open files grew from {files} to {files_at_end}"
    assert end < 1.2 * half, f"memory grew from {half} to {end} bytes in the second half"
    print(f"{pairs} pairs: no growth, {peak} MiB at the most")


def _pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield our own sentences with new words, which caches must not keep all."""
    lines = [line.split("\t") for line in outputs.PAIRS.read_text().splitlines()]
    chance = random.Random(seed)
    for number in range(count):
        one, two = chance.choice(lines)[0], chance.choice(lines)[1]
        yield f"{one} word{number}, they say.", f"{two} Name{number} {number}"


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
