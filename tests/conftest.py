"""Fixtures of many tests: the shared data, and the command line run in this process."""

import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from ists.cli import main

# Speed is measured by `make bench`: a slow first import must not fail a property test.
settings.register_profile("ists", deadline=None)
settings.load_profile("ists")

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "data" / "examples"

# A suite that is started in the background ignores SIGINT, one that is started by nohup SIGHUP, and
# so would every program it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

SLOWEST_FILES = (
    "browser/test_serve.py",
    "browser/test_annotate_work.py",
    "browser/test_annotate.py",
    "browser/test_accessibility.py",
    "browser/test_report.py",
    "cli/test_long_runs.py",
    "runs/test_on_ray.py",
    "docs/test_shown_outputs.py",
    "cli/test_align.py",
    "serve/test_api.py",
    "runs/test_run.py",
)
"""Run first: a slow file that is run last has one worker for itself, while the others are idle."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests by file: the slowest first, the others as they are."""
    order = {ROOT / "tests" / file: place for place, file in enumerate(SLOWEST_FILES)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def ists(monkeypatch, capfd) -> Callable[..., Outcome]:
    """Run ``ists`` with the given arguments in this process; return the outcome."""

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["ists", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Outcome(int(exit_.value.code or 0), out, err)

    return run


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data sets, which a plain checkout does not have."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the data sets of ../shared/data are not here")
    return folder


@pytest.fixture(scope="session")
def expected_cases(shared) -> list[dict]:
    """Results of the task's own programs for 44 pairs of gold and system files."""
    return json.loads((shared / "scorer-cases" / "expected.json").read_text())
