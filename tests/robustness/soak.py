"""The long way: hundreds of thousands of spoiled files, a hundred thousand pairs, as long as asked.

    python -m tests.robustness --inputs 200000 --pairs 100000 --seed 1

Where atheris is installed, it looks for inputs by itself as well (``--atheris SECONDS``).
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
from tests.robustness.inputs import spoiled
from tests.robustness.readers import READERS, read_anything, sound_files

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
    """Spoil files, align pairs, and fail loudly."""
    read_spoiled(inputs, seed)
    if atheris and importlib.util.find_spec("atheris"):
        let_atheris_look(atheris)
    elif atheris:
        print("atheris is not installed: skipped")
    align_watching_memory(pairs, seed)


def read_spoiled(inputs: int, seed: int) -> None:
    """Every reader in turn; any other exception than ours ends it, with the file kept."""
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "input")
        for number in range(inputs):
            name = list(READERS)[number % len(READERS)]
            kind, reader = READERS[name]
            data = spoiled(chance.choice(sound_files(kind)), chance)
            try:
                told = read_anything(reader, file, data)
            except BaseException:
                kept = Path(tempfile.gettempdir(), f"ists-hardness-{os.getpid()}")
                kept.write_bytes(data)
                print(f"input {number}, {name}: kept as {kept}")
                raise
            outcomes["read" if told is None else "rejected"] += 1
            if (number + 1) % _EVERY == 0:
                print(f"{number + 1} inputs, {dict(outcomes)}, {time.monotonic() - begun:.0f} s")
    print(f"{inputs} spoiled files: {dict(outcomes)}, no exception but ours")


def let_atheris_look(seconds: int) -> None:
    """One process a reader: its search ends with its process."""
    for name in READERS:
        command = [sys.executable, "-m", "tests.robustness.with_atheris", name]
        subprocess.run([*command, f"-max_total_time={seconds}", "-verbosity=0"], check=True)
        print(f"atheris, {name}: {seconds} s, no exception but ours")


def align_watching_memory(pairs: int, seed: int) -> None:
    """Memory and open files must not grow with the pairs."""
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
    """Our own sentences with words that never stood before: caches must not keep them all."""
    lines = [line.split("\t") for line in outputs.PAIRS.read_text().splitlines()]
    chance = random.Random(seed)
    for number in range(count):
        one, two = chance.choice(lines)[0], chance.choice(lines)[1]
        yield f"{one} word{number}, they say.", f"{two} Name{number} {number}"


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
