import json
import shutil
import subprocess
import sys

import pytest

from ists import read
from ists.models import write_card
from ists.resources import models_path
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
    assert figures["ali"] > 0.85


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


def test_a_profile_tells_where_the_time_went(ists, sentences, tmp_path):
    outcome = ists("align", *sentences, "-o", tmp_path / "out.wa", "--profile")
    assert outcome.code == 0
    stages = [line[:12].strip() for line in outcome.err.splitlines()]
    assert stages[0] == "stage"
    assert {"encoder", "pair scores", "features", "trees", "writing"} <= set(stages)
    assert stages[-1] == "whole run"
    assert ists("align", *sentences, "--profile", "--workers", "2").code == 2


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
    assert "default, pilot" in outcome.err
    assert "chunker" not in outcome.err


def test_a_model_of_another_kind_is_refused(ists, sentences):
    outcome = ists("align", *sentences, "--model", "chunker")
    assert outcome.code == 1
    assert "of kind 'chunker', expected 'aligner'" in outcome.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pairs.tsv", "[ A cat sleeps ]\t[ A cat ] [ is sleeping ]\n"),
        ("pairs.jsonl", '{"sentence1": "[ A cat sleeps ]", "sentence2": "[ A cat ] [ sits ]"}\n'),
    ],
)
def test_brackets_in_pairs_are_given_chunks(ists, tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    assert "1 2 3 <==> " in ists("align", file).out
    assert "[" in ists("align", file, "--chunks", "auto").out


def test_one_line_without_brackets_is_named(ists, tmp_path):
    file = tmp_path / "x.chunk.txt"
    file.write_text("[ A cat ] [ sits ]\nA dog runs\n")
    outcome = ists("align", file, file)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{file}:2: is not bracketed, unlike the lines before")
    file.write_text("[ A cat ] [ sits ]\n[ A dog ] [ runs\n")
    assert ists("align", file, file).err.startswith(f"{file}:2: a bracket is not closed")


def test_a_repeated_id_is_named(ists, tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "1", "sentence1": "A", "sentence2": "B"}\n' * 2)
    assert ists("align", file).err.startswith(f"{file}:2: pair 1: this id stands")


def test_invalid_bytes_in_prose_pass(ists, tmp_path):
    file, out = tmp_path / "x.txt", tmp_path / "out.wa"
    file.write_bytes(b"The caf\xe9 closes, they say.\n")
    assert ists("align", file, file, "-o", out).code == 0
    assert b"caf\xe9" in out.read_bytes()
    assert ists("chunk", "--tokens", "spacy", file, "-o", out).code == 0


@pytest.mark.parametrize(
    ("file", "content"),
    [("pairs.npz", "labeler.npz"), ("pairs.npz", "model.json"), ("reader.onnx", "chunker")],
)
def test_a_foreign_file_with_a_proper_hash_is_told(ists, sentences, tmp_path, file, content):
    folder = shutil.copytree(models_path("pilot"), tmp_path / "mine")
    source = models_path("chunker", "network.onnx") if content == "chunker" else folder / content
    shutil.copy(source, folder / file)
    card = json.loads((folder / "model.json").read_text())
    write_card(folder, {k: v for k, v in card.items() if k != "files"}, list(card["files"]))
    outcome = ists("align", *sentences, "--model", folder)
    assert outcome.code == 1
    assert len(outcome.err.splitlines()) == 1
    assert file in outcome.err
    assert "pickle" not in outcome.err


@pytest.mark.parametrize("threshold", [None, "high"])
def test_a_card_without_a_threshold_is_told(ists, sentences, tmp_path, threshold):
    folder = shutil.copytree(models_path("pilot"), tmp_path / "mine")
    card = json.loads((folder / "model.json").read_text())
    write_card(folder, {**card, "threshold": threshold}, list(card["files"]))
    outcome = ists("align", *sentences, "--model", folder)
    assert outcome.code == 1
    assert "no link threshold" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["x.txt"],
        ["-"],
        ["-", "-"],
        ["a.txt", "b.txt", "--baseline", "--threshold", "0.5"],
        ["a.txt", "b.txt", "--baseline", "--model", "default"],
        ["a.txt", "b.txt", "--baseline", "--matrix", "--format", "jsonl"],
        ["a.txt", "b.txt", "--why"],
        ["a.txt", "b.txt", "--from", "tsv"],
        ["a.txt", "b.txt", "--threshold", "2"],
        ["a.txt", "b.txt", "--threshold", "nan"],
    ],
)
def test_wrong_usage_ends_with_2(ists, arguments):
    assert ists("align", *arguments).code == 2


def test_the_baseline_does_not_pass_over_a_model_in_silence(ists):
    outcome = ists("align", *CHUNKS, "--baseline", "--model", "pilot")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.endswith("Error: --baseline knows no --model\n")
