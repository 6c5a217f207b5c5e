import json
import shutil

import pytest

from ists.chunker.tagger import Chunker
from ists.errors import ModelError
from ists.models import find_model, open_model, shipped
from ists.resources import models_path


@pytest.fixture
def copy(tmp_path):
    return shutil.copytree(models_path("chunker"), tmp_path / "chunker")


def test_the_shipped_models_verify():
    assert "chunker" in shipped()
    card = open_model("chunker", "chunker").card
    assert card["base"]["licence"] == "Apache-2.0"
    assert all(len(digest) == 64 for digest in card["training"]["files"].values())


def test_a_model_is_found_by_its_folder(copy):
    assert open_model(str(copy), "chunker").folder == copy


def test_an_unknown_name_is_reported_with_the_known_ones():
    with pytest.raises(ModelError, match=r"no model 'nonsense': .*chunker"):
        open_model("nonsense", "chunker")


def test_a_model_of_another_kind_is_rejected():
    with pytest.raises(ModelError, match="of kind 'chunker', expected 'aligner'"):
        open_model("chunker", "aligner")


@pytest.mark.parametrize("damage", ["flip", "truncate", "swap", "remove"])
def test_a_damaged_file_is_rejected(copy, damage):
    path = copy / "network.onnx"
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    elif damage == "truncate":
        path.write_bytes(data[:-1])
    elif damage == "swap":
        path.write_bytes((copy / "model.json").read_bytes())
    else:
        path.unlink()
    with pytest.raises(ModelError, match=r"network\.onnx"):
        open_model(str(copy), "chunker")


def test_a_damaged_file_is_noticed_when_a_model_is_opened_not_when_it_is_found(copy):
    (copy / "network.onnx").write_bytes(b"nonsense")
    assert find_model(str(copy), "chunker").folder == copy
    with pytest.raises(ModelError, match="damaged or replaced"):
        open_model(str(copy), "chunker")


@pytest.mark.parametrize(
    "card", ["", "[]", "{}", '{"format": 99}', '{"format": 1, "files": {"../x": "0"}}', "[" * 99999]
)
def test_an_invalid_card_is_rejected(copy, card):
    (copy / "model.json").write_text(card)
    with pytest.raises(ModelError, match=r"model\.json"):
        open_model(str(copy), "chunker")


def test_a_file_that_is_not_a_network_is_reported(copy):
    card = json.loads((copy / "model.json").read_text())
    (copy / "network.onnx").write_bytes(b"no network")
    from ists.models import write_card

    write_card(copy, {k: v for k, v in card.items() if k != "files"}, list(card["files"]))
    with pytest.raises(ModelError, match="not a network"):
        Chunker.load(str(copy)).chunk(["cat"])
