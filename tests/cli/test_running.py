"""Progress display of a long run on a terminal."""

import pytest

from ists.cli import running
from ists.cli.running import Terminal


@pytest.fixture
def clock(monkeypatch):
    """Clock that advances by ten seconds at every call."""
    ticks = iter(range(0, 10_000, 10))
    monkeypatch.setattr(running.time, "monotonic", lambda: float(next(ticks)))


def seen(capsys, monkeypatch, total: int | None, done: int = 0) -> str:
    monkeypatch.setattr(running.sys.stderr, "isatty", lambda: True, raising=False)
    terminal = Terminal("align")
    terminal.begin(done, total)
    capsys.readouterr()
    terminal.advance(100)
    return capsys.readouterr().err


def test_the_count_the_rate_and_the_time_left_are_shown(capsys, monkeypatch, clock):
    assert seen(capsys, monkeypatch, 1100).endswith("align: 100 of 1100, 10.0/s, 0:01:40 left")


def test_a_pipe_has_no_total(capsys, monkeypatch, clock):
    assert seen(capsys, monkeypatch, None).endswith("align: 100, 10.0/s")


def test_the_rate_is_that_of_this_part_of_the_run(capsys, monkeypatch, clock):
    shown = seen(capsys, monkeypatch, 2_000_000, done=1_000_000)
    assert shown.endswith("align: 1000100 of 2000000, 10.0/s, 1 d 3:46:30 left")


def test_nothing_is_shown_without_a_terminal(capsys, clock):
    terminal = Terminal("align")
    terminal.begin(0, 100)
    terminal.advance(50)
    terminal.end()
    assert capsys.readouterr().err == ""
