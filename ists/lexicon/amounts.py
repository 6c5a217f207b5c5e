"""Amounts by value: ``$ 3.2m`` is ``3.2 million dollars``, ``half past nine`` is ``9:30``.

An amount has a kind, an interval in the base unit of that kind (seconds, metres, kilograms,
degrees Celsius, minutes after midnight, …) and a bound. Two amounts of one kind are compared by
their intervals, independently of wording: *equal*, *inside* (``17`` is inside ``at least 14`` and
so more specific), *opposed* (``at least 5`` and ``at most 5``) or *different*.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import inf, isclose

from ists.lexicon.numbers import Bound
from ists.lexicon.spelling import lowered


class AmountKind(StrEnum):
    """The kind of an amount; the comments give the base units."""

    COUNT = "count"
    ORDINAL = "ordinal"
    PERCENT = "percent"  # shares too: half, two thirds
    MONEY = "money"
    TIMES = "times"  # twice, two times
    DURATION = "duration"  # seconds
    CLOCK = "clock"  # minutes after midnight
    YEAR = "year"  # decades and centuries are ranges of years
    LENGTH = "length"  # metres
    AREA = "area"  # square metres
    VOLUME = "volume"  # litres
    WEIGHT = "weight"  # kilograms
    SPEED = "speed"  # kilometres per hour
    TEMPERATURE = "temperature"  # degrees Celsius
    DATA = "data"  # bytes
    SCORE = "score"  # 2-1


class AmountRelation(StrEnum):
    """Result of comparing two amounts."""

    EQUAL = "equal"
    INSIDE1 = "inside1"  # the first is inside the second, so it is more specific
    INSIDE2 = "inside2"
    OPPOSED = "opposed"  # at least X, at most X
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in tokens ``start`` to ``end`` (exclusive), without the words of its bound."""

    kind: AmountKind
    low: float
    high: float
    bound: Bound = Bound.EXACT
    unit: str = ""
    """The currency (USD), or the unit as written (week), in the singular."""
    strict: bool = False
    """Whether the limit itself is excluded: more than, fewer than."""
    per: float = 0.0
    """For rates, the period in seconds: 86400 for ``twice a day``."""
    start: int = 0
    end: int = 0

    @property
    def value(self) -> float:
        """The number in the base unit; for a range, its middle."""
        if self.bound is Bound.AT_LEAST:
            return self.low
        if self.bound is Bound.AT_MOST:
            return self.high
        return (self.low + self.high) / 2

    @property
    def is_exact(self) -> bool:
        """Whether the amount is one number without bounds."""
        return self.bound is Bound.EXACT and self.low == self.high


@dataclass(frozen=True, slots=True)
class AmountMatch:
    """Relation of two amounts, and their nearness (1 for equal values, towards 0 for distant)."""

    relation: AmountRelation
    ratio: float = 0.0


_INCOMPARABLE = AmountMatch(AmountRelation.INCOMPARABLE)


def _table(text: str) -> dict[str, float]:
    """Parse ``name/name=value`` items to a dictionary."""
    found: dict[str, float] = {}
    for item in text.split():
        names, _, value = item.partition("=")
        found.update(dict.fromkeys(names.split("/"), float(value)))
    return found


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {word: float(value) for value, word in enumerate(_SMALL.split())}
_NUMBERS |= {word: 10.0 * value for value, word in enumerate(_TENS.split(), 2)}
_SCALES = _table(
    "hundred=1e2 thousand=1e3 million/mn/mln=1e6 billion/bn/bln=1e9 trillion/tn/trn=1e12 "
    "dozen=12 lakh=1e5 crore=1e7"
)
_GLUED_SCALES = _table("k=1e3 m=1e6 b=1e9 t=1e12")
_ORDINALS = _table("first=1 second=2 third=3 fifth=5 eighth=8 ninth=9 twelfth=12")
_ORDINALS |= {
    f"{word}th": value
    for word, value in _NUMBERS.items()
    if word not in ("zero", "one", "two", "three", "five", "eight", "nine", "twelve")
    and not word.endswith("y")
}
_ORDINALS |= {f"{word[:-1]}ieth": _NUMBERS[word] for word in _TENS.split()}
_ORDINALS |= {"hundredth": 100.0, "thousandth": 1000.0}
_PARTS = _table(
    "half/halves=50 third/thirds=33.333333 quarter/quarters=25 fifth/fifths=20 tenth/tenths=10 "
    "sixth/sixths=16.666667 eighth/eighths=12.5 fourth/fourths=25 seventh/sevenths=14.285714 "
    "ninth/ninths=11.111111"
)
_FRACTION_SIGNS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_VAGUE: dict[str, tuple[float, float]] = {
    "several": (3, 9),
    "few": (3, 9),
    "dozens": (24, 99),
    "tens": (20, 99),
    "scores": (40, 99),
    "hundreds": (200, 999),
    "thousands": (2e3, 9999),
    "millions": (2e6, 9.99e6),
    "billions": (2e9, 9.99e9),
    "trillions": (2e12, 9.99e12),
}
_CURRENCIES: dict[str, tuple[str, float]] = {}
for _names, _code, _worth in (
    ("$ us$ usd dollar dollars buck bucks", "USD", 1.0),
    ("cent cents ¢", "USD", 0.01),
    ("£ gbp quid sterling pound pounds", "GBP", 1.0),
    ("pence penny p", "GBP", 0.01),
    ("€ eur euro euros", "EUR", 1.0),
    ("¥ yen jpy", "JPY", 1.0),
    ("yuan cny renminbi rmb", "CNY", 1.0),
    ("₹ rs rupee rupees inr", "INR", 1.0),
    ("franc francs chf", "CHF", 1.0),
    ("ruble rubles rouble roubles", "RUB", 1.0),
    ("won krw", "KRW", 1.0),
    ("peso pesos", "MXN", 1.0),
    ("krona kronor krone kroner", "SEK", 1.0),
):
    for _name in _names.split():
        _CURRENCIES[_name] = (_code, _worth)
_BEFORE_NUMBER = frozenset(
    ("$", "us$", "usd", "£", "gbp", "€", "eur", "¥", "₹", "rs", "inr", "chf")
)
_NO_CURRENCY_ALONE = frozenset(("p", "won", "rs"))  # only attached to the number, or before it

