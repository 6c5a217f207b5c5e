"""Word families and closed sets."""

from pathlib import Path

import pytest

from ists.errors import ModelError
from ists.lexicon import RelationKind, WordSets
from ists.lexicon.places import read_rows
from ists.lexicon.word_sets import COLUMNS
from ists.resources import data_path


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("dead", "die", RelationKind.FAMILY),
        ("east", "eastern", RelationKind.FAMILY),
        ("eastern", "southern", RelationKind.CONTRAST),
        ("black", "white", RelationKind.CONTRAST),
        ("rise", "fall", RelationKind.ANTONYM),
        ("black", "east", RelationKind.NONE),
        ("black", "black", RelationKind.NONE),
        ("zzz", "black", RelationKind.NONE),
    ],
)
def test_two_words_of_a_set_are_related(a: str, b: str, kind: RelationKind) -> None:
    sets = WordSets.load()
    assert sets.relate(a, b).kind is kind
    assert sets.relate(b, a) == sets.relate(a, b)


def test_the_shipped_sets_are_consistent() -> None:
    for row in read_rows(data_path("lexicon", "word_sets.tsv"), COLUMNS):
        words = [word for member in row["words"].split(",") for word in member.split("/")]
        assert len(words) == len(set(words)), row["name"]
        assert all(word == word.strip().lower() != "" for word in words), row["name"]


def test_an_unknown_kind_of_set_is_named(tmp_path: Path) -> None:
    path = tmp_path / "word_sets.tsv"
    path.write_text("name\tbetween\twords\nodd\tfriends\ta,b\n")
    with pytest.raises(ModelError, match=r"word_sets\.tsv: unknown kind of set 'friends'"):
        WordSets.load(path)
