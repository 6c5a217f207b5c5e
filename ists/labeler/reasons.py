"""Reasons: what the words of two chunks show, and for which relations that is a reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ists.pairs import LINKING, Flag, Relation


class ReasonKind(StrEnum):
    """What a reason is about, for programs."""

    SAME_WORDS = "same words"
    OTHER_FORM = "other form"
    OTHER_SPELLING = "other spelling"
    SYNONYM = "synonym"
    ABBREVIATION = "abbreviation"
    SAME_PLACE = "same place"
    SAME_TIME = "same time"
    SAME_AMOUNT = "same amount"
    CLOSE_AMOUNT = "close amount"
    CLOSE = "close in meaning"
    WORD_FAMILY = "word family"
    RELATED = "related"
    OPPOSITE = "opposite"
    NEGATION = "negation"
    MORE_SPECIFIC = "more specific"
    MORE_GENERAL = "more general"
    ONLY_FIRST = "only in sentence 1"
    ONLY_SECOND = "only in sentence 2"
    SAME_KIND = "same kind"
    OTHER_WORD = "other word"
    OTHER_AMOUNT = "other amount"
    OTHER_PLACE = "other place"
    OTHER_TIME = "other time"
    PART = "part"
    CAUSE = "cause"
    ATTRIBUTE = "attribute"
    GRAMMAR = "grammar"
    FLAG = "flag"
    JUDGEMENT = "judgement"


ALL = frozenset(LINKING)
NOTHING: frozenset[Relation] = frozenset()
EQUI, OPPO, SPE1, SPE2, SIMI, REL = (
    frozenset({relation})
    for relation in (
        Relation.EQUI,
        Relation.OPPO,
        Relation.SPE1,
        Relation.SPE2,
        Relation.SIMI,
        Relation.REL,
    )
)
MORE_SPECIFIC = {1: SPE1, 2: SPE2}
"""By the number of a sentence, the relation that calls its chunk the more specific one."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that the words of two chunks show."""

    kind: ReasonKind
    text: str
    """A clause that is true of the two chunks, whatever their label."""
    supports: frozenset[Relation]
    """The relations it may be named for: it contradicts none of them."""
    settles: frozenset[Relation] = NOTHING
    """Those of them it is enough for; for the others it is not enough alone."""
    words1: tuple[str, ...] = ()
    words2: tuple[str, ...] = ()
    places1: frozenset[int] = frozenset()
    """The positions of the words it is about, in the first chunk."""
    places2: frozenset[int] = frozenset()
    covers: bool = True
    """Whether it explains why these words say the same."""
    is_whole: bool = False
    """It says all there is to say of the two chunks."""
    is_last_resort: bool = False
    """Named only where nothing else settles the relation."""
    needs_company: bool = False
    """Named only beside a reason that rests on words of both chunks."""
    flag: Flag | None = None
    """The flag it explains, if it explains one rather than the relation."""


def one_sided(
    sentence: int,
    kind: ReasonKind,
    text: str,
    words: Sequence[str],
    supports: frozenset[Relation],
    settles: frozenset[Relation] = NOTHING,
    flag: Flag | None = None,
) -> Reason:
    """A reason that rests on words of one sentence."""
    shown = tuple(words)
    return Reason(
        kind,
        text,
        supports,
        settles,
        words1=shown if sentence == 1 else (),
        words2=shown if sentence == 2 else (),
        flag=flag,
    )


def only(
    sentence: int,
    words: Sequence[str],
    supports: frozenset[Relation],
    opening: str = "only",
    is_last_resort: bool = False,
    needs_company: bool = False,
) -> Reason:
    """What only one sentence says."""
    kind = ReasonKind.ONLY_FIRST if sentence == 1 else ReasonKind.ONLY_SECOND
    text = f"{opening} sentence {sentence} says {quoted(words)}"
    reason = one_sided(sentence, kind, text, words, supports, supports)
    return replace(reason, is_last_resort=is_last_resort, needs_company=needs_company)


def quoted(words: Iterable[str]) -> str:
    """Words as a sentence cites them."""
    return ", ".join(f"'{word}'" for word in words)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them: ``articles, inflection and spelling``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


@dataclass(frozen=True, slots=True)
class Weight:
    """A feature with its weight for the given relation against the next best one."""

    feature: str
    value: float
    pull: float


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons for a label, and the features with the largest weights."""

    reasons: tuple[Reason, ...]
    weights: tuple[Weight, ...] = ()

    def in_words(self) -> str:
        """Return the reasons as one sentence."""
        return "; ".join(reason.text for reason in self.reasons)
