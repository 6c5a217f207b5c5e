"""``ists annotate`` up to the moment its page is served."""

import signal
import socket
import subprocess
import sys

import pytest

from tests.conftest import EXAMPLES, ROOT
from tests.samples import CAT_WA


@pytest.fixture
def sentences(tmp_path):
    one, two = tmp_path / "s1.txt", tmp_path / "s2.txt"
    one.write_text("A cat sleeps .\n")
    two.write_text("A cat is sleeping .\n")
    return one, two


def test_two_files_need_an_output(ists, sentences):
    outcome = ists("annotate", *sentences)
    assert outcome.code == 2
    assert "need -o GOLD.wa" in outcome.err


def test_standard_input_cannot_be_annotated(ists, sentences):
    assert ists("annotate", "-", sentences[1], "-o", "x.wa").code == 2
    assert ists("annotate", *sentences, "-o", "-").code == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no sentence pair found"),
        (CAT_WA.replace("1 2 3 <==>", "1 3 <==>"), ":19: pair 1: chunk '1 3' is not contiguous"),
        (CAT_WA.replace("4 <==> 3 4", "3 <==> 3 4"), ":20: pair 1: token 3 of sentence 1 is used"),
    ],
)
def test_a_file_that_cannot_be_annotated_is_one_clear_line(ists, tmp_path, text, reason):
    gold = tmp_path / "gold.wa"
    gold.write_text(text)
    outcome = ists("annotate", gold)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{gold}:")
    assert reason in outcome.err
    assert outcome.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["gold.wa"]
    assert gold.read_text() == text


def test_a_file_that_is_not_there_leaves_nothing_behind(ists, tmp_path):
    outcome = ists("annotate", tmp_path / "gold.wa")
    assert outcome.code == 1
    assert "no such file" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_files_of_different_length_are_rejected(ists, sentences, tmp_path):
    sentences[1].write_text("One .\nTwo .\n")
    outcome = ists("annotate", *sentences, "-o", tmp_path / "gold.wa")
    assert outcome.code == 1
    assert "has 1 lines and" in outcome.err
    assert not (tmp_path / "gold.wa").exists()


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_files_without_a_sentence_are_rejected(ists, sentences, tmp_path, text):
    for file in sentences:
        file.write_text(text)
    outcome = ists("annotate", *sentences, "-o", tmp_path / "gold.wa")
    assert outcome.code == 1
    assert outcome.err == f"{sentences[0]}: no sentence found, expected one per line\n"
    assert sorted(tmp_path.iterdir()) == sorted(sentences)


