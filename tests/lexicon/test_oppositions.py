"""Opposed words."""

from pathlib import Path

import pytest

from ists.errors import ModelError
from ists.lexicon import Lexicon, opposition
from ists.lexicon.oppositions import COLUMNS, Oppositions
from ists.lexicon.places import read_rows
from ists.resources import data_path

CERTAIN = """
won/losing rises/fell accepted/rejected denies/admitted connect/disconnected fixed/broke
arrived/left increases/decreased allow/forbids remembered/forgot succeed/failed loves/hate
opens/closed enabled/disable include/excluding improved/worsens hire/fired pass/fail lock/unlocked
appeared/vanished raise/lowered hot/cold cheaper/expensive early/late full/empty easy/difficult
safe/dangerous same/different public/private permanent/temporary mandatory/optional always/never
everyone/nobody all/none more/less before/after with/without above/below inside/outside
over/under profits/losses victory/defeat arrival/departures success/failure presence/absence
strength/weaknesses friend/enemies quickly/slowly happily/sadly politely/rudely huge/tiny
better/worse legal/banned dead/alive married/single on/off can/cannot can/can't true/false
"""
STRONG = """
answered/unanswered believable/unbelievable sensitive/insensitive tasteful/tasteless
toxic/nontoxic comfort/discomfort happy/unhappy possible/impossible regular/irregular
legal/illegal justice/injustice able/unable paid/unpaid hopeful/hopeless
"""
NONE = """
Monday/Tuesday red/blue man/woman cats/dog black/red brother/sister kings/queen boy/girl
buy/sell bought/sold lent/borrow employer/employee give/receive husband/wife teach/learned
valuable/invaluable flammable/inflammable interest/interesting famous/infamous port/import
form/inform come/income cover/discover press/impress under/der appointed/disappointed
different/indifferent take/mistake walk/run car/truck coffee/tea rise/increase drop/decline
big/red happy/glad lose/lost win/winning doctor/nurse summer/dog brown/white nothing/table
child/parent blonde/brunette sit/stand invoice/voice hot/warm mission/dismission
"""


@pytest.mark.parametrize("pair", CERTAIN.split())
def test_two_poles_are_opposed(pair: str) -> None:
    a, b = pair.split("/")
    assert opposition(a, b) == opposition(b, a) == 1.0


@pytest.mark.parametrize("pair", STRONG.split())
def test_a_negative_affix_opposes(pair: str) -> None:
    a, b = pair.split("/")
    assert opposition(a, b) == opposition(b, a) >= 0.8


@pytest.mark.parametrize("pair", NONE.split())
def test_members_of_one_class_are_not_opposed(pair: str) -> None:
    a, b = pair.split("/")
    assert opposition(a, b) == opposition(b, a) == 0.0


@pytest.mark.parametrize(
    ("a", "b", "strength"),
    [
        ("left", "right", 0.6),
        ("north", "south", 0.6),
        ("day", "night", 0.6),
        ("black", "white", 0.6),
        ("at least", "at most", 1.0),
        ("turned on", "turn off", 1.0),
        ("more than", "fewer than", 1.0),
        ("can’t", "can", 1.0),
        ("Won", "LOST", 1.0),
        ("", "", 0.0),
        ("", "hot", 0.0),
    ],
)
def test_sides_and_phrases(a: str, b: str, strength: float) -> None:
    assert opposition(a, b) == strength


def test_wordnet_counts_less_than_the_table() -> None:
    assert 0.5 < opposition("ordinary", "special") < 0.86
    assert 0.4 < opposition("dark", "pale") <= 0.7


def test_the_table_is_consistent() -> None:
    rows = read_rows(data_path("lexicon", "oppositions.tsv"), COLUMNS)
    assert sum(row["strength"] != "0" for row in rows) >= 600
    for row in rows:
        one, other = row["one"].split("/"), row["other"].split("/")
        words = one + other
        assert len(words) == len(set(words)), row
        assert all(word == word.strip().lower() != "" for word in words), row
        assert 0 <= float(row["strength"]) <= 1, row


def test_a_strength_that_is_no_number_is_named(tmp_path: Path, lexicon: Lexicon) -> None:
    path = tmp_path / "oppositions.tsv"
    path.write_text("strength\tone\tother\nhigh\ta\tb\n")
    with pytest.raises(ModelError, match="'high' is not a strength"):
        Oppositions.load(lexicon.wordnet, lexicon.word_sets, path)
