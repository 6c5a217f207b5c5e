"""Names: whether two chunks name the same person, organisation or place.

``Angela Merkel`` and ``Merkel`` match, as do ``Mr. Smith`` and ``John Smith``, or ``the WHO`` and
the ``World Health Organization``; ``Obama`` is one of two names in ``Putin and Obama``. Names are
recognised by capitals, so the result is unreliable for headlines in title case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ists.lexicon.acronyms import spells_initials
from ists.lexicon.function_words import function_class
from ists.lexicon.spelling import lowered


class NameMatch(StrEnum):
    """Result of comparing the names of two chunks."""

    SAME = "same"
    SURNAME = "surname"  # Angela Merkel / Merkel, Mr. Smith / John Smith
    ACRONYM = "acronym"  # the World Health Organization / the WHO
    COORDINATED1 = "coordinated1"  # the first has more names: Putin and Obama / Obama
    COORDINATED2 = "coordinated2"
    PARTIAL = "partial"  # the names share words: Bank of Japan / Bank of England
    DIFFERENT = "different"  # two names that share nothing
    NONE = "none"  # not two names


_TITLES = (
    "mr mrs ms miss mx dr prof professor sir lady lord dame madam president minister premier "
    "chancellor senator sen governor gov king queen prince princess pope judge justice general gen "
    "captain capt colonel col major sergeant sgt lieutenant lt officer secretary mayor chairman "
    "chairwoman chief ceo pm rep congressman congresswoman ambassador coach actor actress singer "
    "father rev reverend st saint prime vice deputy former ex-president detective inspector"
)
_LINKS = "of the and for in on at de la du von van der den bin ibn al el 's ' a an"
_ORGANISATIONS = (
    "inc ltd corp corporation company co plc group llc gmbh ag university bank party institute "
    "committee council court union organization organisation ministry department agency airport "
    "street road avenue river lake mount city county club hotel hospital school college church "
    "airlines airways association federation league army republic states kingdom nations police"
)
_CORPORATE = frozenset(
    ("inc", "ltd", "corp", "corporation", "company", "co", "plc", "llc", "group")
)
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_TITLE_WORDS = frozenset(_TITLES.split())
_LINK_WORDS = frozenset(_LINKS.split())
_ORGANISATION_WORDS = frozenset(_ORGANISATIONS.split())
_JOINTS = frozenset(("and", "&", ",", "or", "/"))
_CACHED_CHUNKS = 16384
_CACHED_PAIRS = 32768
_INITIAL = 1  # letter: J. for John


@dataclass(frozen=True, slots=True)
class _Name:
    """A name: its words without titles, as written and in lower case."""

    words: tuple[str, ...]
    forms: tuple[str, ...]
    titled: bool

    @property
    def is_person(self) -> bool:
        """Whether it may be a person: one to four words, none typical of organisations."""
        return 1 <= len(self.forms) <= 4 and _ORGANISATION_WORDS.isdisjoint(self.forms)


def name_match(tokens1: Sequence[str], tokens2: Sequence[str]) -> NameMatch:
    """Compare the names in two chunks; ``NONE`` unless both chunks are names."""
    return _match(tuple(tokens1), tuple(tokens2))


@lru_cache(maxsize=_CACHED_PAIRS)
def _match(one: tuple[str, ...], other: tuple[str, ...]) -> NameMatch:
    names, others = _names(one), _names(other)
    if not names or not others:
        # A name in capitals and the same in lower case, as in captions and informal mail.
        if (names or others) and _bare(one) == _bare(other) != ():
            return NameMatch.SAME
        return NameMatch.NONE
    if len(names) == len(others) == 1:
        match = _match_two(names[0], others[0])
    else:
        match = _match_lists(names, others)
    if match is NameMatch.DIFFERENT and any(map(_is_common, (*names, *others))):
        return NameMatch.NONE
    return match


def _is_common(name: "_Name") -> bool:
    """Return whether a name is one common word, perhaps capitalised at the sentence start."""
    return len(name.words) == 1 and not name.titled and _is_common_word(name.words[0])


@lru_cache(maxsize=_CACHED_CHUNKS)
def _is_common_word(word: str) -> bool:
    from ists.lexicon import Lexicon  # the package imports this module

    lexicon = Lexicon.load()
    if word.isupper() or lexicon.places.lookup(word):
        return False
    return lexicon.knows(word) and not lexicon.wordnet.is_name(word)


def _match_lists(names: tuple[_Name, ...], others: tuple[_Name, ...]) -> NameMatch:
    """Compare coordinated names, such as ``Obama`` and ``Putin and Obama``."""
    left = list(others)
    shared = 0
    worst = NameMatch.SAME
    for name in names:
        for candidate in left:
            match = _match_two(name, candidate)
            if match in _ONE_NAME:
                shared += 1
                worst = worst if match is NameMatch.SAME else match
                left.remove(candidate)
                break
    if not shared:
        whole = [
            _Name(sum((n.words for n in some), ()), sum((n.forms for n in some), ()), False)
            for some in (names, others)
        ]
        return _match_whole(whole[0], whole[1])
    if shared == len(names) == len(others):
        return worst
    if shared == len(names):
        return NameMatch.COORDINATED2
    return NameMatch.COORDINATED1 if shared == len(others) else NameMatch.PARTIAL


_ONE_NAME = frozenset((NameMatch.SAME, NameMatch.SURNAME, NameMatch.ACRONYM))


def _match_whole(one: _Name, other: _Name) -> NameMatch:
    """Compare names that contain *and*: Food and Drug Administration, Procter & Gamble."""
    if _is_acronym(one, other) or _is_acronym(other, one):
        return NameMatch.ACRONYM
    if _without_link_words(one.forms) & _without_link_words(other.forms):
        return NameMatch.PARTIAL
    return NameMatch.DIFFERENT


def _match_two(one: _Name, other: _Name) -> NameMatch:
    if one.forms == other.forms:
        return NameMatch.SAME
    if "".join(one.forms) == "".join(other.forms) or _firm(one) == _firm(other):
        return NameMatch.SAME
    if _is_acronym(one, other) or _is_acronym(other, one):
        return NameMatch.ACRONYM
    if one.is_person and other.is_person and _is_surname(one, other):
        return NameMatch.SURNAME
    if _without_link_words(one.forms) & _without_link_words(other.forms):
        return NameMatch.PARTIAL
    return NameMatch.DIFFERENT


def _firm(name: _Name) -> tuple[str, ...]:
    """Return a company name without Inc. and Corp."""
    kept = tuple(form for form in name.forms if form not in _CORPORATE)
    return kept or name.forms


def _is_acronym(short: _Name, long: _Name) -> bool:
    if len(short.words) != 1 or len(long.words) < 2:
        return False
    letters = short.words[0].replace(".", "")
    return letters.isupper() and spells_initials(short.words[0], long.words)


def _is_surname(one: _Name, other: _Name) -> bool:
    """Return whether the last names are equal and the first names compatible."""
    if one.forms[-1] != other.forms[-1] or len(one.forms[-1]) < 2:
        # A first name alone: Angela / Angela Merkel.
        shorter, longer = sorted((one, other), key=lambda name: len(name.forms))
        return len(shorter.forms) == 1 and len(longer.forms) > 1 and _is_first_name(shorter, longer)
    firsts, others = one.forms[:-1], other.forms[:-1]
    if not firsts or not others:
        return True
    a, b = firsts[0].rstrip("."), others[0].rstrip(".")
    if a == b:
        return True
    # J. Smith / John Smith
    return _INITIAL in (len(a), len(b)) and a[0] == b[0]


def _is_first_name(shorter: _Name, longer: _Name) -> bool:
    return shorter.forms[0] == longer.forms[0] and not shorter.titled


def _without_link_words(forms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form for form in forms if form not in _LINK_WORDS)


def _bare(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        form for form in (token.lower().rstrip(".") for token in tokens) if form not in _LINK_WORDS
    )


@lru_cache(maxsize=_CACHED_CHUNKS)
def _names(tokens: tuple[str, ...]) -> tuple[_Name, ...]:
    """Return the coordinated names of a chunk; empty if it contains anything else."""
    words = list(tokens)
    while words and words[-1] in ("'s", "’s", "'", ".", ",", "’"):
        words.pop()
    while words and not _is_capital(words[0]) and function_class(words[0]) is not None:
        words.pop(0)
    if words and words[0] in (
        "The",
        "A",
        "An",
        "In",
        "At",
        "From",
        "By",
        "For",
        "With",
        "To",
        "Of",
        "On",
    ):
        words.pop(0)
    parts: list[list[str]] = [[]]
    for word in words:
        if word.lower() in _JOINTS:
            parts.append([])
        else:
            parts[-1].append(word)
    names = tuple(_name(part) for part in parts if part)
    return () if any(name is None for name in names) else tuple(n for n in names if n is not None)


def _name(words: list[str]) -> _Name | None:
    """Return a name of capitalised words with optional linking words; None for anything else."""
    while words and words[0].lower() in ("the", "both") and len(words) > 1:
        words = words[1:]
    kept: list[str] = []
    titled = False
    for at, word in enumerate(words):
        form = word.lower().rstrip(".")
        if form in _SUFFIXES and kept:
            continue
        if form in _TITLE_WORDS and not kept and at + 1 < len(words):
            titled = True
            continue
        if not _is_capital(word) and form not in _LINK_WORDS:
            return None
        kept.append(word)
    if not kept or not _is_capital(kept[0]) or not _is_capital(kept[-1]):
        return None
    if len(kept) == 1 and not titled and _is_small_word(kept[0]):
        return None
    forms = tuple(_plain(word) for word in kept)
    return _Name(tuple(kept), forms, titled)


def _plain(word: str) -> str:
    return lowered(word).removesuffix("'s").replace(".", "")


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _is_small_word(word: str) -> bool:
    """Return whether a word is a function word, such as *He*, *What* or *I*, and not a name."""
    return function_class(word) is not None
