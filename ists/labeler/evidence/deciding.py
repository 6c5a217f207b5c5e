"""Words that decide what the rest of a chunk says: *only*, *hardly*, *except*, *than*.

Two chunks that share all other words do not say the same if only one of them has such a word.
"""

from collections.abc import Iterator, Set

from ists.labeler.evidence.units import text_of, word_set
from ists.labeler.phrases import Phrase
from ists.lexicon import position, time_limit

_ANSWERS = {
    word: word_set(f"{words} {others}")
    for words, others in (
        ("only just merely solely", ""),
        ("hardly barely scarcely", ""),
        ("almost nearly virtually practically", ""),
        ("rarely seldom", ""),
        ("even", ""),
        ("than", "under over above below up"),
        ("instead", "than"),
        ("if whether", ""),
        ("unless", ""),
    )
    for word in words.split()
}
"""Deciding words, with the words of another chunk that may say the same."""
_PREPOSITIONS = word_set(
    "above after against before behind below besides beyond despite except opposite outside since "
    "till until versus vs without"
)
_REVERSING = word_set("against despite except without")
_FOLLOWING = {"instead": "of", "except": "for"}
_AFTER_NEGATIONS = word_set("all every each both everyone everybody everything always many much")


def deciding_words(
    own: Phrase, other: Phrase, one_is_negated: bool, compared: Set[int]
) -> tuple[str, ...]:
    """The deciding words of a chunk to which nothing in the other one corresponds.

    `compared`: the places of amounts, whose bounds (*more than 20*) are compared as values, and of
    phrases that correspond as a whole (*not bad*).
    """
    return tuple(
        text_of(own, start, end)
        for start, end in _spans(own, other, one_is_negated)
        if compared.isdisjoint(range(start, end))
    )


def _spans(own: Phrase, other: Phrase, one_is_negated: bool) -> Iterator[tuple[int, int]]:
    for at, word in enumerate(own.words):
        following = own.words[at + 1].lower if at + 1 < len(own.words) else ""
        if word.denies:
            if one_is_negated and own.is_negated:
                yield at, at + 1 + (following in _AFTER_NEGATIONS)
        elif _decides(word.lower, other):
            start = at - 1 if word.lower == "than" and at else at  # older than
            yield start, at + 1 + (_FOLLOWING.get(word.lower) == following)


def _decides(word: str, other: Phrase) -> bool:
    if word in _PREPOSITIONS:
        return not any(are_interchangeable(word, its) for its in other.functions)
    return word in _ANSWERS and _ANSWERS[word].isdisjoint(other.tokens)


def are_interchangeable(one: str, two: str) -> bool:
    """Whether neither of two prepositions decides, or both decide the same: *till*, *until*."""
    if one == two or _PREPOSITIONS.isdisjoint((one, two)):
        return True
    same_limit = time_limit(one) is not None and time_limit(one) == time_limit(two)
    return same_limit or (position(one) is not None and position(one) == position(two))


def reverses(preposition: str) -> bool:
    """Whether a preposition turns what follows into its opposite: except, without."""
    return preposition in _REVERSING
