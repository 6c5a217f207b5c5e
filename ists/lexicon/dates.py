"""Dates in tokens: weekdays, months, days, years, seasons, times of day, relative dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ists.lexicon.numbers import quantity


class DateKind(StrEnum):
    """The part of a date that a mention specifies."""

    WEEKDAY = "weekday"  # 0 Monday … 6 Sunday
    MONTH = "month"  # 1 … 12
    DAY = "day"  # of a month, 1 … 31
    YEAR = "year"
    SEASON = "season"  # 0 spring … 3 winter
    TIME_OF_DAY = "time-of-day"  # the usual hour
    RELATIVE = "relative"  # days from today, rounded: yesterday -1, next week 7


@dataclass(frozen=True, slots=True)
class DateMention:
    """A part of a date in tokens ``start`` to ``end`` (exclusive)."""

    kind: DateKind
    value: int
    start: int
    end: int


_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "january february march april may june july august september october november december"
_WEEKDAY_OF = {word: at for at, word in enumerate(_WEEKDAYS.split())}
_WEEKDAY_OF |= {
    short: at
    for at, shorts in enumerate(("mon", "tue tues", "wed", "thu thur thurs", "fri", "", ""))
    for short in shorts.split()
}
_MONTH_OF = {word: at for at, word in enumerate(_MONTHS.split(), 1)}
_MONTH_OF |= {word[:3]: at for at, word in enumerate(_MONTHS.split(), 1) if len(word) > 4} | {
    "sept": 9
}
# Words first, months only beside a day or a year, or after a preposition of time.
_DOUBTFUL_MONTHS = {"may", "march", "mar", "dec", "jan", "sep", "oct", "apr", "aug"}
_DOUBTFUL_WEEKDAYS = {"mon", "wed", "fri"}
_SEASON_OF = {"spring": 0, "summer": 1, "autumn": 2, "winter": 3}
_HOUR_OF = {
    "dawn": 6,
    "morning": 9,
    "noon": 12,
    "midday": 12,
    "afternoon": 15,
    "evening": 19,
    "tonight": 21,
    "night": 22,
    "midnight": 24,
}
_RELATIVE = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "now": 0, "overnight": 0}
_SPAN_DAYS = {"day": 1, "week": 7, "wk": 7, "fortnight": 14, "month": 30, "year": 365, "yr": 365}
_DIRECTIONS = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "this": 0}
_DISTANCES = ("ago", "later", "earlier")
_BEFORE_DATES = {
    "in",
    "on",
    "by",
    "since",
    "until",
    "till",
    "from",
    "of",
    "last",
    "next",
    "early",
    "late",
    "mid",
    "this",
    "before",
    "after",
    "for",
}
_YEAR = re.compile(r"(1[89]\d\d|20\d\d)(s|'s)?")
_DAY = re.compile(r"([12]?\d|3[01])(st|nd|rd|th)?")
_FARTHEST = 4
_DATE_WORDS = frozenset(
    (
        *_WEEKDAY_OF,
        *(f"{day}s" for day in _WEEKDAY_OF),
        *_MONTH_OF,
        *_SEASON_OF,
        *_HOUR_OF,
        *_RELATIVE,
        *_DIRECTIONS,
        *_DISTANCES,
    )
)


def dates(tokens: Sequence[str]) -> tuple[DateMention, ...]:
    """Return all parts of dates in a list of tokens, left to right."""
    words = [token.lower().rstrip(".") for token in tokens]
    if not any(word in _DATE_WORDS or word[:1].isdigit() for word in words):
        return ()
    months = [at for at in range(len(words)) if _is_month(tokens, words, at)]
    found: list[DateMention] = []
    at = 0
    while at < len(words):
        mentions = _read(tokens, words, at, months)
        found.extend(mentions)
        at = max((mention.end for mention in mentions), default=at + 1)
    return tuple(found)


def _read(
    tokens: Sequence[str], words: Sequence[str], at: int, months: Sequence[int]
) -> tuple[DateMention, ...]:
    word = words[at]
    singular = word.removesuffix("s")
    if singular in _WEEKDAY_OF and (word not in _DOUBTFUL_WEEKDAYS or tokens[at][0].isupper()):
        return (DateMention(DateKind.WEEKDAY, _WEEKDAY_OF[singular], at, at + 1),)
    if at in months:
        return (DateMention(DateKind.MONTH, _MONTH_OF[word], at, at + 1),)
    if (at - 1 in months or at + 1 in months) and _DAY.fullmatch(word):
        day = int(re.sub(r"\D", "", word))
        if day:
            return (DateMention(DateKind.DAY, day, at, at + 1),)
    year = _YEAR.fullmatch(word)
    if year:
        return (DateMention(DateKind.YEAR, int(year[1]), at, at + 1),)
    if word in _SEASON_OF:
        return (DateMention(DateKind.SEASON, _SEASON_OF[word], at, at + 1),)
    return _read_relative(words, at)


def _is_month(tokens: Sequence[str], words: Sequence[str], at: int) -> bool:
    if words[at] not in _MONTH_OF:
        return False
    if words[at] not in _DOUBTFUL_MONTHS:
        return tokens[at][0].isupper() or len(words[at]) > 4
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    near_figure = any(_DAY.fullmatch(word) or _YEAR.fullmatch(word) for word in (before, after))
    return tokens[at][0].isupper() and (near_figure or before in _BEFORE_DATES)


def _read_relative(words: Sequence[str], at: int) -> tuple[DateMention, ...]:
    word = words[at]
    mentions: list[DateMention] = []
    if word in _RELATIVE:
        mentions.append(DateMention(DateKind.RELATIVE, _RELATIVE[word], at, at + 1))
    if word in _HOUR_OF:
        mentions.append(DateMention(DateKind.TIME_OF_DAY, _HOUR_OF[word], at, at + 1))
    if mentions:
        return tuple(mentions)
    if word in _DIRECTIONS and at + 1 < len(words):
        span = _SPAN_DAYS.get(words[at + 1].removesuffix("s"))
        if span:
            value = _DIRECTIONS[word] * span
            return (DateMention(DateKind.RELATIVE, value, at, at + 2),)
    return _read_distance(words, at)


def _read_distance(words: Sequence[str], at: int) -> tuple[DateMention, ...]:
    """Read phrases such as ``three days ago`` and ``2 weeks later``."""
    for end in range(at + 3, min(len(words), at + _FARTHEST) + 1):
        if words[end - 1] not in _DISTANCES:
            continue
        span = _SPAN_DAYS.get(words[end - 2].removesuffix("s"))
        count = quantity(["1" if word in ("a", "an") else word for word in words[at : end - 2]])
        if span and count and count.start == 0:
            sign = 1 if words[end - 1] == "later" else -1
            return (DateMention(DateKind.RELATIVE, sign * span * int(count.value), at, end),)
    return ()
