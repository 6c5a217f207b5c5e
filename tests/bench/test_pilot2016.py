import json
from dataclasses import replace

import pytest

from ists.bench import pilot2016
from ists.bench.pilot import Run
from ists.bench.pilot2016 import DATA_SETS, is_folder_of_2016
from ists.bench.run_all import find
from ists.formats import brackets, wa
from ists.pairs import Alignment, Chunk, Relation
from scorer import Measures

PAIRS = [
    (
        "[ The lamp ] [ is wired ] [ to the switch ] [ . ]",
        "[ The lamp and the switch ] [ are wired ]",
    ),
    ("[ A crane ] [ lifts ] [ the boat ]", "[ The boat ] [ is lifted ] [ by a crane ]"),
    ("[ Grandma ] [ bakes ] [ a cake ]", "[ Grandma ] [ bakes ] [ bread ]"),
]


def gold_pairs():
    """A group in the first pair; all other chunks are left unaligned."""
    for number, sides in enumerate(PAIRS, start=1):
        pair = brackets.unaligned_pair(str(number), *map(brackets.parse, sides))
        if number == 1:
            group = Alignment(Chunk((1, 2, 5, 6, 7)), Chunk((1, 2, 3, 4, 5)), Relation.EQUI, 5.0)
            kept = [a for a in pair.alignments if a.chunk1 in (Chunk((3, 4)), Chunk((8,)))]
            pair = replace(pair, alignments=(group, *kept))
        yield pair


@pytest.fixture
def folder(tmp_path):
    """The three data sets as the task gave them, of our own sentences."""
    for name in DATA_SETS:
        stem = tmp_path / f"STSint.testinput.{name}"
        (tmp_path / f"{stem.name}.wa").write_bytes(b"".join(map(wa.render, gold_pairs())))
        for side in (0, 1):
            lines = [pair[side] for pair in PAIRS]
            (tmp_path / f"{stem.name}.sent{side + 1}.chunk.txt").write_text("\n".join(lines) + "\n")
            plain = [line.replace("[ ", "").replace(" ]", "") for line in lines]
            (tmp_path / f"{stem.name}.sent{side + 1}.txt").write_text("\n".join(plain) + "\n")
    return tmp_path


def test_three_sets_in_both_scenarios_and_their_mean(ists, folder):
    outcome = ists("bench", "pilot2016", folder)
    assert outcome.code == 0
    for name in DATA_SETS:
        assert f"{name}, gold chunks (3 pairs)" in outcome.out
        assert f"{name}, system chunks (3 pairs)" in outcome.out
    assert "mean of the three data sets, gold chunks" in outcome.out
    assert "mean of the three data sets, system chunks" in outcome.out
    assert "no verified figures of other systems yet" in outcome.out


def test_json_has_the_means(ists, folder):
    document = json.loads(ists("bench", "pilot2016", folder, "--format", "json").out)
    assert document["signature"].startswith("ists|bench:pilot2016|data:3sets#")
    assert len(document["results"]) == 6
    gold, own = document["means"]
    assert (gold["scenario"], own["scenario"]) == ("gold chunks", "system chunks")
    figures = [one["f1"]["ali"] for one in document["results"] if one["scenario"] == "gold chunks"]
    assert gold["f1"]["ali"] == pytest.approx(sum(figures) / 3)


def test_without_a_data_set_there_is_no_mean(ists, folder):
    for file in folder.glob("*images*"):
        file.unlink()
    outcome = ists("bench", "pilot2016", folder)
    assert outcome.code == 0
    assert "mean of" not in outcome.out.replace("No mean of", "")
    assert "No mean of the three data sets: images not found." in outcome.out


def test_malformed_lines_are_read_with_a_warning_and_counted(ists, folder):
    file = folder / "STSint.testinput.headlines.sent2.chunk.txt"
    text = file.read_text().replace("[ is lifted ]", "[is lifted ]").replace("[ bread ]", "bread")
    file.write_text(text)
    outcome = ists("bench", "pilot2016", folder)
    assert outcome.code == 0
    warnings = [line for line in outcome.err.splitlines() if line.startswith("warning: ")]
    assert [line.split(": ")[1] for line in warnings] == [f"{file}:2", f"{file}:3"]
    assert "2 lines were read with a warning" in outcome.err
    checked = ists("check", file)
    assert checked.code == 1
    assert [line.split(": ")[0] for line in checked.out.splitlines()] == [f"{file}:2", f"{file}:3"]


def test_a_model_without_groups_is_named(ists, folder):
    outcome = ists("bench", "pilot2016", folder, "--model", "pilot")
    assert "The model makes no groups of chunks" in outcome.out


def test_published_means_are_ranked_beside_ours(monkeypatch):
    cells = {f"{name}_{m}": "0.5" for name in DATA_SETS for m in Measures._fields}
    rows = [{"run": "other", **cells}, {"run": "partial", **cells, "images_ali": "-"}]
    monkeypatch.setattr(pilot2016.published_tables, "rows", lambda _: rows)
    assert pilot2016._published_means("any") == [Run("other", Measures(0.5, 0.5, 0.5, 0.5))]


def test_the_folder_is_known_by_the_students_answers(folder):
    assert is_folder_of_2016(folder)
    assert [one.kind for one in find(folder)] == ["pilot2016"]
    for file in folder.glob("*answers-students*"):
        file.unlink()
    assert [one.kind for one in find(folder)] == ["pilot"]
