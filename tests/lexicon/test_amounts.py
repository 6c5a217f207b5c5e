"""Amounts by value."""

import pytest

from ists.lexicon import Amount, AmountKind, AmountRelation, amount, amounts, compare_amounts

EQUAL = """
$ 3.2m|3.2 million dollars
of $ 3.2 million|$3.2m
$1.65bn|$ 1.65 billion
$ 1,650 million|US$1.65bn
eight percent|8 %
8 per cent|8%
a dozen|12
half|50 %
half of the guests|50 per cent
two thirds of voters|two-thirds
a third of voters|33.3 %
twice|two times
a couple|two
a couple of days|two days
half past nine|9:30
at half past nine|at 9.30 a.m.
9:30|at 9.30 a.m.
at a quarter to ten|at 9:45
ten past six|6:10
9 pm|21:00
at nine o'clock|at 9
at noon|at 12 pm
midnight|12 a.m.
at nine thirty|at 9:30
two weeks|14 days
a fortnight|two weeks
an hour and a half|90 minutes
1 hour 30 minutes|an hour and a half
half an hour|30 minutes
a 90-minute film|one and a half hours
two and a half years|30 months
24 hours|a day
a year|12 months
10 km|6.2 miles
ten kilometres|10 km
5 kg|11 lb
70 kilos|154 pounds
30 °C|86 °F
20 degrees Celsius|68 degrees Fahrenheit
six feet|1.83 m
6 ft 7 in|2.01 metres
no larger than 10 MB|at most 10 MB
10 acres|4.05 hectares
60 mph|96.5 km/h
60 miles an hour|60 mph
third|3rd
the twenty-first|21st
the 1990s|the nineties
in 2015|2015
10 to 15|between 10 and 15
10-15 people|ten to fifteen people
at least 10|10 or more
up to 50 guests|at most 50
more than 200|over 200
about 100|roughly 100
fewer than 10|under ten
two hundred and five|205
half a million|500,000
1.2 million|1,200,000
twice a day|two times daily
$ 10 a day|$ 70 a week
£ 5|five pounds
50 cents|$ 0.50
one in four|25 %
every two weeks|fortnightly
several|several
hundreds|hundreds of people
nearly 500|almost 500
in March 3|on 3rd March
a 12-year-old boy|12 years old
1.5 GB|1500 MB
between $ 5 and $ 10|$ 5-10
from $ 5 to $ 10|$ 5 to $ 10
three quarters of an hour|45 minutes
from 5 to 6 pm|17:00-18:00
1/4 litre|250 ml
"""
INSIDE = """
17|at least 14
12|10 to 15
$ 5m|more than $ 4 million
8 %|under 10 %
98|about 100
1994|the 1990s
480|nearly 500
500|hundreds
10|10 or more
45 minutes|less than an hour
9:20|before 9:30
7|several
more than 10|at least 10
10 to 15|at least 5
"""
OPPOSED = """
at least 10|at most 10
more than 5 km|less than 5 km
over 100|under 100
heavier than 250 grams|up to 250 g
older than 12 years|younger than 12 years
before 9:30|after 9:30
up to 20 %|no less than 20 %
"""
DIFFERENT = """
10|12
$ 3 million|$ 4 million
10|more than 10
at least 10|at least 20
9:30|10:30
9 am|9 pm
first|second
2015|2016
two weeks|10 days
5 km|5 miles
2-1|1-2
10|at most 5
20 %|30 %
30 °C|20 °C
"""
INCOMPARABLE = """
10 km|10 kg
$ 5|5 %
third|3
$ 5|€ 5
9:30|nine hours
a dog|10 dogs
"""


def _match(pair: str) -> AmountRelation:
    one, other = pair.split("|")
    return compare_amounts(amount(one.split()), amount(other.split())).relation


@pytest.mark.parametrize("pair", EQUAL.strip().split("\n"))
def test_the_same_amount_in_other_words(pair: str) -> None:
    assert _match(pair) is AmountRelation.EQUAL
    assert _match("|".join(reversed(pair.split("|")))) is AmountRelation.EQUAL


