"""Any error in a file gives one clear line, exit code 1 and no change to the output."""

import gzip
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES
from tests.samples import CAT_WA

GOLD = EXAMPLES / "gold.wa"

BROKEN_FILES = {
    "empty": (b"", "no sentence pair found"),
    "binary": (b"\x00\x01\x02" * 50, "is a binary file"),
    "gzip": (gzip.compress(CAT_WA.encode()), "is gzip-compressed"),
    "truncated": (CAT_WA.encode()[:330], "truncated"),
    "orphan": (b"1 <==> 1 // EQUI // 5 // a <==> a\n", "an alignment before any <sentence>"),
    "repeated id": ((CAT_WA + CAT_WA).encode(), "this id is already in the file"),
    "prose": (b"It was a dark night.\n", "expected <sentence id="),
}
BROKEN_LINES = {
    "label": ("SPE1", "NICE", "label 'NICE'"),
    "score 7": ("SPE1 // 4", "SPE1 // 7", "score 7"),
    "score text": ("SPE1 // 4", "SPE1 // four", "score 'four'"),
    "token 0": ("1 2 3 <==>", "0 1 2 3 <==>", "token 0 inside a chunk"),
    "token past": ("1 2 3 <==>", "1 2 3 4 5 6 <==>", "token 6 is past the end"),
}


def assert_one_clear_line(outcome, file, words):
    assert outcome.code == 1
    (line,) = outcome.err.splitlines()
    assert line.startswith(str(file))
    assert words in line


@pytest.mark.parametrize("kind", BROKEN_FILES)
def test_broken_files_are_rejected_by_score_and_convert(ists, tmp_path, kind):
    data, words = BROKEN_FILES[kind]
    file, out = tmp_path / "x.wa", tmp_path / "out.jsonl"
    file.write_bytes(data)
    out.write_text("precious")
    assert_one_clear_line(ists("score", GOLD, file), file, words)
    assert_one_clear_line(ists("score", file, GOLD), file, words)
    assert_one_clear_line(ists("convert", file, out), file, words)
    assert out.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == [out, file]


@pytest.mark.parametrize("kind", BROKEN_FILES)
def test_broken_files_are_listed_by_check(ists, tmp_path, kind):
    data, words = BROKEN_FILES[kind]
    file = tmp_path / "x.wa"
    file.write_bytes(data)
    outcome = ists("check", file)
    assert outcome.code == 1
    assert words in outcome.out
    assert str(file) in outcome.out


@pytest.mark.parametrize("kind", BROKEN_LINES)
def test_broken_lines_are_named_by_convert_and_check(ists, tmp_path, kind):
    old, new, words = BROKEN_LINES[kind]
    file, out = tmp_path / "x.wa", tmp_path / "out.xml"
    file.write_text(CAT_WA.replace(old, new, 1))
    assert_one_clear_line(ists("convert", file, out), f"{file}:19: pair 1: ", words)
    assert not out.exists()
    outcome = ists("check", file)
    assert outcome.code == 1
    assert words in outcome.out


@pytest.mark.parametrize("command", [["score", GOLD], ["check"]])
def test_a_missing_file_and_a_folder_are_rejected(ists, tmp_path, command):
    missing = tmp_path / "missing.wa"
    for path, words in ((missing, "no such file"), (tmp_path, "is a directory")):
        outcome = ists(*command, path, *(["--from", "wa"] if command == ["check"] else []))
        assert outcome.code == 1
        assert f"{path}: {words}" in outcome.out + outcome.err


def test_output_into_a_missing_folder_is_rejected(ists, tmp_path):
    out = tmp_path / "nowhere" / "x.xml"
    assert_one_clear_line(ists("convert", GOLD, out), out, "cannot be written: no such file")


def test_an_unknown_extension_is_rejected(ists, tmp_path):
    out = tmp_path / "x.docx"
    assert_one_clear_line(ists("convert", GOLD, out), out, "unknown format '.docx'")


