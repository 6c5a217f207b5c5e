import json
import shutil

import pytest

from ists.errors import ModelError
from ists.models import CARD, open_model, sha256_of, write_card
from ists.resources import models_path
from ists.seen import SEEN, Seen, fingerprint, write_seen
from tests.conftest import EXAMPLES

PAIR = ("A cat's café is closed, isn't it?", "The bar is open .")


@pytest.fixture
def copy(tmp_path):
    return shutil.copytree(models_path("pilot"), tmp_path / "pilot")


@pytest.mark.parametrize(
    "other",
    [
        PAIR[::-1],
        tuple(f"{text}\r" for text in PAIR),
        tuple(f"\ufeff{text.upper()}" for text in PAIR),
        ("A cat 's café is closed , is n't it ?", "  The bar\tis open."),
        (PAIR[0].replace("é", "\udce9"), PAIR[1]),  # Latin-1, read as the official files are
        (PAIR[0].replace("é", "e\u0301"), PAIR[1]),
    ],
    ids=["swapped", "crlf", "bom and case", "tokenised", "latin-1", "decomposed"],
)
def test_a_copy_of_a_pair_has_its_fingerprint(other):
    assert fingerprint(*other) == fingerprint(*PAIR)


def test_other_pairs_have_other_fingerprints():
    others = [
        PAIR,
        (PAIR[0], PAIR[0]),
        ("a b", "c"),
        ("a", "b c"),
        ("?", "!"),
        ("?", "?"),
        ("", ""),
    ]
    assert len({fingerprint(*pair) for pair in others}) == len(others)
    assert all(len(fingerprint(*pair)) == 16 for pair in others)


def test_the_pairs_of_a_file_are_counted(tmp_path):
    file = tmp_path / "data.tsv"
    file.write_text("x")
    seen = Seen(frozenset({fingerprint(*PAIR)}))
    assert seen.count([PAIR, ("one", "two"), PAIR[::-1]], [file]) == 2
    assert Seen(files=frozenset({sha256_of(file)})).count([PAIR, PAIR], [file]) == 2
    assert Seen().count([PAIR]) == 0


def test_what_is_written_is_read_back(copy):
    card = json.loads((copy / CARD).read_text())
    name = write_seen(copy, [PAIR, PAIR[::-1], ("one", "two")])
    assert len((copy / name).read_text().splitlines()) == 2
    write_card(copy, card, list(card["files"]))
    seen = Seen.by(open_model(str(copy), "aligner"))
    assert seen.pairs == {fingerprint(*PAIR), fingerprint("one", "two")}
    assert seen.lists_pairs


def test_the_training_data_of_models_is_merged():
    one, two = open_model("pilot", "aligner"), open_model("similarity", "similarity")
    both = Seen.by(one, two)
    assert both.pairs == Seen.by(one).pairs | Seen.by(two).pairs
    assert both.files == Seen.by(one).files | Seen.by(two).files


def test_a_model_without_a_list_is_recognised(copy):
    card = json.loads((copy / CARD).read_text())
    write_card(copy, card, [file for file in card["files"] if file != SEEN])
    seen = Seen.by(open_model(str(copy), "aligner"))
    assert not seen.lists_pairs
    assert not seen.pairs
    assert seen.files


def test_an_invalid_list_is_rejected(copy):
    card = json.loads((copy / CARD).read_text())
    (copy / SEEN).write_text("no fingerprint\n")
    write_card(copy, card, list(card["files"]))
    with pytest.raises(ModelError, match=r"seen\.txt: expected 16 hexadecimal digits per line"):
        Seen.by(open_model(str(copy), "aligner"))


def test_the_list_of_a_model_comes_from_the_files_of_its_card(copy):
    from ists.train.seen import add_seen

    card = json.loads((copy / CARD).read_text())
    gold = EXAMPLES / "gold.wa"
    with pytest.raises(ModelError, match=r"gold\.wa: is not one of the files"):
        add_seen(copy, [gold])
    card["training"]["files"] = {"gold.wa": sha256_of(gold), "more.wa": "0" * 64}
    write_card(copy, card, list(card["files"]))
    with pytest.raises(ModelError, match="names 1 more training file"):
        add_seen(copy, [gold])
    del card["training"]["files"]["more.wa"]
    write_card(copy, card, [file for file in card["files"] if file != SEEN])
    add_seen(copy, [gold])
    assert len(Seen.by(open_model(str(copy), "aligner")).pairs) == 8


def test_the_shipped_lists_match_the_training_data(shared):
    from ists.seen import fingerprint
    from ists.train.gold import read_pairs
    from ists.train.seen import gold_texts

    files = sorted((shared / "ists2015" / "train").glob("STSint.gs.*.wa"))
    found = {fingerprint(*texts) for file in files for texts in gold_texts(read_pairs(file))}
    assert found == Seen.by(open_model("pilot", "aligner")).pairs
