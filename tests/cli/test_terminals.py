"""Output on a terminal."""

import os
import pty
import subprocess
import sys

import pytest

from tests.conftest import EXAMPLES, ROOT

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"


def at_terminal(*arguments):
    """Run a command with a terminal as standard output; return exit code, output and errors."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ists", *map(str, arguments)],
            stdout=theirs,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            text=True,
            check=False,
        )
        os.set_blocking(ours, False)
        try:
            out = os.read(ours, 1 << 16)
        except BlockingIOError:
            out = b""
    finally:
        os.close(ours)
        os.close(theirs)
    return done.returncode, out, done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("render", GOLD), "-o OUT.html or -o OUT.svg or -o OUT.png or -o OUT.pdf"),
        (
            ("render", GOLD, "--format", "svg"),
            "-o OUT.html or -o OUT.svg or -o OUT.png or -o OUT.pdf",
        ),
        (("report", GOLD, SYSTEM), "-o OUT.html"),
    ],
)
def test_pages_are_not_printed_at_a_terminal(arguments, named):
    code, out, err = at_terminal(*arguments)
    assert (code, out) == (2, b"")
    assert err.endswith(f"Error: standard output is a terminal: name a file with {named}\n")


@pytest.mark.parametrize("arguments", [("render", GOLD), ("report", GOLD, SYSTEM)])
def test_pages_go_into_pipes_and_files(ists, tmp_path, arguments):
    piped = ists(*arguments)
    assert piped.code == 0
    assert piped.out.startswith("<!DOCTYPE html>") or piped.out.startswith("<!doctype html>")
    code, out, _ = at_terminal(*arguments, "-o", tmp_path / "page.html")
    assert (code, out) == (0, b"")
    assert (tmp_path / "page.html").read_text() == piped.out


def test_text_is_printed_at_a_terminal():
    code, out, _ = at_terminal("score", GOLD, SYSTEM)
    assert code == 0
    assert b"F1 Ali" in out