_SECONDS = _table(
    "second/sec/s=1 minute/min/mins=60 hour/hr/hrs/h=3600 day=86400 night=86400 week/wk=604800 "
    "fortnight=1209600 month=2629746 year/yr/yrs=31556952 decade=315569520 century=3155695200"
)
_METRES = _table(
    "mm/millimetre/millimeter=.001 cm/centimetre/centimeter=.01 m/metre/meter=1 "
    "km/kilometre/kilometer/kilometres=1000 inch=.0254 foot/ft/feet=.3048 yard/yd=.9144 "
    "mile/mi=1609.344"
)
_KILOS = _table(
    "mg/milligram=.000001 g/gram/gramme=.001 kg/kilo/kilogram/kilogramme=1 lb/lbs=.45359237 "
    "ounce/oz=.028349523 stone=6.35029318 ton/tonne=1000"
)
_LITRES = _table(
    "ml/millilitre/milliliter=.001 cl/centilitre/centiliter=.01 l/litre/liter=1 "
    "gallon=3.785411784 pint=.473176473 cup=.25"
)
_AREAS = _table("acre=4046.8564 hectare/ha=10000 km2/km²=1e6 m2/m²=1 sqm=1 sqft=.09290304")
_SPEEDS = _table("mph=1.609344 kph/kmh=1 knot=1.852")
_BYTES = _table(
    "byte=1 kb/kilobyte=1e3 mb/megabyte=1e6 gb/gigabyte=1e9 tb/terabyte=1e12 megs=1e6 gigs=1e9"
)
_UNITS: dict[str, tuple[AmountKind, float]] = {
    name: (kind, size)
    for kind, sizes in (
        (AmountKind.DURATION, _SECONDS),
        (AmountKind.LENGTH, _METRES),
        (AmountKind.WEIGHT, _KILOS),
        (AmountKind.VOLUME, _LITRES),
        (AmountKind.AREA, _AREAS),
        (AmountKind.SPEED, _SPEEDS),
        (AmountKind.DATA, _BYTES),
    )
    for name, size in sizes.items()
}
_ONLY_AFTER_FIGURES = frozenset(
    ("m", "g", "l", "s", "h", "mi", "ha", "mb", "gb", "kb", "tb", "min")
)
_NOT_AFTER_AN_ARTICLE = frozenset(("second", "foot", "stone", "cup", "yard"))
_PERIODS = _table(
    "hourly=3600 daily/nightly=86400 weekly=604800 fortnightly/biweekly=1209600 monthly=2629746 "
    "quarterly=7889238 yearly/annually/annual=31556952"
)
_TIMES = _table("once=1 twice=2 thrice=3 twofold=2 threefold=3 fourfold=4 fivefold=5 tenfold=10")
_MONTH_NAMES = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_MONTHS = frozenset(_MONTH_NAMES.split())
_YEAR_OPENERS = (
    "in since of by until till from before after during year late early mid around circa"
)
_BEFORE_YEARS = frozenset(_YEAR_OPENERS.split())
_CENTURY_NAMES = {
    f"{word[:-1]}ies": 1900 + 10 * value for value, word in enumerate(_TENS.split(), 2)
}

_NEAR = 0.1
_CLOCK_NEAR = 15.0  # minutes
_YEARS_NEAR = 2.0


@dataclass(frozen=True, slots=True)
class _Limit:
    bound: Bound
    strict: bool = False
    below: float = _NEAR  # width of an approximation
    above: float = _NEAR


_AT_LEAST, _AT_MOST = _Limit(Bound.AT_LEAST), _Limit(Bound.AT_MOST)
_MORE, _LESS = _Limit(Bound.AT_LEAST, True), _Limit(Bound.AT_MOST, True)
_ABOUT = _Limit(Bound.ABOUT)
_ALMOST, _JUST_OVER = _Limit(Bound.ABOUT, above=0.0), _Limit(Bound.ABOUT, below=0.0)


_Phrases = tuple[tuple[tuple[str, ...], _Limit], ...]


def _phrases(*groups: tuple[str, _Limit]) -> _Phrases:
    """Sort phrases, longest first: "no more than" must not be read as "more than"."""
    listed = [
        (tuple(phrase.split()), limit) for text, limit in groups for phrase in text.split(";")
    ]
    return tuple(sorted(listed, key=lambda item: -len(item[0])))


_BEFORE = _phrases(
    (
        "at least;a minimum of;minimum of;minimum;min;no fewer than;no less than;not less than;"
        "not fewer than;upwards of;a total of at least;no smaller than;no shorter than;"
        "no lower than;no younger than",
        _AT_LEAST,
    ),
    (
        "more than;over;above;exceeding;exceeds;exceeded;exceed;in excess of;greater than;"
        "higher than;longer than;beyond;well over;not under;better than;larger than;bigger than;"
        "heavier than;taller than;wider than;deeper than;older than",
        _MORE,
    ),
    (
        "at most;up to;no more than;not more than;a maximum of;maximum of;maximum;max;as many as;"
        "as much as;within;not over;not exceeding;no longer than;not above;no larger than;"
        "no bigger than;no heavier than;no taller than;no higher than;no older than",
        _AT_MOST,
    ),
    (
        "fewer than;less than;under;below;lower than;shorter than;well under;smaller than;"
        "lighter than;narrower than;younger than;cheaper than",
        _LESS,
    ),
    (
        "about;around;approximately;approx;roughly;some;circa;~;≈;close to;an estimated;estimated;"
        "in the region of;or so",
        _ABOUT,
    ),
    ("nearly;almost;just under;just below;not quite;just short of", _ALMOST),
    ("just over;just above;slightly more than;a little over;slightly over", _JUST_OVER),
)
_BEFORE_TIMES = _phrases(
    ("after;later than;past", _MORE),
    ("from;since;starting at;not before;no earlier than", _AT_LEAST),
    ("before;earlier than", _LESS),
    ("by;until;till;no later than;not after;not later than;at the latest", _AT_MOST),
)
_AFTER = _phrases(
    (
        "or more;and more;and over;or over;or above;and above;and up;or older;at least;+;plus",
        _AT_LEAST,
    ),
    ("or less;or fewer;or under;and under;at most;tops;maximum;at the most;or younger", _AT_MOST),
    ("or so;or thereabouts;approximately", _ABOUT),
    ("minimum", _AT_LEAST),
)