def test_standard_output_is_never_replaced(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text("precious\n")
    command = [sys.executable, "-m", "ists", "convert", str(GOLD), "/dev/stdout", "--to", "jsonl"]
    with log.open("ab") as stream:
        subprocess.run(command, stdout=stream, check=True)
    lines = log.read_text().splitlines()
    assert lines[0] == "precious"
    assert len(lines) == 9


def test_a_full_device_is_reported(ists):
    outcome = ists("convert", GOLD, "/dev/full", "--to", "jsonl")
    assert_one_clear_line(outcome, "/dev/full", "cannot be written: no space left")


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", GOLD, GOLD],
        ["score", GOLD, GOLD, "--format", "json", "--per-pair", "--confusion"],
        ["check", "--stats", GOLD],
        ["convert", GOLD, "-", "--to", "jsonl"],
    ],
)
def test_standard_output_that_cannot_be_written_is_named(arguments):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ists", *map(str, arguments)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "<stdout>: cannot be written: no space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "closed", "words"),
    [
        (["score", str(GOLD), "-"], 0, "<stdin>: is closed"),
        (["convert", str(GOLD), "-", "--to", "xml"], 1, "<stdout>: is closed"),
    ],
)
def test_a_closed_standard_stream_is_reported(arguments, closed, words):
    done = subprocess.run(
        [sys.executable, "-m", "ists", *arguments],
        preexec_fn=lambda: os.close(closed),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == f"{words}\n"


def test_a_terminated_run_leaves_nothing_behind(tmp_path):
    fifo, out = tmp_path / "in.wa", tmp_path / "out.xml"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "ists", "convert", str(fifo), str(out)]
    with subprocess.Popen(command) as process, fifo.open("wb") as stream:
        stream.write(CAT_WA.encode())
        stream.flush()
        while not list(tmp_path.glob(".out*")):
            time.sleep(0.01)
        process.terminate()
        assert process.wait(timeout=10) == 143
    assert list(tmp_path.iterdir()) == [fifo]


def test_a_full_disk_leaves_no_half_written_file(tmp_path):
    """A limit on the size of files makes writing fail as a full disk does."""
    out = tmp_path / "out.xml"
    out.write_text("precious")
    done = subprocess.run(
        [sys.executable, "-m", "ists", "convert", str(GOLD), str(out)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == f"{out}: cannot be written: file too large\n"
    assert out.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [out]


def test_a_closed_pipe_is_not_an_error():
    command = [sys.executable, "-m", "ists", "check", "--stats", *([str(GOLD)] * 3000)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(str(GOLD).encode())
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    "command",
    [
        ("align", "in.tsv", "--baseline", "--format", "wa", "-o", "in.tsv"),
        ("similarity", "in.tsv", "-o", "link.tsv"),
        ("chunk", "in.tsv", "-o", "./in.tsv"),
        ("render", "in.tsv", "--from", "wa", "-o", "in.tsv"),
        ("report", GOLD, "in.tsv", "-o", "in.tsv"),
        ("convert", "in.tsv", "--from", "wa", "--to", "wa", "in.tsv"),
        ("convert", GOLD, "--second", "in.tsv", "--from", "brackets", "--to", "wa", "link.tsv"),
        ("annotate", "--adjudicate", GOLD, "in.tsv", "--port", "0", "-o", "link.tsv"),
        ("bws", "tuples", "in.tsv", "-o", "in.tsv"),
        ("bws", "score", "in.tsv", "-o", "in.tsv"),
    ],
)
def test_the_output_never_replaces_the_input(ists, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.tsv").write_text("A cat sits .\tA dog sits .\n")
    (tmp_path / "link.tsv").symlink_to("in.tsv")
    outcome = ists(*command)
    assert_one_clear_line(outcome, command[-1], "is read by this command")
    assert (tmp_path / "in.tsv").read_text() == "A cat sits .\tA dog sits .\n"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_card_does_not_replace_the_figures(ists, tmp_path):
    card = tmp_path / "model.json"
    card.write_text("{}")
    outcome = ists("train", "chunker", "x.txt", "-o", tmp_path, "--figures", card)
    assert_one_clear_line(outcome, card, "is read by this command")
    assert card.read_text() == "{}"


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "not JSON"), ("{", "not JSON"), ("\xff", "not JSON"), ("[1]", "not a JSON object")],
)
def test_invalid_figures_are_rejected(ists, tmp_path, text, words):
    pytest.importorskip("torch", reason="the extra 'train' is not installed")
    file = tmp_path / "figures.json"
    file.write_bytes(text.encode("latin-1"))
    outcome = ists("train", "chunker", "x.txt", "-o", tmp_path / "m", "--figures", file)
    assert_one_clear_line(outcome, file, words)
