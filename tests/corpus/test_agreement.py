import pytest

from ists import FormatError
from ists.corpus.agreement import compare, table
from ists.formats import jsonl
from tests.corpus.conftest import standoff


def test_written_and_real_pairs_are_compared(corpus, data):
    compared = compare(corpus, data)
    assert {part: one.report.pairs for part, one in compared.items()} == {
        "written": 1,
        "real": 1,
        "all": 2,
    }
    assert compared["written"].report.by_first.f1.type_score == 1
    assert compared["real"].report.by_first.f1.type < 1
    assert [one.kind for one in compared["all"].report.disagreements] == ["label"]
    assert [row[:2] for row in table(compared).rows] == [
        ("written", "1"),
        ("real", "1"),
        ("all", "2"),
    ]


def test_a_label_the_first_annotation_accepts_is_counted(corpus, data):
    assert compare(corpus, data)["real"].accepted == 0.5
    record = standoff().to_json()
    record["alignments"][0]["accept"].append(["SIMI", 4])
    corpus.real_file.write_bytes(jsonl.line_of(record))
    compared = compare(corpus, data)
    assert compared["real"].accepted == 1
    assert compared["real"].report.relations.observed == 0.5


def test_without_the_data_sets_only_written_pairs_are_compared(corpus):
    assert list(compare(corpus)) == ["written"]


def test_a_pair_must_be_in_the_first_annotation(corpus, data):
    record = standoff().to_json() | {"id": "r9"}
    corpus.second.real_file.write_bytes(jsonl.line_of(record))
    with pytest.raises(FormatError, match=r"real\.jsonl:1: pair r9 is not in the first"):
        compare(corpus, data)
