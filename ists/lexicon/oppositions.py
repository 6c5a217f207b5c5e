"""Opposed words: ``win`` and ``lose``, ``same`` and ``different``, ``at least`` and ``at most``.

Three sources, in this order. Our own table ``data/lexicon/oppositions.tsv`` takes precedence: it
lists words that are opposed and words that are not. Next are negative affixes (``happy``,
``unhappy``), if WordNet has both words with a common part of speech. Last are WordNet's antonyms
and clusters of similar adjectives, with lower strength.

Members of one class that merely differ (Monday and Tuesday, red and blue, man and woman) are not
opposed. Words are looked up in any inflection and without context.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zlib import crc32

from ists.compiled import quickly_built
from ists.errors import ModelError
from ists.lexicon.morphology import PartOfSpeech, normal_form
from ists.lexicon.places import read_rows
from ists.lexicon.relations import RelationKind
from ists.lexicon.word_sets import WordSets
from ists.lexicon.wordnet import WordNet
from ists.resources import data_path

COLUMNS = ["strength", "one", "other"]
AFFIX_IN_WORDNET = 0.95
AFFIX = 0.8
MISDONE = 0.5
"""For the prefix mis-: to misjudge is not the opposite of to judge, but very different."""
ANTONYM = 0.85
CLUSTER = 0.7
"""Strength for adjectives that are similar to two antonyms: ``swift`` and ``sluggish``."""

_PREFIXES = {
    **dict.fromkeys(("un", "in", "im", "il", "ir", "dis", "non", "non-"), AFFIX),
    "mis": MISDONE,
}
_LATIN = ("in", "im", "il", "ir")  # adjectives and their derivations only: not import, invent
_LATIN_ENDINGS = ("ity", "ce", "cy", "ness", "ion", "ice", "ability", "ly")
_SHORTEST_ROOT = 3
_SHORTEST_LATIN_ROOT = 4
_DIRECT = 2  # edges: an antonym of the word itself, or of its synset
_LEAST_COMMON = 0.6  # rare senses are opposed by chance
_WORDNET_BASE = 0.88  # WordNet's strength of an antonym of two most frequent senses
_WORDNET_EDGE = 0.85  # and its factor for every further edge
# Adverbs whose meaning differs from that of their adjective.
_ADVERBS = (
    "hardly lately barely shortly nearly likely only really mostly highly largely fairly directly "
    "scarcely merely presently sorely dearly justly rightly evenly steadily badly"
)
_OWN_ADVERBS = frozenset(_ADVERBS.split())
_CLOSE_KINDS = frozenset((RelationKind.SYNONYM, RelationKind.SAME_LEMMA, RelationKind.EQUAL))
_CACHED_WORDS = 16384
_CACHED_PAIRS = 65536


@quickly_built
@dataclass(frozen=True, slots=True)
class OppositionClues:
    """What shows, for some words, whether they may be opposed to others by table or affixes.

    Sets as numbers of 64 bits, of which each member sets one; different ones may set the same.
    """

    rows: int
    """Rows of the table that have one of the words."""
    roots: int
    """The first three letters of the words' possible roots."""
    beginnings: int
    """The first three letters of the words."""

    def may_oppose(self, other: "OppositionClues") -> bool:
        """Return whether a word here may be opposed to one of the other words: a fast filter."""
        return bool(
            self.rows & other.rows or self.roots & other.beginnings or self.beginnings & other.roots
        )


