"""Relations between words: the result types of all lookups in this package."""

from dataclasses import dataclass
from enum import StrEnum

from ists.compiled import quickly_built


class RelationKind(StrEnum):
    """Kind of the relation of word *a* to word *b*; directed kinds read "a is … of b"."""

    EQUAL = "equal"  # the same letters, case apart
    SAME_LEMMA = "same-lemma"  # inflections of one word: dies ~ died
    SPELLING = "spelling"  # one letter apart, or joined and split: airstrike ~ air strike
    SYNONYM = "synonym"  # share a synset
    ACRONYM = "acronym"  # one abbreviates the other: EU ~ European Union
    SAME_PLACE = "same-place"  # two names of one place: Burma ~ Myanmar
    DEMONYM = "demonym"  # a place and its people or adjective: Pakistan ~ Pakistani
    DERIVED = "derived"  # other part of speech, same root: retire ~ retirement
    PERTAINYM = "pertainym"  # adjective of a noun, adverb of an adjective: lunar ~ moon
    FAMILY = "family"  # one idea across parts of speech: dead ~ dies, asleep ~ sleeps
    SAME_QUANTITY = "same-quantity"  # 2 ~ two
    ABOUT_QUANTITY = "about-quantity"  # compatible, not known to be equal: 120 ~ hundreds
    SIMILAR = "similar"  # WordNet's similar adjectives, verb groups, see-also
    HYPONYM = "hyponym"  # a is more specific than b: dog, animal
    HYPERNYM = "hypernym"  # a is more general than b: animal, dog
    ANTONYM = "antonym"  # opposites, also through similar adjectives: rise, fall
    ENTAILS = "entails"  # a cannot happen without b: snore, sleep
    ENTAILED_BY = "entailed-by"
    CAUSES = "causes"  # a brings b about: kill, die
    CAUSED_BY = "caused-by"
    PART = "part"  # a is a part, member or substance of b: wheel, car; Cairo, Egypt
    WHOLE = "whole"  # b is a part of a
    ATTRIBUTE = "attribute"  # an adjective and what it measures: big ~ size
    CONTRAST = "contrast"  # two members of one closed set: eastern, southern; sit, stand
    COHYPONYM = "cohyponym"  # share their direct hypernym: dog, wolf
    OTHER_QUANTITY = "other-quantity"  # both numbers, and not the same one
    OTHER_PLACE = "other-place"  # both places, and not the same one
    NEAR = "near"  # share an informative ancestor further up
    NONE = "none"


_MIRROR = {
    RelationKind.HYPONYM: RelationKind.HYPERNYM,
    RelationKind.ENTAILS: RelationKind.ENTAILED_BY,
    RelationKind.CAUSES: RelationKind.CAUSED_BY,
    RelationKind.PART: RelationKind.WHOLE,
}
_MIRROR |= {mirrored: kind for kind, mirrored in _MIRROR.items()}


@quickly_built
@dataclass(frozen=True, slots=True)
class WordRelation:
    """A relation of two words: its kind, distance in edges, and strength.

    ``strength`` is from 0 (none) to 1 (the same word). It decreases with the distance and with the
    rarity of the related senses, so that relations between the most frequent senses are preferred.
    """

    kind: RelationKind
    distance: int = 0
    strength: float = 0.0

    def __bool__(self) -> bool:
        """Return whether there is a relation."""
        return self.kind is not RelationKind.NONE

    def reversed(self) -> "WordRelation":
        """Return the relation of the second word to the first."""
        mirrored = _MIRROR.get(self.kind)
        return self if mirrored is None else WordRelation(mirrored, self.distance, self.strength)


UNRELATED = WordRelation(RelationKind.NONE)
EQUAL = WordRelation(RelationKind.EQUAL, 0, 1.0)
