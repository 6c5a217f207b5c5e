"""A run gives the same output with any number of workers and interruptions."""

import fcntl
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from importlib import metadata
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from ists.errors import FormatError, IstsError
from ists.formats.sentences import InputLine, InputSentence
from ists.garbage import skip_last_collections
from ists.runs import journal, workers
from ists.runs.outcomes import outcomes
from ists.runs.run import _version, carry_out
from ists.runs.sources import Sentences
from tests.conftest import ROOT
from tests.runs.tasks import Deadly, Shout, Silent, Waiting
from tests.waiting import is_running, processes_with, wait_until

LINES = [f"line {number}" for number in range(1, 31)]
WHOLE = "<all>\n" + "".join(f"{line.upper()}!\n" for line in LINES) + "</all>\n"


@pytest.fixture(autouse=True)
def journal_always_up_to_date(monkeypatch):
    monkeypatch.setattr(journal, "_SECONDS_BETWEEN", 0.0)


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "in.txt"
    file.write_text("\n".join(LINES) + "\n")
    return Sentences(str(file), "txt")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.txt"


def run(source, out, task=None, **options):
    watcher = Silent()
    summary = carry_out(task or Shout(), source, str(out), watcher, **options)
    return summary, watcher


class _StoppedError(Exception):
    pass


def stop_after(monkeypatch, blocks):
    """Stop the next run after a number of blocks, as by a signal."""
    left = count(blocks, -1)
    usual = journal.ResumableOutput.write

    def write(self, some):
        usual(self, some)
        if next(left) == 1:
            raise _StoppedError

    monkeypatch.setattr(journal.ResumableOutput, "write", write)


def stopped(source, out, monkeypatch, blocks=2, task=None, **options):
    with monkeypatch.context() as patch:
        stop_after(patch, blocks)
        with pytest.raises(_StoppedError):
            run(source, out, task, **options)


def left_beside(out):
    return sorted(path.name for path in out.parent.iterdir() if path.name != "in.txt")


@pytest.mark.parametrize("workers", [1, 3])
def test_the_output_is_the_same_for_any_number_of_workers(source, out, workers):
    summary, watcher = run(source, out, workers=workers)
    assert out.read_text() == WHOLE
    assert (summary.items, summary.rejected) == (30, 0)
    assert watcher.begun == [(0, 30)]
    assert watcher.counted == 30
    assert left_beside(out) == ["out.txt"]


@pytest.mark.parametrize("blocks", range(1, 8))
def test_a_resumed_run_gives_the_same_output_as_an_uninterrupted_one(
    source, out, blocks, monkeypatch
):
    stopped(source, out, monkeypatch, blocks)
    assert left_beside(out) == ["out.txt.journal", "out.txt.part"]
    _, watcher = run(source, out)
    assert watcher.begun == [(4 * blocks, 30)]
    assert out.read_text() == WHOLE
    assert left_beside(out) == ["out.txt"]


def test_workers_end_without_collecting_garbage(monkeypatch):
    registered = []
    monkeypatch.setattr(workers.atexit, "register", registered.append)
    monkeypatch.setattr(workers._Worker, "task", None, raising=False)
    workers._begin(Shout())
    assert registered == [skip_last_collections]


def test_an_empty_input_is_reported(source, out):
    Path(source.files[0]).write_text("")
    summary, watcher = run(source, out)
    assert summary.items == 0
    (line,) = watcher.said
    assert line == f"warning: {source.files[0]}: no sentences found, so the output has none"
    assert out.read_text() == "<all>\n</all>\n"


def test_a_stopped_run_reports_how_to_resume(source, out, monkeypatch):
    watcher = Silent()
    stop_after(monkeypatch, 2)
    with pytest.raises(_StoppedError):
        carry_out(Shout(), source, str(out), watcher)
    assert watcher.said == [
        f"8 items are done and kept in {out}.part: repeat the command to resume"
    ]


def in_another_process(source, out, task, before=""):
    script = f"""
import sys
from ists.errors import IstsError
from ists.runs import journal
from ists.runs.run import _version, carry_out
from ists.runs.sources import Sentences
from tests.runs.tasks import *
journal._SECONDS_BETWEEN = 0.0
{before}
try:
    carry_out({task!r}, {source!r}, {str(out)!r}, Silent())
except IstsError as error:
    sys.exit(str(error))
"""
    return subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("line", [2, 5, 16, 30])
