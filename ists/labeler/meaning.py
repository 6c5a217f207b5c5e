"""The meaning of a chunk as a whole: polarity, modality, opinion, amounts."""

from collections.abc import Sequence
from dataclasses import dataclass

from ists.compiled import quickly_built
from ists.lexicon import (
    Amount,
    Gender,
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
    features: tuple[float, ...]
    """In the order of `MEANING`."""

    @classmethod
    def of(cls, tokens: Sequence[str]) -> "Meaning":
        """Analyse the tokens of a chunk."""
        tokens = tuple(tokens)
        own, certainty, said = polarity(tokens), modality(tokens).kind, opinion(tokens)
        lowers = [token.lower() for token in tokens if token[:1].isalpha()]
        words = (*dict.fromkeys(lowers), *opposable_phrases(lowers))
        share = quantified_share(tokens)
        return cls(
            tokens,
            words,
            opposition_clues(words),
            tuple(filter(has_converse, words)),
            bool(own.parity),
            said,
            amount(tokens),
            share,
            gender(words),
            persons(words),
            (
                float(own.parity),
                float(own.negators),
                float(own.weak),
                float(own.implicit),
                said,
                -1.0 if share is None else share,
                *(float(certainty is one) for one in MODALITIES),
            ),
        )
