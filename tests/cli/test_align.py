import json
import shutil
import subprocess
import sys

import pytest

from ists import read
from ists.compiled import kernels
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


def test_two_files_give_a_well_formed_wa_file(ists, sentences, tmp_path):
    out = tmp_path / "out.wa"
    outcome = ists("align", *sentences, "-o", out)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert ists("check", "--guidelines", out).code == 0
    assert [pair.id for pair in read(out)] == ["1", "2"]


def test_bracketed_files_are_given_chunks(ists, tmp_path):
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
        ("pairs.tsv", "A cat sleeps.\tA cat is sleeping.\t4.5\n"),
        (
            "pairs.tsv",
            "id\tsentence_A\tsentence_B\tlabel\n1\tA cat sleeps.\tA cat is sleeping.\tx\n",
        ),
        ("pairs.csv", 'sentence1,sentence2\n"A cat\nsleeps.",A cat is sleeping.\n'),
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


def test_a_profile_lists_the_time_of_each_stage(ists, sentences, tmp_path):
    outcome = ists("align", *sentences, "-o", tmp_path / "out.wa", "--profile")
    assert outcome.code == 0
    *table, last = outcome.err.splitlines()
    stages = [line[:12].strip() for line in table]
    assert stages[0] == "stage"
    assert {"encoder", "pair scores", "features", "trees", "writing"} <= set(stages)
    assert stages[-1] == "whole run"
    assert last == f"compiled extension: {'not used' if kernels is None else 'used'}"
    assert ists("align", *sentences, "--profile", "--workers", "2").code == 2


def test_files_of_different_length_are_rejected_with_both_counts(ists, sentences, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("One line\n")
    out = tmp_path / "out.wa"
    outcome = ists("align", sentences[0], short, "-o", out)
    assert outcome.code == 1
    assert outcome.err == (
        f"{sentences[0]} has 2 lines and {short} has 1: "
        "both must have one line per pair, in the same order\n"
    )
    assert not out.exists()


def test_brackets_in_one_file_only_are_rejected(ists, sentences):
    outcome = ists("align", CHUNKS[0], sentences[1])
    assert outcome.code == 1
    assert "is bracketed, but" in outcome.err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.tsv", "no tab here\n", "x.tsv:1: 'no tab here' has no tab"),
        ("x.jsonl", '{"sentence1": "A"}\n', "x.jsonl:1: no 'sentence2'"),
        ("x.jsonl", "nonsense\n", "x.jsonl:1: invalid JSON"),
        ("x.jsonl", '{"chunks1": [[]], "sentence2": "A"}\n', "x.jsonl:1: 'chunks1' is not a list"),
        ("x.tsv", "word " * 700 + "\tword\n", "pair 1: the two sentences have"),
    ],
)
def test_invalid_input_is_named(ists, tmp_path, name, text, words):
    file = tmp_path / name
    file.write_text(text)
    outcome = ists("align", file, "-o", tmp_path / "out.wa")
    assert outcome.code == 1
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (tmp_path / "out.wa").exists()


def test_an_unknown_model_is_reported_with_the_known_ones(ists, sentences):
    outcome = ists("align", *sentences, "--model", "nowhere")
    assert outcome.code == 1
    assert "no model 'nowhere'" in outcome.err
    assert "default, pilot" in outcome.err
    assert "chunker" not in outcome.err


def test_a_model_of_another_kind_is_rejected(ists, sentences):
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
    assert ists("align", file).err.startswith(f"{file}:2: pair 1: this id is already")


def test_invalid_bytes_in_prose_are_accepted(ists, tmp_path):
    file, out = tmp_path / "x.txt", tmp_path / "out.wa"
    file.write_bytes(b"The caf\xe9 closes, they say.\n")
    outcome = ists("align", file, file, "-o", out)
    assert outcome.code == 0
    assert f"warning: {file}:1: is not valid UTF-8" in outcome.err
    assert b"caf\xe9" in out.read_bytes()
    chunks = tmp_path / "out.txt"
    outcome = ists("chunk", "--tokens", "spacy", file, "-o", chunks)
    assert outcome.code == 0
    assert outcome.err.count(f"warning: {file}:1: is not valid UTF-8") == 1