def _by_word(phrases: _Phrases, place: int) -> dict[str, _Phrases]:
    """Return the phrases by their first or last word, in the same order."""
    found: dict[str, _Phrases] = {}
    for phrase, limit in phrases:
        found[phrase[place]] = (*found.get(phrase[place], ()), (phrase, limit))
    return found


_BEFORE_BY_LAST, _BEFORE_TIMES_BY_LAST = _by_word(_BEFORE, -1), _by_word(_BEFORE_TIMES, -1)
_AFTER_BY_FIRST = _by_word(_AFTER, 0)
_LIMIT_WORDS = frozenset(phrase[0] for phrase, _ in (*_BEFORE, *_BEFORE_TIMES))

_PIECE = re.compile(
    r"(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)|us\$|[a-z]+[²2](?![\w])|"
    r"[^\W\d_]+(?:\.[^\W\d_]+)*\.?|\S"
)
_CACHED_CHUNKS = 16384
_CACHED_PAIRS = 32768


# A chunk without any of these words and without digits has no amount.
_OPENERS = frozenset(
    (
        *_NUMBERS,
        *_SCALES,
        *_ORDINALS,
        *_PARTS,
        *_FRACTION_SIGNS,
        *_VAGUE,
        *_CENTURY_NAMES,
        *_TIMES,
        *_PERIODS,
        *(name for name in _UNITS if len(name) > 2),
        *(f"{name}s" for name in _SECONDS),
        *("couple", "pair", "noon", "midday", "midnight"),
    )
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a token: ``$``, ``3.2``, ``m``."""

    text: str
    token: int
    glued: bool
    """Whether it follows the previous piece without a space."""
    figure: float | None


def amount(tokens: Sequence[str]) -> Amount | None:
    """Return the first amount of a chunk that is not a rank, else the first, or None."""
    return _amount(tuple(tokens)) if any(map(may_count, tokens)) else None


def amounts(tokens: Sequence[str]) -> tuple[Amount, ...]:
    """Return all amounts of a chunk, left to right."""
    return _amounts(tuple(tokens)) if any(map(may_count, tokens)) else ()


def compare_amounts(one: Amount | None, other: Amount | None) -> AmountMatch:
    """Compare the first amount with the second."""
    if one is None or other is None:
        return _INCOMPARABLE
    return _compare(one, other)


def may_count(token: str) -> bool:
    """Return whether a token can be part of an amount; most chunks have none: a fast filter."""
    text = token.lower()
    worded = not _OPENERS.isdisjoint(text.replace("-", " ").split())
    return worded or any(sign.isdigit() or sign in _FRACTION_SIGNS for sign in text)


@lru_cache(maxsize=_CACHED_CHUNKS)
def _amount(tokens: tuple[str, ...]) -> Amount | None:
    found = _amounts(tokens)
    return next((a for a in found if a.kind is not AmountKind.ORDINAL), found[0] if found else None)


def _amounts(tokens: tuple[str, ...]) -> tuple[Amount, ...]:
    return _Reader(tokens).read()


@lru_cache(maxsize=_CACHED_CHUNKS)
def _split_token(token: str) -> tuple[tuple[str, float | None], ...]:
    """Split a token into pieces; a name with digits in it (B-52, 4x4) is kept whole."""
    lower = lowered(token).replace("−", "-")
    if lower in ("o'clock", "n't", "km/h", "°c", "°f", "km²", "m²"):
        return ((lower.replace("km/h", "kph"), None),)
    pieces = []
    for found in _PIECE.finditer(lower):
        figure = found["figure"]
        text = found[0] if len(found[0]) < 2 else found[0].rstrip(".")
        if text.replace(".", "") in ("am", "pm", "us"):
            text = text.replace(".", "")
        pieces.append((text, None if figure is None else float(figure.replace(",", ""))))
    has_figure = any(figure is not None for _, figure in pieces)
    if has_figure and len(pieces) > 1:
        first = pieces[0][0]
        if first[0].isalpha() and first not in _CURRENCIES:
            return ((lower, None),)
        if any(text == "x" for text, _ in pieces):
            return ((lower, None),)
    return tuple(pieces)


class _Reader:
    """Reads the amounts of one chunk."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.pieces = [
            _Piece(text, at, place > 0, figure)
            for at, token in enumerate(tokens)
            for place, (text, figure) in enumerate(_split_token(token))
        ]
        self.words = [piece.text for piece in self.pieces]

    def read(self) -> tuple[Amount, ...]:
        found: list[Amount] = []
        at = earliest = 0
        while at < len(self.words):
            read = self._read(at)
            if read is None:
                at += 1
                continue
            amount, end = read
            amount, end = self._with_rate(amount, end)
            bounded, end = self._with_bound(amount, at, end, earliest)
            last = self.pieces[end - 1].token + 1
            found.append(replace(bounded, start=self.pieces[at].token, end=last))
            at = earliest = end
        return tuple(found)

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def _read(self, at: int) -> tuple[Amount, int] | None:
        return (
            self._clock(at)
            or self._years(at)
            or self._share(at)
            or self._frequency(at)
            or self._rank(at)
            or self._measure(at)
            or self._vague(at)
        )

    # Numbers

    def _number(self, at: int) -> tuple[float, int] | None:
        """Read a plain number: figures, words, a dozen, two and a half million."""
        if at >= len(self.pieces):
            return None
        sign = 1.0
        minus = self.words[at] == "minus" or (self.words[at] == "-" and not self.pieces[at].glued)
        if minus and self._figure(at + 1) is not None:
            sign, at = -1.0, at + 1
        value = self._figure(at)
        if value is not None:
            end = at + 1
            if self.word(end) in _FRACTION_SIGNS:
                value, end = value + _FRACTION_SIGNS[self.word(end)], end + 1
            elif self.word(end + 1) == "/" and self._figure(end) == 1 and self._figure(end + 2):
                value, end = value + 1 / (self._figure(end + 2) or 1), end + 3
            if self._is_ordinal_ending(end):
                return None
            if self.word(end) in _GLUED_SCALES and self._takes_scale(at, end):
                return sign * value * _GLUED_SCALES[self.word(end)], end + 1
            value, end = self._and_a_half(value, end)
            while self.word(end) in _SCALES:
                value, end = value * _SCALES[self.word(end)], end + 1
            return sign * value, end
        return self._spelled_number(at)

    def _figure(self, at: int) -> float | None:
        if 0 <= at < len(self.pieces):
            sign = _FRACTION_SIGNS.get(self.words[at])
            return self.pieces[at].figure if sign is None else sign
        return None

    def _takes_scale(self, at: int, end: int) -> bool:
        return self.pieces[end].glued or self.word(at - 1) in _BEFORE_NUMBER

    def _is_ordinal_ending(self, end: int) -> bool:
        return self.word(end) in ("st", "nd", "rd", "th") and self.pieces[end].glued

    def _and_a_half(self, value: float, end: int) -> tuple[float, int]:
        if self.words[end : end + 3] == ["and", "a", "half"]:
            return value + 0.5, end + 3
        if self.words[end : end + 3] == ["and", "a", "quarter"]:
            return value + 0.25, end + 3
        return value, end

    def _spelled_number(self, at: int) -> tuple[float, int] | None:
        total = current = 0.0
        end, seen = at, False
        if self.words[at : at + 2] == ["half", "a"] and self.word(at + 2) in _SCALES:
            current, end = 0.5, at + 2
        elif self.word(at) in ("a", "an") and self.word(at + 1) in _SCALES:
            current, end = 1.0, at + 1
        elif self.word(at) in ("a", "the") and self.word(at + 1) in ("couple", "pair"):
            end = at + 2
            return 2.0, end + (self.word(end) == "of")
        while end < len(self.words):
            word = self.words[end]
            if word in _NUMBERS:
                small = _NUMBERS[word]
                if (
                    seen
                    and current % 100
                    and not (current % 100 >= 20 and current % 10 == 0 and small < 10)
                ):
                    break
                current += small
            elif word in _SCALES:
                scale = _SCALES[word]
                current = (current or 1.0) * scale
                if scale >= 1e3:
                    total, current = total + current, 0.0
            else:
                following = _NUMBERS.get(self.word(end + 1), 0.0)
                joins = word == "-" and current % 100 >= 20 and following < 10
                joins = joins or (word == "and" and not current % 100)
                if not (seen and following and joins):
                    break
            seen, end = True, end + 1
        if not seen:
            return None
        value, end = self._and_a_half(total + current, end)
        while self.word(end) in _SCALES:
            value, end = value * _SCALES[self.word(end)], end + 1
        return value, end

    # Kinds

    def _clock(self, at: int) -> tuple[Amount, int] | None:
        """Read a time of day, or a span of two: ``5 to 6 pm``, ``from 9 am until noon``."""
        first = self._clock_time(at)
        if first is None:
            number = self._number(at) if self.word(at) in _NUMBERS or self._figure(at) else None
            if number is None or number[0] % 1 or not 1 <= number[0] <= 12:
                return None
            last = self._end_of_span(number[1])
            if last is None or self.word(last[1] - 1) not in ("am", "pm"):
                return None
            start = number[0] * 60 + (720.0 if last[0].low > 720 and number[0] < 12 else 0.0)
            return replace(last[0], low=min(start, last[0].low)), last[1]
        last = self._end_of_span(first[1])
        if last is None or last[0].low <= first[0].low:
            return first
        return replace(last[0], low=first[0].low), last[1]

    def _end_of_span(self, at: int) -> tuple[Amount, int] | None:
        if self.word(at) in ("to", "-", "–", "until", "till") and at + 1 < len(self.words):
            return self._clock_time(at + 1)
        return None

    def _clock_time(self, at: int) -> tuple[Amount, int] | None:
        word = self.words[at]
        if word in ("noon", "midday", "midnight"):
            return _clock_time(0.0 if word == "midnight" else 720.0, True), at + 1
        offset = self._past_or_to(at)
        if offset is not None:
            minutes, hour_at = offset
            hour = self._number(hour_at)
            if hour is not None and 1 <= hour[0] <= 24 and hour[0] % 1 == 0:
                return self._half_of_day(hour[0] * 60 + minutes, hour[1])
            return None
        hours = self._figure(at)
        if hours is not None and self.word(at + 1) == ":" and hours <= 24:
            minutes_past = self._figure(at + 2)
            if minutes_past is not None and minutes_past < 60:
                return self._half_of_day(hours * 60 + minutes_past, at + 3)
        number = self._number(at)
        if number is None or not 0 <= number[0] <= 24:
            return None
        value, end = number
        hour_part, minute_part = divmod(round(value * 100), 100)
        tail = self.word(end)
        if tail in ("am", "pm") or tail == "o'clock":
            if minute_part < 60 and (value % 1 == 0 or hours is not None):
                return self._half_of_day(hour_part * 60 + minute_part, end)
            return None
        if self.word(at - 1) != "at" or (hours is None and value % 1):
            return None
        if hours is None:  # at nine thirty
            further = self._spelled_number(end) if end < len(self.words) else None
            if further is not None and 10 <= further[0] < 60 and value <= 12:
                return self._half_of_day(value * 60 + further[0], further[1])
        dotted = hours is not None and "." in self.words[at] and minute_part < 60
        bare = value % 1 == 0 and 1 <= value <= 12 and self._ends_clock(end)
        if (dotted and self._ends_clock(end)) or bare:
            return self._half_of_day(hour_part * 60 + minute_part, end)
        return None

    def _ends_clock(self, end: int) -> bool:
        return self.word(end) in ("", "on", "in", "sharp", ".", ",", "tomorrow", "tonight", "today")

    def _past_or_to(self, at: int) -> tuple[float, int] | None:
        """Read ``half past``, ``a quarter to``: return the minutes and the index of the hour."""
        if self.words[at : at + 2] == ["half", "past"]:
            return 30.0, at + 2
        start = at + (self.word(at) == "a")
        if self.word(start) == "quarter" and self.word(start + 1) in ("past", "to"):
            return (15.0 if self.word(start + 1) == "past" else -15.0), start + 2
        number = self._number(at) if self.word(at) in _NUMBERS or self._figure(at) else None
        if number is None or number[0] >= 60:
            return None
        minutes, end = number
        has_unit = self.word(end) in ("minutes", "minute")
        end += has_unit
        if self.word(end) == "past" or (has_unit and self.word(end) == "to"):
            return (minutes if self.word(end) == "past" else -minutes), end + 1
        return None

    def _half_of_day(self, minutes: float, end: int) -> tuple[Amount, int]:
        if self.word(end) == "o'clock":
            end += 1
        known = minutes >= 780 or minutes < 60
        if self.word(end) in ("am", "pm"):
            minutes = minutes % 720 + 720 * (self.word(end) == "pm")
            return _clock_time(minutes, True), end + 1
        after = self.words[end : end + 3]
        if after == ["in", "the", "morning"]:
            return _clock_time(minutes % 720, True), end + 3
        if after in (["in", "the", "afternoon"], ["in", "the", "evening"]):
            return _clock_time(minutes % 720 + 720, True), end + 3
        if after[:2] == ["at", "night"]:
            return _clock_time(minutes % 720 + 720, True), end + 2
        return _clock_time(minutes, known), end

    def _years(self, at: int) -> tuple[Amount, int] | None:
        word = self.words[at]
        if word in _CENTURY_NAMES and self.word(at - 1) in ("the", "early", "late", "mid"):
            return _years_between(_CENTURY_NAMES[word], _CENTURY_NAMES[word] + 9, "decade"), at + 1
        value = self._figure(at)
        if value is None or value % 1 or "," in word:
            rank = self._rank(at)
            if rank is not None and self.word(rank[1]) == "century" and rank[0].low < 30:
                first = 100 * (rank[0].low - 1) + 1
                return _years_between(first, first + 99, "century"), rank[1] + 1
            return None
        after = self.word(at + 1)
        if after == "s" or (after == "'" and self.word(at + 2) == "s"):
            end = at + (2 if after == "s" else 3)
            if 1000 <= value < 2100 and value % 10 == 0:
                return _years_between(value, value + 9, "decade"), end
            if 20 <= value < 100 and value % 10 == 0 and self.word(at - 1) in ("the", "'"):
                return _years_between(1900 + value, 1909 + value, "decade"), end
            return None
        rank_end = self._is_ordinal_ending(at + 1) and self.word(at + 2) == "century"
        if rank_end and value < 30:
            first = 100 * (value - 1) + 1
            return _years_between(first, first + 99, "century"), at + 3
        if not 1500 <= value < 2100 or len(word) != 4:
            return None
        if after and self.pieces[at + 1].glued and after not in ("-", "–", "."):
            return None
        second = self._figure(at + 2)
        if after in ("-", "–", "to", "and") and second and value < second < 2100 and second >= 1500:
            return _years_between(value, second, "year"), at + 3
        before = self.word(at - 1)
        alone = (
            not after or not after[0].isalnum() or after in _BEFORE_YEARS or after in ("and", "to")
        )
        if before in _BEFORE_YEARS | _MONTHS or (alone and before not in _BEFORE_NUMBER):
            if after in _UNITS or after.removesuffix("s") in _UNITS or after in ("%", *_SCALES):
                return None
            return _years_between(value, value, "year"), at + 1
        return None

    def _share(self, at: int) -> tuple[Amount, int] | None:
        """Read a share: half, a third of, two-thirds, three quarters, 1/2, one in four."""
        word, after = self.words[at], self.word(at + 1)
        before = self.word(at - 1)
        if after in ("quarters", "quarter") and self.words[at + 2 : at + 4] == ["of", "an"]:
            return None  # of an hour
        if word == "half" and after not in ("a", "an", "past", "-"):
            if (
                before in _ORDINALS
                or before in ("-", "other", "and")
                or (before == "a" and self.word(at - 2) == "and")
            ):
                return None
            return _share_of(50.0), at + 1
        if word in ("a", "an", "one") and after in _PARTS and self._ends_share(at + 2):
            return _share_of(_PARTS[after]), at + 2
        if word == "one" and after == "-" and self.word(at + 2) in _PARTS:
            return _share_of(_PARTS[self.word(at + 2)]), at + 3
        if word in _NUMBERS:
            part_at = at + 2 if after == "-" else at + 1
            part = self.word(part_at)
            if part.endswith("s") and part in _PARTS and self._ends_share(part_at + 1):
                return _share_of(_NUMBERS[word] * _PARTS[part]), part_at + 1
        top = self._figure(at) if self._figure(at) is not None else _NUMBERS.get(word)
        if word in _FRACTION_SIGNS:
            return _share_of(100 * _FRACTION_SIGNS[word]), at + 1
        bottom = self._figure(at + 2) or 0.0
        if top and after == "/" and top < bottom <= 10 and self.word(at + 3) != "/":
            if _singular(self.word(at + 3)) in _UNITS:  # 1/4 cup
                return self._compound(
                    top / bottom, top / bottom, _singular(self.word(at + 3)), at + 4
                )
            return _share_of(100 * top / bottom), at + 3
        if top and after in ("in", "out"):
            bottom_at = at + 2 + (after == "out" and self.word(at + 2) == "of")
            lower = self._figure(bottom_at) or _NUMBERS.get(self.word(bottom_at))
            most = 1000 if after == "out" else 20
            if lower and top < lower <= most:
                return _share_of(100 * top / lower), bottom_at + 1
        return None

    def _ends_share(self, end: int) -> bool:
        return self.word(end) in ("", "of", "off", "less", "more", "fewer", ".", ",")

    def _frequency(self, at: int) -> tuple[Amount, int] | None:
        """Read a frequency: twice, three times, daily, every two weeks."""
        word = self.words[at]
        if word in _TIMES:
            if word == "once" and self.word(at + 1) not in (
                "",
                "a",
                "an",
                "per",
                "every",
                "each",
                "daily",
                "weekly",
            ):
                return None
            return Amount(AmountKind.TIMES, _TIMES[word], _TIMES[word]), at + 1
        if word in _PERIODS:
            return Amount(AmountKind.TIMES, 1.0, 1.0, per=_PERIODS[word]), at + 1
        if word in ("every", "each"):
            end, count = at + 1, 1.0
            if self.word(end) == "other":
                count, end = 2.0, end + 1
            else:
                number = self._number(end)
                if number is not None:
                    count, end = number
            seconds = _SECONDS.get(_singular(self.word(end)))
            if seconds and len(self.word(end)) > 2 and count > 0:
                return Amount(AmountKind.TIMES, 1.0, 1.0, per=seconds * count), end + 1
            return None
        number = self._number(at)
        if number is not None and self.word(number[1]) in ("times", "x", "fold"):
            return Amount(AmountKind.TIMES, number[0], number[0]), number[1] + 1
        return None

    def _measure(self, at: int) -> tuple[Amount, int] | None:
        """Read a number with its currency or unit, or a range of two."""
        word = self.words[at]
        if word in _BEFORE_NUMBER:
            return self._money(at)
        start = at
        if word in ("between", "from"):
            span = self._clock(at + 1) if at + 1 < len(self.words) else None
            if span is not None and span[0].low < span[0].high:
                return span
            if self.word(at + 1) in _BEFORE_NUMBER:
                return self._money(at + 1, "and" if word == "between" else "to")
            if self._number(at + 1) is None:
                return None
            start = at + 1
        article = self._article(start)
        if article is not None:
            return article
        number = self._number(start)
        if number is None:
            return None
        value, end = number
        if word == "one" and not self._counts_one(at):
            return None
        if self._is_foreign(end):
            return None
        low = high = value
        second = self._second(end, "and" if word == "between" else "")
        score = False
        if second is not None and (self.word(end) != "to" or value <= second[0]):
            high = second[0]
            low = _rescale(low, high)
            score = low > high
            end = second[1]
        elif start != at:
            return None
        if score:
            return Amount(AmountKind.SCORE, low, high), end
        return self._with_unit(low, high, start, end)

    def _money(self, at: int, joint: str = "to") -> tuple[Amount, int] | None:
        """Read a currency sign and its number, or a range of two."""
        number = self._number(at + 1)
        if number is None:
            return None
        code, worth = _CURRENCIES[self.words[at]]
        low = high = number[0] * worth
        end = number[1]
        second = self._second(end, joint)
        if second is not None and _rescale(low, second[0]) <= second[0]:
            high, end = second
            low = _rescale(low, high)
        if _CURRENCIES.get(self.word(end), ("", 0.0))[0] == code:
            end += 1
        return Amount(AmountKind.MONEY, low, high, unit=code), end

    def _counts_one(self, at: int) -> bool:
        before = self.word(at - 1)
        if before in ("no", "the", "this", "that", "each", "any", "every"):
            return False
        if before in _LIMIT_WORDS or not before or not before[0].isalpha():
            return True
        return at + 1 < len(self.words)

    def _is_foreign(self, end: int) -> bool:
        """Return whether letters that are not a unit are attached to the number: 787b2."""
        if end >= len(self.pieces) or not self.pieces[end].glued:
            return False
        text = self.word(end)
        if not text[0].isalpha():
            return False
        known = text in _CURRENCIES or text in _UNITS or _singular(text) in _UNITS
        return not known and text not in ("c", "f", "am", "pm", "s")

    def _second(self, end: int, joint: str = "") -> tuple[float, int] | None:
        """Read the second number of a range: ``10 to 15``, ``10-15``."""
        if self.word(end) not in ("to", "-", "–", "—", joint or "to"):
            return None
        at = end + 1
        if self.word(at) in _BEFORE_NUMBER:
            at += 1
        return self._number(at)

    def _article(self, at: int) -> tuple[Amount, int] | None:
        """Read a unit after an article: an hour, half an hour, a mile, an hour and a half."""
        share, start = 1.0, at
        if self.word(at) == "half" and self.word(at + 1) in ("a", "an"):
            share, start = 0.5, at + 1
        elif self.words[at : at + 4] in (
            ["a", "quarter", "of", "an"],
            ["quarter", "of", "an", "hour"],
        ):
            share, start = 0.25, at + 3 if self.word(at) == "a" else at + 2
        elif self.words[at : at + 4] == ["three", "quarters", "of", "an"]:
            share, start = 0.75, at + 3
        if self.word(start) not in ("a", "an"):
            return None
        name = self.word(start + 1)
        known = _UNITS.get(name)
        if known is None or len(name) < 3 or (name in _NOT_AFTER_AN_ARTICLE and share == 1.0):
            return None
        value, end = self._and_a_half(share, start + 2)
        size = value * known[1]
        return Amount(known[0], size, size, unit=name), end

    def _with_unit(self, low: float, high: float, start: int, end: int) -> tuple[Amount, int]:
        hyphen = self.word(end) == "-"
        at = end + hyphen
        word = self.word(at)
        if word in ("%", "percent", "pct", "percentage") or self.words[at : at + 2] == [
            "per",
            "cent",
        ]:
            end = at + (2 if word == "per" else 1)
            points = self.word(end) in ("point", "points")
            return Amount(
                AmountKind.PERCENT, low, high, unit="points" if points else ""
            ), end + points
        glued = at < len(self.pieces) and self.pieces[at].glued
        if word == "us" and self.word(at + 1) in _CURRENCIES:
            at, word = at + 1, self.word(at + 1)
        if word in _CURRENCIES and (glued or word not in _NO_CURRENCY_ALONE):
            code, worth = _CURRENCIES[word]
            unit = "pound" if word in ("pound", "pounds") else code
            return Amount(AmountKind.MONEY, low * worth, high * worth, unit=unit), at + 1
        degrees = self._degrees(low, high, at)
        if degrees is not None:
            return degrees
        square = word in ("square", "sq")
        name = _singular(self.word(at + 1) if square else word)
        if square and name in _METRES:
            size = _METRES[name] ** 2
            return Amount(AmountKind.AREA, low * size, high * size, unit=f"square {name}"), at + 2
        figures = self._figure(start) is not None
        if name in _UNITS and (figures or name not in _ONLY_AFTER_FIGURES):
            return self._compound(low, high, name, at + 1)
        scaled = end > start and self.word(end - 1) == "m" and self.pieces[end - 1].glued
        month = self.word(start - 1) in _MONTHS or word in _MONTHS
        if month and low == high and 1 <= low <= 31 and low % 1 == 0:
            return Amount(AmountKind.ORDINAL, low, high), end
        return Amount(AmountKind.COUNT, low, high, unit="m" if scaled else ""), end

    def _compound(self, low: float, high: float, name: str, end: int) -> tuple[Amount, int]:
        """Read ``1 hour 30 minutes``, ``6 ft 7 in``, ``two hours and a half``, ``60 mph``."""
        kind, size = _UNITS[name]
        low, high = low * size, high * size
        extra, end = self._and_a_half(0.0, end)
        low, high = low + extra * size, high + extra * size
        at = end + (self.word(end) == "and")
        if self.word(at) == "-" and self.word(at + 1) == "old":
            at, end = at + 2, at + 2
        further = (
            self._number(at)
            if kind in (AmountKind.DURATION, AmountKind.LENGTH, AmountKind.WEIGHT)
            else None
        )
        if further is not None and low == high:
            inches = size == _UNITS["foot"][1] and self.word(further[1]) == "in"
            smaller = _UNITS.get("inch" if inches else _singular(self.word(further[1])))
            if smaller is not None and smaller[0] is kind and smaller[1] < size:
                low = high = low + further[0] * smaller[1]
                end = further[1] + 1
        if kind is AmountKind.LENGTH and self._is_hourly(end):
            end += 1 if self.word(end) == "/" and self.word(end + 1) == "h" else 2
            kind, low, high = AmountKind.SPEED, low / 1000, high / 1000
            end = min(end, len(self.words))
        return Amount(kind, low, high, unit=name), end

    def _is_hourly(self, end: int) -> bool:
        return self.word(end) in ("an", "per", "/") and self.word(end + 1) in ("hour", "h")

    def _degrees(self, low: float, high: float, at: int) -> tuple[Amount, int] | None:
        word, end = self.word(at), at + 1
        if word in ("°c", "°f"):
            scale = word[1]
        elif word in ("degrees", "degree", "°"):
            scale = (
                self.word(end)[:1]
                if self.word(end) in ("celsius", "centigrade", "c", "fahrenheit", "f")
                else ""
            )
            end += bool(scale)
        elif word in ("celsius", "centigrade", "fahrenheit"):
            scale = word[0]
        elif word in ("c", "f") and self.tokens[self.pieces[at].token].endswith(word.upper()):
            scale = word
        else:
            return None
        if scale == "f":
            low, high = (low - 32) / 1.8, (high - 32) / 1.8
        unit = {"f": "fahrenheit", "c": "celsius"}.get(scale, "degree")
        return Amount(AmountKind.TEMPERATURE, low, high, unit=unit), end

    def _rank(self, at: int) -> tuple[Amount, int] | None:
        value = self.pieces[at].figure
        if value is not None:
            if self._is_ordinal_ending(at + 1):
                return Amount(AmountKind.ORDINAL, value, value), at + 2
            return None
        word = self.words[at]
        if word in _ORDINALS:
            return Amount(AmountKind.ORDINAL, _ORDINALS[word], _ORDINALS[word]), at + 1
        if word in _NUMBERS and _NUMBERS[word] >= 20:
            ones_at = at + 1 + (self.word(at + 1) == "-")
            ones = _ORDINALS.get(self.word(ones_at), 0.0)
            if 0 < ones < 10:
                value = _NUMBERS[word] + ones
                return Amount(AmountKind.ORDINAL, value, value), ones_at + 1
        return None

    def _vague(self, at: int) -> tuple[Amount, int] | None:
        word = self.words[at]
        if word not in _VAGUE or (word == "scores" and self.word(at + 1) != "of"):
            return None
        if word == "few" and self.word(at - 1) not in ("a", "the", "last", "past", "next"):
            return None
        low, high = _VAGUE[word]
        end = at + 1
        while self.word(end) == "of" and self.word(end + 1) in _VAGUE:
            scale = _SCALES.get(self.word(end + 1).removesuffix("s"), 1.0)
            low, high, end = low * scale, high * scale + scale - 1, end + 2
        amount, end = self._with_unit(low, high, at, end)
        return replace(amount, bound=Bound.VAGUE), end

    # Context of an amount

    def _with_rate(self, amount: Amount, end: int) -> tuple[Amount, int]:
        if amount.per or amount.kind in (AmountKind.CLOCK, AmountKind.YEAR, AmountKind.ORDINAL):
            return amount, end
        word = self.word(end)
        if word in _PERIODS and amount.kind is AmountKind.TIMES:
            return replace(amount, per=_PERIODS[word]), end + 1
        if word in ("a", "an", "per", "each", "every", "/"):
            seconds = _SECONDS.get(_singular(self.word(end + 1)))
            if seconds and len(self.word(end + 1)) > 1:
                return replace(amount, per=seconds), end + 2
        return amount, end

    def _with_bound(
        self, amount: Amount, start: int, end: int, earliest: int
    ) -> tuple[Amount, int]:
        if amount.kind in (AmountKind.ORDINAL, AmountKind.SCORE) or amount.bound is Bound.VAGUE:
            return amount, end
        before = _BEFORE_BY_LAST.get(self.word(start - 1), ())
        if amount.kind in (AmountKind.CLOCK, AmountKind.YEAR):
            before += _BEFORE_TIMES_BY_LAST.get(self.word(start - 1), ())
        for phrase, limit in before:
            if phrase == ("from",) and amount.low < amount.high:
                continue  # from 2010 to 2015
            first = start - len(phrase)
            if first >= earliest and tuple(self.words[first:start]) == phrase:
                return _apply_limit(amount, limit), end
        for phrase, limit in _AFTER_BY_FIRST.get(self.word(end), ()):
            if tuple(self.words[end : end + len(phrase)]) == phrase:
                return _apply_limit(amount, limit), end + len(phrase)
        return amount, end


