"""Reasons that the chunks say the same: the same words, all of them or some."""

from collections.abc import Iterator
from dataclasses import dataclass

from ists.labeler.evidence.comparison import Comparison
from ists.labeler.evidence.deciding import are_interchangeable
from ists.labeler.evidence.links import Link
from ists.labeler.evidence.unit_relations import relations_of
from ists.labeler.evidence.units import ARTICLES, NOT, word_set, word_unit
from ists.labeler.evidence.wording import difference_in_writing
from ists.labeler.phrases import Phrase, PhraseKind
from ists.labeler.reasons import ALL, EQUI, OPPO, REL, Reason, ReasonKind, listed, quoted
from ists.labeler.words import Word
from ists.lexicon import PartOfSpeech, RelationKind, are_opposite
from ists.pairs import Relation

_VERB_FORMS = word_set(
    "am is are was were be been being 'm 's 're do does did have has had having 've will 'll shall"
)
_JOINING = word_set("and or &")
_DESCRIBING = (PartOfSpeech.ADJECTIVE, PartOfSpeech.ADVERB)
_APART = ("articles", "the preposition", "inflection", "spelling", "word order", "punctuation")
"""What may tell two chunks apart that say the same, in the order in which it is stated."""


def same_words(comparison: Comparison) -> Iterator[Reason]:
    """Chunks of the same words, or equal but for what changes no meaning."""
    one, two = comparison.phrases
    if one.text == two.text:
        if not _are_same_words(one, two):
            return
        equal = all(own.text == other.text for own, other in zip(one.words, two.words, strict=True))
        yield _whole(comparison, "the same words" + ("" if equal else " but for capitals"), ALL)
        return
    written = difference_in_writing(one, two)
    if written:
        yield _whole(comparison, f"the same words{written}", EQUI)
        return
    apart = _only_apart(comparison)
    if apart:
        yield _whole(comparison, f"the same words but for {listed(apart)}", EQUI)


def _are_same_words(one: Phrase, two: Phrase) -> bool:
    """Whether equal letters are the same words: not *US* and *us*, nor *May* and *may*."""
    functions = ([word.function for word in phrase.words] for phrase in (one, two))
    return one.dates == two.dates and len(set(map(tuple, functions))) == 1


def shared_words(comparison: Comparison) -> Iterator[Reason]:
    """The words that both chunks have."""
    runs = _runs([link for link in comparison.links if link.is_equal])
    if not runs:
        return
    words1, words2 = (
        tuple(" ".join(unit.text for unit in side) for side in sides)
        for sides in (
            [[link.one for link in run] for run in runs],
            [[link.two for link in run] for run in runs],
        )
    )
    yield Reason(
        ReasonKind.SAME_WORDS,
        f"both say {quoted(words1)}",
        supports=ALL - OPPO,
        settles=REL,
        words1=words1,
        words2=words2,
        places1=frozenset[int]().union(*(link.one.places for run in runs for link in run)),
        places2=frozenset[int]().union(*(link.two.places for run in runs for link in run)),
    )


def _runs(links: list[Link]) -> list[list[Link]]:
    """Links in groups that follow one another in both chunks: *heavy rain* is stated as one."""
    runs: list[list[Link]] = []
    for link in links:
        before = runs[-1][-1] if runs else None
        if before and (before.one.end, before.two.end) == (link.one.start, link.two.start):
            runs[-1].append(link)
        else:
            runs.append([link])
    return runs


def _whole(comparison: Comparison, text: str, supports: frozenset[Relation]) -> Reason:
    one, two = comparison.phrases
    return Reason(
        ReasonKind.SAME_WORDS,
        text,
        supports,
        settles=EQUI,
        words1=tuple(word.text for word in one.words),
        words2=tuple(word.text for word in two.words),
        places1=frozenset(range(len(one.words))),
        places2=frozenset(range(len(two.words))),
        is_whole=True,
    )


@dataclass(frozen=True, slots=True)
class _Bare:
    """A chunk without what may change and leave its meaning: the places of its words, by use."""

    words: tuple[int, ...]
    articles: tuple[str, ...]
    forms: tuple[str, ...]
    """Auxiliaries and the like, which only carry the form of a verb."""
    punctuation: tuple[str, ...]


