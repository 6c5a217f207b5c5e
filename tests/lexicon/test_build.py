"""The builder, on a WordNet of a dozen words and on the real one if installed."""

import hashlib
from pathlib import Path

import pytest

from ists.errors import FormatError
from ists.lexicon import PartOfSpeech, RelationKind, WordNet
from ists.lexicon.build import build, main
from ists.lexicon.table import read_table
from ists.resources import data_path

DEBIAN_WORDNET = Path("/usr/share/wordnet")


def test_the_tiny_wordnet_survives_a_round_trip_through_the_table(tiny_table: Path) -> None:
    wordnet = WordNet.load(tiny_table)
    assert wordnet.relate("dogs", "living thing").kind is RelationKind.HYPONYM
    assert wordnet.relate("thing", "dog").kind is RelationKind.HYPERNYM
    assert wordnet.relate("dog", "domestic_dog").kind is RelationKind.SYNONYM
    assert wordnet.relate("dog", "cat").kind is RelationKind.COHYPONYM
    assert wordnet.relate("dog", "pack").kind is RelationKind.PART
    assert wordnet.relate("kills", "die").kind is RelationKind.CAUSES
    assert wordnet.relate("died", "kill").kind is RelationKind.CAUSED_BY
    assert wordnet.relate("rose", "rise").kind is RelationKind.SAME_LEMMA
    assert wordnet.relate("go up", "rise").kind is RelationKind.SYNONYM
    assert wordnet.relate("rise", "fall").kind is RelationKind.ANTONYM
    assert wordnet.relate("hotly", "hot").kind is RelationKind.PERTAINYM
    assert wordnet.is_name("Rexville")


def test_an_adjective_inherits_the_antonym_of_its_head(tiny_table: Path) -> None:
    wordnet = WordNet.load(tiny_table)
    direct, indirect = wordnet.relate("hot", "cold"), wordnet.relate("aglow", "cold")
    assert direct.kind is indirect.kind is RelationKind.ANTONYM
    assert direct.strength > indirect.strength
    assert wordnet.relate("cold", "fiery").kind is RelationKind.ANTONYM


def test_tag_counts_make_the_commonest_sense_first(tiny_table: Path) -> None:
    wordnet = WordNet.load(tiny_table)
    assert wordnet.lexicographer_files("dog") == ("noun.animal", "noun.artifact")
    assert wordnet.parts_of_speech("rise") == (PartOfSpeech.VERB, PartOfSpeech.NOUN)
    assert sum(wordnet.table.sense_count) == 9 + 1 + 4 + 7


def test_a_folder_without_tag_counts_is_enough(tiny_dict: Path, tmp_path: Path) -> None:
    (tiny_dict / "cntlist.rev").unlink()
    table = build(tiny_dict, tmp_path / "out.table")
    assert not any(table.sense_count)


def test_the_same_folder_gives_the_same_bytes(tiny_dict: Path, tmp_path: Path) -> None:
    build(tiny_dict, tmp_path / "one.table")
    build(tiny_dict, tmp_path / "two.table")
    assert (tmp_path / "one.table").read_bytes() == (tmp_path / "two.table").read_bytes()


def test_the_table_records_where_it_comes_from(tiny_dict: Path, tiny_table: Path) -> None:
    source = read_table(tiny_table).source
    assert source["version"] == "9.9"
    digest = hashlib.sha256((tiny_dict / "data.noun").read_bytes()).hexdigest()
    assert source["sha256"]["data.noun"] == digest


def test_the_licence_is_written_beside_the_table(tiny_table: Path) -> None:
    licence = tiny_table.with_name("LICENSE-WordNet").read_text()
    assert licence.startswith("This software and database")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="nowhere: no such folder"):
        build(tmp_path / "nowhere", tmp_path / "out.table")


def test_another_folder_is_reported_with_its_first_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"data\.noun: no such file"):
        build(tmp_path, tmp_path / "out.table")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("data.noun", "00000099 03 n 05 too few"),
        ("data.noun", "00000099 77 n 01 word 0 000 | unknown lexicographer file"),
        ("index.verb", "jump v 3 0 1 0 00000010"),
        ("cntlist.rev", "dog%1:05:00:: many"),
    ],
)
def test_a_damaged_line_is_named(tiny_dict: Path, tmp_path: Path, name: str, line: str) -> None:
    path = tiny_dict / name
    number = path.read_text().count("\n") + 1
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(FormatError, match=rf"{name}:{number}: not an? "):
        build(tiny_dict, tmp_path / "out.table")
    assert not (tmp_path / "out.table").exists()


@pytest.mark.parametrize("name", ["data.adj", "index.adj"])
def test_a_pointer_into_nothing_is_an_error(tiny_dict: Path, tmp_path: Path, name: str) -> None:
    path = tiny_dict / name
    path.write_text(path.read_text().replace("00000020", "00000777"))
    with pytest.raises(FormatError, match="missing synset"):
        build(tiny_dict, tmp_path / "out.table")


def test_the_command_returns_exit_codes(
    tiny_dict: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tiny_dict), str(tmp_path / "out.table")]) == 0
    assert "WordNet 9.9" in capsys.readouterr().err
    assert main([str(tmp_path / "nowhere"), str(tmp_path / "x.table")]) == 1
    assert capsys.readouterr().err.startswith("error: ")
    assert main([str(tiny_dict), str(tmp_path / "missing" / "x.table")]) == 1
    assert "missing" in capsys.readouterr().err
    assert main([]) == 2


@pytest.mark.skipif(
    not (DEBIAN_WORDNET / "data.noun").exists(),
    reason="no WordNet dict folder here (Debian: apt-get install wordnet-base)",
)
def test_the_shipped_table_is_what_the_real_wordnet_gives(tmp_path: Path) -> None:
    shipped = read_table(data_path("lexicon", "wordnet.table"))
    sources = {
        name: hashlib.sha256((DEBIAN_WORDNET / name).read_bytes()).hexdigest()
        for name in shipped.source["sha256"]
        if (DEBIAN_WORDNET / name).exists()
    }
    if sources != shipped.source["sha256"]:
        pytest.skip("the WordNet installed here is another version than the shipped table's")
    built = build(DEBIAN_WORDNET, tmp_path / "wordnet.table")
    assert built == shipped
