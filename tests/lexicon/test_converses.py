"""Converse words."""

import pytest

from ists.lexicon import are_converse
from ists.lexicon.converses import COLUMNS
from ists.lexicon.places import read_rows
from ists.resources import data_path

CONVERSE = """
buy/sell
bought/sold
Selling/buys
lent/borrowed
give/receive
gave/received
taught/learn
teacher/pupils
won/lost
beat/lost to
precedes/follow
parent/child
mother/son
employer/employees
husband/wife
landlord/tenants
above/below
before/after
owns/belongs to
doctor/patient
lender/borrower
host/guests
uncle/niece
older than/younger than
sent/got
predecessor/successor
"""
NOT = """
buy/buy
buy/purchase
buy/lend
hot/cold
rise/fall
man/woman
parent/mother
give/sell
cat/dog
arrive/leave
Monday/Tuesday
love/hate
/buy
teacher/doctor
brother/sister
"""


@pytest.mark.parametrize("pair", CONVERSE.strip().split("\n"))
def test_converse_words_are_recognised(pair: str) -> None:
    a, b = pair.split("/")
    assert are_converse(a, b)
    assert are_converse(b, a)


@pytest.mark.parametrize("pair", NOT.strip().split("\n"))
def test_other_words_are_not_converses(pair: str) -> None:
    a, b = pair.split("/")
    assert not are_converse(a, b)
    assert not are_converse(b, a)


def test_the_table_is_consistent() -> None:
    for row in read_rows(data_path("lexicon", "converses.tsv"), COLUMNS):
        words = [*row["one"].split("/"), *row["other"].split("/")]
        assert len(words) == len(set(words)), row
        assert all(word == word.strip().lower() != "" for word in words), row
