"""Quantities in tokens: ``two million``, ``1,200``, ``$3.5m``, ``dozens``, ``at least 10``.

Every quantity is converted to a value with a kind, a unit and a bound, so that quantities can be
compared independently of their wording.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import inf, isclose


class QuantityKind(StrEnum):
    """The kind of a quantity."""

    CARDINAL = "cardinal"
    ORDINAL = "ordinal"
    PERCENT = "percent"
    MONEY = "money"
    PAIR = "pair"  # 2-1, 10-15: a result or a range


class Bound(StrEnum):
    """The relation of the number to the true value."""

    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at-least"
    AT_MOST = "at-most"
    VAGUE = "vague"  # hundreds, several: an order of magnitude


class QuantityMatch(StrEnum):
    """Result of comparing two quantities."""

    EQUAL = "equal"
    APPROXIMATE = "approximate"  # may be the same number
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"  # a rank against a sum of money


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in tokens ``start`` to ``end`` (exclusive)."""

    value: float
    kind: QuantityKind = QuantityKind.CARDINAL
    bound: Bound = Bound.EXACT
    unit: str = ""
    upper: float | None = None  # the second number of a pair
    start: int = 0
    end: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The lower and upper limit of the true value."""
        low = high = self.value
        if self.upper is not None:
            low, high = sorted((self.value, self.upper))
        if self.bound is Bound.ABOUT:
            return low * 0.8, high * 1.25
        if self.bound is Bound.AT_LEAST:
            return low, inf
        if self.bound is Bound.AT_MOST:
            return 0.0, high
        if self.bound is Bound.VAGUE:
            return low, high * 10
        return low, high

    def compare(self, other: "Quantity") -> QuantityMatch:
        """Compare this quantity with another."""
        if self.kind != other.kind:
            return self._compare_kinds(other)
        if self.unit and other.unit and self.unit != other.unit:
            return QuantityMatch.DIFFERENT
        same = isclose(self.value, other.value) and self.upper == other.upper
        if same and self.bound == other.bound:
            return QuantityMatch.EQUAL
        if self.bound is other.bound is Bound.EXACT:
            return QuantityMatch.DIFFERENT
        low, high = self.interval
        other_low, other_high = other.interval
        overlap = low <= other_high and other_low <= high
        return QuantityMatch.APPROXIMATE if overlap else QuantityMatch.DIFFERENT

    def _compare_kinds(self, other: "Quantity") -> QuantityMatch:
        """Compare quantities of different kinds: ``5m`` may mean ``$5m``; a rank is no count."""
        countable = {QuantityKind.CARDINAL, QuantityKind.MONEY, QuantityKind.PERCENT}
        plain = QuantityKind.CARDINAL in (self.kind, other.kind)
        if plain and {self.kind, other.kind} <= countable and isclose(self.value, other.value):
            return QuantityMatch.APPROXIMATE
        return QuantityMatch.INCOMPARABLE


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = {word: value for value, word in enumerate(_SMALL.split())}
_UNITS |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "bln": 1e9,
    "tn": 1e12,
    "trn": 1e12,
    "crore": 1e7,
    "lakh": 1e5,
}
_SCALE_WORDS = {word: value for word, value in _SCALES.items() if len(word) > 1}
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
}
_ORDINALS |= {
    f"{word}th": value
    for word, value in _UNITS.items()
    if word not in ("zero", "one", "two", "three", "five", "eight", "nine", "twelve", *_TENS)
}
_ORDINALS |= {f"{word[:-1]}ieth": _UNITS[word] for word in _TENS}
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_PERIODS = "a an per every each hourly daily nightly weekly monthly yearly annually"
_AFTER_TIMES = frozenset(_PERIODS.split())
_VAGUE = {
    "dozens": 12.0,
    "scores": 20.0,
    "tens": 10.0,
    "hundreds": 1e2,
    "thousands": 1e3,
    "millions": 1e6,
    "billions": 1e9,
    "trillions": 1e12,
    "several": 3.0,
}
_CURRENCIES = {
    "$": "USD",
    "us$": "USD",
    "usd": "USD",
    "dollar": "USD",
    "dollars": "USD",
    "£": "GBP",
    "gbp": "GBP",
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "¥": "JPY",
    "yen": "JPY",
    "yuan": "CNY",
    "₹": "INR",
    "rs": "INR",
    "rs.": "INR",
    "rupee": "INR",
    "rupees": "INR",
}
_PERCENT = {"%", "percent", "pct", "pct."}
_BOUND_PHRASES: tuple[tuple[tuple[str, ...], Bound], ...] = tuple(
    (tuple(phrase.split()), bound)
    for bound, phrases in (
        (
            Bound.AT_LEAST,
            "at least;more than;no fewer than;no less than;not less than;over;above;exceeding;"
            "greater than;larger than;bigger than;heavier than;longer than;taller than;higher than;"
            "older than",
        ),
        (
            Bound.AT_MOST,
            "at most;up to;no more than;fewer than;less than;under;below;smaller than;lighter than;"
            "shorter than;lower than;younger than;no larger than;no bigger than;no heavier than;"
            "no longer than;no taller than;no higher than;no older than",
        ),
        (
            Bound.ABOUT,
            "close to;about;around;approximately;approx;approx.;roughly;some;nearly;almost;"
            "estimated;circa;~",
        ),
    )
    for phrase in phrases.split(";")
)
# Longer phrases first: "no more than" must not be read as "more than".
_BOUNDS = tuple(sorted(_BOUND_PHRASES, key=lambda item: -len(item[0])))
_OPENINGS = ((("a",), 1.0), (("half", "a"), 0.5))  # a million, half a million
_FIGURE = re.compile(
    r"(?P<currency>us\$|[$£€¥₹]|rs\.?)?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<rest>.*)"
)
_PAIR = re.compile(r"(\d+(?:\.\d+)?)[-–/](\d+(?:\.\d+)?)")
_OPENERS = frozenset(
    (
        *(*_UNITS, *_SCALE_WORDS, *_ORDINALS, *_TIMES, *_VAGUE, *_CURRENCIES),
        *(opening[0] for opening, _ in _OPENINGS),
    )
)
_CACHED_WORDS = 8192


def quantities(tokens: Sequence[str]) -> tuple[Quantity, ...]:
    """Return all quantities in a list of tokens, left to right."""
    words = [token.lower() for token in tokens]
    if not any(map(_may_open, words)):
        return ()
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        quantity = _read(words, at) if _may_open(words[at]) else None
        if quantity is None:
            at += 1
        else:
            found.append(_with_bound(words, quantity, found[-1].end if found else 0))
            at = quantity.end
    return tuple(found)


def quantity(tokens: Sequence[str]) -> Quantity | None:
    """Return the first quantity in a list of tokens, or None."""
    found = quantities(tokens)
    return found[0] if found else None


@lru_cache(maxsize=_CACHED_WORDS)
def _may_open(word: str) -> bool:
    """Return whether a quantity can begin with a word: a fast filter for most words."""
    if word in _OPENERS or word.partition("-")[0] in _UNITS:
        return True
    return any(sign.isdigit() for sign in word)


def _read(words: Sequence[str], at: int) -> Quantity | None:
    """Read the quantity that begins at a token, with its currency or percent sign."""
    currency = _CURRENCIES.get(words[at], "") if words[at] not in ("euro", "dollar") else ""
    if currency and at + 1 < len(words):
        after = _read_figure(words, at + 1) or _read_words(words, at + 1)
        if after is not None:
            return _as_money(after, after.unit or currency, at, after.end)
    found = (
        _read_figure(words, at)
        or _read_words(words, at)
        or _read_frequency(words, at)
        or _read_vague(words, at)
    )
    return None if found is None else _with_unit(words, found)


def _read_figure(words: Sequence[str], at: int) -> Quantity | None:
    pair = _PAIR.fullmatch(words[at])
    if pair:
        low, high = float(pair[1]), float(pair[2])
        return Quantity(low, QuantityKind.PAIR, upper=high, start=at, end=at + 1)
    figure = _FIGURE.fullmatch(words[at])
    if not figure:
        return None
    value, rest = float(figure["number"].replace(",", "")), figure["rest"]
    kind, bound, unit = QuantityKind.CARDINAL, Bound.EXACT, ""
    if figure["currency"]:
        kind, unit = QuantityKind.MONEY, _CURRENCIES[figure["currency"]]
    if rest.endswith("+"):
        rest, bound = rest[:-1], Bound.AT_LEAST
    suffix, _, _ = rest.partition("-")  # 12-year-old, 6.3-magnitude: not part of the number
    if suffix in ("st", "nd", "rd", "th"):
        kind = QuantityKind.ORDINAL
    elif suffix == "%":
        kind = QuantityKind.PERCENT
    elif suffix in _SCALES:
        value *= _SCALES[suffix]
    elif suffix not in ("", "s"):  # 1990s stays a number; 4x4 and 787b2 are names
        return None
    end = at + 1
    if kind is not QuantityKind.ORDINAL and not rest:
        while end < len(words) and words[end] in _SCALE_WORDS:
            value *= _SCALE_WORDS[words[end]]
            end += 1
    return Quantity(value, kind, bound, unit, start=at, end=end)


def _read_words(words: Sequence[str], at: int) -> Quantity | None:
    """Read ``two hundred and five``, ``twenty-first``, ``a million``, ``a dozen``."""
    total, current, end, kind = 0.0, 0.0, at, QuantityKind.CARDINAL
    seen = False
    for opening, times in _OPENINGS:
        scale_at = at + len(opening)
        if tuple(words[at:scale_at]) == opening and "".join(words[scale_at:][:1]) in _SCALE_WORDS:
            current, end, seen = times, scale_at, True
    while end < len(words) and kind is QuantityKind.CARDINAL:
        word = words[end]
        if word == "and" and seen and end + 1 < len(words) and _is_small(words[end + 1]):
            if current % 100:  # "two and three" are two numbers
                break
        elif word in _SCALE_WORDS:
            scale = _SCALE_WORDS[word]
            current = (current or 1.0) * scale
            if scale >= 1e3:
                total, current = total + current, 0.0
        else:
            small = _small_number(word)
            if small is None or (seen and current % 100 > 0 and not _extends(current, small[0])):
                break
            current, kind = current + small[0], small[1]
        seen, end = True, end + 1
    if not seen:
        return None
    return Quantity(total + current, kind, start=at, end=end)


def _extends(current: float, small: float) -> bool:
    """Return whether a number word continues a number: ``twenty five``, but not ``one two``."""
    return current % 100 >= 20 and current % 10 == 0 and 0 < small < 10


def _is_small(word: str) -> bool:
    return _small_number(word) is not None


def _small_number(word: str) -> tuple[float, QuantityKind] | None:
    tens, _, ones = word.partition("-")
    if ones and tens in _UNITS and _UNITS[tens] >= 20:
        rest = _small_number(ones)
        if rest is not None and 0 < rest[0] < 10:
            return _UNITS[tens] + rest[0], rest[1]
    plain = tens if ones and not ones[0].isdigit() and tens in _UNITS else word  # five-star
    if plain in _UNITS:
        return float(_UNITS[plain]), QuantityKind.CARDINAL
    if word in _ORDINALS:
        return float(_ORDINALS[word]), QuantityKind.ORDINAL
    return None


def _read_frequency(words: Sequence[str], at: int) -> Quantity | None:
    """Read the number of ``twice a day``; ``once it stops`` has none."""
    value = _TIMES.get(words[at])
    after = words[at + 1] if at + 1 < len(words) else ""
    if value is None or after not in _AFTER_TIMES:
        return None
    return Quantity(value, start=at, end=at + 1)


def _read_vague(words: Sequence[str], at: int) -> Quantity | None:
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else ""
    if word == "scores" and after != "of":  # "Messi scores" is not a quantity
        return None
    if word in _VAGUE:
        value, end = _VAGUE[word], at + 1
        while end + 1 < len(words) and words[end] == "of" and words[end + 1] in _VAGUE:
            value, end = value * _VAGUE[words[end + 1]], end + 2  # tens of thousands
        return Quantity(value, bound=Bound.VAGUE, start=at, end=end)
    if word == "a" and after in ("few", "couple"):
        bound = Bound.ABOUT if after == "couple" else Bound.VAGUE
        return Quantity(2.0, bound=bound, start=at, end=at + 2)
    return None


def _with_unit(words: Sequence[str], found: Quantity) -> Quantity:
    after = words[found.end] if found.end < len(words) else ""
    further = words[found.end + 1] if found.end + 1 < len(words) else ""
    if found.kind is not QuantityKind.CARDINAL:
        return found
    if after in _PERCENT or (after == "per" and further == "cent"):
        end = found.end + (2 if after == "per" else 1)
        return replace(found, kind=QuantityKind.PERCENT, end=end)
    if after in _CURRENCIES and after.isalpha():
        return _as_money(found, _CURRENCIES[after], found.start, found.end + 1)
    return found


def _as_money(found: Quantity, unit: str, start: int, end: int) -> Quantity:
    return replace(found, kind=QuantityKind.MONEY, unit=unit, start=start, end=end)


def _with_bound(words: Sequence[str], found: Quantity, earliest: int) -> Quantity:
    """Add the bound given by the words before ("at least") or after ("or more")."""
    if found.kind is QuantityKind.ORDINAL or found.bound is Bound.VAGUE:
        return found
    for phrase, bound in _BOUNDS:
        start = found.start - len(phrase)
        if start >= earliest and tuple(words[start : found.start]) == phrase:
            return replace(found, bound=bound, start=start)
    if tuple(words[found.end : found.end + 2]) == ("or", "more"):
        return replace(found, bound=Bound.AT_LEAST, end=found.end + 2)
    return found
