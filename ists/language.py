"""Whether a text is English, the one language that the models know: cheap, and sure of English.

The first words of a file are looked at. A few per cent of grammar that no other language has
(*the*, *of*, *with*) make it English at once; only a text without them, such as terse headlines or
German, is looked up in WordNet.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

SAMPLE = 300
"""Words looked at."""
FEWEST = 20
"""Words below which nothing is said: names alone are no language."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SIGNS_A_WORD = 2
"""Of scripts that set no spaces, so that a line of Chinese is more than one word."""
_SHORTEST = 4
"""Letters: WordNet has *de*, *la* and *el* too, as abbreviations."""
# Grammar that the neighbours do not share: Dutch has "in" and "is", German "was" and "will",
# Spanish "a" and "no", French "on".
_GRAMMAR = (
    "the of and to for with from by at it that this these those they their them his which who "
    "what when where why how are were been being have has could would should did does not but "
    "because although while than then after before during against between through about into "
    "out up down off near each every both some any many more other another you your its on"
)
_UNMISTAKABLE = frozenset(_GRAMMAR.split())
_ENOUGH = 0.06
"""English headlines, the tersest text there is, have 7 % of these or more; others at most 2 %."""
_KNOWN = 0.5


def words_of(texts: Iterable[str]) -> Iterator[str]:
    """The words of texts, numbers and signs left out."""
    for text in texts:
        for word in _WORD.findall(text):
            if _is_latin(word):
                yield word
            else:
                yield from (
                    word[at : at + _SIGNS_A_WORD] for at in range(0, len(word), _SIGNS_A_WORD)
                )


def is_english(texts: Iterable[str]) -> bool:
    """Whether at least half of the first words are English; true for too few to tell."""
    words = [word.lower() for word in islice(words_of(texts), SAMPLE)]
    if len(words) < FEWEST:
        return True
    if sum(word in _UNMISTAKABLE for word in words) >= _ENOUGH * len(words):
        return True
    return _known(words) >= _KNOWN * len(words)


def _known(words: Sequence[str]) -> int:
    """How many words are grammar, or long enough to be looked up and known to WordNet."""
    from ists.lexicon import Lexicon, is_function_word

    lexicon = Lexicon.load()
    stems = [re.split("['’]", word)[0] for word in words]
    return sum(
        is_function_word(stem) or (len(stem) >= _SHORTEST and lexicon.knows(stem)) for stem in stems
    )


def _is_latin(word: str) -> bool:
    return word[0] < "\u0250"  # the end of Latin Extended-B
