import json
import shutil

import pytest

from ists import FormatError
from ists.bench.pilot import find_data_sets, published
from tests.conftest import EXAMPLES


@pytest.fixture
def folder(tmp_path):
    shutil.copy(EXAMPLES / "gold.wa", tmp_path / "STSint.gs.images.wa")
    return tmp_path


def test_the_published_tables_are_read():
    gold, own = published("headlines", "gold chunks"), published("images", "system chunks")
    assert len(gold) == 17
    assert max(run.f1.type_score for run in gold) == 0.6426
    assert len(own) == 12  # one run left out the images
    assert published("unknown", "gold chunks") == []


def test_our_row_stands_in_its_rank(ists, folder):
    outcome = ists("bench", "pilot", folder)
    assert outcome.code == 0
    assert "images, gold chunks (8 pairs)" in outcome.out
    assert "images, system chunks (8 pairs)" in outcome.out
    rows = [line for line in outcome.out.splitlines() if line.startswith("> ists")]
    assert len(rows) == 2
    assert "TRAINING DATA" not in outcome.out


def test_json_has_everything(ists, folder):
    document = json.loads(ists("bench", "pilot", folder, "--format", "json").out)
    assert "|match:strict|model:pilot|" in document["signature"]
    gold, own = document["results"]
    assert gold["scenario"] == "gold chunks"
    assert gold["f1"]["ali"] > own["f1"]["ali"] - 0.1
    assert gold["runs"][gold["rank"] - 1]["run"] == "ists pilot"


def test_split_files_are_the_input_where_they_are_there(ists, folder):
    for side in (1, 2):
        chunks = (EXAMPLES / f"sent{side}.chunk.txt").read_text()
        (folder / f"STSint.input.images.sent{side}.chunk.txt").write_text(chunks)
        plain = chunks.replace("[ ", "").replace(" ]", "")
        (folder / f"STSint.input.images.sent{side}.txt").write_text(plain)
    split = json.loads(ists("bench", "pilot", folder, "--format", "json").out)
    whole_folder = folder / "whole"
    whole_folder.mkdir()
    shutil.copy(EXAMPLES / "gold.wa", whole_folder / "STSint.gs.images.wa")
    whole = json.loads(ists("bench", "pilot", whole_folder, "--format", "json").out)
    assert split == whole


def test_training_data_is_marked(ists, shared, tmp_path):
    shutil.copy(shared / "ists2015/train/STSint.gs.images.wa", tmp_path)
    outcome = ists("bench", "pilot", tmp_path)
    assert "TRAINING DATA of this model" in outcome.out


def test_a_folder_without_the_files_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no STSint"):
        find_data_sets(tmp_path)
    with pytest.raises(FormatError, match="nowhere: no such folder"):
        find_data_sets(tmp_path / "nowhere")


def test_a_bad_line_is_told_before_anything_is_aligned(ists, folder):
    later = folder / "STSint.gs.news.wa"
    later.write_text((EXAMPLES / "gold.wa").read_text().replace("<==>", "<=>", 1))
    outcome = ists("bench", "pilot", folder)
    assert (outcome.code, outcome.out) == (1, "")
    (line,) = outcome.err.splitlines()
    assert line.startswith(f"{later}:")


def test_a_split_file_without_its_other_side_is_told(ists, folder):
    lone = folder / "STSint.input.images.sent2.chunk.txt"
    lone.write_bytes((EXAMPLES / "sent2.chunk.txt").read_bytes())
    outcome = ists("bench", "pilot", folder)
    assert outcome.code == 1
    assert outcome.err == f"{lone}: has no file of the other sentences beside it\n"
