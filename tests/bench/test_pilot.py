import json
import shutil

import pytest

from ists import FormatError
from ists.bench.pilot import TABLES, find_data_sets, published
from ists.models import CARD, write_card
from ists.resources import models_path
from ists.seen import SEEN
from tests.conftest import EXAMPLES


@pytest.fixture
def folder(tmp_path):
    shutil.copy(EXAMPLES / "gold.wa", tmp_path / "STSint.gs.images.wa")
    return tmp_path


def test_the_published_tables_are_read():
    gold, own = (
        published("headlines", TABLES["gold chunks"]),
        published("images", TABLES["system chunks"]),
    )
    assert len(gold) == 17
    assert max(run.f1.type_score for run in gold) == 0.6426
    assert len(own) == 12  # one run left out the images
    assert published("unknown", TABLES["gold chunks"]) == []


def test_our_row_is_inserted_by_rank(ists, folder):
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


def test_split_files_are_the_input_if_they_exist(ists, folder):
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
    assert split["results"] == whole["results"]
    assert split["signature"] != whole["signature"]  # which names all that was read


def test_training_data_is_marked(ists, shared, tmp_path):
    shutil.copy(shared / "ists2015/train/STSint.gs.images.wa", tmp_path)
    outcome = ists("bench", "pilot", tmp_path)
    assert "TRAINING DATA of this model (375 of 375 pairs)" in outcome.out


def first_pairs(file, count):
    blocks = file.read_bytes().split(b"</sentence>")
    return b"</sentence>".join([*blocks[:count], b""])


def test_copies_and_parts_of_training_data_are_marked(ists, shared, tmp_path):
    start = first_pairs(shared / "ists2015/train/STSint.gs.images.wa", 3)
    (tmp_path / "STSint.gs.part.wa").write_bytes(start)
    (tmp_path / "STSint.gs.crlf.wa").write_bytes(start.replace(b"\n", b"\r\n"))
    mixed = (EXAMPLES / "gold.wa").read_bytes() + start.replace(b'id="', b'id="seen')
    (tmp_path / "STSint.gs.images.wa").write_bytes(mixed)
    text = ists("bench", "pilot", tmp_path).out
    assert text.count("TRAINING DATA of this model (3 of 3 pairs)") == 4
    assert text.count("TRAINING DATA of this model (3 of 11 pairs)") == 2
    assert "> ists pilot *" in text
    document = json.loads(ists("bench", "pilot", tmp_path, "--format", "json").out)
    assert [(one["trained_on"], one["seen"]) for one in document["results"]] == [(True, 3)] * 6


def test_the_signature_names_the_data(ists, folder):
    signatures = []
    for sentence in (b"kitten", b"puppy"):
        gold = (EXAMPLES / "gold.wa").read_bytes().replace(b"cat", sentence)
        (folder / "STSint.gs.images.wa").write_bytes(gold)
        document = json.loads(ists("bench", "pilot", folder, "--format", "json").out)
        signatures.append(document["signature"])
    one, two = signatures
    assert one.startswith("ists|bench:pilot|data:1sets#")
    assert "|pairs:8|" in one
    assert one != two


def test_a_model_without_a_list_of_training_pairs_is_named(ists, folder, tmp_path):
    model = shutil.copytree(models_path("pilot"), tmp_path / "old")
    card = json.loads((model / CARD).read_text())
    write_card(model, card, [file for file in card["files"] if file != SEEN])
    outcome = ists("bench", "pilot", folder, "--model", model)
    assert "The model does not list its training pairs" in outcome.out


def test_a_folder_without_the_files_is_rejected(tmp_path):
    with pytest.raises(FormatError, match="no STSint"):
        find_data_sets(tmp_path)
    with pytest.raises(FormatError, match="nowhere: no such folder"):
        find_data_sets(tmp_path / "nowhere")


def test_an_invalid_line_is_reported_before_anything_is_aligned(ists, folder):
    later = folder / "STSint.gs.news.wa"
    later.write_text((EXAMPLES / "gold.wa").read_text().replace("<==>", "<=>", 1))
    outcome = ists("bench", "pilot", folder)
    assert (outcome.code, outcome.out) == (1, "")
    (line,) = outcome.err.splitlines()
    assert line.startswith(f"{later}:")


def test_a_split_file_without_its_other_side_is_reported(ists, folder):
    lone = folder / "STSint.input.images.sent2.chunk.txt"
    lone.write_bytes((EXAMPLES / "sent2.chunk.txt").read_bytes())
    outcome = ists("bench", "pilot", folder)
    assert outcome.code == 1
    assert outcome.err == f"{lone}: the file of the other sentences is missing\n"
