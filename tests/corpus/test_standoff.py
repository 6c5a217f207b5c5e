import json

import pytest

from ists import FormatError
from ists.corpus.datasets import join, source_of
from ists.corpus.standoff import read_standoff
from ists.formats import jsonl
from ists.pairs import Relation
from tests.corpus.conftest import LINE, TEXTS, accepted_of, real_pair, standoff


@pytest.fixture
def record() -> dict:
    return standoff().to_json()


def read_record(record: dict, tmp_path):
    file = tmp_path / "real.jsonl"
    file.write_bytes(jsonl.line_of(record))
    (one,) = read_standoff(file)
    return one


def test_a_pair_comes_back_with_its_sentences(record, tmp_path, data):
    one = read_record(record, tmp_path)
    (pair,) = join([one], data)
    assert pair == real_pair()
    assert one.accepted.links == accepted_of(real_pair()).links
    assert one.to_json() == record


def test_the_annotation_holds_no_word_of_the_sentences(record):
    text = json.dumps(record).lower()
    assert not [word for word in ("ginger", "cat", "sleep", "here") if word in text]


def test_a_chunk_in_no_alignment_is_noali(record, tmp_path):
    assert [one["label"] for one in record["alignments"]] == ["SPE1", "EQUI", "ALIC"]
    relations = [one.relation for one in read_record(record, tmp_path).pair.alignments]
    assert relations == [Relation.SPE1, Relation.EQUI, Relation.NOALI, Relation.ALIC]


def test_changed_sentences_are_rejected_with_their_line(data):
    file = data / "sts" / "2099" / "small-talk.test.tsv"
    file.write_bytes(file.read_bytes().replace(b"ginger", b"Ginger"))
    with pytest.raises(FormatError, match=r"small-talk\.test\.tsv:2: pair r1: the sentences"):
        list(join([standoff()], data))


def test_changed_tokens_are_rejected(record, tmp_path):
    record["tokens_sha256"] = "0" * 16
    with pytest.raises(FormatError, match="pair r1: the tokens are not those"):
        read_record(record, tmp_path).join(TEXTS)


@pytest.mark.parametrize("content", [b"", LINE, b"\n3.5\tone column\n"])
def test_a_missing_line_is_named(data, content):
    (data / "sts" / "2099" / "small-talk.test.tsv").write_bytes(content)
    with pytest.raises(FormatError, match=r"test\.tsv:2: pair r1: no two sentences in this line"):
        list(join([standoff()], data))


def test_a_missing_file_is_named(data):
    (data / "sts" / "2099" / "small-talk.test.tsv").unlink()
    with pytest.raises(FormatError, match=r"small-talk\.test\.tsv: no such file"):
        list(join([standoff()], data))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line": 0}, "'line' is '0', expected a number from 1"),
        ({"line": True}, "'line' is 'True', expected a number"),
        ({"sha256": "XYZ"}, "expected 16 hexadecimal digits"),
        ({"file": "../secret.tsv"}, "expected a path below"),
        ({"file": "/etc/passwd"}, "expected a path below"),
        ({"chunks1": [[1], [3]]}, "'chunks1' does not have each token exactly once"),
        ({"chunks1": []}, "'chunks1' does not have each token exactly once"),
        ({"chunks2": [["a"]]}, "expected token numbers from 1"),
        ({"chunks2": [[1, 2, 3, 4, 5]]}, "'tokens2' is [1, 2], expected one of the chunks"),
        ({"alignments": [1]}, "'alignments' has '1', expected objects"),
        ({"id": "two words"}, "expected a name without blanks"),
        ({"domain": None}, "'domain' is 'None', expected a string"),
    ],
)
def test_an_invalid_annotation_is_rejected_with_its_line(record, tmp_path, change, message):
    with pytest.raises(FormatError) as caught:
        read_record(record | change, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'real.jsonl'}:1: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "SPE3"}, "label 'SPE3'"),
        ({"score": "4"}, "score '4', expected a number or null"),
        ({"accept": ["SPE1"]}, "'accept' has 'SPE1', expected [label, score]"),
        ({"tokens1": [1]}, "'tokens1' is [1], expected one of the chunks"),
    ],
)
def test_a_wrong_alignment_is_rejected(record, tmp_path, change, message):
    record["alignments"][0] |= change
    with pytest.raises(FormatError) as caught:
        read_record(record, tmp_path)
    assert message in str(caught.value)


def test_a_repeated_id_is_rejected(record, tmp_path):
    file = tmp_path / "real.jsonl"
    file.write_bytes(jsonl.line_of(record) * 2)
    with pytest.raises(FormatError, match=r"real\.jsonl:2: pair r1: this id is already in"):
        list(read_standoff(file))


def test_a_data_set_has_a_name():
    assert source_of("sts/2014/deft-forum.test.tsv") == "deft-forum"
    assert source_of("sick2014/SICK_train.txt") == "sick"
    assert source_of("snli/dev.tsv") == "snli"