class Oppositions:
    """The table of opposed words, over WordNet and the closed sets."""

    def __init__(
        self,
        rows: Iterable[tuple[float, Iterable[str], Iterable[str]]],
        wordnet: WordNet,
        word_sets: WordSets,
    ) -> None:
        self._strengths: list[float] = []
        self._sides: dict[str, dict[int, int]] = {}  # word → row → 0 for one, 1 for other
        for number, (strength, one, other) in enumerate(rows):
            self._strengths.append(strength)
            for side, words in enumerate((one, other)):
                for word in words:
                    self._sides.setdefault(word, {})[number] = side
        phrases = [word.split() for word in self._sides if " " in word]
        self._first_words = frozenset(phrase[0] for phrase in phrases)
        self._longest = max(map(len, phrases), default=0)
        self._wordnet = wordnet
        self._word_sets = word_sets
        self._forms = lru_cache(maxsize=_CACHED_WORDS)(self._find_forms)
        self._rows = lru_cache(maxsize=_CACHED_WORDS)(self._find_rows)
        self._clues = lru_cache(maxsize=_CACHED_WORDS)(self._find_clues)
        self._opposition = lru_cache(maxsize=_CACHED_PAIRS)(self._find)
        self._known_pair = lru_cache(maxsize=_CACHED_PAIRS)(self._find_known_or_none)

    @classmethod
    def load(
        cls, wordnet: WordNet, word_sets: WordSets, path: str | Path | None = None
    ) -> "Oppositions":
        """Read the table at `path`, or the one shipped."""
        source = data_path("lexicon", "oppositions.tsv") if path is None else path
        rows = []
        for row in read_rows(source, COLUMNS):
            try:
                strength = float(row["strength"])
            except ValueError:
                raise ModelError(f"{source}: {row['strength']!r} is not a strength") from None
            rows.append((strength, row["one"].split("/"), row["other"].split("/")))
        return cls(rows, wordnet, word_sets)

    def opposition(self, a: str, b: str) -> float:
        """Return the confidence that two words or phrases are opposed, from 0 to 1."""
        return self._opposition(a, b) if a <= b else self._opposition(b, a)

    def known_opposition(self, a: str, b: str) -> float:
        """Return the opposition by table and affixes only, which is much faster."""
        if a == b:
            return 0.0
        one, other = self._rows(a), self._rows(b)
        if one.keys().isdisjoint(other) and not _may_be_affixed(a, b):
            return 0.0
        return self._known_pair(a, b) if a <= b else self._known_pair(b, a)

    def clues(self, words: Iterable[str]) -> OppositionClues:
        """Return what shows whether any of these words may be opposed to others."""
        rows = roots = beginnings = 0
        for word in words:
            own = self._clues(word)
            rows |= own.rows
            roots |= own.roots
            beginnings |= own.beginnings
        return OppositionClues(rows, roots, beginnings)

    def begins_phrase(self, word: str) -> bool:
        """Return whether a word can begin a phrase of the table: a fast filter."""
        return not self._forms(word).isdisjoint(self._first_words)

    def _find_clues(self, word: str) -> OppositionClues:
        rows = roots = 0
        for row in self._rows(word):
            rows |= 1 << row % 64
        for root in _possible_roots(word):
            roots |= _bit(root)
        return OppositionClues(rows, roots, _bit(word[:3]))

    def phrases_in(self, words: Sequence[str]) -> list[str]:
        """Return the phrases of the table (``turned down``, ``on time``) in a list of words."""
        return [
            " ".join(words[at:end])
            for at, word in enumerate(words)
            for first in self._forms(word) & self._first_words
            for end in range(at + 2, min(at + self._longest, len(words)) + 1)
            if " ".join((first, *words[at + 1 : end])) in self._sides
        ]

    def _find(self, a: str, b: str) -> float:
        known = self._find_known(a, b)
        return self._in_wordnet(a, b) if known is None else known

    def _find_known(self, a: str, b: str) -> float | None:
        """Return the opposition by table and affixes; None if neither decides."""
        if normal_form(a) == normal_form(b):
            return 0.0
        listed = self._find_listed(a, b)
        if listed is not None:
            return listed
        ones, others = self._forms(a), self._forms(b)
        if not ones.isdisjoint(others):
            return 0.0
        return max((self._find_affixed(x, y) for x in ones for y in others), default=0.0) or None

    def _find_known_or_none(self, a: str, b: str) -> float:
        return self._find_known(a, b) or 0.0

    def _find_listed(self, a: str, b: str) -> float | None:
        """Return the strength in the table: 0 for words listed as not opposed, None if unlisted."""
        one, other = self._rows(a), self._rows(b)
        best: float | None = None
        together = False
        for row in one.keys() & other.keys():
            if one[row] == other[row] != _BOTH:
                together = True
                continue
            strength = self._strengths[row]
            if not strength:
                return 0.0
            best = strength if best is None else max(best, strength)
        return 0.0 if best is None and together else best

    def _find_rows(self, word: str) -> dict[int, int]:
        """Return the rows of the table that have a form of the word, and its side in each."""
        found: dict[int, int] = {}
        for form in self._forms(word):
            for row, side in self._sides.get(form, {}).items():
                found[row] = side if found.get(row, side) == side else _BOTH
        return found

    def _find_forms(self, word: str) -> frozenset[str]:
        """Return the word, its base forms, the adjective of an adverb, and phrases in base form."""
        form = normal_form(word.replace("’", "'"))
        forms = {form, *self._wordnet.morphology.lemmas(form)}
        if " " in form:
            first, _, rest = form.partition(" ")
            forms.add(f"{self._wordnet.lemma(first, PartOfSpeech.VERB)} {rest}")
        elif form.endswith("ly") and form not in _OWN_ADVERBS:
            stem = form[:-2]
            stems = (f"{stem[:-1]}y" if stem.endswith("i") else stem, f"{stem}le", f"{stem}l")
            forms.update(base for base in stems if self._has(base, PartOfSpeech.ADJECTIVE))
        return frozenset(forms)

    def _find_affixed(self, a: str, b: str) -> float:
        """Return the confidence that one word is the other with a negative affix."""
        if a.endswith("less") or b.endswith("less"):
            full, empty = (a, b) if b.endswith("less") else (b, a)
            same = full.endswith("ful") and full[:-3] == empty[:-4] and len(full) > 5
            return 0.9 if same and self._shares_part(full, empty) else 0.0
        shorter, longer = (a, b) if len(a) < len(b) else (b, a)
        prefix = longer[: len(longer) - len(shorter)]
        strength = _PREFIXES.get(prefix, 0.0)
        if not strength or not longer.endswith(shorter) or len(shorter) < _SHORTEST_ROOT:
            return 0.0
        if prefix in _LATIN and not self._is_latin_negative(shorter, longer):
            return 0.0
        if not self._shares_part(shorter, longer):
            return 0.0
        kinds = {relation.kind for relation in self._wordnet.relations(shorter, longer)}
        if not kinds.isdisjoint(_CLOSE_KINDS):
            return 0.0
        return AFFIX_IN_WORDNET if RelationKind.ANTONYM in kinds else strength

    def _is_latin_negative(self, root: str, word: str) -> bool:
        if len(root) < _SHORTEST_LATIN_ROOT:
            return False
        both = all(self._has(form, PartOfSpeech.ADJECTIVE) for form in (root, word))
        return both or word.endswith(_LATIN_ENDINGS)

    def _shares_part(self, a: str, b: str) -> bool:
        one, other = (self._wordnet.morphology.bases(word).keys() for word in (a, b))
        # "unanswered" is an adjective, "answered" only a form of the verb.
        return bool(one & other) or (
            PartOfSpeech.ADJECTIVE in other and PartOfSpeech.VERB in one and a.endswith("ed")
        )

    def _has(self, word: str, pos: PartOfSpeech) -> bool:
        return pos in self._wordnet.morphology.senses(word)

    def _in_wordnet(self, a: str, b: str) -> float:
        """Return the opposition by WordNet, unless the words are also close or merely differ."""
        found = {relation.kind: relation for relation in self._wordnet.relations(a, b)}
        direct = found.get(RelationKind.ANTONYM)
        if direct is None or self._merely_differ(a, b):
            return 0.0
        close = found.get(RelationKind.SYNONYM)
        if close is not None and close.strength > direct.strength:
            return 0.0
        if direct.distance <= _DIRECT:
            return _scale_by_frequency(ANTONYM, direct.strength, direct.distance)
        for relation in self._wordnet.relations(a, b, PartOfSpeech.ADJECTIVE):
            if relation.kind is RelationKind.ANTONYM:
                return _scale_by_frequency(CLUSTER, relation.strength, relation.distance)
        return 0.0

    def _merely_differ(self, a: str, b: str) -> bool:
        return any(
            self._word_sets.relate(x, y).kind is RelationKind.CONTRAST
            for x in self._forms(a)
            for y in self._forms(b)
        )