@pytest.mark.parametrize("name", ["out.foo", "out.txt"])
def test_an_output_of_unknown_format_is_rejected(ists, sentences, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    outcome = ists("align", *sentences, "-o", name)
    assert outcome.code == 2
    assert f"'{name}' ends in '{name[3:]}', expected .wa or .jsonl or .xml" in outcome.err
    assert not (tmp_path / name).exists()
    assert ists("align", *sentences, "--baseline", "--format", "wa", "-o", name).code == 0


def test_ndjson_is_jsonl(ists, sentences, tmp_path):
    assert ists("align", *sentences, "--baseline", "-o", tmp_path / "out.ndjson").code == 0
    assert (tmp_path / "out.ndjson").read_text().startswith('{"id": "1"')


def test_an_aligned_file_is_not_sentences(ists, tmp_path):
    for command in (("align", GOLD, GOLD, "--baseline"), ("annotate", GOLD, GOLD, "--port", "0")):
        outcome = ists(*command, "-o", tmp_path / "x.wa")
        assert outcome.code == 1
        assert outcome.err == f"{GOLD}: is an aligned file (.wa), expected one sentence per line\n"
    assert not list(tmp_path.iterdir())
    outcome = ists("chunk", "--eval", CHUNKS[0], GOLD)
    assert outcome.code == 1
    assert "is an aligned file (.wa), expected one sentence per line" in outcome.err


def test_a_header_read_as_a_pair_is_noted_with_the_option_that_skips_it(ists, tmp_path):
    file = tmp_path / "qa.csv"
    file.write_text("Question,Answer\nA cat sits there.,A dog sits there.\nIt is new.,It is old.\n")
    outcome = ists("align", file, "--baseline", "-o", tmp_path / "out.wa")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        f"warning: {file}:1: 'Question,Answer' was read as a pair, but looks like the names of the "
        "columns: if it is, skip it with --columns Question,Answer",
        "1 of 3 were read with a warning",
    ]
    outcome = ists("align", file, "--baseline", "--columns", "Question,Answer")
    assert outcome.out.count("<sentence ") == 2
    assert not outcome.err


@pytest.mark.parametrize(
    ("file", "content"),
    [("pairs.npz", "labeler.npz"), ("pairs.npz", "model.json"), ("reader.onnx", "chunker")],
)
def test_an_invalid_file_with_a_valid_hash_is_reported(ists, sentences, tmp_path, file, content):
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
def test_a_card_without_a_threshold_is_reported(ists, sentences, tmp_path, threshold):
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
def test_wrong_usage_exits_with_2(ists, arguments):
    assert ists("align", *arguments).code == 2


def test_the_baseline_cannot_be_combined_with_a_model(ists):
    outcome = ists("align", *CHUNKS, "--baseline", "--model", "pilot")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.endswith("Error: --baseline cannot be combined with --model\n")


@pytest.fixture
def ambiguous(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("left,right,remark\nA cat sleeps .,A cat is sleeping .,to be seen .\n")
    return file


@pytest.mark.parametrize("command", ["align", "similarity"])
def test_ambiguous_columns_must_be_chosen(ists, ambiguous, tmp_path, command):
    out = tmp_path / "out"
    outcome = ists(command, ambiguous, "-o", out)
    assert (outcome.code, out.exists()) == (1, False)
    assert outcome.err == (
        f"{ambiguous}:1: cannot decide which two of the 3 columns are the sentences, expected "
        "--columns with two of 1 'left', 2 'right', 3 'remark'\n"
    )
    for columns in ("left,right", "1,RIGHT"):
        assert ists(command, ambiguous, "--columns", columns).code == 0


def test_chosen_columns_are_aligned_and_a_pipe_gives_the_same(ists, ambiguous):
    arguments = ["--columns", "right,left", "--baseline"]
    outcome = ists("align", ambiguous, *arguments)
    assert outcome.out.splitlines()[:3] == [
        '<sentence id="1" status="">',
        "// A cat is sleeping .",
        "// A cat sleeps .",
    ]
    command = [sys.executable, "-m", "ists", "align", "-", "--from", "csv", *arguments]
    done = subprocess.run(command, input=ambiguous.read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode() == outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--columns", "left"], "'left', expected two columns, such as sentence1,sentence2 or 2,3"),
        (["--columns", "1,1"], "expected two columns"),
    ],
)
def test_other_than_two_columns_are_wrong_usage(ists, ambiguous, arguments, words):
    outcome = ists("align", ambiguous, *arguments)
    assert outcome.code == 2
    assert words in outcome.err


def test_columns_require_a_table(ists, sentences):
    outcome = ists("align", *sentences, "--columns", "1,2")
    assert outcome.code == 2
    assert "--columns requires one file of pairs, not S1 and S2" in outcome.err


def test_a_missing_column_is_reported(ists, ambiguous):
    outcome = ists("align", ambiguous, "--columns", "left,wrong")
    assert outcome.code == 1
    assert outcome.err.startswith(f"{ambiguous}:1: no column 'wrong', expected one of 1 'left'")


