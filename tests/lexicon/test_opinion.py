"""Opinions of chunks."""

from pathlib import Path

import pytest

from ists.errors import ModelError
from ists.lexicon import Lexicon, opinion
from ists.lexicon.opinion import COLUMNS, Opinions
from ists.lexicon.places import read_rows
from ists.resources import data_path

CASES = """
loved|2
love|2
hates|-2
great|1
awful|-2
the delicious soup|2
bland|-1
the rude waiter|-1
helpful staff|1
a waste|-1
recommends|1
disappointing|-1
was disappointed|-1
not good|-1
is n't helpful|-1
dont recommend|-1
not terrible|1
never disappoints|1
very good|1.4
slightly rude|-0.6
do n't like|-1
liked|1
beautifully|1
hot|0
cold|0
rises|0
fell|0
like a dog|0
looks like|0
would like|0
a kind of|0
the kind nurse|1
pretty big|0
a pretty dress|0.5
the table|0
great , but rude|0
amazing wonderful|2
|0
"""


@pytest.mark.parametrize("case", CASES.strip("\n").split("\n"))
def test_a_chunk_expresses_an_opinion(case: str) -> None:
    chunk, value = case.split("|")
    assert opinion(chunk.split()) == pytest.approx(float(value))


def test_the_table_is_consistent() -> None:
    rows = read_rows(data_path("lexicon", "opinion.tsv"), COLUMNS)
    words = [row["word"] for row in rows]
    assert len(words) == len(set(words)) >= 700
    assert all(word == word.strip().lower() for word in words)
    assert all(0 < abs(float(row["opinion"])) <= 2 for row in rows)


def test_an_invalid_number_is_named(tmp_path: Path, lexicon: Lexicon) -> None:
    path = tmp_path / "opinion.tsv"
    path.write_text("word\topinion\nfine\tgood\n")
    with pytest.raises(ModelError, match="'good' is not an opinion"):
        Opinions.load(lexicon.wordnet.morphology, path)
