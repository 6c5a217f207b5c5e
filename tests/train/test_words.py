import json

import pytest

from ists.errors import ModelError
from ists.resources import models_path

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")

from ists.train.encoder import FROZEN, WORDS, Encoder  # noqa: E402
from ists.train.loop import averaged  # noqa: E402
from ists.train.words import verified_words  # noqa: E402


@pytest.fixture(scope="module")
def table():
    encoder = Encoder(0.0)
    try:
        encoder.load_base()
    except ModelError as error:
        pytest.skip(str(error))
    return encoder.words.weight.detach()


def test_the_shipped_words_are_the_base_models(ists, table, tmp_path):
    assert ists("train", "words", "-o", tmp_path / "words").code == 0
    for name in ("model.json", "words.npz", "tokenizer.json"):
        assert (tmp_path / "words" / name).read_bytes() == models_path("words", name).read_bytes()


def test_a_card_names_the_words_by_their_hashes(table):
    shipped = json.loads(models_path("words", "model.json").read_text())["files"]
    assert verified_words({WORDS: table}) == shipped


def test_a_network_that_changed_its_words_is_rejected(table):
    changed = table.clone()
    changed[7] += 0.1
    with pytest.raises(ModelError, match="trained with other words"):
        verified_words({WORDS: changed})


def test_the_words_are_frozen():
    assert WORDS in FROZEN


def test_averaging_networks_leaves_their_words_alone(table):
    states = [{WORDS: table, "head": torch.full((2,), float(at))} for at in range(3)]
    mean = averaged(states)
    assert torch.equal(mean[WORDS], table)
    assert mean["head"].tolist() == [1.0, 1.0]