def _singular(word: str) -> str:
    """Return the singular of a unit; short units have no plural."""
    if word in _UNITS or word == "feet":
        return word
    if word == "inches":
        return "inch"
    if word == "centuries":
        return "century"
    return word.removesuffix("s")


def _rescale(low: float, high: float) -> float:
    """Apply the scale of the second number of a range to the first: ``10-15 million``."""
    for scale in (1e12, 1e9, 1e6, 1e3):
        if high >= scale and 0 < low < 1000 and low * scale <= high:
            return low * scale
    return low


def _clock_time(minutes: float, known: bool) -> Amount:
    minutes %= 1440
    return Amount(AmountKind.CLOCK, minutes, minutes, unit="" if known else "either half")


def _years_between(first: float, last: float, unit: str) -> Amount:
    return Amount(AmountKind.YEAR, first, last, unit=unit)


def _share_of(percent: float) -> Amount:
    return Amount(AmountKind.PERCENT, percent, percent, unit="share")


def _apply_limit(amount: Amount, limit: _Limit) -> Amount:
    if limit.bound is Bound.AT_LEAST:
        return replace(amount, bound=limit.bound, strict=limit.strict, high=inf)
    if limit.bound is Bound.AT_MOST:
        return replace(amount, bound=limit.bound, strict=limit.strict, low=-inf)
    below, above = limit.below * abs(amount.low), limit.above * abs(amount.high)
    if amount.kind is AmountKind.CLOCK:
        below, above = (_CLOCK_NEAR * (share > 0) for share in (limit.below, limit.above))
    elif amount.kind is AmountKind.YEAR:
        below, above = (_YEARS_NEAR * (share > 0) for share in (limit.below, limit.above))
    return replace(amount, bound=limit.bound, low=amount.low - below, high=amount.high + above)


