"""Words written out: contractions (*'ve*: have) and informal spellings (*ur*: your)."""

import re
from collections.abc import Iterable, Sequence

from ists.labeler.phrases import Phrase
from ists.labeler.words import Word
from ists.lexicon import is_negation

_CONTRACTIONS = {
    "'m": "am",
    "'re": "are",
    "'ve": "have",
    "'ll": "will shall",
    "'s": "is has",
    "'d": "would had did",
    "n't": "not",
    "ca": "can",
    "wo": "will",
    "sha": "shall",
}
_CONTRACTED = re.compile(r"(\w+)(n't|'(?:m|re|ve|ll|s|d))")
_SPELLINGS = {
    variant: standard
    for standard, variants in (
        ("your", "ur yr"),
        ("you", "u ya"),
        ("are", "r"),
        ("through", "thru"),
        ("though", "tho"),
        ("because", "cuz coz cos bc"),
        ("tomorrow", "tmrw tmr tomoz"),
        ("tonight", "tonite 2nite"),
        ("night", "nite"),
        ("before", "b4"),
        ("great", "gr8"),
        ("please", "pls plz"),
        ("thanks", "thx thanx"),
        ("people", "ppl"),
        ("with", "w/"),
        ("without", "w/o"),
        ("and", "n &"),
        ("until", "til"),
        ("them", "em 'em"),
        ("going to", "gonna"),
        ("want to", "wanna"),
        ("got to", "gotta"),
    )
    for variant in variants.split()
}

_Readings = frozenset[str]
"""The words that a written word may stand for."""


def difference_in_writing(one: Phrase, two: Phrase) -> str:
    """How chunks differ that are the same once written out; empty if they are not the same."""
    if _agree(_without_contractions(_lowers(one)), _without_contractions(_lowers(two))):
        return ", one contracted"
    spelled = [[_standard(word) for word in _lowers(phrase)] for phrase in (one, two)]
    split = [_without_contractions(" ".join(words).split()) for words in spelled]
    return " but for spelling" if _agree(*split) else ""


def is_spelled(text: str, words: Iterable[Word]) -> bool:
    """Whether one of these words is a text in another spelling: *ur*, *your*."""
    standard = _standard(text.lower())
    return any(standard == _standard(word.lower) for word in words)


def readings(words: Iterable[Word]) -> frozenset[str]:
    """The words that a chunk has once its contractions are written out."""
    return frozenset().union(*_without_contractions([_straight(word.lower) for word in words]))


def _lowers(phrase: Phrase) -> list[str]:
    return [_straight(word.lower) for word in phrase.words]


def _straight(text: str) -> str:
    return text.replace("’", "'")


def _standard(word: str) -> str:
    return _SPELLINGS.get(word, word)


def _without_contractions(words: Sequence[str]) -> list[_Readings]:
    return [_read(part) for word in words for part in _parts(word)]


def _parts(word: str) -> tuple[str, ...]:
    if word == "cannot":
        return ("can", "not")
    if word.endswith("nt") and is_negation(word):
        return (word[:-2], "n't")  # didnt
    joined = _CONTRACTED.fullmatch(word)
    return (joined[1], joined[2]) if joined else (word,)


def _read(word: str) -> _Readings:
    return frozenset((word, *_CONTRACTIONS.get(word, "").split()))


def _agree(one: Sequence[_Readings], two: Sequence[_Readings]) -> bool:
    return len(one) == len(two) and not any(map(_Readings.isdisjoint, one, two))
