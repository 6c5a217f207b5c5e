"""Long runs by the command line: every kind of input, invalid lines, interruption."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.waiting import wait_until

SENTENCES = [
    ("A tabby cat sleeps on the roof .", "A cat is sleeping ."),
    ("Shares climb after bank report", "Shares tumble after bank report"),
    ("Three hikers reach the summit", "Two climbers reach a hut"),
    ("The ferry is late today .", "Today the boat is not on time ."),
]
TOO_LONG = "word " * 700


def tsv(pairs):
    return "".join(f"{one}\t{two}\n" for one, two in pairs)


@pytest.fixture
def tables(tmp_path):
    """The same pairs in every format."""
    import pyarrow as pa
    from pyarrow import parquet

    ones, twos = zip(*SENTENCES, strict=True)
    (tmp_path / "p.tsv").write_text(tsv(SENTENCES))
    (tmp_path / "scored.tsv").write_text(tsv([("4.5\t" + a, b) for a, b in SENTENCES]))
    (tmp_path / "p.csv").write_text(
        "sentence1,sentence2\n" + "".join(f'"{one}","{two}"\n' for one, two in SENTENCES)
    )
    (tmp_path / "p.jsonl").write_text(
        "".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in SENTENCES)
    )
    parquet.write_table(pa.table({"sentence1": ones, "sentence2": twos}), tmp_path / "p.parquet")
    for name, lines in (("1.txt", ones), ("2.txt", twos)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "format_"),
    [("align", "wa"), ("align", "jsonl"), ("align", "xml"), ("similarity", "jsonl")],
)
def test_every_kind_of_input_gives_the_same_output(ists, tables, command, format_):
    inputs = [["1.txt", "2.txt"], ["p.tsv"], ["scored.tsv"], ["p.csv"], ["p.jsonl"], ["p.parquet"]]
    outputs = set()
    for number, files in enumerate(inputs):
        out = tables / f"{number}.{format_}"
        assert ists(command, *(tables / file for file in files), "-o", out).code == 0
        outputs.add(out.read_bytes())
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("p.tsv", "1"),
        ("p.csv", "1"),
        ("p.csv", "sentence1"),
        ("p.jsonl", "sentence1"),
        ("p.parquet", "sentence1"),
    ],
)
def test_a_column_of_a_table_is_chunked(ists, tables, file, column):
    expected = ists("chunk", tables / "1.txt").out
    assert ists("chunk", tables / file, "--column", column).out == expected
    assert ists("chunk", tables / file, "--column", column, "-o", tables / "o", "--workers", 2)
    assert (tables / "o").read_text() == expected


@pytest.mark.parametrize(
    "arguments", [["1.txt", "--column", "1"], ["p.tsv", "--column", "x"], ["p.tsv", "--json"]]
)
def test_a_column_of_a_text_file_is_wrong_usage(ists, tables, arguments):
    assert ists("chunk", tables / arguments[0], *arguments[1:]).code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["p.tsv", "--column", "3"], "p.tsv:1: 2 columns, expected a column 3"),
        (["p.jsonl"], "p.jsonl:1: no 'sentence' among the keys 'sentence1', 'sentence2'"),
        (["p.parquet", "--column", "text"], "p.parquet:1: no 'text', expected a string"),
    ],
)
def test_a_column_that_is_missing_is_named(ists, tables, arguments, words):
    outcome = ists("chunk", tables / arguments[0], *arguments[1:])
    assert outcome.code == 1
    assert words in outcome.err


def test_the_list_of_skipped_lines_is_named_as_the_output_is(ists, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.tsv").write_text(tsv(SENTENCES[:1]) + "no tab\n")
    outcome = ists("align", "p.tsv", "--baseline", "-o", "out.wa", "--on-error", "skip")
    assert outcome.err == "1 of 2 were skipped, listed in out.wa.errors.jsonl\n"
    assert (tmp_path / "out.wa.errors.jsonl").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_invalid_lines_can_be_skipped(ists, tmp_path, workers):
    file, out = tmp_path / "p.tsv", tmp_path / "out.wa"
    good = tsv(SENTENCES[:1])
    file.write_text(f"{good}no tab\n{good}{TOO_LONG}\tword\n{good}")
    rejected = ists("align", file, "-o", out)
    assert rejected.code == 1
    assert rejected.err.startswith(f"{file}:2: 'no tab' has no tab")
    skipping = ists("align", file, "-o", out, "--on-error", "skip", "--workers", workers)
    assert skipping.code == 1
    assert skipping.err == f"2 of 5 were skipped, listed in {out}.errors.jsonl\n"
    assert out.read_text().count("<sentence ") == 3
    listed = [json.loads(line) for line in Path(f"{out}.errors.jsonl").read_text().splitlines()]
    assert [(one["line"], one["file"]) for one in listed] == [(2, str(file)), (4, str(file))]
    assert listed[0]["input"] == "no tab"
    assert "703 word pieces" in listed[1]["reason"] or "704 word pieces" in listed[1]["reason"]


def test_a_pair_that_is_too_long_is_reported_with_its_line(ists, tables):
    with (tables / "1.txt").open("a") as one, (tables / "2.txt").open("a") as two:
        one.write(TOO_LONG + "\n")
        two.write("word\n")
    outcome = ists("align", tables / "1.txt", tables / "2.txt", "-o", tables / "out.wa")
    assert outcome.code == 1
    assert outcome.err.startswith(f"{tables / '1.txt'}:5: pair 5: the two sentences have ")


def test_a_pair_that_the_format_cannot_hold_is_reported_with_its_line(ists, tmp_path):
    file = tmp_path / "p.jsonl"
    record = {"id": 'a"b', "sentence1": "A cat", "sentence2": "A dog"}
    file.write_text(json.dumps({**record, "id": 7}) + "\n" + json.dumps(record) + "\n")
    outcome = ists("align", file, "-o", tmp_path / "out.wa")
    assert outcome.code == 1
    assert outcome.err.startswith(f"{file}:2: pair 'a\"b': .wa cannot hold the id")
    assert ists("align", file, "-o", tmp_path / "out.jsonl").code == 0


def test_skipped_lines_of_a_pipe_are_reported(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "ists", "align", "-", "--from", "tsv", "--on-error", "skip"],
        input=tsv(SENTENCES[:1]) + "no tab\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.count("<sentence ") == 1
    assert done.stderr.splitlines() == [
        "skipped: <stdin>:2: 'no tab' has no tab, expected two sentences separated by one",
        "1 of 2 were skipped",
    ]


def test_two_pipes_are_read_once(tables):
    """As a shell gives them: ists align <(…) <(…)."""
    command = f"{sys.executable} -m ists align <(cat {tables}/1.txt) <(cat {tables}/2.txt)"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("<sentence ") == len(SENTENCES)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"nonsense", "is not a Parquet file"),
        (b"PAR1" + b"\0" * 40 + b"PAR1", "is not a Parquet file"),
    ],
)
def test_a_file_that_is_not_parquet_is_reported(ists, tmp_path, data, words):
    file = tmp_path / "p.parquet"
    file.write_bytes(data)
    outcome = ists("align", file, "-o", tmp_path / "out.wa")
    assert outcome.code == 1
    assert outcome.err.startswith(f"{file}: {words}")
    assert len(outcome.err.splitlines()) == 1


def test_a_missing_parquet_file_is_reported(ists, tmp_path):
    outcome = ists("align", tmp_path / "p.parquet", "-o", tmp_path / "out.wa")
    assert outcome.err == f"{tmp_path / 'p.parquet'}: no such file or folder\n"


@pytest.mark.parametrize(("signal_", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_stopped_run_is_resumed_with_identical_output(ists, tmp_path, signal_, code):
    file, out, whole = tmp_path / "p.tsv", tmp_path / "out.wa", tmp_path / "whole.wa"
    file.write_text(tsv(SENTENCES * 10))
    arguments = ["align", str(file), "--batch-size", "2", "--baseline"]
    # A run that waits after 24 pairs until it is stopped.
    slow = (
        "import sys, time; from ists.cli import main; from ists.runs import journal, run\n"
        "journal._SECONDS_BETWEEN = 0.0\n"
        "advance = run.ResumableOutput.write\n"
        "def write(self, some):\n"
        "    advance(self, some)\n"
        "    while self.progress.items >= 24: time.sleep(0.01)\n"
        "run.ResumableOutput.write = write\n"
        "main()\n"
    )
    command = [sys.executable, "-c", slow, *arguments, "-o", str(out), "--workers", "2"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        journal = Path(f"{out}.journal")
        wait_until(lambda: journal.exists() and '"items": 24' in journal.read_text())
        process.send_signal(signal_)
        assert process.wait(timeout=30) == code
        if signal_ == signal.SIGINT:
            assert list(filter(None, process.stderr.read().splitlines())) == [
                f"24 items are done and kept in {out}.part: repeat the command to resume",
                "interrupted",
            ]
    assert not out.exists()
    changed = ists(*arguments, "-o", out, "--tokens", "spacy")
    assert changed.code == 1
    assert '--tokens was "auto" and is "spacy"' in changed.err
    assert ists(*arguments, "-o", out).err == "resuming after 24 items\n"
    assert ists(*arguments, "-o", whole).code == 0
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.wa", "p.tsv", "whole.wa"]


def test_chosen_columns_are_kept_when_a_run_is_resumed(ists, tmp_path):
    rows = "".join(f"{two},{one},{one} !\n" for one, two in SENTENCES * 3)
    file, out, whole = tmp_path / "p.csv", tmp_path / "out.wa", tmp_path / "whole.wa"
    file.write_text("right,left,more\n" + rows + 'bad "quote,x,y\n' + rows)
    arguments = ["align", file, "--batch-size", "2", "--baseline", "--columns", "left,right"]
    stopped = ists(*arguments, "-o", out)
    assert stopped.code == 1
    assert stopped.err.splitlines()[0].startswith("12 items are done")
    assert f"{file}:14: a quote inside a field without quotes" in stopped.err
    changed = ists(*arguments[:-1], "3,1", "-o", out)
    assert '--columns was "left,right" and is "3,1"' in changed.err
    for workers in (1, 2):
        skipping = [*arguments, "--on-error", "skip", "--workers", workers]
        assert ists(*skipping, "-o", whole).code == 1
        if workers == 1:
            first = whole.read_bytes()
    assert ists(*skipping, "-o", out).err.startswith("resuming after 12 items")
    assert out.read_bytes() == whole.read_bytes() == first
    assert b"// A tabby cat sleeps on the roof ." in first