# Comparing

_CONVERTED = 0.02  # tolerated relative error if units were converted
_STEP_KINDS = {AmountKind.CLOCK: 60.0, AmountKind.YEAR: 10.0, AmountKind.TEMPERATURE: 10.0}
_EXACT_KINDS = frozenset((AmountKind.YEAR, AmountKind.CLOCK, AmountKind.COUNT, AmountKind.MONEY))
_POUND_IN_KILOS = 0.45359237


@lru_cache(maxsize=_CACHED_PAIRS)
def _compare(one: Amount, other: Amount) -> AmountMatch:
    pair = _convert_to_common_unit(one, other)
    if pair is None:
        return _INCOMPARABLE
    one, other = pair
    converted = one.unit != other.unit and one.kind not in _EXACT_KINDS
    tolerance = _CONVERTED if converted else 1e-6
    ratio = _nearness(one, other)
    same_limits = _close(one.low, other.low, tolerance) and _close(one.high, other.high, tolerance)
    same_values = _close(one.value, other.value, tolerance)
    alike = same_limits or (one.bound is Bound.ABOUT and same_values)
    if alike and one.bound is other.bound and one.strict == other.strict:
        return AmountMatch(AmountRelation.EQUAL, 1.0)
    bounds = {one.bound, other.bound}
    if bounds == {Bound.AT_LEAST, Bound.AT_MOST}:
        relation = AmountRelation.OPPOSED if same_values else AmountRelation.DIFFERENT
        return AmountMatch(relation, ratio)
    if one.kind is AmountKind.SCORE:
        return AmountMatch(AmountRelation.DIFFERENT, ratio)
    if one.bound is other.bound and one.bound in (Bound.AT_LEAST, Bound.AT_MOST):
        if same_values:
            relation = AmountRelation.INSIDE1 if one.strict else AmountRelation.INSIDE2
            return AmountMatch(relation, 1.0)
        return AmountMatch(AmountRelation.DIFFERENT, ratio)
    if _is_inside(one, other):
        return AmountMatch(AmountRelation.INSIDE1, ratio)
    if _is_inside(other, one):
        return AmountMatch(AmountRelation.INSIDE2, ratio)
    return AmountMatch(AmountRelation.DIFFERENT, ratio)


