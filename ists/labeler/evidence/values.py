"""Reasons that rest on values: amounts and times, compared once whatever their wording."""

from collections.abc import Iterator
from math import isclose

from ists.labeler.evidence.comparison import Comparison
from ists.labeler.evidence.links import Link
from ists.labeler.evidence.units import measures as find_measures
from ists.labeler.reasons import ALL, OPPO, REL, SIMI, SPE1, SPE2, Reason, ReasonKind
from ists.lexicon import (
    Amount,
    AmountKind,
    AmountRelation,
    Bound,
    DateKind,
    Quantity,
    QuantityKind,
    QuantityMatch,
)

_PARTS = {
    DateKind.WEEKDAY: "day",
    DateKind.DAY: "day",
    DateKind.MONTH: "month",
    DateKind.YEAR: "year",
    DateKind.SEASON: "season",
}
"""Parts of a date that are the same where their values are; *now* and *today* are not."""

_ROUNDING = 1e-6


def amounts(comparison: Comparison) -> Iterator[Reason]:
    """Numbers, sums of money and percentages that correspond."""
    for link in comparison.links:
        one, two = link.one.amount, link.two.amount
        if one is None or two is None or link.is_equal or not _are_comparable(comparison, link):
            continue
        match = one.compare(two)
        if match is QuantityMatch.DIFFERENT:
            text = f"'{link.one.text}' is another {_name(one, two)} than '{link.two.text}'"
            yield link.reason(ReasonKind.OTHER_AMOUNT, text, SIMI | REL, SIMI | REL)
        elif match is QuantityMatch.EQUAL and one.bound is Bound.EXACT:
            yield link.reason(ReasonKind.SAME_AMOUNT, _same(link, one), ALL - OPPO, REL)
        elif _are_opposite_bounds(one, two):
            text = f"'{link.one.text}' and '{link.two.text}' are opposite bounds"
            yield link.reason(ReasonKind.OPPOSITE, text, OPPO | SIMI | REL, OPPO | SIMI | REL)
        else:
            says = "give the same number" if _is_joined(link, one) else "be the same amount"
            text = f"'{link.one.text}' and '{link.two.text}' may {says}"
            yield link.reason(ReasonKind.CLOSE_AMOUNT, text, ALL - OPPO, SIMI | REL)
            yield from _more_exact(link, one, two)


def _are_comparable(comparison: Comparison, link: Link) -> bool:
    """Whether two numbers count the same unit, if any: not *two cups* and *250 g*."""
    units1, units2 = (
        {
            (found.measure.kind, found.measure.unit)
            for found in find_measures(phrase)
            if found.measure is not None
            and found.measure.kind is not AmountKind.MONEY
            and not found.places.isdisjoint(unit.places)
        }
        for phrase, unit in zip(comparison.phrases, (link.one, link.two), strict=True)
    )
    return units1 == units2 or not (units1 and units2)


def _are_opposite_bounds(one: Quantity, two: Quantity) -> bool:
    """Whether the amounts lie on opposite sides of one number: *more than 20*, *up to 20*."""
    opposed = {one.bound, two.bound} == {Bound.AT_LEAST, Bound.AT_MOST}
    return opposed and isclose(one.value, two.value)


def measures(comparison: Comparison) -> Iterator[Reason]:
    """Amounts with units: equal in other units or words, or different."""
    for link in comparison.links:
        one, two = link.one.measure, link.two.measure
        if one is None or two is None:
            continue
        name = "time" if one.kind is AmountKind.CLOCK else "amount"
        if link.measured is AmountRelation.DIFFERENT:
            text = f"'{link.one.text}' is another {name} than '{link.two.text}'"
            yield link.reason(ReasonKind.OTHER_AMOUNT, text, SIMI | REL, SIMI | REL)
        else:
            text = f"'{link.one.text}' is {_exactly(one, two)}the same {name} as '{link.two.text}'"
            yield link.reason(ReasonKind.SAME_AMOUNT, text, ALL - OPPO, REL)


def _exactly(one: Amount, two: Amount) -> str:
    """*About* for values that differ by rounding: *five miles*, *8 km*."""
    rounded = one.kind is not AmountKind.CLOCK and not isclose(one.low, two.low, rel_tol=_ROUNDING)
    return "about " if rounded and one.kind is two.kind else ""


def times(comparison: Comparison) -> Iterator[Reason]:
    """Days, months and years that correspond."""
    for link in comparison.links:
        one, two = link.one.time, link.two.time
        if one is None or two is None or link.is_equal:
            continue
        if one.value != two.value:
            name = _PARTS.get(one.kind, "time")
            text = f"'{link.one.text}' is another {name} than '{link.two.text}'"
            yield link.reason(ReasonKind.OTHER_TIME, text, SIMI | REL, SIMI | REL)
        elif one.kind in _PARTS:
            name = _PARTS[one.kind]
            text = f"'{link.one.text}' is the same {name} as '{link.two.text}'"
            yield link.reason(ReasonKind.SAME_TIME, text, ALL - OPPO, REL)


def _name(one: Quantity, two: Quantity) -> str:
    kinds = {one.kind, two.kind}
    if kinds == {QuantityKind.CARDINAL}:
        return "number"
    return "rank" if QuantityKind.ORDINAL in kinds else "amount"


def _same(link: Link, amount: Quantity) -> str:
    if _is_joined(link, amount):
        return f"'{link.one.text}' and '{link.two.text}' give the same number"
    name = "rank" if amount.kind is QuantityKind.ORDINAL else "amount"
    return f"'{link.one.text}' is the same {name} as '{link.two.text}'"


def _is_joined(link: Link, amount: Quantity) -> bool:
    """Whether a word is no amount but has a number in it: *12-year-old*."""
    return amount.kind is not QuantityKind.PAIR and "-" in link.one.text + link.two.text


def _more_exact(link: Link, one: Quantity, two: Quantity) -> Iterator[Reason]:
    if (one.bound is Bound.EXACT) == (two.bound is Bound.EXACT):
        return
    if one.bound is Bound.EXACT:
        text = f"'{link.one.text}' is more exact than '{link.two.text}'"
        yield link.reason(ReasonKind.MORE_SPECIFIC, text, SPE1, SPE1)
    else:
        text = f"'{link.two.text}' is more exact than '{link.one.text}'"
        yield link.reason(ReasonKind.MORE_GENERAL, text, SPE2, SPE2)
