import json
import subprocess
import sys

import pytest

from ists import read
from tests.conftest import EXAMPLES

GOLD = EXAMPLES / "gold.wa"
CHUNKS = EXAMPLES / "sent1.chunk.txt", EXAMPLES / "sent2.chunk.txt"


@pytest.fixture
def sentences(tmp_path):
    files = tmp_path / "s1.txt", tmp_path / "s2.txt"
    files[0].write_text("A cat sleeps on the roof .\nShares climb\n")
    files[1].write_text("A tabby cat is sleeping .\nShares tumble\n")
    return files


def test_two_files_give_a_sound_wa_file(ists, sentences, tmp_path):
    out = tmp_path / "out.wa"
    outcome = ists("align", *sentences, "-o", out)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert ists("check", "--guidelines", out).code == 0
    assert [pair.id for pair in read(out)] == ["1", "2"]


def test_bracketed_files_are_taken_as_given_chunks(ists, tmp_path):
    out = tmp_path / "out.wa"
    assert ists("align", *CHUNKS, "-o", out).code == 0
    assert [p.chunks1 for p in read(out)] == [p.chunks1 for p in read(GOLD)]
    figures = json.loads(ists("score", GOLD, out, "--format", "json").out)["systems"][0]["f1"]
    assert figures["ali"] > 0.9


def test_the_baseline_is_an_option(ists, tmp_path):
    out = tmp_path / "out.wa"
    assert ists("align", *CHUNKS, "--baseline", "-o", out).code == 0
    labels = {a.label for pair in read(out) for a in pair.alignments}
    assert labels <= {"EQUI", "ALIC", "NOALI"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pairs.tsv", "A cat sleeps.\tA cat is sleeping.\n"),
        ("pairs.tsv", "4.5\tA cat sleeps.\tA cat is sleeping.\n"),
        ("pairs.jsonl", '{"sentence1": "A cat sleeps.", "sentence2": "A cat is sleeping."}\n'),
        (
            "pairs.jsonl",
            '{"chunks1": [["A", "cat"], ["sleeps"]], "tokens2": ["A", "cat", "is", "sleeping"]}\n',
        ),
    ],
)
def test_pairs_may_come_in_one_file(ists, tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    outcome = ists("align", file)
    assert outcome.code == 0
    assert "// EQUI // 5 // A cat <==> A cat" in outcome.out


def test_json_carries_confidence_evidence_and_matrix(ists, sentences):
    outcome = ists("align", *sentences, "--format", "jsonl", "--why", "--matrix")
    record = json.loads(outcome.out.splitlines()[1])
    opposite = record["alignments"][1]
    assert opposite["relation"] == "OPPO"
    assert 0 < opposite["confidence"]["label"] <= 1
    assert opposite["why"]
    assert len(record["matrix"]) == 2


def test_the_output_format_follows_the_extension(ists, sentences, tmp_path):
    assert ists("align", *sentences, "-o", tmp_path / "out.xml").code == 0
    assert len(list(read(tmp_path / "out.xml"))) == 2


def test_pairs_may_come_through_a_pipe():
    command = [sys.executable, "-m", "ists", "align", "-", "--from", "tsv"]
    text = b"A cat sleeps.\tA cat is sleeping.\n"
    done = subprocess.run(command, input=text, capture_output=True, check=True)
    assert b"<alignment>" in done.stdout
    assert done.stderr == b""


def test_files_of_different_length_are_refused_with_both_counts(ists, sentences, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("One line\n")
    out = tmp_path / "out.wa"
    outcome = ists("align", sentences[0], short, "-o", out)
    assert outcome.code == 1
    assert outcome.err == (
        f"{sentences[0]} has 2 lines and {short} has 1: "
        "line i of one goes with line i of the other\n"
    )
    assert not out.exists()


def test_brackets_in_one_file_only_are_refused(ists, sentences):
    outcome = ists("align", CHUNKS[0], sentences[1])
    assert outcome.code == 1
    assert "is bracketed, but" in outcome.err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.tsv", "no tab here\n", "x.tsv:1: 'no tab here' has no tab"),
        ("x.jsonl", '{"sentence1": "A"}\n', "x.jsonl:1: no 'sentence2'"),
        ("x.jsonl", "nonsense\n", "x.jsonl:1: no JSON"),
        ("x.jsonl", '{"chunks1": [[]], "sentence2": "A"}\n', "x.jsonl:1: 'chunks1' is no list"),
        ("x.tsv", "word " * 700 + "\tword\n", "pair 1: the two sentences have"),
    ],
)
def test_broken_input_is_named(ists, tmp_path, name, text, words):
    file = tmp_path / name
    file.write_text(text)
    outcome = ists("align", file, "-o", tmp_path / "out.wa")
    assert outcome.code == 1
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (tmp_path / "out.wa").exists()


def test_an_unknown_model_lists_those_there_are(ists, sentences):
    outcome = ists("align", *sentences, "--model", "nowhere")
    assert outcome.code == 1
    assert "no model 'nowhere'" in outcome.err
    assert "pilot" in outcome.err


def test_a_model_of_another_kind_is_refused(ists, sentences):
    outcome = ists("align", *sentences, "--model", "chunker")
    assert outcome.code == 1
    assert "of kind 'chunker', expected 'aligner'" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["x.txt"],
        ["-"],
        ["a.txt", "b.txt", "--why"],
        ["a.txt", "b.txt", "--from", "tsv"],
        ["a.txt", "b.txt", "--threshold", "2"],
    ],
)
def test_wrong_usage_ends_with_2(ists, arguments):
    assert ists("align", *arguments).code == 2