def _convert_to_common_unit(one: Amount, other: Amount) -> tuple[Amount, Amount] | None:
    """Convert both amounts to the same kind and unit; None if that is impossible."""
    if one.per and other.per and one.per != other.per:
        other = _scale(other, one.per / other.per)
    if one.kind is not other.kind:
        first, second = _as_kind(one, other.kind), _as_kind(other, one.kind)
        if first is not None:
            one = first
        elif second is not None:
            other = second
        else:
            return None
    if one.kind is AmountKind.MONEY and one.unit != other.unit:
        if {one.unit, other.unit} == {"GBP", "pound"}:
            return replace(one, unit="GBP"), replace(other, unit="GBP")
        return None
    if one.kind is AmountKind.CLOCK:
        return one, _in_the_same_half(one, other)
    if {one.unit, other.unit} == {"fahrenheit", "degree"}:
        return _fahrenheit(one), _fahrenheit(other)
    if one.kind is AmountKind.PERCENT and one.unit != other.unit:
        return replace(one, unit="share"), replace(other, unit="")  # a third, 33 %
    return one, other


def _as_kind(amount: Amount, kind: AmountKind) -> Amount | None:
    """Reinterpret an ambiguous amount as another kind: ``5m``, ``ten pounds``, a bare number."""
    if amount.unit == "pound" and kind is AmountKind.WEIGHT:
        return replace(_scale(amount, _POUND_IN_KILOS), kind=kind)
    if amount.unit == "m" and kind is AmountKind.LENGTH:
        return replace(_scale(amount, 1e-6), kind=kind)
    if amount.kind is AmountKind.COUNT and kind is AmountKind.YEAR and 1500 <= amount.low < 2100:
        return replace(amount, kind=kind)
    if (
        amount.kind is AmountKind.COUNT
        and kind is AmountKind.SCORE
        and amount.low < amount.high < inf
    ):
        return replace(amount, kind=kind)
    return None


