import csv
import json

import pytest

ANNOTATIONS = """Item1,Item2,Item3,Item4,BestItem,WorstItem,Annotator
oak,elm,"fir, tall",ash,oak,ash,ann
oak,elm,"fir, tall",ash,elm,ash,bob
oak,elm,"fir, tall",yew,oak,yew,ann
oak,elm,"fir, tall",yew,oak,"fir, tall",bob
"""


@pytest.fixture
def annotations(tmp_path):
    file = tmp_path / "annotations.csv"
    file.write_text(ANNOTATIONS)
    return file


@pytest.fixture
def items(tmp_path):
    file = tmp_path / "items.txt"
    file.write_text("".join(f"tree {number}, old\n" for number in range(20)))
    return file


def test_tuples_are_written_for_annotators(ists, items, tmp_path):
    out = tmp_path / "tuples.csv"
    assert ists("bws", "tuples", items, "-k", 4, "--per-item", 8, "-o", out).code == 0
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 40
    assert list(rows[0]) == ["Item1", "Item2", "Item3", "Item4"]
    assert all(cell.endswith(", old") for row in rows for cell in row.values())
    again = ists("bws", "tuples", items, "--format", "jsonl").out
    assert [json.loads(line) for line in again.splitlines()] == [list(r.values()) for r in rows]


def test_scores_come_best_first(ists, annotations):
    rows = list(csv.DictReader(ists("bws", "score", annotations).out.splitlines()))
    assert [row["Item"] for row in rows] == ["oak", "elm", "fir, tall", "yew", "ash"]
    assert [float(row["Score"]) for row in rows] == [0.875, 0.625, 0.375, 0.25, 0.0]
    document = json.loads(ists("bws", "score", annotations, "--format", "json").out)
    assert document[0] == {
        "item": "oak", "score": 0.875, "difference": 0.75, "best": 3, "worst": 0, "shown": 4,
    }  # fmt: skip


def test_reliability_is_printed_with_its_seed(ists, annotations):
    outcome = ists("bws", "reliability", annotations, "--splits", 50, "--seed", 7)
    assert outcome.code == 0
    assert "50 splits, seed 7" in outcome.out
    document = json.loads(ists("bws", "reliability", annotations, "--format", "json").out)
    assert document["splits"] == 1000
    assert -1 <= document["reliability"] <= 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("oak,elm", "oak,oak", ":2: item 'oak' occurs twice"),
        ("ash,oak,ash,ann", "ash,pine,ash,ann", ":2: the best item 'pine' is not in the tuple"),
        ("ash,oak,ash,ann", "ash,oak,pine,ann", ":2: the worst item 'pine' is not in the tuple"),
        ("ash,oak,ash,ann", "ash,oak,oak,ann", ":2: 'oak' is both the best and the worst"),
        ("ash,oak,ash,ann", "ash,oak,ash", ":2: 6 cells, expected 7"),
        ("ash,oak,ash,ann", ",oak,ash,ann", ":2: an empty item"),
        ("BestItem", "Prize", ":1: the header is"),
        ("oak,elm,\"fir, tall\",yew,oak,\"fir, tall\"", "oak,elm,\"fir, tall", "invalid CSV"),
    ],
)  # fmt: skip
def test_invalid_annotations_give_a_one_line_error(ists, annotations, old, new, words):
    annotations.write_text(ANNOTATIONS.replace(old, new, 1))
    for command in ("score", "reliability"):
        outcome = ists("bws", command, annotations)
        assert outcome.code == 1
        assert not outcome.out
        (line,) = outcome.err.splitlines()
        assert words in line


def test_unknown_items_are_rejected(ists, annotations, tmp_path):
    items = tmp_path / "items.txt"
    items.write_text("oak\nelm\nfir, tall\nash\n")
    outcome = ists("bws", "score", annotations, "--items", items)
    assert outcome.code == 1
    assert f"{annotations}:4: unknown item 'yew'" in outcome.err
    items.write_text("oak\nelm\nfir, tall\nash\nyew\n")
    assert ists("bws", "score", annotations, "--items", items).code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no item found"),
        ("a\nb\na\n", ":3: item 'a' is already in line 1"),
        ("a\nb\n", "tuples of 4"),
    ],
)
def test_invalid_items_give_a_one_line_error(ists, tmp_path, content, words):
    items, out = tmp_path / "items.txt", tmp_path / "tuples.csv"
    items.write_text(content)
    outcome = ists("bws", "tuples", items, "-o", out)
    assert outcome.code == 1
    assert words in outcome.err
    assert not out.exists()