def test_a_killed_run_is_resumed(source, out, tmp_path, line):
    text = [*LINES]
    text[line - 1] = "die"
    Path(source.file).write_text("\n".join(text) + "\n")
    task = Deadly(trace=str(tmp_path / "trace"))
    assert in_another_process(source, out, task).returncode == -signal.SIGKILL
    assert not out.exists()
    run(source, out, task)
    assert out.read_text() == WHOLE.replace(f"LINE {line}!", "DIE!")


def test_a_full_disk_keeps_what_is_done(source, out):
    """A limit on the size of files makes writing fail as a full disk does."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (350, 350))"
    # The journal has its own size: only the output must be too large.
    short = "journal.ResumableOutput._update_journal = lambda self: None"
    Path(source.file).write_text("".join(f"{line} {'x' * 20}\n" for line in LINES))
    done = in_another_process(source, out, Shout(), f"{limit}\n{short}")
    assert done.returncode == 1
    assert done.stderr == f"{out}: cannot be written: file too large\n"
    assert not out.exists()
    assert Path(f"{out}.part").stat().st_size == 350
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 350


def test_a_run_is_resumed_after_a_full_disk(source, out, monkeypatch):
    with monkeypatch.context() as patch:
        usual = os.write
        written = count(1)

        def write(handle, data):
            if next(written) < 4:
                return usual(handle, data)
            usual(handle, data[:5])
            raise OSError(28, "No space left on device")

        patch.setattr(os, "write", write)
        with pytest.raises(FormatError, match="cannot be written: no space left"):
            run(source, out)
    run(source, out)
    assert out.read_text() == WHOLE


def test_a_run_that_stops_in_its_first_block_leaves_nothing(source, out):
    Path(source.file).write_text("line 1\nbad\nline 3\n")
    out.write_text("precious")
    with pytest.raises(FormatError, match=r"in\.txt:2: too bad"):
        run(source, out)
    assert out.read_text() == "precious"
    assert left_beside(out) == ["out.txt"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("input", "input in.txt has changed"),
        ("option", '--mark was "!" and is "?"'),
        ("version", "ists was"),
    ],
)
def test_changed_options_and_inputs_are_named(source, out, monkeypatch, change, words):
    stopped(source, out, monkeypatch)
    before = {path.name: path.read_bytes() for path in out.parent.glob("out*")}
    task = Shout("?") if change == "option" else Shout()
    if change == "input":
        Path(source.file).write_text("\n".join(LINES).replace("line 30", "line 31") + "\n")
    if change == "version":
        monkeypatch.setattr("ists.runs.run.__version__", "99")
    with pytest.raises(IstsError, match="after 8 items and cannot be resumed") as rejection:
        run(source, out, task)
    assert words in str(rejection.value)
    assert "--restart" in str(rejection.value)
    assert {path.name: path.read_bytes() for path in out.parent.glob("out*")} == before
    run(source, out, task, restart=True)
    assert out.read_text().startswith("<all>\nLINE 1")
    assert left_beside(out) == ["out.txt"]


def test_other_inputs_are_not_called_changed():
    found = journal.differences(
        {"input a.txt": "1", "input b.txt": "2"}, {"input b.txt": "3", "input c": 4}
    )
    assert found == [
        "input a.txt is not given now",
        "input b.txt has changed",
        "input c was not given then",
    ]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 9}', '{"format": 1, "done": 3}'])
def test_a_broken_journal_is_rejected(source, out, monkeypatch, text):
    stopped(source, out, monkeypatch)
    Path(f"{out}.journal").write_text(text)
    with pytest.raises(IstsError, match="not a journal of ists"):
        run(source, out)
    run(source, out, restart=True)
    assert out.read_text() == WHOLE


def test_a_truncated_part_file_is_rejected(source, out, monkeypatch):
    stopped(source, out, monkeypatch)
    Path(f"{out}.part").write_text("LINE")
    with pytest.raises(IstsError, match="shorter than recorded in its journal"):
        run(source, out)


def test_a_file_that_is_not_ours_is_not_written_over(source, out):
    Path(f"{out}.part").write_text("precious")
    with pytest.raises(IstsError, match="already exists, but has no journal"):
        run(source, out)
    assert Path(f"{out}.part").read_text() == "precious"


@pytest.mark.parametrize("name", ["out.txt.part", "out.txt.journal", "out.txt.errors.jsonl"])
def test_an_auxiliary_file_of_the_output_cannot_be_the_input(source, out, name):
    file = Path(source.file).rename(out.with_name(name))
    with pytest.raises(FormatError, match=rf"{name}: is read by this command"):
        run(Sentences(str(file), "txt"), out, restart=True)
    assert list(out.parent.iterdir()) == [file]


def test_a_folder_cannot_be_the_output(source, tmp_path):
    for folder in (tmp_path, "/"):
        with pytest.raises(FormatError, match="is a directory, expected a file name"):
            run(source, folder)


def test_two_runs_do_not_write_the_same_file(source, out):
    with Path(f"{out}.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(IstsError, match="another run is writing this file"):
            run(source, out)


def without_locks(monkeypatch, *modules):
    """Simulate a system without these modules."""
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)  # importing it fails
    monkeypatch.setattr(journal, "OPEN_FILES_CAN_BE_MOVED", False)


def test_a_run_needs_no_locks(source, out, monkeypatch):
    without_locks(monkeypatch, "fcntl", "msvcrt")
    stopped(source, out, monkeypatch)
    _, watcher = run(source, out)
    assert out.read_text() == WHOLE
    assert left_beside(out) == ["out.txt"]
    assert watcher.said == [
        f"this system has no file locks: make sure that no other run writes {out} at the same time"
    ]


def test_a_locked_run_prints_no_warning_about_locks(source, out):
    assert run(source, out)[1].said == []


def test_windows_locks_are_used(source, out, monkeypatch):
    without_locks(monkeypatch, "fcntl")
    held = set()

    def locking(handle, mode, length):
        assert (mode, length) == (2, 1)
        file = os.fstat(handle).st_ino
        if file in held:
            raise PermissionError(13, "Permission denied")
        held.add(file)

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    _, watcher = run(source, out)
    assert out.read_text() == WHOLE
    assert watcher.said == []
    with Path(f"{out}.part").open("wb") as other:
        held.add(os.fstat(other.fileno()).st_ino)
        with pytest.raises(IstsError, match="another run is writing this file"):
            run(source, out)


def test_the_journals_can_be_imported_without_fcntl():
    script = "import sys; sys.modules['fcntl'] = None; import ists.runs.run, ists.annotate.journal"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_run_killed_while_renaming_is_finished_by_the_next(source, out, monkeypatch, step):
    Path(source.file).write_text("good\nbad\n")
    with monkeypatch.context() as patch:
        steps = count(1)
        usual = Path.replace

        def replace(self, target):
            if "journal" not in self.name and next(steps) == step:
                raise _StoppedError
            return usual(self, target)

        patch.setattr(Path, "replace", replace)
        if step == 3:
            patch.setattr(Path, "unlink", lambda self, missing_ok=False: stop())
        with pytest.raises(_StoppedError):
            run(source, out, on_error="skip")
    assert Path(f"{out}.journal").exists()
    run(source, out, on_error="skip")
    assert out.read_text() == "<all>\nGOOD!\n</all>\n"
    assert left_beside(out) == ["out.txt", "out.txt.errors.jsonl"]


def stop():
    raise _StoppedError


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("blocks", [None, 1, 3])
def test_invalid_lines_are_listed_with_their_reason(source, out, monkeypatch, workers, blocks):
    text = [f"bad {line}" if n % 7 == 3 else line for n, line in enumerate(LINES)]
    Path(source.file).write_text("\n".join(text))
    if blocks is not None:
        stopped(source, out, monkeypatch, blocks, on_error="skip", workers=workers)
    summary, _ = run(source, out, on_error="skip", workers=workers)
    assert (summary.items, summary.rejected) == (30, 4)
    assert out.read_text().count("\n") == 26 + 2
    assert summary.errors == f"{out}.errors.jsonl"
    assert [json.loads(line) for line in Path(summary.errors).read_text().splitlines()] == [
        {"file": source.file, "line": n, "reason": "too bad", "input": f"bad line {n}"}
        for n in (4, 11, 18, 25)
    ]


def test_a_run_that_stopped_at_an_invalid_line_can_skip_it(source, out):
    text = [*LINES]
    text[9] = "bad"
    Path(source.file).write_text("\n".join(text))
    with pytest.raises(FormatError, match=":10: too bad"):
        run(source, out)
    summary, watcher = run(source, out, on_error="skip")
    assert watcher.begun == [(9, 30)]
    assert (summary.items, summary.rejected) == (30, 1)
    assert out.read_text() == WHOLE.replace("LINE 10!\n", "")


def test_the_errors_file_of_an_earlier_run_is_removed(source, out):
    Path(source.file).write_text("bad\n")
    run(source, out, on_error="skip")
    assert left_beside(out) == ["out.txt", "out.txt.errors.jsonl"]
    Path(source.file).write_text("good\n")
    run(source, out)
    assert left_beside(out) == ["out.txt"]


def test_the_errors_file_is_truncated_to_the_journals_length(source, out):
    Path(source.file).write_text("good\nbad\n")
    Path(f"{out}.errors.jsonl.part").write_text("of a run that was killed in its first second\n")
    summary, _ = run(source, out, on_error="skip")
    (line,) = Path(summary.errors).read_text().splitlines()
    assert json.loads(line)["input"] == "bad"


def test_a_run_stopped_after_the_last_item_is_finished_by_the_next(source, out, monkeypatch):
    with monkeypatch.context() as patch:
        usual = journal.ResumableOutput.end

        def end(self, foot):
            usual(self, foot)
            raise _StoppedError

        patch.setattr(journal.ResumableOutput, "end", end)
        with pytest.raises(_StoppedError):
            run(source, out)
    assert not out.exists()
    run(source, out)
    assert out.read_text() == WHOLE
    assert left_beside(out) == ["out.txt"]


def test_a_pipe_is_written_directly(source, tmp_path):
    Path(source.file).write_text("good\nbad\n")
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE) as reader:
        summary, watcher = run(source, fifo, on_error="skip")
        assert reader.stdout.read() == b"<all>\nGOOD!\n</all>\n"
    assert (summary.rejected, summary.errors) == (1, None)
    assert watcher.said == [f"skipped: {source.file}:2: too bad"]


def sentences(taken):
    for number in count(1):
        taken.append(number)
        yield InputLine(InputSentence(f"line {number}"), number, "endless")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fast_reader_waits_for_the_workers(workers):
    """With endless input, only a few blocks are in progress at a time."""
    taken = []
    stream = outcomes(Shout(), sentences(taken), workers)
    for _ in range(5):
        assert len(next(stream)) == 4
    stream.close()
    assert len(taken) <= 4 * (5 + 2 * workers + 1)


def test_a_killed_worker_is_reported_and_the_run_can_be_resumed(source, out, tmp_path):
    text = [*LINES]
    text[20] = "die"
    Path(source.file).write_text("\n".join(text) + "\n")
    task = Deadly(trace=str(tmp_path / "trace"))
    with pytest.raises(IstsError, match="a worker process was killed"):
        run(source, out, task, workers=2)
    run(source, out, task, workers=2)
    assert out.read_text() == WHOLE.replace("LINE 21!", "DIE!")


def test_workers_end_with_their_parent(source, out, tmp_path):
    trace = tmp_path / "trace"
    task = Waiting(trace=str(trace))
    context = multiprocessing.get_context("spawn")
    parent = context.Process(
        target=carry_out, args=(task, source, str(out), Silent()), kwargs={"workers": 2}
    )
    parent.start()
    wait_until(lambda: trace.exists() and trace.read_text())
    worker = int(trace.read_text())
    parent.kill()
    parent.join()
    wait_until(lambda: not is_running(worker))


class _Warned(InputLine):
    """A sentence that was repaired."""

    warnings = ("in.txt:2: repaired",)


def test_warnings_are_shown_once_and_counted_in_every_run(source, out, monkeypatch):
    usual = Sentences.items

    def items(self):
        for item in usual(self):
            yield _Warned(*item) if item.line in (2, 20) else item

    monkeypatch.setattr(Sentences, "items", items)
    watcher = Silent()
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(_StoppedError):
            carry_out(Shout(), source, str(out), watcher)
    assert watcher.said[0] == "warning: in.txt:2: repaired"
    summary, watcher = run(source, out)
    assert watcher.said == ["warning: in.txt:2: repaired"]  # warnings of the second such item
    assert summary.repaired == 2
    assert out.read_text() == WHOLE


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at /proc")
@pytest.mark.parametrize("moment", ["when they are started", "when they work"])
def test_no_process_of_a_killed_command_remains(tmp_path, moment):
    file, out = tmp_path / "p.tsv", tmp_path / "out.wa"
    file.write_text("A cat sits on the mat .\tA dog sat near the mat .\n" * 3000)
    mark = f"ISTS_TEST_RUN={tmp_path}"
    command = [sys.executable, "-m", "ists", "align", str(file), "-o", str(out), "--workers", "2"]
    with subprocess.Popen(
        [*command, "--baseline"],
        cwd=ROOT,
        env={**os.environ, "ISTS_TEST_RUN": str(tmp_path)},
        stderr=subprocess.DEVNULL,
    ) as parent:
        part = Path(f"{out}.part")
        if moment == "when they work":
            wait_until(lambda: part.exists() and part.stat().st_size)
        wait_until(lambda: len(processes_with(mark)) > 2)
        parent.kill()
    wait_until(lambda: not processes_with(mark))


def test_versions_are_those_of_the_packages_metadata():
    for package in ("numpy", "onnxruntime", "click"):
        assert _version(package) == metadata.version(package)
    assert _version("no-such-package") is None
