"""Reasons that rest on values: amounts and times, compared once whatever their wording."""

from collections.abc import Iterator
from math import isclose

from ists.labeler.evidence.comparison import Comparison
from ists.labeler.evidence.links import Link
from ists.labeler.evidence.units import Unit
from ists.labeler.evidence.units import measures as find_measures
from ists.labeler.reasons import (
    ALL,
    EQUI,
    NOTHING,
    OPPO,
    REL,
    SIMI,
    SPE1,
    SPE2,
    Reason,
    ReasonKind,
)
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

_MEASURES = {
    AmountKind.CLOCK: "time",
    AmountKind.TEMPERATURE: "temperature",
    AmountKind.SPEED: "speed",
}
_OPEN = ("either half", "degree")
"""Units of values that leave open what they are: *9* without a.m. or p.m., *36 degrees*."""
_ROUNDING = 1e-6


def amounts(comparison: Comparison) -> Iterator[Reason]:
    """Numbers, sums of money and percentages that correspond."""
    for link in comparison.links:
        one, two = link.one.amount, link.two.amount
        if one is None or two is None or link.is_equal or not _are_comparable(comparison, link):
            continue
        match = one.compare(two)
        if match is QuantityMatch.DIFFERENT:
            text = f"'{link.one.text}' is another {_name(link)} than '{link.two.text}'"
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
            for found in find_measures(phrase, exact_only=False)
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
        name = _name_of_measure(one)
        if link.measured is AmountRelation.DIFFERENT:
            text = f"'{link.one.text}' is another {name} than '{link.two.text}'"
            yield link.reason(ReasonKind.OTHER_AMOUNT, text, SIMI | REL, SIMI | REL)
        elif (one.unit in _OPEN) != (two.unit in _OPEN):
            yield from _open_values(comparison, link, one, name)
        elif _is_rounded(one, two):
            text = f"'{link.one.text}' is about the same {name} as '{link.two.text}'"
            yield link.reason(ReasonKind.SAME_AMOUNT, text, EQUI | SPE1 | SPE2, NOTHING)
            text = f"the {name}s '{link.one.text}' and '{link.two.text}' are close"
            yield link.reason(ReasonKind.CLOSE_AMOUNT, text, SIMI | REL, SIMI | REL)
        else:
            text = f"'{link.one.text}' is the same {name} as '{link.two.text}'"
            yield link.reason(ReasonKind.SAME_AMOUNT, text, ALL - OPPO, REL)


def _open_values(comparison: Comparison, link: Link, one: Amount, name: str) -> Iterator[Reason]:
    """*9 am* may be *9*, unless the sentence says which half of the day is meant by this *9*."""
    is_first = one.unit not in _OPEN
    if comparison.names_time_of_day(comparison.two if is_first else comparison.one):
        return
    text = f"'{link.one.text}' and '{link.two.text}' may be the same {name}"
    yield link.reason(ReasonKind.CLOSE_AMOUNT, text, ALL - OPPO, SIMI | REL, covers=False)
    yield _exact_one(link, is_first)


def _name_of_measure(measure: Amount) -> str:
    if measure.per:
        return "frequency" if measure.kind is AmountKind.TIMES else "rate"
    return _MEASURES.get(measure.kind, "amount")


def _is_rounded(one: Amount, two: Amount) -> bool:
    """Whether values differ by rounding: *five miles*, *8 km*."""
    rounded = one.kind is not AmountKind.CLOCK and not isclose(one.low, two.low, rel_tol=_ROUNDING)
    return rounded and one.kind is two.kind and not one.per