def test_a_port_in_use_is_said_before_a_file_is_made(ists, sentences, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = ists("annotate", *sentences, "-o", tmp_path / "gold.wa", "--port", port)
    assert outcome.code == 1
    assert outcome.err == f"port {port} is in use; --port 0 chooses a free one\n"
    assert sorted(tmp_path.iterdir()) == sorted(sentences)


def test_a_model_that_is_not_there_is_said_before_anything_is_served(ists, sentences, tmp_path):
    outcome = ists("annotate", *sentences, "-o", tmp_path / "gold.wa", "--suggest", "nonsense")
    assert outcome.code == 1
    assert "nonsense" in outcome.err
    assert sorted(tmp_path.iterdir()) == sorted(sentences)


def test_without_the_packages_of_the_page_their_name_is_reported(ists, sentences, monkeypatch):
    monkeypatch.setattr("ists.cli.annotate.find_spec", lambda name: None)
    outcome = ists("annotate", *sentences, "-o", "gold.wa")
    assert outcome.code == 1
    assert outcome.err == (
        "the annotation page needs starlette and uvicorn: pip install 'ists[web]'\n"
    )


def test_ctrl_c_ends_it_well(tmp_path):
    gold = tmp_path / "gold.wa"
    gold.write_bytes((EXAMPLES / "gold.wa").read_bytes())
    command = [sys.executable, "-m", "ists", "annotate", str(gold), "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "8 of 8 pairs done; all changes are saved" in err
    assert "Traceback" not in err
    assert out == ""


def test_a_table_needs_an_output_and_files_no_columns(ists, sentences, tmp_path):
    table = tmp_path / "p.csv"
    table.write_text("A cat,A dog\n")
    outcome = ists("annotate", table)
    assert outcome.code == 2
    assert "PAIRS needs -o GOLD.wa" in outcome.err
    for arguments in ((*sentences, "-o", "x.wa"), (EXAMPLES / "gold.wa",)):
        outcome = ists("annotate", *arguments, "--columns", "1,2")
        assert outcome.code == 2
        assert "--columns requires PAIRS, one file of pairs that are not aligned" in outcome.err


def test_the_output_is_named_as_the_format_that_is_written(ists, sentences, tmp_path):
    out = tmp_path / "ann.jsonl"
    for arguments in (sentences, ("--adjudicate", *sentences)):
        outcome = ists("annotate", *arguments, "-o", out, "--port", "0")
        assert outcome.code == 2
        assert "ann.jsonl' ends in '.jsonl', expected .wa" in outcome.err
    assert not out.exists()


def test_a_table_whose_columns_are_not_certain_leaves_nothing_behind(ists, tmp_path):
    table = tmp_path / "p.csv"
    table.write_text("left,right,remark\nA cat,A dog,a b\n")
    outcome = ists("annotate", table, "-o", tmp_path / "gold.wa", "--port", "0")
    assert outcome.code == 1
    assert "--columns with two of 1 'left', 2 'right', 3 'remark'" in outcome.err
    assert list(tmp_path.iterdir()) == [table]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "missing pairs"),
        (["a.wa", "--order", "uncertain"], "--order uncertain requires --suggest"),
        (["--adjudicate", "a.wa", "-o", "g.wa"], "--adjudicate needs A.wa, B.wa and -o GOLD.wa"),
        (["--adjudicate", "a.wa", "b.wa", "-o", "g.wa", "--suggest", "x"], "cannot be combined"),
        (["a.wa", "--annotators", "a,b"], "require --assign FOLDER"),
        (["a.wa", "--export", "x"], "require --assign FOLDER"),
        (["--assign", "x", "-o", "g.wa"], "cannot be combined with -o"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(ists, arguments, reason):
    outcome = ists("annotate", *arguments, "--port", "0")
    assert outcome.code == 2
    assert reason in outcome.err


def test_a_folder_is_created_served_and_exported(ists, tmp_path):
    pairs = tmp_path / "p.csv"
    pairs.write_text("A cat sleeps,A cat naps\nSnow falls,It snows\n")
    folder = tmp_path / "work"
    outcome = ists("annotate", "--assign", folder, "--port", "0")
    assert outcome.code == 1
    assert "--annotators creates a folder" in outcome.err
    assert ists("annotate", pairs, "--assign", folder, "--port", "0").code == 2
    outcome = ists("annotate", pairs, "--assign", folder, "--annotators", "a,../b", "--port", "0")
    assert outcome.code == 2
    assert not folder.exists()
    command = [sys.executable, "-m", "ists", "annotate", str(pairs), "--assign", str(folder)]
    command += ["--annotators", "anna,ben", "--overlap", "50", "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        lines = [process.stdout.readline().split("\t") for _ in range(3)]
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert [line[0] for line in lines] == ["(progress of all)", "anna", "ben"]
    assert len({line[1] for line in lines}) == 3
    assert "0 of 3 pairs done; all changes are saved" in err
    outcome = ists("annotate", "--assign", folder, "--export", tmp_path / "out")
    assert outcome.code == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["anna.wa", "ben.wa", "provenance.jsonl"]


def test_two_files_are_adjudicated(ists, tmp_path):
    gold = tmp_path / "gold.wa"
    command = [sys.executable, "-m", "ists", "annotate", "--adjudicate"]
    command += [str(EXAMPLES / "gold.wa"), str(EXAMPLES / "gold.wa"), "-o", str(gold)]
    with subprocess.Popen(
        [*command, "--port", "0"],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert "8 of 8 pairs done" in err
    assert ists("check", "--guidelines", gold).code == 0
    record = (tmp_path / "gold.wa.record.jsonl").read_text()
    assert len(record.splitlines()) == 8