@pytest.mark.parametrize("pair", INSIDE.strip().split("\n"))
def test_a_number_inside_a_bound_is_more_specific(pair: str) -> None:
    assert _match(pair) is AmountRelation.INSIDE1
    assert _match("|".join(reversed(pair.split("|")))) is AmountRelation.INSIDE2


@pytest.mark.parametrize("pair", OPPOSED.strip().split("\n"))
def test_bounds_can_be_opposed(pair: str) -> None:
    assert _match(pair) is AmountRelation.OPPOSED
    assert _match("|".join(reversed(pair.split("|")))) is AmountRelation.OPPOSED


@pytest.mark.parametrize("pair", DIFFERENT.strip().split("\n"))
def test_amounts_differ(pair: str) -> None:
    assert _match(pair) is AmountRelation.DIFFERENT
    assert _match("|".join(reversed(pair.split("|")))) is AmountRelation.DIFFERENT


@pytest.mark.parametrize("pair", INCOMPARABLE.strip().split("\n"))
def test_amounts_of_other_kinds_do_not_compare(pair: str) -> None:
    assert _match(pair) is AmountRelation.INCOMPARABLE
    assert _match("|".join(reversed(pair.split("|")))) is AmountRelation.INCOMPARABLE


@pytest.mark.parametrize(
    "chunk",
    [
        "a dog",
        "no one",
        "the white one",
        "B-52 bombers",
        "a 4x4",
        "may",
        "",
        "won",
        "the other half",
    ],
)
def test_no_amount(chunk: str) -> None:
    assert amount(chunk.split()) is None


@pytest.mark.parametrize(
    ("chunk", "kind", "value", "unit"),
    [
        ("of $ 3.2 million", AmountKind.MONEY, 3.2e6, "USD"),
        ("eight percent", AmountKind.PERCENT, 8, ""),
        ("at 9.30 p.m.", AmountKind.CLOCK, 21 * 60 + 30, ""),
        ("two weeks", AmountKind.DURATION, 14 * 86400, "week"),
        ("2000 people", AmountKind.COUNT, 2000, ""),
        ("in 2000", AmountKind.YEAR, 2000, "year"),
        ("5 square metres", AmountKind.AREA, 5, "square metre"),
        ("minus 5 degrees", AmountKind.TEMPERATURE, -5, "degree"),
        ("a third man", AmountKind.ORDINAL, 3, ""),
        ("the second half", AmountKind.ORDINAL, 2, ""),
        ("two hundred thousand", AmountKind.COUNT, 2e5, ""),
        ("one man", AmountKind.COUNT, 1, ""),
        ("2-1", AmountKind.SCORE, 1.5, ""),
        ("the 19th century", AmountKind.YEAR, 1850.5, "century"),
    ],
)
def test_an_amount_has_a_kind_a_value_and_a_unit(
    chunk: str, kind: AmountKind, value: float, unit: str
) -> None:
    found = amount(chunk.split())
    assert found is not None
    assert (found.kind, found.value, found.unit) == (kind, pytest.approx(value), unit)


def test_places_of_amounts() -> None:
    chunk = "at least ten men and 3rd prize of $ 5m"
    found = amounts(chunk.split())
    assert [(one.start, one.end) for one in found] == [(2, 3), (5, 6), (8, 10)]
    assert amount(chunk.split()[4:]) == amounts(chunk.split()[4:])[1]


def test_the_ratio_measures_nearness() -> None:
    near = compare_amounts(amount(["10"]), amount(["9"]))
    far = compare_amounts(amount(["10"]), amount(["1,000"]))
    assert near.ratio == pytest.approx(0.9)
    assert far.ratio == pytest.approx(0.01)
    assert compare_amounts(None, amount(["9"])).relation is AmountRelation.INCOMPARABLE
    assert (
        compare_amounts(Amount(AmountKind.COUNT, 0, 0), Amount(AmountKind.COUNT, 0, 0)).ratio == 1
    )
