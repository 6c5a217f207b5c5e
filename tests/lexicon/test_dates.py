"""Dates in tokens."""

from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.lexicon import DateKind, dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on Friday", [(DateKind.WEEKDAY, 4)]),
        ("Mondays", [(DateKind.WEEKDAY, 0)]),
        ("Thurs.", [(DateKind.WEEKDAY, 3)]),
        ("in March", [(DateKind.MONTH, 3)]),
        ("march on the city", []),
        ("may fall", []),
        ("May 5", [(DateKind.MONTH, 5), (DateKind.DAY, 5)]),
        ("5th June 2012", [(DateKind.DAY, 5), (DateKind.MONTH, 6), (DateKind.YEAR, 2012)]),
        ("the 1990s", [(DateKind.YEAR, 1990)]),
        ("last week", [(DateKind.RELATIVE, -7)]),
        ("next year", [(DateKind.RELATIVE, 365)]),
        ("three days ago", [(DateKind.RELATIVE, -3)]),
        ("a month later", [(DateKind.RELATIVE, 30)]),
        ("tomorrow", [(DateKind.RELATIVE, 1)]),
        ("tonight", [(DateKind.RELATIVE, 0), (DateKind.TIME_OF_DAY, 21)]),
        ("summer", [(DateKind.SEASON, 1)]),
        ("wed her", []),
        ("12 dogs", []),
    ],
)
def test_a_phrase_fixes_these_parts_of_a_date(
    text: str, expected: list[tuple[DateKind, int]]
) -> None:
    assert [(found.kind, found.value) for found in dates(text.split())] == expected


@settings(deadline=None)
@given(st.lists(st.text(max_size=8), max_size=8))
def test_any_tokens_can_be_read(tokens: list[str]) -> None:
    for found in dates(tokens):
        assert 0 <= found.start < found.end <= len(tokens)


SAID = (
    "Mondays Wed wed May may 5 5th 1990s the on last next week years three days ago later noon "
    "tonight spring dog Sept. Thurs. a"
)


@given(st.lists(st.sampled_from(SAID.split()), max_size=5))
def test_the_fast_filter_misses_no_date(tokens: list[str]) -> None:
    found = dates(tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("ists.lexicon.dates"), "_DATE_WORDS", Everything())
        assert dates(tokens) == found


class Everything:
    def __contains__(self, word: str) -> bool:
        return True
