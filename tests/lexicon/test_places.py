"""Places and their people."""

from pathlib import Path

import pytest

from ists.errors import ModelError
from ists.lexicon import PlaceName, PlaceRole, Places, RelationKind
from ists.lexicon.places import COLUMNS, read_rows
from ists.resources import data_path


@pytest.fixture(scope="module")
def places() -> Places:
    return Places.load()


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Pakistan", "Pakistani", RelationKind.DEMONYM),
        ("Turks", "Turkey", RelationKind.DEMONYM),
        ("asian", "Asia", RelationKind.DEMONYM),
        ("Frenchmen", "France", RelationKind.DEMONYM),
        ("US", "U.S.", RelationKind.SAME_PLACE),
        ("Burma", "Myanmar", RelationKind.SAME_PLACE),
        ("Islamabad", "Pakistan", RelationKind.PART),
        ("Pakistani", "Islamabad", RelationKind.WHOLE),
        ("Scotland", "UK", RelationKind.PART),
        ("Egypt", "Africa", RelationKind.PART),
        ("Europe", "Berlin", RelationKind.WHOLE),
        ("Syria", "Israel", RelationKind.OTHER_PLACE),
        ("Karachi", "Lahore", RelationKind.OTHER_PLACE),
        ("Paris", "paris", RelationKind.EQUAL),
        ("turkey", "Turkish", RelationKind.NONE),
        ("us", "American", RelationKind.NONE),
        ("dog", "France", RelationKind.NONE),
    ],
)
def test_two_places_have_their_relation(places: Places, a: str, b: str, kind: RelationKind) -> None:
    assert places.relate(a, b).kind is kind
    assert places.relate(b, a) == places.relate(a, b).reversed()


def test_a_capital_is_closer_to_its_country_than_another_city(places: Places) -> None:
    capital, city = places.relate("Beijing", "China"), places.relate("Shanghai", "China")
    assert capital.strength > city.strength


def test_the_longest_name_is_found(places: Places) -> None:
    tokens = ["Clashes", "in", "South", "Sudan", "'s", "capital", "Juba"]
    country, capital = places.mentions(tokens)
    assert (country.start, country.end) == (2, 4)
    assert country.names == (PlaceName("South Sudan", PlaceRole.NAME),)
    assert capital.names == (PlaceName("South Sudan", PlaceRole.CAPITAL),)


def test_the_shipped_table_is_consistent() -> None:
    table = read_rows(data_path("lexicon", "places.tsv"), COLUMNS)
    names = [row["name"] for row in table]
    assert len(names) == len(set(names))
    assert sum(row["kind"] == "country" for row in table) >= 190
    for row in table:
        for outer in filter(None, row["within"].split(",")):
            assert outer in names, row["name"]
        for cell in row.values():
            assert cell == cell.strip()
            assert ",," not in cell


@pytest.mark.parametrize("content", ["", "nonsense\n", "name\tkind\n", "a\x00"])
def test_another_table_is_rejected(tmp_path: Path, content: str) -> None:
    path = tmp_path / "places.tsv"
    path.write_text(content)
    with pytest.raises(ModelError, match=r"places\.tsv: not the expected table"):
        Places.load(path)


def test_a_short_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "places.tsv"
    path.write_text("name\tkind\talso\tpeople\tcapitals\tinside\twithin\nPeru\tcountry\n")
    with pytest.raises(ModelError, match=r"places\.tsv:2: 2 columns, expected 7"):
        Places.load(path)


def test_a_missing_or_binary_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.tsv: the table cannot be read"):
        Places.load(tmp_path / "none.tsv")
    (tmp_path / "binary.tsv").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ModelError, match=r"binary\.tsv: the table is damaged"):
        Places.load(tmp_path / "binary.tsv")
