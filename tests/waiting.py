"""Waiting for another process, but not for ever."""

import time
from collections.abc import Callable
from pathlib import Path

_LONGEST = 120.0


def wait_until(happened: Callable[[], object]) -> None:
    """Look again and again; a test whose other process never comes so far fails, and says so."""
    end = time.monotonic() + _LONGEST
    while not happened():
        assert time.monotonic() < end, f"nothing happened in {_LONGEST:.0f} s"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def processes_with(setting: str) -> list[int]:
    """The processes that run with this NAME=VALUE in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            settings = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if setting.encode() in settings and is_running(int(folder.name)):
            found.append(int(folder.name))
    return found
