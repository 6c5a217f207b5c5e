"""Converse words: two words for the same event or relation with exchanged roles.

*A sells to B* means *B buys from A*; *X is above Y* means *Y is below X*. If the roles are
exchanged in the sentences, converse words have the same meaning. The data is the table
``data/lexicon/converses.tsv``.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ists.lexicon.morphology import Morphology, PartOfSpeech, normal_form
from ists.lexicon.places import read_rows
from ists.resources import data_path

COLUMNS = ["one", "other"]
_BE = frozenset(("am", "is", "are", "was", "were", "been", "being"))
_CACHED_WORDS = 16384
_CACHED_PAIRS = 65536


class Converses:
    """The table of converse words."""

    def __init__(
        self, rows: Iterable[tuple[Iterable[str], Iterable[str]]], morphology: Morphology
    ) -> None:
        self._morphology = morphology
        self._sides: dict[str, set[tuple[int, int]]] = {}  # word → (row, side)
        for number, sides in enumerate(rows):
            for side, words in enumerate(sides):
                for word in words:
                    self._sides.setdefault(word, set()).add((number, side))
        self._across = lru_cache(maxsize=_CACHED_WORDS)(self._find_across)
        self._own = lru_cache(maxsize=_CACHED_WORDS)(self._find_own)
        self._converse = lru_cache(maxsize=_CACHED_PAIRS)(self._find)

    @classmethod
    def load(cls, morphology: Morphology, path: str | Path | None = None) -> "Converses":
        """Read the table at `path`, or the one shipped."""
        rows = read_rows(data_path("lexicon", "converses.tsv") if path is None else path, COLUMNS)
        return cls(((row["one"].split("/"), row["other"].split("/")) for row in rows), morphology)

    def are_converse(self, a: str, b: str) -> bool:
        """Return whether two words or short phrases are converses, in any inflection."""
        return self._converse(a, b) if a <= b else self._converse(b, a)

    def is_listed(self, word: str) -> bool:
        """Return whether the table has a word, in any inflection."""
        return bool(self._own(word))

    def _find(self, a: str, b: str) -> bool:
        return not self._own(a).isdisjoint(self._across(b))

    def _find_own(self, word: str) -> frozenset[tuple[int, int]]:
        return frozenset().union(*(self._sides.get(form, set()) for form in self._forms(word)))

    def _find_across(self, word: str) -> frozenset[tuple[int, int]]:
        return frozenset((row, 1 - side) for row, side in self._own(word))

    def _forms(self, word: str) -> frozenset[str]:
        form = normal_form(word)
        forms = {form, *self._morphology.lemmas(form)}
        if " " in form:
            first, _, rest = form.partition(" ")
            base = "be" if first in _BE else self._morphology.lemma(first, PartOfSpeech.VERB)
            forms.add(f"{base} {rest}")
        return frozenset(forms)


@lru_cache(maxsize=1)
def _shipped() -> Converses:
    from ists.lexicon import Lexicon  # the package imports this module

    return Converses.load(Lexicon.load().wordnet.morphology)


def are_converse(a: str, b: str) -> bool:
    """Return whether two words are converses, such as ``bought`` and ``sells``."""
    return _shipped().are_converse(a, b)


def has_converse(word: str) -> bool:
    """Return whether a word has a converse."""
    return _shipped().is_listed(word)
