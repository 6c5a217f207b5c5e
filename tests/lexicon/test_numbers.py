"""Quantities in tokens, and how they compare."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.lexicon import Bound, QuantityKind, QuantityMatch, numbers, quantities, quantity


@pytest.mark.parametrize(
    ("text", "value", "kind", "bound"),
    [
        ("12", 12, QuantityKind.CARDINAL, Bound.EXACT),
        ("1,200", 1200, QuantityKind.CARDINAL, Bound.EXACT),
        ("seven", 7, QuantityKind.CARDINAL, Bound.EXACT),
        ("twenty-five", 25, QuantityKind.CARDINAL, Bound.EXACT),
        ("two hundred and five", 205, QuantityKind.CARDINAL, Bound.EXACT),
        ("two million", 2_000_000, QuantityKind.CARDINAL, Bound.EXACT),
        ("two hundred thousand", 200_000, QuantityKind.CARDINAL, Bound.EXACT),
        ("3.5m", 3_500_000, QuantityKind.CARDINAL, Bound.EXACT),
        ("half a million", 500_000, QuantityKind.CARDINAL, Bound.EXACT),
        ("a dozen", 12, QuantityKind.CARDINAL, Bound.EXACT),
        ("dozens", 12, QuantityKind.CARDINAL, Bound.VAGUE),
        ("tens of thousands", 10_000, QuantityKind.CARDINAL, Bound.VAGUE),
        ("at least 10", 10, QuantityKind.CARDINAL, Bound.AT_LEAST),
        ("no more than 10", 10, QuantityKind.CARDINAL, Bound.AT_MOST),
        ("about ten", 10, QuantityKind.CARDINAL, Bound.ABOUT),
        ("10 or more", 10, QuantityKind.CARDINAL, Bound.AT_LEAST),
        ("50+", 50, QuantityKind.CARDINAL, Bound.AT_LEAST),
        ("5 %", 5, QuantityKind.PERCENT, Bound.EXACT),
        ("five per cent", 5, QuantityKind.PERCENT, Bound.EXACT),
        ("$ 3.5m", 3_500_000, QuantityKind.MONEY, Bound.EXACT),
        ("$1.2 billion", 1_200_000_000, QuantityKind.MONEY, Bound.EXACT),
        ("10 euros", 10, QuantityKind.MONEY, Bound.EXACT),
        ("3rd", 3, QuantityKind.ORDINAL, Bound.EXACT),
        ("twenty-first", 21, QuantityKind.ORDINAL, Bound.EXACT),
        ("fourth", 4, QuantityKind.ORDINAL, Bound.EXACT),
        ("2-1", 2, QuantityKind.PAIR, Bound.EXACT),
    ],
)
def test_a_phrase_is_one_quantity(
    text: str, value: float, kind: QuantityKind, bound: Bound
) -> None:
    tokens = text.split()
    (found,) = quantities(tokens)
    assert (found.value, found.kind, found.bound) == (value, kind, bound)
    assert (found.start, found.end) == (0, len(tokens))


@pytest.mark.parametrize(
    ("text", "value", "bound"),
    [("twice a day", 2, Bound.EXACT), ("more than once a week", 1, Bound.AT_LEAST)],
)
def test_a_frequency_has_a_number(text: str, value: float, bound: Bound) -> None:
    (found,) = quantities(text.split())
    assert (found.value, found.bound) == (value, bound)


@pytest.mark.parametrize(
    "text", ["", "dogs", "U2", "G20", "4x4", "Messi scores", "a", "and", "%", "once it stops"]
)
def test_a_phrase_without_a_number_has_no_quantity(text: str) -> None:
    assert quantity(text.split()) is None


def test_several_quantities_are_found_with_their_places() -> None:
    first, second = quantities(["6.3-magnitude", "quake", "kills", "at", "least", "12", "people"])
    assert (first.value, first.start, first.end) == (6.3, 0, 1)
    assert (second.value, second.start, second.end) == (12, 3, 6)
    assert [found.value for found in quantities(["one", "two"])] == [1, 2]


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        ("2", "two", QuantityMatch.EQUAL),
        ("1,000", "a thousand", QuantityMatch.EQUAL),
        ("more than 10", "over ten", QuantityMatch.EQUAL),
        ("5", "7", QuantityMatch.DIFFERENT),
        ("hundreds", "120", QuantityMatch.APPROXIMATE),
        ("at least 10", "12", QuantityMatch.APPROXIMATE),
        ("at least 10", "8", QuantityMatch.DIFFERENT),
        ("about 100", "98", QuantityMatch.APPROXIMATE),
        ("$5", "€5", QuantityMatch.DIFFERENT),
        ("$5", "5", QuantityMatch.APPROXIMATE),
        ("2nd", "2", QuantityMatch.INCOMPARABLE),
        ("2-1", "2-1", QuantityMatch.EQUAL),
        ("2-1", "2-2", QuantityMatch.DIFFERENT),
    ],
)
def test_two_quantities_compare_both_ways(a: str, b: str, match: QuantityMatch) -> None:
    one, other = quantity(a.split()), quantity(b.split())
    assert one is not None
    assert other is not None
    assert one.compare(other) is match
    assert other.compare(one) is match


@settings(deadline=None)
@given(st.integers(0, 10**12))
def test_any_integer_is_read_with_or_without_commas(number: int) -> None:
    plain, grouped = quantity([str(number)]), quantity([f"{number:,}"])
    assert plain is not None
    assert plain.value == number
    assert plain == grouped


@settings(deadline=None)
@given(st.lists(st.text(max_size=8), max_size=8))
def test_quantities_of_any_tokens_lie_inside_them_in_order(tokens: list[str]) -> None:
    at = 0
    for found in quantities(tokens):
        assert at <= found.start < found.end <= len(tokens)
        at = found.end


SAID = (
    "a half two fifth-grade twenty-one million dozens scores of and 7 1,200 $ us$5 rs euro dollar "
    "several couple few first th 3rd ½ dog -five"
)


@given(st.lists(st.sampled_from(SAID.split()), max_size=5))
def test_the_fast_filter_misses_no_quantity(tokens: list[str]) -> None:
    found = quantities(tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "_may_open", lambda word: True)
        assert quantities(tokens) == found
