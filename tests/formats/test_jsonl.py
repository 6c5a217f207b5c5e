import json
from dataclasses import replace

import pytest

from ists import FormatError, read, write
from ists.formats import jsonl, scan
from ists.pairs import Evidence
from tests.samples import CAT_PAIR


@pytest.fixture
def record() -> dict:
    return jsonl.to_record(CAT_PAIR)


def read_record(record: object, tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text(record if isinstance(record, str) else json.dumps(record) + "\n")
    return list(read(file))


def test_a_pair_comes_back_as_it_was(record, tmp_path):
    assert read_record(record, tmp_path) == [CAT_PAIR]


def test_whole_scores_are_written_without_a_point(record):
    assert json.dumps(record["alignments"][0]["score"]) == "4"


def test_missing_values_may_be_left_out(tmp_path):
    (pair,) = read_record({"id": "9", "alignments": []}, tmp_path)
    assert (pair.sentence1.text, pair.sentence2.tokens, pair.status) == (None, None, "")


def test_unknown_keys_are_ignored(record, tmp_path):
    record["confidence"] = 0.5
    assert read_record(record, tmp_path) == [CAT_PAIR]


def test_invalid_utf8_is_escaped(tmp_path):
    strange = CAT_PAIR.sentence1.of(["caf\udce9", "é"])
    pair = type(CAT_PAIR)("1", strange, CAT_PAIR.sentence2)
    write([pair, type(CAT_PAIR)("2", CAT_PAIR.sentence1.of(["é"]))], tmp_path / "x.jsonl")
    data = (tmp_path / "x.jsonl").read_bytes()
    assert b"\\udce9" in data
    assert "é".encode() in data
    assert next(read(tmp_path / "x.jsonl")) == pair


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": None}, "'id' is null, expected a string"),
        ({"alignments": {}}, "'alignments' is an object, expected a list"),
        ({"alignments": [5]}, "each of 'alignments' is 5"),
        ({"tokens1": [1]}, "items that are not strings"),
        ({"sentence1": 3}, "'sentence1' is 3"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(record, tmp_path, change, words):
    with pytest.raises(FormatError) as error:
        read_record(record | change, tmp_path)
    assert words in str(error.value)
    assert f"{tmp_path}/x.jsonl:1: " in str(error.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"relation": "SAME"}, "relation 'SAME'"),
        ({"flags": ["NICE"]}, "'flags' has 'NICE'"),
        ({"score": "4"}, "score '4'"),
        ({"score": True}, "score true"),
        ({"score": 9}, "score 9"),
        ({"score": 10**400}, "not finite"),
        ({"tokens1": [10**9]}, "items that are not token numbers"),
        ({"tokens1": [0, 1]}, "token 0 inside a chunk"),
        ({"tokens1": [1.5]}, "items that are not token numbers"),
        ({"tokens1": [77]}, "token 77 is past the end"),
        ({"tokens1": []}, "SPE1 on an unaligned chunk"),
    ],
)
def test_a_wrong_alignment_is_named(record, tmp_path, change, words):
    record["alignments"][0] |= change
    with pytest.raises(FormatError) as error:
        read_record(record, tmp_path)
    assert words in str(error.value)
    assert "pair 1: " in str(error.value)


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "3", "nonsense", '{"id": "1", "alignments": [], "x": NaN}', "[" * 100_000],
    ids=["open", "list", "number", "word", "NaN", "deep"],
)
def test_a_line_that_is_not_an_object_is_rejected(line, tmp_path):
    with pytest.raises(FormatError, match=r"x\.jsonl:1: "):
        read_record(line, tmp_path)


def test_an_infinite_number_is_rejected(record, tmp_path):
    text = json.dumps(record).replace('"score": 4', '"score": 1e999')
    with pytest.raises(FormatError, match="not finite"):
        read_record(text, tmp_path)


def test_two_unreadable_lines_are_not_a_repeated_id(tmp_path):
    (tmp_path / "x.jsonl").write_text("{\n{\n")
    reasons = [p.reason for item in scan(tmp_path / "x.jsonl") for p in item.problems]
    assert len(reasons) == 2
    assert all(reason.startswith("not a JSON object") for reason in reasons)


def test_a_byte_order_mark_is_ignored(record, tmp_path):
    assert read_record("\ufeff" + json.dumps(record), tmp_path) == [CAT_PAIR]


def test_an_empty_file_is_rejected(tmp_path):
    with pytest.raises(FormatError, match="no sentence pair found"):
        read_record("\n\n", tmp_path)


def test_confidences_are_read_back(tmp_path):
    sure = replace(CAT_PAIR.alignments[0], evidence=Evidence(0.9, 0.75, ("both say 'cat'",)))
    alone = replace(CAT_PAIR.alignments[2], evidence=Evidence(None, 1.0))
    file = tmp_path / "sure.jsonl"
    write([replace(CAT_PAIR, alignments=(sure, alone))], file)
    (pair,) = read(file)
    assert [alignment.evidence for alignment in pair.alignments] == [sure.evidence, alone.evidence]


@pytest.mark.parametrize("confidence", [0.9, [1], {"link": 0.5}, {"label": 2}, {"label": True}])
def test_a_confidence_of_another_form_is_ignored(record, tmp_path, confidence):
    record["alignments"][0]["confidence"] = confidence
    (pair,) = read_record(record, tmp_path)
    assert pair.alignments[0].evidence is None