def test_sick_is_read_by_its_sentences(ists, shared, tmp_path):
    lines = (shared / "sick2014" / "SICK_trial.txt").read_text().splitlines(keepends=True)[:4]
    file, out = tmp_path / "sick.txt", tmp_path / "out.wa"
    file.write_text("".join(lines))
    assert ists("align", file, "--from", "tsv", "--baseline", "-o", out).code == 0
    expected = [line.split("\t") for line in lines[1:]]
    assert [pair.id for pair in read(out)] == [cells[0] for cells in expected]
    assert [str(pair.sentence2) for pair in read(out)] == [cells[2] for cells in expected]


@pytest.mark.parametrize("command", ["align", "similarity"])
def test_two_sentences_instead_of_files_suggest_explain(ists, command):
    outcome = ists(command, "A cat", "Two dogs' bones")
    assert outcome.code == 2
    assert "ists explain 'A cat' 'Two dogs'\"'\"' bones'" in outcome.err
    outcome = ists(command, "missing1.txt", "missing2.txt")
    assert (outcome.code, outcome.err) == (1, "missing1.txt: no such file or folder\n")


def test_chunks_from_a_pipe_beside_plain_text_are_rejected(sentences):
    ists = f"{sys.executable} -m ists"
    command = f"{ists} chunk {sentences[0]} | {ists} align - {sentences[1]}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"<stdin>: is bracketed, but {sentences[1]} is not: expected chunks in both or in none\n"
    )


def test_chunks_from_a_pipe_are_given_chunks(ists, sentences, tmp_path):
    for place, file in enumerate(sentences):
        ists("chunk", file, "-o", tmp_path / f"{place}.chunk.txt")
    files = [tmp_path / f"{place}.chunk.txt" for place in (0, 1)]
    command = [sys.executable, "-m", "ists", "align", "-", str(files[1]), "--baseline"]
    with files[0].open("rb") as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=True)
    assert done.stdout == ists("align", *files, "--baseline").out


@pytest.mark.parametrize("workers", [0, 2])
def test_repaired_brackets_give_a_warning_and_are_counted(ists, tmp_path, workers):
    one, two, out = tmp_path / "1.chunk.txt", tmp_path / "2.chunk.txt", tmp_path / "out.wa"
    one.write_text("[ A cat ] [is ] [ here ]\n[ A cat ]\n[ A cat ] sits\n")
    two.write_text("[ A cat ] [ sits ]\n[ A dog ]\n\n")
    outcome = ists("align", one, two, "-o", out, "--baseline", "--workers", workers)
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        f"warning: {one}:1: '[is' is outside any chunk, expected '[ A cat ] [ sits ]'; "
        "read as '[ A cat ] [ is ] [ here ]'",
        f"warning: {one}:3: 'sits' is outside any chunk, expected '[ A cat ] [ sits ]'; "
        "read as '[ A cat ] [ sits ]'",
        f"warning: {two}:3: an empty line, expected '[ A cat ] [ sits ]'",
        "2 of 3 were read with a warning",
    ]
    assert [len(pair.chunks1) for pair in read(out)] == [3, 1, 2]
    assert ists("check", "--guidelines", out).code == 0


def test_the_edition_of_2016_makes_groups_that_pass_its_check(ists, tmp_path):
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.wa"
    pairs.write_text(
        "Grandma and the twins baked a cake .\tGrandma baked a cake with the twins .\n"
    )
    assert ists("align", pairs, "--edition", "2016", "-o", out).code == 0
    (pair,) = read(out, edition="2016")
    group = next(link for link in pair.links if not link.chunk2.contiguous)
    assert (group.text1, group.text2) == ("Grandma and the twins", "Grandma with the twins")
    assert ists("check", "--edition", "2016", "--guidelines", out).code == 0
    assert ists("check", out).code == 1


def test_the_edition_of_2015_is_the_default(ists, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        "Grandma and the twins baked a cake .\tGrandma baked a cake with the twins .\n"
    )
    default = ists("align", pairs)
    assert default.out == ists("align", pairs, "--edition", "2015").out
    assert default.out != ists("align", pairs, "--edition", "2016").out


def test_a_model_without_groups_links_one_to_one_and_says_so(ists, tmp_path):
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.wa"
    pairs.write_text(
        "Grandma and the twins baked a cake .\tGrandma baked a cake with the twins .\n"
    )
    outcome = ists("align", pairs, "--edition", "2016", "--model", "pilot", "-o", out)
    assert outcome.code == 0
    assert "the model 'pilot' makes no groups of chunks" in outcome.err
    assert ists("check", out).code == 0
    assert "ALIC" not in out.read_text()


def test_the_baseline_knows_no_editions(ists, tmp_path):
    outcome = ists("align", tmp_path / "pairs.tsv", "--baseline", "--edition", "2016")
    assert outcome.code == 2
    assert "--baseline cannot be combined with --edition" in outcome.err
