"""One word or phrase as lookups of pairs see it: what can be asked of it alone is asked once.

A text has many more pairs of words than words, and most have nothing to do with each other: that
should be seen at a glance.
"""

from dataclasses import dataclass

from ists.lexicon.function_words import FunctionClass
from ists.lexicon.numbers import Quantity


@dataclass(frozen=True, slots=True)
class Entry:
    """A word or phrase, looked up."""

    text: str
    form: str
    """As `normal_form` writes it."""
    lemma: str
    function: FunctionClass | None
    tokens: tuple[str, ...]
    letters: str
    """Without spaces, hyphens and dots; empty where there are other signs than letters."""
    lemma_letters: str
    expansions: tuple[str, ...]
    """What it abbreviates, by the table."""
    is_place: bool
    quantity: Quantity | None
    set_member: str
    """The form under which families and closed sets would list it."""
    is_known: bool
    """WordNet has it."""

    @property
    def is_function(self) -> bool:
        """Whether it is a word of grammar."""
        return self.function is not None

    def may_abbreviate(self, other: "Entry") -> bool:
        """Whether abbreviations can be involved at all: single words need the table for it."""
        return bool(
            self.expansions or other.expansions or len(self.tokens) > 1 or len(other.tokens) > 1
        )

    def is_joined(self, other: "Entry") -> bool:
        """Whether the two, or their lemmas, differ in spaces, hyphens and dots only."""
        if self.letters and self.letters == other.letters and self.tokens != other.tokens:
            return True
        same_letters = self.lemma_letters and self.lemma_letters == other.lemma_letters
        return bool(same_letters) and self.lemma != other.lemma