def _bare(phrase: Phrase) -> _Bare:
    words: list[int] = []
    articles, forms, punctuation = [], [], []
    for at, word in enumerate(phrase.words):
        if word.lower in ARTICLES:
            articles.append(word.lower)
        elif not any(sign.isalnum() for sign in word.text):
            punctuation.append(word.lower)
        elif phrase.content and _is_form(phrase, at):
            forms.append(word.lower)
        elif at or not phrase.preposition:
            words.append(at)
    return _Bare(tuple(words), tuple(articles), tuple(forms), tuple(punctuation))


def _is_form(phrase: Phrase, at: int) -> bool:
    if phrase.words[at].lower == "to":
        return at == 0 and phrase.kind is PhraseKind.VERB
    if phrase.words[at].lower == "am" and at and _has_number(phrase.words[at - 1]):
        return False  # 9 am
    return phrase.words[at].lower in _VERB_FORMS


def _has_number(word: Word) -> bool:
    return word.is_number or any(map(str.isdigit, word.text))


def _only_apart(comparison: Comparison) -> tuple[str, ...]:
    """The only differences between the chunks, if they change no meaning; else nothing."""
    one, two = comparison.phrases
    bare1, bare2 = _bare(one), _bare(two)
    between = _words_apart(comparison, bare1.words, bare2.words)
    prepositions = one.preposition, two.preposition
    if between is None or are_opposite(*prepositions) or not are_interchangeable(*prepositions):
        return ()
    if "word order" in between and bare1.forms != bare2.forms:
        return ()
    pairs = {
        "articles": (bare1.articles, bare2.articles),
        "the preposition": (one.preposition, two.preposition),
        "inflection": (bare1.forms, bare2.forms),
        "punctuation": (bare1.punctuation, bare2.punctuation),
    }
    apart = between | {name for name, (own, other) in pairs.items() if own != other}
    return tuple(name for name in _APART if name in apart)


def _words_apart(
    comparison: Comparison, places1: tuple[int, ...], places2: tuple[int, ...]
) -> set[str] | None:
    """The differences between two rows of the same words; None for other words."""
    if not places1 or len(places1) != len(places2):
        return None
    lowers1 = [comparison.phrases[0].words[at].lower for at in places1]
    lowers2 = [comparison.phrases[1].words[at].lower for at in places2]
    if lowers1 != lowers2 and sorted(lowers1) == sorted(lowers2):
        words1, words2 = (
            [phrase.words[at] for at in places]
            for phrase, places in zip(comparison.phrases, (places1, places2), strict=True)
        )
        return {"word order"} if _may_be_moved(words1, words2) else None
    apart: set[str] = set()
    for at1, at2 in zip(places1, places2, strict=True):
        found = _word_apart(comparison, at1, at2)
        if found is None:
            return None
        apart |= found
    return apart


def _may_be_moved(words1: list[Word], words2: list[Word]) -> bool:
    """Whether another order of the same words says the same.

    What is joined by *and* may change places, and so may what describes: *quickly ran*. Numbers and
    most function words have their meaning from their place: 3 - 1, *from* Bonn *to* Rome.
    """
    if any(word.is_number or not (word.is_content or _joins(word)) for word in words1):
        return False
    described1, described2 = (
        [word.lower for word in words if word.pos not in _DESCRIBING] for words in (words1, words2)
    )
    return described1 == described2 or any(map(_joins, words1))


def _joins(word: Word) -> bool:
    return word.lower in _JOINING


def _word_apart(comparison: Comparison, at1: int, at2: int) -> set[str] | None:
    word1, word2 = comparison.phrases[0].words[at1], comparison.phrases[1].words[at2]
    knowledge = comparison.knowledge
    if word1.lower == word2.lower or {word1.lower, word2.lower} <= NOT:
        return set()
    if word1.is_content and word2.is_content:
        if word1.is_number or word2.is_number:
            return None
        unit1 = word_unit(comparison.phrases[0], at1, knowledge)
        unit2 = word_unit(comparison.phrases[1], at2, knowledge)
        found = relations_of(unit1, unit2, knowledge)
    else:
        found = knowledge.lexicon.relations(word1.text, word2.text)
    if any(relation.kind is RelationKind.SAME_LEMMA for relation in found):
        return {"inflection"}
    spelling = any(relation.kind is RelationKind.SPELLING for relation in found)
    return {"spelling"} if spelling else None
