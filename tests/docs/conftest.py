"""A folder in which every file that the documents name exists, and a shell that knows `ists`."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from ists.formats.brackets import parse
from scorer.bws import draw_tuples
from scorer.bws_files import tuples_as_csv
from tests.conftest import EXAMPLES, ROOT, Outcome

_COPIES = {
    "gold.wa": ("gold.wa", "anna.wa", "b.wa"),
    "system.wa": ("system.wa", "sys.wa", "out.wa", "a.wa", "ben.wa", "carla.wa"),
}
_SCORES = {"gold.txt": "54312010", "a.txt": "53321101", "b.txt": "45213010"}
_OPERATORS = {"|", "<", ">", ">>", "&&", "||", ";", "&"}

Run = Callable[[str], Outcome]


def sentences(side: int) -> list[str]:
    """The example sentences of one side, without their brackets."""
    lines = (EXAMPLES / f"sent{side}.chunk.txt").read_text().splitlines()
    return [" ".join(word for chunk in parse(line) for word in chunk) for line in lines]


def example_pairs() -> list[tuple[str, str]]:
    return list(zip(sentences(1), sentences(2), strict=True))


def answers() -> str:
    """Best–worst annotations: the best item is the first in the alphabet, the worst the last."""
    tuples = draw_tuples([*sentences(1), *sentences(2)], 4, 8, 1)
    head, *rows = tuples_as_csv([[*items, min(items), max(items)] for items in tuples]).splitlines()
    return "\n".join([head.replace("Item5,Item6", "BestItem,WorstItem"), *rows, ""])


def furnish(folder: Path) -> None:
    """Put every file there that a command may ask for."""
    shutil.copytree(EXAMPLES, folder / "data" / "examples")
    for source, names in _COPIES.items():
        for name in names:
            shutil.copy(EXAMPLES / source, folder / name)
    for name, digits in _SCORES.items():
        (folder / name).write_text("".join(f"{digit}\n" for digit in digits))
    for side in (1, 2):
        (folder / f"s{side}.txt").write_text("\n".join([*sentences(side), ""]))
    pairs = pd.DataFrame(example_pairs(), columns=["sentence1", "sentence2"])
    pairs.to_csv(folder / "pairs.tsv", sep="\t", header=False, index=False)
    pairs.to_parquet(folder / "pairs.parquet")
    (folder / "items.txt").write_text("\n".join([*sentences(1), *sentences(2), ""]))
    (folder / "annotations.csv").write_text(answers())


@pytest.fixture
def desk(tmp_path, monkeypatch) -> Path:
    """The current folder, with all files that the documents name."""
    folder = tmp_path / "desk"
    folder.mkdir()
    furnish(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    return folder


@pytest.fixture(scope="session")
def shell(tmp_path_factory) -> Run:
    """Runs a line as a shell would, with `ists` being that of this checkout."""
    folder = tmp_path_factory.mktemp("bin")
    shim = folder / "ists"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ists "$@"\n')
    shim.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"

    def run(line: str) -> Outcome:
        environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            ["sh", "-c", line],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def run(ists, shell) -> Run:
    """Runs a line in this process where it is our command alone, and in a shell otherwise."""

    def run(line: str) -> Outcome:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        name, *arguments = lexer
        if name != "ists" or _OPERATORS & set(arguments):
            return shell(line)
        return ists(*arguments)

    return run