def _scale(amount: Amount, factor: float) -> Amount:
    return replace(amount, low=amount.low * factor, high=amount.high * factor, per=0.0)


def _fahrenheit(amount: Amount) -> Amount:
    """Convert to degrees Fahrenheit; plain degrees are taken as Fahrenheit."""
    if amount.unit == "degree":
        return replace(amount, unit="fahrenheit")
    return replace(amount, low=amount.low * 1.8 + 32, high=amount.high * 1.8 + 32)


def _in_the_same_half(one: Amount, other: Amount) -> Amount:
    """Move the second clock time by twelve hours if a.m. or p.m. is open and both become equal."""
    if not (one.unit or other.unit):
        return other
    for shift in (720.0, -720.0):
        if isclose(one.value, other.value + shift, abs_tol=0.5):
            return replace(other, low=other.low + shift, high=other.high + shift, unit=one.unit)
    return replace(other, unit=one.unit)


def _close(a: float, b: float, tolerance: float) -> bool:
    return a == b or isclose(a, b, rel_tol=tolerance, abs_tol=1e-9)


def _is_inside(inner: Amount, outer: Amount) -> bool:
    """Return whether one amount is a number or range within the limits of the other."""
    if outer.is_exact or inner.bound in (Bound.AT_LEAST, Bound.AT_MOST):
        return False
    if inner.bound is not Bound.EXACT and outer.bound in (Bound.EXACT, Bound.ABOUT):
        return False
    slack = 1e-9 * max(1.0, abs(inner.low))
    if outer.strict:
        return inner.low > outer.low + slack and inner.high < outer.high - slack
    return inner.low >= outer.low - slack and inner.high <= outer.high + slack


def _nearness(one: Amount, other: Amount) -> float:
    """Return the ratio of the smaller to the larger value; by distance if zero is arbitrary."""
    a, b = one.value, other.value
    step = _STEP_KINDS.get(one.kind)
    if step is not None:
        return 1 / (1 + abs(a - b) / step)
    low, high = sorted((abs(a), abs(b)))
    if high == low:
        return 1.0 if a == b or low == inf else 0.0
    return low / high if a * b > 0 else 0.0
