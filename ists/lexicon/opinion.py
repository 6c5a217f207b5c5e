"""Opinion of a chunk: ``loved`` 2, ``tasty`` 1, ``not good`` -1, ``awful`` -2.

The words are in the table ``data/lexicon/opinion.tsv``: base forms with a number from -2 to 2.
Only evaluative words are included, not hot or cold, rise or fall. Negation reverses an opinion and
weakens a strong one (``not terrible``); ``very`` and ``slightly`` scale it.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ists.errors import ModelError
from ists.lexicon.function_words import FunctionClass, function_class
from ists.lexicon.morphology import Morphology, PartOfSpeech, normal_form
from ists.lexicon.places import read_rows
from ists.lexicon.polarity import polarity
from ists.lexicon.spelling import lowered
from ists.resources import data_path

COLUMNS = ["word", "opinion"]
LARGEST = 2.0

_STRONGER_WORDS = "very really so extremely absolutely truly totally utterly incredibly highly"
_WEAKER_WORDS = "slightly somewhat fairly rather bit little kinda sorta partly mildly"
_FACTORS = {
    **dict.fromkeys(_STRONGER_WORDS.split(), 1.4),
    **dict.fromkeys(_WEAKER_WORDS.split(), 0.6),
}
_TURNED = -0.5  # factor of negation for a strong opinion: not terrible is hardly good
_TURNED_MILD = -1.0  # factor for a mild opinion: not good is bad
_STRONG = 1.5
_REACH = 3  # maximum distance of a negation from the negated word
_LIKING = frozenset(("like", "likes", "liked", "liking"))
_WISHES = frozenset(("would", "'d", "d"))
_CACHED_CHUNKS = 16384
_CACHED_WORDS = 512


class Opinions:
    """The table of evaluative words."""

    def __init__(self, values: dict[str, float], morphology: Morphology) -> None:
        self._values = values
        self._morphology = morphology
        self._word = lru_cache(maxsize=_CACHED_WORDS)(self._find_word)
        self._chunk = lru_cache(maxsize=_CACHED_CHUNKS)(self._find)

    @classmethod
    def load(cls, morphology: Morphology, path: str | Path | None = None) -> "Opinions":
        """Read the table at `path`, or the one shipped."""
        source = data_path("lexicon", "opinion.tsv") if path is None else path
        values: dict[str, float] = {}
        for row in read_rows(source, COLUMNS):
            try:
                values[row["word"]] = float(row["opinion"])
            except ValueError:
                raise ModelError(f"{source}: {row['opinion']!r} is not an opinion") from None
        return cls(values, morphology)

    def word(self, word: str) -> float:
        """Return the opinion of one word in any inflection; 0 for most."""
        return self._word(word)

    def may_judge(self, token: str) -> bool:
        """Return whether a word can express an opinion: a fast filter."""
        return bool(self._word(lowered(token)))

    def opinion(self, tokens: Sequence[str]) -> float:
        """Return the opinion of a chunk, from -2 to 2: the sum of its words, with modifiers."""
        return self._chunk(tuple(tokens)) if any(map(self.may_judge, tokens)) else 0.0

    def _find_word(self, word: str) -> float:
        form = normal_form(word)
        if form in self._values:
            return self._values[form]
        if not form.isalpha():
            return 0.0
        found = [
            self._values[base]
            for base in self._morphology.lemmas(form)
            if base in self._values and base != form
        ]
        if not found and form.endswith("ly"):
            stem = form[:-2]
            bases = (f"{stem[:-1]}y" if stem.endswith("i") else stem, f"{stem}le", f"{stem}l")
            found = [self._values[base] for base in bases if base in self._values]
        return max(found, key=abs, default=0.0)

    def _find(self, tokens: tuple[str, ...]) -> float:
        words = [lowered(token) for token in tokens]
        total = 0.0
        for at, word in enumerate(words):
            value = self._word(word)
            if not value or not self._is_meant(words, at):
                continue
            before = words[max(0, at - _REACH) : at]
            if before and before[-1] in _FACTORS:
                value *= _FACTORS[before[-1]]
            if polarity(before).parity:
                value *= _TURNED if abs(value) >= _STRONG else _TURNED_MILD
            total += value
        return max(-LARGEST, min(LARGEST, round(total, 4)))

    def _is_meant(self, words: list[str], at: int) -> bool:
        """Return whether a word is evaluative here: not *like a dog*, *a kind of*, *pretty big*."""
        word = words[at]
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in _LIKING:
            if word != "like":
                return True
            subject = function_class(before) is FunctionClass.PRONOUN
            helped = before in ("do", "does", "did", "n't", "not", "to", "really", "dont", "didnt")
            return (subject or helped or (not before and not after)) and before not in _WISHES
        if word in ("kind", "kinds"):
            return after != "of"
        if word == "fine":
            return before not in ("a", "the", "of") and after != "of"
        if word == "pretty":
            determined = function_class(before) is FunctionClass.DETERMINER
            return determined or PartOfSpeech.ADJECTIVE not in self._morphology.bases(after)
        return True


@lru_cache(maxsize=1)
def _shipped() -> Opinions:
    from ists.lexicon import Lexicon  # the package imports this module

    return Opinions.load(Lexicon.load().wordnet.morphology)


def may_judge(token: str) -> bool:
    """Return whether a word can express an opinion: a fast filter."""
    return _shipped().may_judge(token)


def opinion(tokens: Sequence[str]) -> float:
    """Return the opinion of a chunk, from -2 (hated it) over 0 (none) to 2 (loved it)."""
    return _shipped().opinion(tokens)