@lru_cache(maxsize=_CACHED_WORDS)
def _bit(letters: str) -> int:
    """Return a number with one of 64 bits set, the same for the same letters."""
    return 1 << (crc32(letters.encode("utf-8", "surrogatepass")) & 63)


def _may_be_affixed(a: str, b: str) -> bool:
    """Return whether two words may differ by an affix, ignoring endings: a fast filter."""
    return b[:3] in _possible_roots(a) or a[:3] in _possible_roots(b)


@lru_cache(maxsize=_CACHED_WORDS)
def _possible_roots(word: str) -> tuple[str, ...]:
    """Return the first three letters of a word's possible roots, without prefix or -less."""
    roots = [word[len(p) : len(p) + 3] for p in _PREFIXES if word.startswith(p)]
    return tuple([*roots, word[:3]] if "less" in word else roots)


_BOTH = -1  # a word whose forms are on both sides of a row


def _scale_by_frequency(base: float, strength: float, distance: int) -> float:
    """Scale a base strength by the frequency of the opposed senses."""
    common = strength / (_WORDNET_BASE * _WORDNET_EDGE ** (distance - 1))
    return round(base * common, 4) if common >= _LEAST_COMMON else 0.0


@lru_cache(maxsize=1)
def _shipped() -> Oppositions:
    from ists.lexicon import Lexicon  # the package imports this module

    lexicon = Lexicon.load()
    return Oppositions.load(lexicon.wordnet, lexicon.word_sets)


def opposition(a: str, b: str) -> float:
    """Return the confidence that two words or short phrases are opposed, from 0 to 1.

    Words may be inflected, and the order does not matter: ``opposition("won", "losing")`` is 1,
    ``opposition("Monday", "Tuesday")`` is 0.
    """
    return _shipped().opposition(a, b)


def opposition_clues(words: Iterable[str]) -> OppositionClues:
    """Return what shows whether any of these words has a known opposition to others."""
    return _shipped().clues(words)


def begins_opposable_phrase(word: str) -> bool:
    """Return whether a word can begin a phrase with a known opposite: a fast filter."""
    return _shipped().begins_phrase(word)


def opposable_phrases(words: Sequence[str]) -> list[str]:
    """Return the phrases of several words that have a known opposite, from words in lower case."""
    return _shipped().phrases_in(words)


def known_opposition(a: str, b: str) -> float:
    """Return the opposition by table and affixes only, without WordNet's relations: faster."""
    return _shipped().known_opposition(a, b)
