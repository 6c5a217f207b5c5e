"""Modality of a chunk: fact, possibility, report, plan, obligation, permission or question.

In most cases a single word decides (``may``, ``reportedly``, ``must``); some need the next one
(``plans to``, ``is going to``). A chunk has one modality, the one farthest from a plain fact.
*Factuality* differs between a fact and a possibility, report or plan; obligation and permission
(``must``, ``can``) do not affect it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ists.lexicon.function_words import FunctionClass, function_class
from ists.lexicon.morphology import PartOfSpeech
from ists.lexicon.spelling import lowered


class ModalityKind(StrEnum):
    """The modality of a chunk."""

    ASSERTED = "asserted"
    POSSIBLE = "possible"
    REPORTED = "reported"
    PLANNED = "planned"
    OBLIGED = "obliged"
    PERMITTED = "permitted"
    CONDITIONAL = "conditional"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Modality:
    """The kind, and how far (0 to 1) it is from a plain statement."""

    kind: ModalityKind
    strength: float = 0.0

    def differs_in_fact(self, other: "Modality") -> bool:
        """Return whether the two differ in factuality.

        A bare infinitive (``to visit``) is a plan in headlines but not elsewhere: its strength is
        too low to differ from a fact; callers that know the sentence may decide otherwise.
        """
        farther = max(self.strength, other.strength)
        known = None not in (self.certainty, other.certainty)
        return farther >= _LEAST_DOUBT and known and self.certainty != other.certainty

    @property
    def certainty(self) -> int | None:
        """0 for a fact, 1 for a plan, 2 for anything doubted, None for what is neither."""
        return _CERTAINTY.get(self.kind)


ASSERTED = Modality(ModalityKind.ASSERTED)

_LEAST_DOUBT = 0.4
_INFINITIVE = Modality(ModalityKind.PLANNED, 0.3)
_DOUBTED = (ModalityKind.POSSIBLE, ModalityKind.REPORTED, ModalityKind.CONDITIONAL)
_CERTAINTY = {ModalityKind.ASSERTED: 0, ModalityKind.PLANNED: 1, **dict.fromkeys(_DOUBTED, 2)}


def _table(*rows: tuple[ModalityKind, float, str]) -> dict[tuple[str, ...], Modality]:
    return {
        tuple(phrase.split()): Modality(kind, strength)
        for kind, strength, phrases in rows
        for phrase in phrases.split(";")
    }


_PHRASES = _table(
    (ModalityKind.POSSIBLE, 0.8, "may;might;could;possibly;perhaps;maybe;possible;potential"),
    (ModalityKind.POSSIBLE, 0.8, "potentially;unlikely;uncertain;conceivably;doubtful"),
    (
        ModalityKind.POSSIBLE,
        0.6,
        "likely;probably;probable;presumably;apparently;seemingly;suspected;suspect;suspects;"
        "appears to;appear to;appeared to;appears;seems;seem;seemed;seems to;believed to;"
        "thought to;feared;fears;fear;believed;thought to be;considered to;looks like;"
        "it seems;i think;i guess;i suppose;chances are;apparent;presumed",
    ),
    (
        ModalityKind.REPORTED,
        0.8,
        "reportedly;allegedly;alleged;alleges;allege;supposedly;purportedly;purported;rumored;"
        "rumoured;rumors;rumours;said to;claims;claimed;claiming;according to;accused;accused of;"
        "reported to;reports say;sources say;is said;are said;was said;says report;so-called;"
        "ostensibly;unconfirmed;claims that;claims to;allegations;allegation",
    ),
    (ModalityKind.PLANNED, 0.5, "will;'ll;wo;wont;is due;are due"),
    (
        ModalityKind.PLANNED,
        0.7,
        "plans;planned;planning;plans to;plan to;planned to;planning to;intends;intend;intended to;"
        "intends to;intend to;intending to;expects;expect;expected;expected to;expects to;"
        "aims to;aim to;aiming to;aims;hopes to;hope to;hoping to;hopes;wants to;want to;"
        "wanted to;seeks to;seek to;set to;due to;about to;scheduled;scheduled to;scheduled for;"
        "promises to;promised to;promise to;vows;vows to;vowed to;pledges;pledged to;pledges to;"
        "proposes;proposed;proposes to;upcoming;prepares to;preparing to;poised to;ready to;"
        "considers;considering;mulls;eyes;tries to;trying to;tried to;try to;attempts to;"
        "attempted to;threatens to;threatened to;agrees to;agreed to;would like to",
    ),
    (
        ModalityKind.OBLIGED,
        0.6,
        "must;have to;has to;had to;should;ought to;ought;need to;needs to;needed to;needs;"
        "required to;required;obliged to;obligated to;supposed to;forced to;mandatory;compulsory;"
        "got to;gotta;shall;bound to;had better;urged to;told to;question to",
    ),
    (
        ModalityKind.PERMITTED,
        0.4,
        "can;can be;allowed to;allowed;permitted to;permitted;free to;entitled to;ca;cannot;cant;"
        "welcome to;optional;eligible to;eligible for",
    ),
    (
        ModalityKind.CONDITIONAL,
        0.9,
        "if;unless;provided that;providing that;in case;in the event of;as long as;should you;"
        "only if;even if;otherwise;whether",
    ),
    (ModalityKind.CONDITIONAL, 0.7, "would;would have;'d have;wouldnt"),
)
_LONGEST = max(map(len, _PHRASES))
_OPENERS = frozenset(phrase[0] for phrase in _PHRASES) | {"going", "gonna", "to", "?"}
_NOUNS_TOO = frozenset(
    (
        "will",
        "must",
        "can",
        "might",
        "may",
        "fear",
        "fears",
        "hopes",
        "eyes",
        "plans",
        "claims",
        "suspect",
        "suspects",
        "needs",
        "potential",
    )
)
_BEFORE_NOUNS = frozenset((FunctionClass.DETERMINER,))
_ASKING = frozenset(("what", "why", "how", "which", "whose", "whom"))
_MAY_ASK = frozenset(("who", "where", "when"))
_AFTER_HOW = frozenset(
    ("many", "much", "long", "old", "far", "often", "soon", "big", "come", "about")
)
_AUXILIARY_WORDS = (
    "am is are was were do does did have has had will would can could shall should may might must "
    "isn't aren't wasn't don't doesn't didn't won't can't"
)
_AUXILIARIES = frozenset(_AUXILIARY_WORDS.split())
_SUBJECT_WORDS = (
    "i you he she it we they there this that these those the a an my your his her its our their "
    "anyone anybody someone somebody everyone"
)
_SUBJECTS = frozenset(_SUBJECT_WORDS.split())
_CHANGING = _OPENERS.union(_AUXILIARIES, _ASKING, _MAY_ASK)
_CACHED_CHUNKS = 16384


def modality(tokens: Sequence[str]) -> Modality:
    """Return the modality of a chunk, and how far it is from a plain statement."""
    return _read(tuple(tokens)) if any(map(may_change_modality, tokens)) else ASSERTED


def factuality_differs(a: Sequence[str], b: Sequence[str]) -> bool:
    """Return whether one chunk is a fact and the other only a possibility, report or plan."""
    return modality(a).differs_in_fact(modality(b))


def may_change_modality(token: str) -> bool:
    """Return whether a word can change the modality of a chunk: a fast filter."""
    return lowered(token) in _CHANGING


@lru_cache(maxsize=_CACHED_CHUNKS)
def _read(tokens: tuple[str, ...]) -> Modality:
    words = [lowered(token) for token in tokens]
    question = _question(words)
    if question is not None:
        return question
    best = ASSERTED
    at = 0
    while at < len(words):
        found, size = _at(tokens, words, at) if words[at] in _OPENERS else (None, 1)
        if found is not None and found.strength > best.strength:
            best = found
        at += size
    return best


def _question(words: list[str]) -> Modality | None:
    first = words[0]
    second = words[1] if len(words) > 1 else ""
    if words[-1] == "?":
        return Modality(ModalityKind.QUESTION, 1.0)
    if first in _AUXILIARIES:
        after = words[2] if second in ("n't", "not") and len(words) > 2 else second
        return Modality(ModalityKind.QUESTION, 0.9) if after in _SUBJECTS else None
    if first in _ASKING:
        if first in ("what", "why", "whose", "whom") or len(words) == 1:
            return Modality(ModalityKind.QUESTION, 0.8)
        if first == "how" and second in _AFTER_HOW:
            return Modality(ModalityKind.QUESTION, 0.8)
        if second in _AUXILIARIES or (first == "which" and len(words) == 2):
            return Modality(ModalityKind.QUESTION, 0.8)
        return None
    if first in _MAY_ASK and (len(words) == 1 or second in _AUXILIARIES):
        return Modality(ModalityKind.QUESTION, 0.5)
    return None


def _at(tokens: tuple[str, ...], words: list[str], at: int) -> tuple[Modality | None, int]:
    """Return the modality that begins at a word, and the number of words it spans."""
    word = words[at]
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if word in ("going", "gonna"):
        planned = word == "gonna" or (after == "to" and _is_verb(words, at + 2))
        return (Modality(ModalityKind.PLANNED, 0.7), 2) if planned else (None, 1)
    if word == "to":
        headline = at == 0 and _is_verb(words, 1)
        return (_INFINITIVE, 2) if headline else (None, 1)
    if word == "due" and after == "to":
        follows = _is_verb(words, at + 2) and (
            before in _AUXILIARIES or _is_mostly_verb(words[at + 2])
        )
        return (_PHRASES["due", "to"] if follows else None), 2  # not: due to the rain
    if word in _NOUNS_TOO and function_class(before) in _BEFORE_NOUNS and before:
        return None, 1  # a can, her will
    if word == "may" and _is_month(tokens, words, at):
        return None, 1
    if word == "could" and after in ("not", "n't"):
        return None, 2  # could not find: a fact
    if word == "ca" and after != "n't":
        return None, 1
    if word == "wo" and after != "n't":
        return None, 1
    for size in range(min(_LONGEST, len(words) - at), 0, -1):
        found = _PHRASES.get(tuple(words[at : at + size]))
        if found is not None:
            return found, size
    return None, 1


def _is_month(tokens: tuple[str, ...], words: list[str], at: int) -> bool:
    if not tokens[at][0].isupper():
        return False
    near = words[max(0, at - 1) : at] + words[at + 1 : at + 2]
    dated = any(
        word[:1].isdigit() or word in ("in", "of", "last", "next", "since") for word in near
    )
    return dated or len(words) == 1


@lru_cache(maxsize=_CACHED_CHUNKS)
def _parts(word: str) -> tuple[PartOfSpeech, ...]:
    from ists.lexicon import Lexicon  # the package imports this module

    return Lexicon.load().parts_of_speech(word)


def _is_mostly_verb(word: str) -> bool:
    """Return whether a word is most frequently a verb."""
    return _parts(word)[:1] == (PartOfSpeech.VERB,)


def _is_usually_verb(word: str) -> bool:
    parts = _parts(word)
    return PartOfSpeech.VERB in parts[:2] and parts[0] is not PartOfSpeech.ADJECTIVE


def _is_verb(words: list[str], at: int) -> bool:
    """Return whether the word is likely a verb: *to win*, not *to the shop* or *to London*."""
    if at >= len(words) or function_class(words[at]) is FunctionClass.DETERMINER:
        return False
    return words[at] in ("be", "have", "do", "not") or (
        function_class(words[at]) is None and _is_usually_verb(words[at])
    )
