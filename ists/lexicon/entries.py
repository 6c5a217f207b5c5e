"""Cached properties of a word or phrase, for fast lookups of word pairs.

A text has many more word pairs than words, and most pairs are unrelated, so all properties of a
single word are looked up once.
"""

from dataclasses import dataclass

from ists.compiled import quickly_built
from ists.lexicon.function_words import FunctionClass
from ists.lexicon.numbers import Quantity


@quickly_built
@dataclass(frozen=True, slots=True)
class Entry:
    """A word or phrase with its looked-up properties."""

    text: str
    form: str
    """The result of `normal_form`."""
    lemma: str
    function: FunctionClass | None
    tokens: tuple[str, ...]
    letters: str
    """Letters without spaces, hyphens and dots; empty if there are other characters."""
    lemma_letters: str
    may_be_short: bool
    """Whether it may abbreviate something, or be abbreviated: it has long forms in the table, or
    several words."""
    is_place: bool
    quantity: Quantity | None
    set_member: str
    """The form to look up in word families and closed sets."""
    is_known: bool
    """Whether WordNet has it."""

    @property
    def is_function(self) -> bool:
        """Whether it is a function word."""
        return self.function is not None

    def may_abbreviate(self, other: "Entry") -> bool:
        """Return whether one may abbreviate the other; two single words need a table entry."""
        return self.may_be_short or other.may_be_short

    def is_joined(self, other: "Entry") -> bool:
        """Return whether the two, or their lemmas, differ only in spaces, hyphens and dots."""
        if self.letters and self.letters == other.letters and self.tokens != other.tokens:
            return True
        same_letters = self.lemma_letters and self.lemma_letters == other.lemma_letters
        return bool(same_letters) and self.lemma != other.lemma
