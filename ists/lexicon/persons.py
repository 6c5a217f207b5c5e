"""Words that name persons: whether male or female, and who in the conversation (I, you, they)."""

from collections.abc import Iterable
from enum import StrEnum


class Gender(StrEnum):
    """The gender that a word states."""

    MALE = "male"
    FEMALE = "female"


_MALE = (
    "he him his himself mr mr. sir lord gentleman gentlemen man men guy guys boy boys father dad "
    "husband son sons brother brothers uncle nephew grandfather grandpa grandson king prince duke "
    "widower groom bridegroom actor waiter host steward landlord policeman fireman businessman "
    "spokesman chairman salesman stepfather boyfriend"
)
_FEMALE = (
    "she her hers herself mrs mrs. ms ms. miss madam lady ladies woman women girl girls mother mum "
    "mom wife daughter daughters sister sisters aunt niece grandmother grandma granddaughter queen "
    "princess duchess widow bride actress waitress hostess stewardess landlady policewoman "
    "businesswoman spokeswoman chairwoman saleswoman stepmother girlfriend"
)
_PRONOUNS = (
    "i me my mine myself",
    "we us our ours ourselves",
    "you your yours yourself yourselves",
    "he him his himself",
    "she her hers herself",
    "they them their theirs themselves",
)
_GENDER_OF = {
    word: gender
    for gender, words in ((Gender.MALE, _MALE), (Gender.FEMALE, _FEMALE))
    for word in words.split()
}
_PERSON_OF = {word: words.split()[0] for words in _PRONOUNS for word in words.split()}


def names_person(word: str) -> bool:
    """Return whether a word in lower case states a gender or stands for a person."""
    return word in _GENDER_OF or word in _PERSON_OF


def gender(words: Iterable[str]) -> Gender | None:
    """Return the gender that words in lower case state; None if they state none, or both."""
    found = {_GENDER_OF[word] for word in words if word in _GENDER_OF}
    return found.pop() if len(found) == 1 else None


def persons(words: Iterable[str]) -> frozenset[str]:
    """Return the persons that the pronouns among words in lower case stand for, each by its name.

    The name is the pronoun as a subject: ``my`` gives ``i``.
    """
    return frozenset(_PERSON_OF[word] for word in words if word in _PERSON_OF)
