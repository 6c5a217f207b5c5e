"""WordNet's morphy: from an inflected form to its base forms in the table.

The rules of detachment and their order are those of morph(7WN): first the exception list, then
every ending whose removal leaves a known word. Words that WordNet lacks are lemmatised by the
regular plural, so that two forms of an unknown word (``selfies``, ``selfie``) match.
"""

from enum import StrEnum
from functools import lru_cache

from ists.lexicon.table import LEXICOGRAPHER_FILES, WordTable, place_of


class PartOfSpeech(StrEnum):
    """The four parts of speech of WordNet, with its letters."""

    NOUN = "n"
    VERB = "v"
    ADJECTIVE = "a"
    ADVERB = "r"


_DETACHMENTS: dict[PartOfSpeech, tuple[tuple[str, str], ...]] = {
    PartOfSpeech.NOUN: (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    PartOfSpeech.VERB: (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    PartOfSpeech.ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    PartOfSpeech.ADVERB: (),
}
_LAST_LETTERS = {
    pos: frozenset(ending[-1] for ending, _ in endings) for pos, endings in _DETACHMENTS.items()
}
_PARTS_OF_SPEECH = tuple(PartOfSpeech)  # iterating over the enum is slow
_POS_BY_PREFIX = {
    "noun": PartOfSpeech.NOUN,
    "verb": PartOfSpeech.VERB,
    "adj": PartOfSpeech.ADJECTIVE,
    "adv": PartOfSpeech.ADVERB,
}
POS_OF_FILE = tuple(_POS_BY_PREFIX[name.partition(".")[0]] for name in LEXICOGRAPHER_FILES)
# WordNet has "people" only as a group; in captions it is the plural of person. "Mrs" is no plural.
_OWN_EXCEPTIONS = {"people": ("person",), "peoples": ("person", "people"), "mrs": ("mrs",)}
_POSSESSIVES = ("'s", "’s", "s'", "s’")
_UNLIKELY = 0.05  # base forms with fewer uses, relative to the most frequent one, are left out
_SHORTEST_SPLIT_PART = 3
_CACHED_FORMS = 8192
_CACHED_STEPS = 512
"""For results that are needed several times while a word is read, and rarely later."""


@lru_cache(maxsize=_CACHED_FORMS)
def normal_form(word: str) -> str:
    """Normalise a word for lookups: lower case, single spaces, no possessive."""
    form = " ".join(word.replace("_", " ").lower().split())
    for ending in _POSSESSIVES:
        if form.endswith(ending) and len(form) > len(ending) + 1:
            return form[:-2] if ending.startswith(("'", "’")) else form[:-1]
    return form


class Morphology:
    """Finds words and their base forms in one table."""

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._senses = lru_cache(maxsize=_CACHED_STEPS)(self._find_senses)
        self._bases = lru_cache(maxsize=_CACHED_FORMS)(self._find_bases)
        self._lemma = lru_cache(maxsize=_CACHED_STEPS)(self._find_lemma)
        self._lemmas = lru_cache(maxsize=_CACHED_FORMS)(self._find_lemmas)
        self._tagged = lru_cache(maxsize=_CACHED_STEPS)(self._find_tagged)

    def senses(self, lemma: str) -> dict[PartOfSpeech, range]:
        """Return the senses of a base form by part of speech; empty if WordNet lacks the word."""
        return self._senses(lemma)

    def bases(self, word: str) -> dict[PartOfSpeech, tuple[str, ...]]:
        """Return the base forms of a word by part of speech, most likely first."""
        return self._bases(normal_form(word))

    def bases_of_form(self, form: str) -> dict[PartOfSpeech, tuple[str, ...]]:
        """Return the same for a normal form."""
        return self._bases(form)

    def lemma(self, word: str, pos: PartOfSpeech | None = None) -> str:
        """Return the most likely base form, or the normal form if there is none."""
        return self._lemma(normal_form(word), pos)

    def _find_lemma(self, form: str, pos: PartOfSpeech | None) -> str:
        candidates = self._uses(form, pos)
        if not candidates:
            return form if self._bases(form) else _regular_singular(form)
        # Keep a form that is itself a base form ("building"), unless its use as an inflection
        # is much more frequent ("saw", "left").
        if form in candidates:
            candidates[form] *= 4
        return max(candidates, key=lambda base: (candidates[base], base == form))

    def lemmas(self, word: str, pos: PartOfSpeech | None = None) -> frozenset[str]:
        """Return all likely base forms: rose and rise for ``rose``, but not numb for ``number``."""
        return self._lemmas(normal_form(word), pos)

    def lemmas_of_form(self, form: str, pos: PartOfSpeech | None = None) -> frozenset[str]:
        """Return the same for a normal form."""
        return self._lemmas(form, pos)

    def _find_lemmas(self, form: str, pos: PartOfSpeech | None) -> frozenset[str]:
        uses = self._uses(form, pos)
        least = _UNLIKELY * max(uses.values(), default=0.0)
        likely = frozenset(base for base, use in uses.items() if use >= least or base == form)
        return likely or frozenset((self._lemma(form, pos),))

    def _uses(self, form: str, pos: PartOfSpeech | None) -> dict[str, float]:
        """Return how often each base form was tagged in WordNet's corpora."""
        uses: dict[str, float] = {}
        for part, base, tagged in self._tagged(form):
            if pos in (None, part):
                uses[base] = uses.get(base, 0.0) + tagged + 0.5
        return uses

    def _find_tagged(self, form: str) -> tuple[tuple[PartOfSpeech, str, int], ...]:
        counts = self._table.sense_count
        return tuple(
            (part, base, sum(counts[senses.start : senses.stop]))
            for part, found in self._bases(form).items()
            for base in found
            for senses in (self._senses(base)[part],)
        )

    def _find_senses(self, lemma: str) -> dict[PartOfSpeech, range]:
        table = self._table
        at = place_of(table.words, lemma)
        if at < 0:
            return {}
        spans: dict[PartOfSpeech, range] = {}
        for sense in range(table.sense_start[at], table.sense_start[at + 1]):
            pos = POS_OF_FILE[table.synset_file[table.sense_synset[sense]]]
            spans[pos] = range(spans[pos].start if pos in spans else sense, sense + 1)
        return spans

    def _find_bases(self, form: str) -> dict[PartOfSpeech, tuple[str, ...]]:
        for variant in _spellings(form):
            found = self._morphy(variant)
            if found:
                return found
        return {}

    def _morphy(self, form: str) -> dict[PartOfSpeech, tuple[str, ...]]:
        found: dict[PartOfSpeech, tuple[str, ...]] = {}
        for pos in _PARTS_OF_SPEECH:
            candidates = [form, *self._exceptions(form, pos)]
            if len(candidates) == 1:
                candidates += self._detach_endings(form, pos)
            known = tuple(dict.fromkeys(base for base in candidates if pos in self._senses(base)))
            if known:
                found[pos] = known
        return found

    def _exceptions(self, form: str, pos: PartOfSpeech) -> tuple[str, ...]:
        if pos is PartOfSpeech.NOUN and form in _OWN_EXCEPTIONS:
            return _OWN_EXCEPTIONS[form]
        return self._table.exceptions.get(pos, {}).get(form, ())

    def _detach_endings(self, form: str, pos: PartOfSpeech) -> list[str]:
        """Remove endings; of a phrase, a noun inflects its last word, a verb its first."""
        before, after = "", ""
        if " " in form and pos is PartOfSpeech.NOUN:
            before, _, form = form.rpartition(" ")
            before += " "
        elif " " in form and pos is PartOfSpeech.VERB:
            form, _, after = form.partition(" ")
            after = " " + after
        if len(form) <= 2 or (form.endswith("ss") and pos is PartOfSpeech.NOUN):
            return []
        stems = list(self._exceptions(form, pos)) if before or after else []
        if form[-1] in _LAST_LETTERS[pos]:
            stems += [
                form[: -len(ending)] + instead
                for ending, instead in _DETACHMENTS[pos]
                if form.endswith(ending) and len(form) > len(ending)
            ]
        if pos is PartOfSpeech.VERB and form.endswith(("ed", "ing")):
            stems += [stem[:-1] for stem in stems if _is_doubled(stem)]
        return [before + stem + after for stem in stems if stem]


def _is_doubled(stem: str) -> bool:
    """Return whether a stem ends in a doubled consonant, such as ``stopp`` from *stopped*."""
    return len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in "bdgklmnprt"


def _spellings(form: str) -> list[str]:
    """Return the form and its spelling variants: without hyphen or dots, joined or split."""
    spellings = [form]
    if "-" in form:
        spellings += [form.replace("-", " "), form.replace("-", "")]
    if " " in form:
        spellings += [form.replace(" ", "-"), form.replace(" ", "")]
    if "." in form:
        spellings.append(form.replace(".", ""))
    if form.isalpha():
        for at in range(_SHORTEST_SPLIT_PART, len(form) - _SHORTEST_SPLIT_PART + 1):
            spellings.append(f"{form[:at]} {form[at:]}")
    return spellings


def _regular_singular(form: str) -> str:
    if len(form) <= 3 or not form.endswith("s") or form.endswith(("ss", "us", "is")):
        return form
    if form.endswith(("sses", "xes", "ches", "shes", "zes")):
        return form[:-2]
    return form[:-1]
