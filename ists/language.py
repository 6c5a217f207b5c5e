"""Language detection: English, the only language the models are trained on, or not.

Of the first words, a few per cent of function words that no other language has (*the*, *of*,
*with*) are enough for English. Only texts without them, such as terse headlines or German, are
examined further, which needs WordNet: words of other languages, by their grammar or their letters,
and unknown words are weighed against English words. Names and codes are no evidence: a text without
three different words against English is taken for English. So are most sentences of two or three
words in another language.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import islice, pairwise

SAMPLE = 300
"""Maximum number of words that are examined."""

_ADDRESS = re.compile(r"\S*(?:://|@|&#?\w+;)\S*|#\w+|www\.\S+")
"""Links, mail addresses, names of users, hashtags and HTML entities are no words."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CHARACTERS_PER_WORD = 2
"""Characters per word in scripts without spaces, such as Chinese."""
_SHORTEST = 4
"""Minimum length of a word to look up: WordNet has *de*, *la* and *el* as abbreviations."""
_SHORTEST_FOREIGN = 3
"""Minimum length of a word whose letters are a sign of another language."""
# Function words that related languages lack: Dutch has "in" and "is", German "was" and "will",
# Spanish "a" and "no", French "on".
_GRAMMAR = (
    "the of and to for with from by at it that this these those they their them his which who "
    "what when where why how are were been being have has could would should did does not but "
    "because although while than then after before during against between through about into "
    "out up down off near each every both some any many more other another you your its on"
)
_ENGLISH_ONLY = frozenset(_GRAMMAR.split())
# Function words of other languages, without those that are English words or abbreviations as
# well: German "die" and "hat", French "pour", Dutch "van", Swedish "men", Portuguese "com".
_FOREIGN_GRAMMAR = (
    "der das dem und ist ein eine einen einem einer eines nicht auf für sich wir ich sie auch wie "
    "nach bei wird sind oder aber über vor beim zum zur haben noch nur kein keine sehr mein meine "
    "une dans est et que qui ne pas sur avec il elle nous vous je tu ce cette sa ses sont au aux "
    "mais où très été chez un "
    "es en una unos unas por para su sus se lo está están pero muy más este esta fue "
    "gli di della dello dei delle che è sono nel nella sul sulla alla anche si più suo sua questo "
    "uma dos nos nas não são é ao à pelo pela muito seu "
    "het een niet zijn voor aan ook maar naar uit deze wordt heeft hij zij wij ik geen nog bij "
    "och att det som ett på är för inte sig jag hon av og ikke af jeg et hun blir "
    "się nie jest że są był była dla przez jego je jako byl byla není jsou také od "
    "bir bu için ile çok daha değil gibi ja ei että hän mutta kun ovat myös az és hogy nem egy "
    "csak már și în nu este cu sunt dari untuk dengan ini itu tidak adalah juga sedang mga và là "
    "của không một những các được"
)
_FOREIGN_ONLY = frozenset(_FOREIGN_GRAMMAR.split())
_GRAMMAR_IN_NAMES = "de la le les el los las del da du des den di al von yang ang"
_IN_NAMES = frozenset(_GRAMMAR_IN_NAMES.split())
"""Foreign function words that are parts of names as well: *Los Angeles*, *Le Monde*."""
_MIN_SHARE = 0.06
"""Minimum share for English: headlines have 7 % or more, other languages at most 2 %."""
_FEWEST_LETTERS = 4
"""Minimum number of letters of another script; a formula may consist of two or three."""
_FEWEST_SIGNS = 3
"""Minimum number of different words that are not English: a term or a name may have two."""


class _Evidence(Enum):
    """What a word shows about the language."""

    ENGLISH = auto()
    FOREIGN = auto()
    UNKNOWN = auto()
    NONE = auto()


def words_of(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of texts, without numbers, signs and addresses."""
    for text in texts:
        for word in _WORD.findall(_ADDRESS.sub(" ", text)):
            if _is_latin(word):
                yield word
            else:
                yield from (
                    word[at : at + _CHARACTERS_PER_WORD]
                    for at in range(0, len(word), _CHARACTERS_PER_WORD)
                )


def is_english(texts: Iterable[str]) -> bool:
    """Return whether the first words look English; True if they do not show the language."""
    words = list(islice(words_of(texts), SAMPLE))
    other_letters = sum(len(word) for word in words if not _is_latin(word))
    if other_letters >= _FEWEST_LETTERS and 2 * other_letters > sum(map(len, words)):
        return False
    english = sum(word.lower() in _ENGLISH_ONLY for word in words)
    foreign = sum(map(_is_foreign_grammar, words, [*words[1:], ""]))
    if english >= _MIN_SHARE * len(words) and english >= foreign:
        return True
    found = Counter(_evidences(words).values())
    against = found[_Evidence.FOREIGN] + found[_Evidence.UNKNOWN]
    if against < _FEWEST_SIGNS:
        return True
    # Unknown words alone may be names or jargon in lower case: they need to be the only words.
    return found[_Evidence.ENGLISH] >= (against if found[_Evidence.FOREIGN] else 1)


def _evidences(words: Sequence[str]) -> dict[str, _Evidence]:
    """Return what each different word shows about the language."""
    return {word.lower(): _evidence(word, after) for word, after in pairwise([*words, ""])}


def _evidence(word: str, after: str) -> _Evidence:
    from ists.lexicon import Lexicon, is_function_word

    stem = re.split("['’]", word)[0]
    if _is_foreign_grammar(word, after):
        return _Evidence.FOREIGN
    if not _is_latin(word):
        return _Evidence.FOREIGN
    if word.lower() in _ENGLISH_ONLY:
        return _Evidence.ENGLISH
    plain = _without_accents(stem)
    if len(stem) >= _SHORTEST and not is_function_word(stem) and Lexicon.load().knows(plain):
        return _Evidence.ENGLISH
    if is_function_word(stem) or not stem.islower():  # in several languages, or a name
        return _Evidence.NONE
    if plain != stem and len(stem) >= _SHORTEST_FOREIGN:
        return _Evidence.FOREIGN
    return _Evidence.UNKNOWN if len(stem) >= _SHORTEST else _Evidence.NONE


def _is_foreign_grammar(word: str, after: str) -> bool:
    """Return whether a word is a function word of another language.

    Before a capital, *de* and *los* are part of a name; capitals alone are an abbreviation.
    """
    if word.isupper() and len(word) > 1:
        return False
    lowered = word.lower()
    return lowered in _FOREIGN_ONLY or (lowered in _IN_NAMES and after[:1].islower())


def _without_accents(word: str) -> str:
    signs = unicodedata.normalize("NFKD", word)
    return "".join(sign for sign in signs if sign.isascii())


def _is_latin(word: str) -> bool:
    return word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00"
