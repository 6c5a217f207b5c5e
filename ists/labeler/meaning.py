"""The meaning of a chunk as a whole: polarity, modality, opinion, amounts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ists.compiled import quickly_built
from ists.lexicon import (
    Amount,
    Gender,
    Modality,
    ModalityKind,
    OppositionClues,
    amount,
    gender,
    has_converse,
    modality,
    opinion,
    opposable_phrases,
    opposition_clues,
    persons,
    polarity,
    quantified_share,
)
from ists.lexicon.amounts import may_count
from ists.lexicon.modality import ASSERTED, may_change_modality
from ists.lexicon.opinion import may_judge
from ists.lexicon.oppositions import begins_opposable_phrase
from ists.lexicon.persons import names_person
from ists.lexicon.polarity import PLAIN, may_negate
from ists.lexicon.quantifiers import may_quantify

MODALITIES = tuple(one for one in ModalityKind if one is not ModalityKind.ASSERTED)
MEANING = (
    ("denied", "the chunk is denied: an odd number of negations"),
    ("negations", "full negations in the chunk"),
    ("almost denied", "hardly, barely, few"),
    ("denied by a verb", "fail to, reject, lack, avoid"),
    ("opinion", "what the chunk expresses, from -2 (bad) to 2 (good)"),
    (
        "quantified share",
        "share that a quantifier states, from 0 (none) to 1 (all); -1 without one",
    ),
    *((f"modality {one.value}", f"the chunk's modality is: {one.value}") for one in MODALITIES),
)


@quickly_built
@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of one chunk."""

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    """In lower case, without punctuation and numbers, each once; then phrases with opposites."""
    clues: OppositionClues
    """What shows whether a word of the chunk may have a known opposite in another chunk."""
    converses: tuple[str, ...]
    """Those of the words that have a converse."""
    denied: bool
    opinion: float
    amount: Amount | None
    quantifier: float | None
    gender: Gender | None
    """Of the person or persons that the chunk speaks of."""
    persons: frozenset[str]
    """Those that its pronouns stand for."""
    modality: Modality
    features: tuple[float, ...]
    """In the order of `MEANING`."""

    @classmethod
    def of(cls, tokens: Sequence[str]) -> "Meaning":
        """Analyse the tokens of a chunk, as far as any of them may mean something."""
        tokens, lowers, signs = tuple(tokens), [], 0
        for token in tokens:
            lower, own = _read_token(token)
            signs |= own
            if lower:
                lowers.append(lower)
        words = tuple(dict.fromkeys(lowers))
        if signs & _OPENS_PHRASE:
            words = (*words, *opposable_phrases(lowers))
        polar = polarity(tokens) if signs & _NEGATES else PLAIN
        certainty = modality(tokens) if signs & _IS_MODAL else ASSERTED
        said = opinion(tokens) if signs & _JUDGES else 0.0
        share = quantified_share(tokens) if signs & _QUANTIFIES else None
        return cls(
            tokens,
            words,
            opposition_clues(words),
            # A phrase may have a converse that its words lack.
            tuple(filter(has_converse, words)) if signs & (_CONVERSE | _OPENS_PHRASE) else (),
            bool(polar.parity),
            said,
            amount(tokens) if signs & _COUNTS else None,
            share,
            gender(words) if signs & _NAMES_PERSON else None,
            persons(words) if signs & _NAMES_PERSON else _NOBODY,
            certainty,
            (
                float(polar.parity),
                float(polar.negators),
                float(polar.weak),
                float(polar.implicit),
                said,
                -1.0 if share is None else share,
                *_FLAGS_OF[certainty.kind],
            ),
        )


_NEGATES, _IS_MODAL, _JUDGES, _COUNTS, _QUANTIFIES = 1, 2, 4, 8, 16
_NAMES_PERSON, _CONVERSE, _OPENS_PHRASE = 32, 64, 128
_NOBODY: frozenset[str] = frozenset()
_FLAGS_OF = {kind: tuple(float(kind is one) for one in MODALITIES) for kind in ModalityKind}
_CACHED_TOKENS = 16384


@lru_cache(maxsize=_CACHED_TOKENS)
def _read_token(token: str) -> tuple[str, int]:
    """Return a token in lower case, empty if it is no word, and what it may mean, as bits."""
    signs = (
        _NEGATES * may_negate(token)
        | _IS_MODAL * may_change_modality(token)
        | _JUDGES * may_judge(token)
        | _COUNTS * may_count(token)
        | _QUANTIFIES * may_quantify(token)
    )
    if not token[:1].isalpha():
        return "", signs
    lower = token.lower()
    signs |= (
        _NAMES_PERSON * names_person(lower)
        | _CONVERSE * has_converse(lower)
        | _OPENS_PHRASE * begins_opposable_phrase(lower)
    )
    return lower, signs
