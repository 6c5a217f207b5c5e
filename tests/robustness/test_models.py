"""A model with flipped, truncated, swapped or replaced files raises a `ModelError`."""

import json
import random
import shutil
from pathlib import Path

import pytest

from ists.aligner.reader import _load_head
from ists.errors import ModelError
from ists.labeler.label_model import LabelModel
from ists.lexicon.table import read_table
from ists.models import CARD, open_model, stored_arrays, write_card
from ists.resources import data_path, models_path
from tests.robustness.inputs import corrupt

KINDS = {"pilot": "aligner", "chunker": "chunker", "similarity": "similarity", "words": "words"}


@pytest.fixture(scope="module", params=KINDS)
def model(request, tmp_path_factory) -> tuple[Path, str]:
    """A copy of a model, with its card written as in training."""
    name = request.param
    folder = shutil.copytree(models_path(name), tmp_path_factory.mktemp("models") / name)
    card = json.loads((folder / CARD).read_text())
    write_card(folder, card, list(card["files"]))
    return folder, KINDS[name]


def assert_rejected(model: tuple[Path, str], file: Path, data: bytes) -> None:
    valid = file.read_bytes()
    try:
        file.write_bytes(data)
        with pytest.raises(ModelError, match=file.name.replace(".", r"\.")):
            open_model(str(model[0]), model[1])
    finally:
        file.write_bytes(valid)


def flipped(data: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1 << bit
    return bytes(changed)


def test_flipped_truncated_and_swapped_files_are_rejected(model):
    chance = random.Random(7)
    files = sorted(path for path in model[0].iterdir() if path.name != CARD)
    for file in files:
        data = file.read_bytes()
        for _ in range(3):
            changed = flipped(data, chance.randrange(len(data)), chance.randrange(8))
            assert_rejected(model, file, changed)
        assert_rejected(model, file, data[: chance.randrange(len(data))])
        assert_rejected(model, file, data + b"\0")
        assert_rejected(model, file, b"")
        for other in (*files, model[0] / CARD):
            if other != file:
                assert_rejected(model, file, other.read_bytes())


def test_a_card_with_any_flipped_bit_is_rejected(model):
    folder, kind = model
    card = folder / CARD
    valid = card.read_bytes()
    chance = random.Random(7)
    expected = dict(open_model(str(folder), kind).card)
    try:
        for _ in range(300):
            changed = flipped(valid, chance.randrange(len(valid)), chance.randrange(8))
            card.write_bytes(changed)
            try:
                found = dict(open_model(str(folder), kind).card)
            except ModelError:
                continue
            # White space, or the key of the card's hash: the content of the card is unchanged.
            assert {k: v for k, v in found.items() if k in expected and k != "seal"} == {
                k: v for k, v in expected.items() if k != "seal"
            }
    finally:
        card.write_bytes(valid)


@pytest.mark.parametrize(
    ("path", "load"),
    [
        (models_path("pilot", "labeler.npz"), LabelModel.read),
        (models_path("pilot", "pairs.npz"), _load_head),
        (models_path("words", "words.npz"), lambda path: stored_arrays(path, "the words")),
        (data_path("lexicon", "wordnet.table"), read_table),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_corrupted_files_with_a_valid_hash_are_loaded_or_rejected(tmp_path, path, load):
    """Corrupted files with matching hashes must not end in a traceback."""
    valid, file = path.read_bytes(), tmp_path / path.name
    chance = random.Random(7)
    rejected = 0
    for _ in range(12):
        file.write_bytes(corrupt(valid, chance))
        try:
            load(file)
        except ModelError:
            rejected += 1
    assert rejected > 6
