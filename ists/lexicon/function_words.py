"""Function words: the closed classes of English."""

from enum import StrEnum
from functools import lru_cache

from ists.lexicon.spelling import lowered


class FunctionClass(StrEnum):
    """The closed classes."""

    DETERMINER = "determiner"
    PRONOUN = "pronoun"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    AUXILIARY = "auxiliary"
    PARTICLE = "particle"
    PUNCTUATION = "punctuation"


# A word is listed under the class it has most often at the start of a chunk.
_WORDS = {
    FunctionClass.DETERMINER: (
        "a an the this that these those some any each every either neither no all both half such "
        "another other what which whose my your his her its our their many much few several more "
        "most"
    ),
    FunctionClass.PRONOUN: (
        "i me mine myself you yours yourself yourselves he him himself she hers herself it itself "
        "we us ours ourselves they them theirs themselves who whom whoever whomever whatever "
        "one's oneself someone somebody something anyone anybody anything everyone everybody "
        "everything none each-other"
    ),
    FunctionClass.PREPOSITION: (
        "about above across after against along alongside amid amidst among amongst around as at "
        "atop before behind below beneath beside besides between beyond by concerning despite down "
        "during except for from in inside into like near of off on onto opposite out outside over "
        "past per regarding since through throughout till to toward towards under underneath until "
        "unto up upon versus via vs with within without"
    ),
    FunctionClass.CONJUNCTION: (
        "and but or nor so yet if because although though unless whereas while whether than once "
        "when whenever where wherever why how"
    ),
    FunctionClass.AUXILIARY: (
        "am is are was were be been being 'm 's 're do does did doing done have has had having 've "
        "'d will would shall should can could may might must ought 'll wo ca n't not cannot "
        "dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt couldnt shouldnt"
    ),
    FunctionClass.PARTICLE: "'s ' to there here too also just very only even still again",
}
_OPPOSITES = (
    "with without;in out;inside outside;into from;to from;up down;on off;before after;"
    "above below;above under;over under;on under;on beneath;on underneath;for against;here there;"
    "front behind;more less"
)
_TIME_LIMITS = {
    word: limit
    for limit, words in (
        ("until", "until till"),
        ("by", "by before"),
        ("from", "from after since following"),
        ("at", "at on in during"),
    )
    for word in words.split()
}
_POSITIONS = {
    word: position
    for position, words in (
        ("at", "at in on inside within"),
        ("near", "near beside by alongside around"),
        ("outside", "outside off beyond past"),
        ("behind", "behind"),
        ("opposite", "opposite across"),
        ("above", "above over atop"),
        ("below", "below under beneath underneath"),
        ("between", "between among amongst amid amidst"),
    )
    for word in words.split()
}
_OPPOSITE_LIMITS = (frozenset(("by", "from")), frozenset(("until", "from")))
_OPPOSITE_PAIRS = frozenset(frozenset(pair.split()) for pair in _OPPOSITES.split(";"))
_NAMES_IN_CAPITALS = frozenset(("IT", "US", "WHO"))
_CACHED_WORDS = 8192
_QUANTITY_SIGNS = "%$£€¥₹"
_CLASS_OF = {
    word: function_class
    for function_class, words in reversed(_WORDS.items())
    for word in words.split()
}


@lru_cache(maxsize=_CACHED_WORDS)
def function_class(word: str) -> FunctionClass | None:
    """Return the closed class of a word, or None for a content word.

    US, WHO and IT in capitals are content words, not pronouns.
    """
    if not any(character.isalnum() or character in _QUANTITY_SIGNS for character in word):
        return FunctionClass.PARTICLE if word == "'" else FunctionClass.PUNCTUATION
    if word in _NAMES_IN_CAPITALS:
        return None
    return _CLASS_OF.get(lowered(word))


def is_function_word(word: str) -> bool:
    """Return whether a token is a function word or punctuation."""
    return function_class(word) is not None


def are_opposite(a: str, b: str) -> bool:
    """Return whether two function words are opposites: with and without, before and after."""
    return frozenset((a.lower(), b.lower())) in _OPPOSITE_PAIRS


def time_limit(preposition: str) -> str | None:
    """Return the limit that a preposition sets to a time (until, by, from, at), if it sets one."""
    return _TIME_LIMITS.get(preposition)


def are_opposite_limits(a: str, b: str) -> bool:
    """Return whether two prepositions set opposite limits to a time: by and after."""
    return {time_limit(a), time_limit(b)} in _OPPOSITE_LIMITS


def position(preposition: str) -> str | None:
    """Return the position that a preposition gives to a place (at, near, behind), if it does."""
    return _POSITIONS.get(preposition)
