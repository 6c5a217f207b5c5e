import json
from math import fsum

import pytest

PAIRS = [
    ("A tabby cat sleeps on the warm roof .", "A cat is sleeping on a roof ."),
    ("Shares climb after bank report", "Shares tumble after bank report"),
    ("Snow closes mountain roads", "Orchestra tours Japan in spring"),
    ("The ferry leaves at 9 .", "The ferry leaves at 9 ."),
    ("", "A dog barks ."),
]


@pytest.fixture
def pairs(tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"{one}\t{two}\n" for one, two in PAIRS))
    return file


def test_one_score_per_line(ists, pairs):
    outcome = ists("similarity", pairs)
    assert (outcome.code, outcome.err) == (0, "")
    scores = [float(line) for line in outcome.out.splitlines()]
    assert len(scores) == len(PAIRS)
    assert scores[0] > scores[1] > scores[2]
    assert scores[3:] == [5.0, 0.0]


def test_the_contributions_of_all_chunks_add_up_to_the_score(ists, pairs, tmp_path):
    out = tmp_path / "out.jsonl"
    assert ists("similarity", pairs, "--scale", "0-4", "-o", out).code == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    texts = ists("similarity", pairs, "--scale", "0-4").out.splitlines()
    for record, text in zip(records, texts, strict=True):
        assert record["scale"] == "0-4"
        assert float(text) == record["similarity"]
        parts = [alignment["contribution"] for alignment in record["alignments"]]
        assert abs(fsum(parts) - record["similarity"]) < 1e-9
    alone = [a for a in records[2]["alignments"] if a["relation"] == "NOALI"]
    assert alone
    assert all(a["contribution"] < a["share"] for a in alone if a["share"])


def test_jsonl_extends_that_of_the_aligner(ists, pairs, tmp_path):
    explained, aligned = tmp_path / "explained.jsonl", tmp_path / "aligned.jsonl"
    assert ists("similarity", pairs, "-o", explained).code == 0
    assert ists("align", pairs, "-o", aligned).code == 0
    lines = (file.read_text().splitlines() for file in (explained, aligned))
    for one, two in zip(*lines, strict=True):
        record = json.loads(one)
        del record["similarity"], record["scale"]
        for alignment in record["alignments"]:
            del alignment["contribution"], alignment["share"]
        assert record == json.loads(two)
    assert ists("convert", explained, tmp_path / "out.wa").code == 0


def test_the_order_of_the_sentences_changes_nothing(ists, pairs, tmp_path):
    swapped = tmp_path / "swapped.tsv"
    swapped.write_text("".join(f"{two}\t{one}\n" for one, two in PAIRS))
    assert ists("similarity", swapped).out == ists("similarity", pairs, "--batch-size", 2).out


def test_given_chunks_are_kept(ists, tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_text("[ A cat ] [ sits ]\t[ A cat sits ]\n")
    record = json.loads(ists("similarity", file, "--format", "jsonl").out)
    assert {(*a["tokens2"],) for a in record["alignments"]} == {(1, 2, 3), ()}


def test_bad_input_is_named(ists, tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_text("A cat sits.\tA cat sleeps.\nno tab\n")
    out = tmp_path / "out.txt"
    outcome = ists("similarity", file, "-o", out)
    assert outcome.code == 1
    assert "pairs.tsv:2: " in outcome.err
    assert not out.exists()
    assert ists("similarity", file, "--scale", "0-9").code == 2
    assert ists("similarity", file, "--similarity-model", "pilot").code == 1
