"""Quantifiers and adverbs of frequency on one scale, from none and never (0) to all and always (1).

Words of one step mean the same (``many``, ``a lot``); the two ends are opposed. Phrases take
precedence over their words (``every now and then`` over ``every``). Words such as ``any``, whose
share depends on the sentence, are left out.
"""

from collections.abc import Sequence

_STEPS = {
    0.0: "no;none;nobody;nothing;never;neither;not any;not one;not a single;at no time",
    0.05: "hardly any;hardly anyone;almost no;almost none;almost never;hardly ever;barely any;"
    "scarcely any;very few;next to no;virtually no",
    0.15: "few;little;rarely;seldom;infrequently;only a few;a handful;a minority",
    0.3: "some;a few;a couple;a little;someone;somebody;something;sometimes;occasionally;several;"
    "a number of;a bit of;at times;now and then;every now and then;now and again;"
    "from time to time;once in a while;every so often",
    0.5: "half;a half",
    0.65: "many;much;a lot;lots;plenty;often;frequently;numerous;"
    "a great many;a great deal of;regularly;loads of;tons of;dozens of;a good deal of",
    0.85: "most;mostly;usually;generally;normally;the majority;a majority;typically;"
    "in most cases;as a rule;the bulk of;largely",
    0.95: "almost all;nearly all;almost every;nearly every;almost always;nearly always;"
    "virtually all;almost everyone;nearly everyone;practically all",
    1.0: "all;every;each;both;everyone;everybody;everything;always;entire;"
    "whole;at all times;constantly;invariably",
}
_SHARES = {
    tuple(phrase.split()): share
    for share, phrases in _STEPS.items()
    for phrase in phrases.split(";")
}
_LONGEST = max(map(len, _SHARES))
_FIRST_WORDS = frozenset(phrase[0] for phrase in _SHARES)
_DEGREES = frozenset((("much",), ("a", "little"), ("a", "lot"), ("little",)))


def quantified_share(tokens: Sequence[str]) -> float | None:
    """Return the share that the first quantifier of a chunk states; None if it has none."""
    return _find(tuple(token.lower() for token in tokens))


def may_quantify(token: str) -> bool:
    """Return whether a word can begin a quantifier: a fast filter."""
    return token.lower() in _FIRST_WORDS


def _find(words: tuple[str, ...]) -> float | None:
    for at, word in enumerate(words):
        if word not in _FIRST_WORDS:
            continue
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            share = _SHARES.get(words[at : at + size])
            if share is not None and not _is_comparison(words, at, size):
                return share
    return None


def _is_comparison(words: tuple[str, ...], at: int, size: int) -> bool:
    """Return whether the words compare: ``the most expensive``, ``much cheaper``."""
    if words[at] == "most":
        return at > 0 and words[at - 1] == "the"
    following = words[at + size] if at + size < len(words) else ""
    return words[at : at + size] in _DEGREES and following.endswith(("er", "less", "more"))
