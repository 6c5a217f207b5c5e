"""Atomic output files, and temporary files of killed commands."""

import os
import signal
import subprocess
import sys

import pytest

from ists import files
from ists.files import atomic_output
from tests.conftest import EXAMPLES, ROOT
from tests.waiting import wait_until

WRITER = """
import sys, time
from pathlib import Path
import ists.report
from ists.cli import main

gold, out = sys.argv[1:]

def parts(contents, title):
    yield "half a page"
    Path(out + ".begun").touch()
    time.sleep(600)

ists.report.parts = parts
sys.argv = ["ists", "report", gold, gold, "-o", out, "--bootstrap", "5"]
main()
"""


def begun_report(out):
    """A report that waits half written until it is stopped."""
    gold = str(EXAMPLES / "gold.wa")
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, gold, str(out)], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    begun = out.with_name(out.name + ".begun")
    try:
        wait_until(begun.exists)
    except BaseException:
        process.kill()
        process.wait()
        raise
    begun.unlink()
    return process


@pytest.mark.parametrize(
    ("signal_", "code"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)],
    ids=["terminated", "interrupted", "terminal closed"],
)
def test_a_stopped_command_removes_its_temporary_file(tmp_path, signal_, code):
    with begun_report(tmp_path / "out.html") as process:
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(signal_)
        assert process.wait(60) == code
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_of_a_killed_command_are_removed_by_the_next(ists, tmp_path):
    out = tmp_path / "out.html"
    with begun_report(out) as process:
        process.kill()
    (stale,) = tmp_path.iterdir()
    assert stale.name.startswith(".out.html.")
    assert stale.name.endswith(".ists-tmp")
    gold = EXAMPLES / "gold.wa"
    assert ists("report", gold, gold, "-o", out, "--bootstrap", 5).code == 0
    assert list(tmp_path.iterdir()) == [out]


def test_a_temporary_file_in_use_is_kept(tmp_path):
    out = tmp_path / "out.txt"
    with atomic_output(out) as slow:
        slow.write(b"slow")
        with atomic_output(out) as fast:
            fast.write(b"fast")
        assert out.read_bytes() == b"fast"
        assert len(list(tmp_path.iterdir())) == 2
    assert out.read_bytes() == b"slow"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("name", [".out.txt.swp", ".out.txt.abcdefgh", ".other.txt.abc.ists-tmp"])
def test_other_files_are_kept(tmp_path, name):
    (tmp_path / name).write_text("precious")
    with atomic_output(tmp_path / "out.txt") as stream:
        stream.write(b"new")
    assert (tmp_path / name).read_text() == "precious"


def test_special_characters_in_names_are_not_patterns(tmp_path):
    (tmp_path / ".out1.txt.abcdefgh.ists-tmp").touch()
    with atomic_output(tmp_path / "out[1].txt") as stream:
        stream.write(b"new")
    assert len(list(tmp_path.iterdir())) == 2


def test_without_locks_no_file_is_removed_as_stale(tmp_path, monkeypatch):
    for module in ("fcntl", "msvcrt"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(files, "OPEN_FILES_CAN_BE_MOVED", False)
    (tmp_path / ".out.txt.abcdefgh.ists-tmp").touch()
    with atomic_output(tmp_path / "out.txt") as stream:
        stream.write(b"new")
    assert (tmp_path / "out.txt").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_removed_as_stale_before_it_is_locked_is_created_again(tmp_path, monkeypatch):
    usual = files.lock
    taken = []

    def lock(handle):
        if not taken:
            (file,) = tmp_path.iterdir()
            taken.append(file)
            file.unlink()
        return usual(handle)

    monkeypatch.setattr(files, "lock", lock)
    with atomic_output(tmp_path / "out.txt") as stream:
        stream.write(b"new")
    assert (tmp_path / "out.txt").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "out.txt"]


def test_after_an_error_only_the_old_file_remains(tmp_path):
    out = tmp_path / "out.txt"
    out.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), atomic_output(out) as stream:
        stream.write(b"%d" % (1 // 0))
    assert out.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [out]


def test_the_usual_mode_is_given(tmp_path):
    before = os.umask(0o027)
    try:
        with atomic_output(tmp_path / "out.txt") as stream:
            stream.write(b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "out.txt").stat().st_mode & 0o777 == 0o640
