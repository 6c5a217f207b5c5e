"""Why a label was given, as a value: the words that met, those that did not, the weights."""

from collections.abc import Sequence
from dataclasses import dataclass

from ists.labeler.phrases import GRAMMAR, Phrase, PhraseKind
from ists.labeler.views import Counterpart, PairView
from ists.labeler.words import Tie
from ists.lexicon import QuantityMatch, RelationKind

_SAYS = {
    RelationKind.EQUAL: "is the same word as",
    RelationKind.SAME_LEMMA: "is a form of the same word as",
    RelationKind.SPELLING: "is another spelling of",
    RelationKind.SYNONYM: "means the same as",
    RelationKind.ACRONYM: "abbreviates or spells out",
    RelationKind.SAME_PLACE: "names the same place as",
    RelationKind.DEMONYM: "belongs to the same place as",
    RelationKind.DERIVED: "has the same root as",
    RelationKind.PERTAINYM: "has the same root as",
    RelationKind.FAMILY: "expresses the same idea as",
    RelationKind.SAME_QUANTITY: "is the same number as",
    RelationKind.ABOUT_QUANTITY: "may be the same number as",
    RelationKind.SIMILAR: "is similar to",
    RelationKind.HYPONYM: "is a kind of",
    RelationKind.HYPERNYM: "is more general than",
    RelationKind.ANTONYM: "is the opposite of",
    RelationKind.ENTAILS: "entails",
    RelationKind.ENTAILED_BY: "is entailed by",
    RelationKind.CAUSES: "brings about",
    RelationKind.CAUSED_BY: "is brought about by",
    RelationKind.PART: "is part of",
    RelationKind.WHOLE: "contains",
    RelationKind.ATTRIBUTE: "is a value of",
    RelationKind.CONTRAST: "excludes",
    RelationKind.COHYPONYM: "is of the same kind as",
    RelationKind.OTHER_QUANTITY: "is another number than",
    RelationKind.OTHER_PLACE: "is another place than",
    RelationKind.NEAR: "is related to",
}


@dataclass(frozen=True, slots=True)
class WordLink:
    """Two words that met, and what they are to each other, read from sentence 1 to sentence 2."""

    word1: str
    word2: str
    kind: RelationKind
    strength: float

    def in_words(self) -> str:
        """A plain clause."""
        return f"'{self.word1}' {_SAYS[self.kind]} '{self.word2}'"


@dataclass(frozen=True, slots=True)
class Weight:
    """A feature that pulled towards the relation given and away from the next best."""

    feature: str
    value: float
    pull: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What two chunks have in common and in what they differ."""

    words: tuple[WordLink, ...] = ()
    extra1: tuple[str, ...] = ()
    extra2: tuple[str, ...] = ()
    numbers: str = ""
    grammar: tuple[str, ...] = ()
    weights: tuple[Weight, ...] = ()

    def in_words(self) -> str:
        """One plain sentence."""
        parts = [link.in_words() for link in self.words if link.kind is not RelationKind.EQUAL]
        same = [link.word1 for link in self.words if link.kind is RelationKind.EQUAL]
        if same:
            parts.insert(0, f"both say {_quoted(same)}")
        for side, extra in ((1, self.extra1), (2, self.extra2)):
            if extra:
                parts.append(f"only sentence {side} says {_quoted(extra)}")
        parts += [self.numbers] if self.numbers else []
        return "; ".join([*parts, *self.grammar]) or "no word of one chunk answers one of the other"


def find_evidence(view: PairView, i: int, j: int, weights: Sequence[Weight] = ()) -> Evidence:
    """The evidence on chunk `i` of sentence 1 and chunk `j` of sentence 2."""
    one, two = view.one.phrases[i], view.two.phrases[j]
    ours, theirs = view.counterparts(i, j), view.swapped.counterparts(j, i)
    return Evidence(
        words=tuple(_word_links(view, ours, theirs)),
        extra1=tuple(found.word.text for found in ours if found.is_extra),
        extra2=tuple(found.word.text for found in theirs if found.is_extra),
        numbers=_numbers(one, two),
        grammar=tuple(_grammar(one, two)),
        weights=tuple(weights),
    )


def _word_links(
    view: PairView, ours: Sequence[Counterpart], theirs: Sequence[Counterpart]
) -> list[WordLink]:
    """The closest counterparts of both sides, each pair once, in the order of sentence 1."""
    met = [
        (found.word.text, found.partner.text) for found in ours if _meets(found) and found.partner
    ]
    met += [
        (found.partner.text, found.word.text) for found in theirs if _meets(found) and found.partner
    ]
    links = []
    for word1, word2 in dict.fromkeys(met):
        relation = view.knowledge.tie(word1, word2).relation
        if relation:
            links.append(WordLink(word1, word2, relation.kind, relation.strength))
    return links


def _meets(found: Counterpart) -> bool:
    return found.tie is not Tie.NONE and not found.is_extra


def _numbers(one: Phrase, two: Phrase) -> str:
    if not one.quantities or not two.quantities:
        return ""
    match = one.quantities[0].compare(two.quantities[0])
    return {
        QuantityMatch.EQUAL: "the numbers are equal",
        QuantityMatch.APPROXIMATE: "the numbers may be the same",
        QuantityMatch.DIFFERENT: "the numbers differ",
        QuantityMatch.INCOMPARABLE: "the numbers count different things",
    }[match]


def _grammar(one: Phrase, two: Phrase) -> list[str]:
    found = []
    if one.preposition != two.preposition:
        shown = [
            f"'{name}'" if name else "no preposition" for name in (one.preposition, two.preposition)
        ]
        found.append(f"{shown[0]} against {shown[1]}")
    if one.is_negated != two.is_negated:
        found.append(f"sentence {1 if one.is_negated else 2} negates it")
    if _same_noun(one, two) and one.grammar[_PLURAL] != two.grammar[_PLURAL]:
        found.append("one is singular, the other plural")
    return found


_PLURAL = [name for name, _ in GRAMMAR].index("head plural")


def _same_noun(one: Phrase, two: Phrase) -> bool:
    verbs = PhraseKind.VERB in (one.kind, two.kind)
    heads = one.head is not None and two.head is not None
    return heads and not verbs and one.head.lemma == two.head.lemma  # type: ignore[union-attr]


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
