"""Language detection: English, the only language the models are trained on, or not.

The first words of a file decide. A few per cent of function words that no other language has
(*the*, *of*, *with*) are enough for English; only texts without them, such as terse headlines or
German, are looked up in WordNet, which takes longer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

SAMPLE = 300
"""Maximum number of words that are examined."""
FEWEST = 20
"""Minimum number of words for a decision: a few names belong to no language."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CHARACTERS_PER_WORD = 2
"""Characters per word in scripts without spaces, such as Chinese."""
_SHORTEST = 4
"""Minimum length of a word to look up: WordNet has *de*, *la* and *el* as abbreviations."""
# Function words that related languages lack: Dutch has "in" and "is", German "was" and "will",
# Spanish "a" and "no", French "on".
_GRAMMAR = (
    "the of and to for with from by at it that this these those they their them his which who "
    "what when where why how are were been being have has could would should did does not but "
    "because although while than then after before during against between through about into "
    "out up down off near each every both some any many more other another you your its on"
)
_ENGLISH_ONLY = frozenset(_GRAMMAR.split())
_MIN_SHARE = 0.06
"""Minimum share for English: headlines have 7 % or more, other languages at most 2 %."""
_KNOWN = 0.5


def words_of(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of texts, without numbers and signs."""
    for text in texts:
        for word in _WORD.findall(text):
            if _is_latin(word):
                yield word
            else:
                yield from (
                    word[at : at + _CHARACTERS_PER_WORD]
                    for at in range(0, len(word), _CHARACTERS_PER_WORD)
                )


def is_english(texts: Iterable[str]) -> bool:
    """Return whether at least half of the first words are English; True if there are too few."""
    words = [word.lower() for word in islice(words_of(texts), SAMPLE)]
    if len(words) < FEWEST:
        return True
    if sum(word in _ENGLISH_ONLY for word in words) >= _MIN_SHARE * len(words):
        return True
    return _count_known(words) >= _KNOWN * len(words)


def _count_known(words: Sequence[str]) -> int:
    """Return the number of words that are function words, or long enough and in WordNet."""
    from ists.lexicon import Lexicon, is_function_word

    lexicon = Lexicon.load()
    stems = [re.split("['’]", word)[0] for word in words]
    return sum(
        is_function_word(stem) or (len(stem) >= _SHORTEST and lexicon.knows(stem)) for stem in stems
    )


def _is_latin(word: str) -> bool:
    return word[0] < "\u0250"  # the end of Latin Extended-B
