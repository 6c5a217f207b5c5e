import json

import pytest

from ists import FormatError, read
from ists.corpus.build import parts, write
from ists.corpus.datasets import OFFICIAL
from tests.corpus.conftest import dogs_pair, real_pair
from tests.samples import CAT_PAIR


def test_every_corpus_has_its_own_file(corpus, data, tmp_path):
    out = tmp_path / "deep" / "out"
    write(parts(corpus, data), out)
    assert sorted(file.name for file in out.iterdir()) == [
        "accept.jsonl",
        "everyday-talk.wa",
        "pilot-images.wa",
        "real-sick.wa",
        "real-small-talk.wa",
    ]
    assert list(read(out / "everyday-talk.wa")) == [CAT_PAIR]
    assert list(read(out / "real-small-talk.wa")) == [real_pair()]
    assert list(read(out / "real-sick.wa")) == [dogs_pair()]


def test_official_files_are_copied_byte_by_byte(corpus, data, tmp_path):
    write(parts(corpus, data, ["official"]), tmp_path / "out")
    source = data / OFFICIAL["pilot-images"]
    assert b"\xe9" in source.read_bytes()
    assert (tmp_path / "out" / "pilot-images.wa").read_bytes() == source.read_bytes()


def test_acceptable_labels_are_listed_by_corpus(corpus, data, tmp_path):
    write(parts(corpus, data), tmp_path)
    lines = (tmp_path / "accept.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert [(one["corpus"], one["id"]) for one in records] == [
        ("everyday-talk", "1"),
        ("real-sick", "r2"),
        ("real-small-talk", "r1"),
    ]
    assert records[2]["links"][0] == {
        "tokens1": [1, 2, 3],
        "tokens2": [1, 2],
        "accept": [["SPE1", 4]],
    }


def test_nothing_is_written_if_a_sentence_is_missing(ists, corpus, data, tmp_path):
    (data / "sick2014" / "SICK_train.txt").unlink()
    outcome = ists("corpus", "build", data, "-o", tmp_path / "out", "--corpus", corpus.path)
    assert outcome.code == 1
    assert "SICK_train.txt: no such file" in outcome.err
    assert not (tmp_path / "out").exists()


def test_a_folder_without_official_files_is_reported(corpus, tmp_path):
    with pytest.raises(FormatError, match="none of ists2015/train"):
        parts(corpus, tmp_path, ["official"])
