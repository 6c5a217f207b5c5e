import json
import shutil

import numpy as np
import pytest

from ists.encoder import (
    SHAPES,
    WordPieces,
    Words,
    batches,
    feed,
    padded,
    shape_of,
    shapes_of,
    words_of,
)
from ists.errors import ModelError
from ists.models import open_model, write_card
from ists.resources import models_path


@pytest.fixture(scope="module")
def words():
    return words_of(open_model("chunker", "chunker"))


@pytest.fixture
def own_words(tmp_path):
    """A copy of the words that may be changed; writing the card again updates the hashes."""
    folder = shutil.copytree(models_path("words"), tmp_path / "words")

    def opened() -> Words:
        write_card(folder, {"name": "words", "kind": "words"}, ["tokenizer.json", "words.npz"])
        return Words(open_model(str(folder), "words"))

    return folder, opened


@pytest.mark.parametrize(
    ("token", "shape"),
    [
        ("cat", "lower"),
        ("Cat", "Title"),
        ("US", "UPPER"),
        ("A", "Letter"),
        ("iPhone", "miXed"),
        ("1,200", "number"),
        ("G20", "alnum"),
        (",", "sign"),
        ("—", "other"),
        ("pro-Peace", "miXed"),
    ],
)
def test_a_token_has_a_letter_shape(token, shape):
    assert SHAPES[shape_of(token)] == shape


def test_capitalised_sentences_have_separate_shapes():
    prose, title = (
        shapes_of(["The", "cat", "sits", "on", "mats"]),
        shapes_of(["The", "Cat", "Sits", "On", "Mats"]),
    )
    assert max(prose) < len(SHAPES)
    assert min(title) >= len(SHAPES)


def test_an_input_has_the_first_piece_of_each_token(words):
    encoded = words.encode(["Cats", "antidisestablish", "."], ["Dogs"])
    assert len(encoded.first_piece) == len(encoded.before) == 4
    assert encoded.before[0] == 0
    assert encoded.before[1] == encoded.first_piece[0]
    assert encoded.segments[encoded.first_piece[3]] == 1
    assert len(encoded.pieces) == len(encoded.shapes) == len(encoded.segments)


@pytest.mark.parametrize("token", ["\x01", "\u200b", "\udce9", "🦀", "x" * 5000, "." * 5000])
def test_every_token_has_some_pieces_but_never_too_many(words, token):
    assert 1 <= len(words.of(token)) <= 24


def test_padding_does_not_move_a_token(words):
    inputs = [words.encode(["Cats", "sleep"]), words.encode(["Yes"])]
    arrays = padded(inputs, 8)
    assert arrays["here"].tolist() == [1, 2, 9]
    assert arrays["lengths"].tolist() == [4, 3]


@pytest.mark.parametrize("size", [1, 5, 32])
def test_every_input_is_in_one_batch_of_its_width(words, size):
    lengths = [1, 2, 9, 9, 3, 40, 9, 500, 500, *[9] * 40]
    inputs = [words.encode(["cat"] * length) for length in lengths]
    found = list(batches(inputs, size))
    assert sorted(member for _, members in found for member in members) == [*range(len(inputs))]
    for width, members in found:
        assert 1 <= len(members) <= size
        assert all(0 <= width - len(inputs[member].pieces) < 4 for member in members)


def test_a_batch_of_long_inputs_has_fewer_of_them(words):
    inputs = [words.encode(["cat"] * 90) for _ in range(10)]
    assert [len(members) for _, members in batches(inputs, 32)] == [4, 4, 2]


def test_inputs_of_one_width_are_spread_over_batches_of_like_size(words):
    inputs = [words.encode(["cat"] * 10) for _ in range(33)]
    assert [len(members) for _, members in batches(inputs, 32)] == [17, 16]


def test_an_invalid_tokenizer_is_reported(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="not a tokenizer"):
        WordPieces(tmp_path / "tokenizer.json").of("cat")


def test_a_batch_carries_the_vectors_of_its_pieces(words):
    inputs = [words.encode(["Cats", "sleep"]), words.encode(["Yes"])]
    batch = feed(inputs, 8, words)
    assert "pieces" not in batch
    assert batch["words"].shape == (2, 8, 384)
    assert batch["words"].dtype == np.float32
    again = words.vectors(np.array(inputs[0].pieces))
    assert np.array_equal(batch["words"][0, : len(again)], again)


def test_networks_share_their_words(words):
    assert words_of(open_model("pilot", "aligner")) is words


@pytest.mark.parametrize("named", [None, {}, {"words.npz": "0" * 64}])
def test_a_network_trained_with_other_words_is_rejected(tmp_path, named):
    folder = shutil.copytree(models_path("chunker"), tmp_path / "chunker")
    card = json.loads((folder / "model.json").read_text())
    write_card(folder, {**card, "words": named}, list(card["files"]))
    with pytest.raises(ModelError, match=r"chunker: was trained with other words"):
        words_of(open_model(str(folder), "chunker"))


def test_missing_or_damaged_words_are_reported(own_words):
    folder, _ = own_words
    file = folder / "words.npz"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"words\.npz: is damaged or replaced"):
        open_model(str(folder), "words")
    file.unlink()
    with pytest.raises(ModelError, match=r"words\.npz: a file of the model is missing"):
        open_model(str(folder), "words")


@pytest.mark.parametrize("content", [b"", b"no words", None])
def test_invalid_words_with_a_valid_hash_are_reported(own_words, content):
    folder, opened = own_words
    if content is None:
        np.savez(folder / "words.npz", other=np.zeros(3))
    else:
        (folder / "words.npz").write_bytes(content)
    with pytest.raises(ModelError, match=r"words\.npz: (the words cannot be read|not a table)"):
        opened().vectors(np.array([1]))
