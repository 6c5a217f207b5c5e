"""Waiting for other processes, with a time limit."""

import time
from collections.abc import Callable
from pathlib import Path

_LONGEST = 120.0


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition is true; fail after the time limit."""
    end = time.monotonic() + _LONGEST
    while not condition():
        assert time.monotonic() < end, f"nothing condition in {_LONGEST:.0f} s"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def processes_with(setting: str) -> list[int]:
    """Return the ids of the processes with this NAME=VALUE in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            settings = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if setting.encode() in settings and is_running(int(folder.name)):
            found.append(int(folder.name))
    return found