def times(comparison: Comparison) -> Iterator[Reason]:
    """Days, months and years that correspond."""
    for link in comparison.links:
        one, two = link.one.time, link.two.time
        if one is None or two is None or link.is_equal:
            continue
        if _is_decade(link.one) or _is_decade(link.two):
            yield from _decades(link)
        elif one.value != two.value:
            name = _PARTS.get(one.kind, "time")
            text = f"'{link.one.text}' is another {name} than '{link.two.text}'"
            yield link.reason(ReasonKind.OTHER_TIME, text, SIMI | REL, SIMI | REL)
        elif one.kind in _PARTS:
            name = _PARTS[one.kind]
            text = f"'{link.one.text}' is the same {name} as '{link.two.text}'"
            yield link.reason(ReasonKind.SAME_TIME, text, ALL - OPPO, REL)


def _decades(link: Link) -> Iterator[Reason]:
    """Years and decades: a decade contains its years."""
    years1, years2 = _years(link.one), _years(link.two)
    if years1 == years2:
        text = f"'{link.one.text}' is the same decade as '{link.two.text}'"
        yield link.reason(ReasonKind.SAME_TIME, text, ALL - OPPO, REL)
    elif years1.isdisjoint(years2):
        if _is_decade(link.one) and _is_decade(link.two):
            text = f"'{link.one.text}' is another decade than '{link.two.text}'"
        else:
            text = f"'{link.one.text}' is another time than '{link.two.text}'"
        yield link.reason(ReasonKind.OTHER_TIME, text, SIMI | REL, SIMI | REL)
    elif years1 < years2:
        text = f"'{link.one.text}' lies in the '{link.two.text}'"
        yield link.reason(ReasonKind.PART, text, SPE1 | SIMI | REL, SPE1 | SIMI | REL)
    elif years2 < years1:
        text = f"'{link.two.text}' lies in the '{link.one.text}'"
        yield link.reason(ReasonKind.PART, text, SPE2 | SIMI | REL, SPE2 | SIMI | REL)


def _is_decade(unit: Unit) -> bool:
    """Whether a year stands for more than one: *1990s*, and *1900s*, which may be a century."""
    return unit.time is not None and unit.time.kind is DateKind.YEAR and unit.text[-1] in "sS"


def _years(unit: Unit) -> frozenset[int]:
    first = unit.time.value if unit.time is not None else 0
    size = (10 if first % 100 else 100) if _is_decade(unit) else 1
    return frozenset(range(first, first + size))


def _name(link: Link) -> str:
    kinds = {unit.amount.kind for unit in (link.one, link.two) if unit.amount is not None}
    if kinds == {QuantityKind.CARDINAL}:
        return "number"
    if QuantityKind.PAIR in kinds:
        return "figure"  # a result or a range
    return "rank" if QuantityKind.ORDINAL in kinds else "amount"


def _same(link: Link, amount: Quantity) -> str:
    if _is_joined(link, amount):
        return f"'{link.one.text}' and '{link.two.text}' give the same number"
    numeral = link.one.is_numeral or link.two.is_numeral
    name = "rank" if amount.kind is QuantityKind.ORDINAL else "number" if numeral else "amount"
    return f"'{link.one.text}' is the same {name} as '{link.two.text}'"


def _is_joined(link: Link, amount: Quantity) -> bool:
    """Whether a word is no amount but has a number in it: *12-year-old*."""
    return amount.kind is not QuantityKind.PAIR and "-" in link.one.text + link.two.text


def _more_exact(link: Link, one: Quantity, two: Quantity) -> Iterator[Reason]:
    if (one.bound is Bound.EXACT) == (two.bound is Bound.EXACT):
        return
    yield _exact_one(link, one.bound is Bound.EXACT)


def _exact_one(link: Link, is_first: bool) -> Reason:
    """The reason that one of two units, the first or the second, is the more exact one."""
    if is_first:
        text = f"'{link.one.text}' is more exact than '{link.two.text}'"
        return link.reason(ReasonKind.MORE_SPECIFIC, text, SPE1, SPE1)
    text = f"'{link.two.text}' is more exact than '{link.one.text}'"
    return link.reason(ReasonKind.MORE_GENERAL, text, SPE2, SPE2)
