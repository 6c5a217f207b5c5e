"""Relations of two words in WordNet, fast enough for every word pair of a text.

The *profile* of a word is computed once: the synsets of its senses, their hypernyms, and the
synsets one lexical edge away (see `ists.lexicon.profiles`). Two words are related by intersecting
their profiles; most pairs are unrelated. Profiles are kept in a bounded cache.

Senses are weighted by frequency: each has a *commonness* from 0 to 1 (its tagged uses in WordNet's
corpora relative to the word's most frequent sense), and a relation through rare senses of both
words keeps about half of its strength. It is not reduced further, because in a sentence pair the
senses that are related to each other are the likely ones.
"""

from array import array
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from ists.lexicon.morphology import Morphology, PartOfSpeech, normal_form
from ists.lexicon.profiles import (
    ANCESTOR_KINDS,
    INSTANCE_HYPERNYM,
    Graph,
    Profile,
    Reach,
    compiled_graph,
    keep,
    strength_of,
)
from ists.lexicon.relations import EQUAL, UNRELATED, RelationKind, WordRelation
from ists.lexicon.table import LEXICOGRAPHER_FILES, SenseEdge, WordTable, read_table
from ists.resources import data_path

_MAX_SENSES = 12  # per part of speech; further senses are rare and add noise
_CACHED_PROFILES = 4096
_CACHED_STEPS = 512
"""For results that are needed several times while a word is read, and rarely later."""

_SAME_LEMMA = WordRelation(RelationKind.SAME_LEMMA, 0, 0.98)

_KIND_OF_SENSE_EDGE: dict[int, RelationKind] = {
    SenseEdge.ANTONYM: RelationKind.ANTONYM,
    SenseEdge.DERIVATION: RelationKind.DERIVED,
    SenseEdge.PERTAINYM: RelationKind.PERTAINYM,
}

_Links = dict[RelationKind, Reach]


@dataclass(frozen=True, slots=True)
class _Linked:
    """The targets of the links of a word's senses."""

    synsets: _Links
    senses: _Links


class WordNet:
    """Lookups in one WordNet table."""

    def __init__(self, table: WordTable) -> None:
        self.table = table
        self.morphology = Morphology(table)
        # All by normal form: "Dogs" and "dog's" are looked up once each.
        self._profile = lru_cache(maxsize=_CACHED_PROFILES)(self._make_profile)
        self._commonness = lru_cache(maxsize=_CACHED_STEPS)(self._find_commonness)
        self._linked = lru_cache(maxsize=_CACHED_PROFILES)(self._follow_links)
        self._graph = Graph(table)
        self._build_profile = (compiled_graph(self._graph) or self._graph).profile

    @classmethod
    def load(cls, path: str | Path | None = None) -> "WordNet":
        """Read the table at `path`, or the one shipped; about 0.1 s and 30 MB."""
        return cls(read_table(data_path("lexicon", "wordnet.table") if path is None else path))

    def __contains__(self, word: str) -> bool:
        """Return whether WordNet has the word, in any inflection or spelling."""
        return bool(self.morphology.bases(word))

    def lemma(self, word: str, pos: PartOfSpeech | None = None) -> str:
        """Return the most likely base form of a word, or its normal form if WordNet lacks it."""
        return self.morphology.lemma(word, pos)

    def parts_of_speech(self, word: str) -> tuple[PartOfSpeech, ...]:
        """Return the possible parts of speech of a word, most frequent first."""
        best: dict[PartOfSpeech, float] = {}
        for sense, commonness in self._commonness(normal_form(word), None).items():
            pos = self._graph.pos(self.table.sense_synset[sense])
            best[pos] = best.get(pos, 0.0) + commonness
        return tuple(sorted(best, key=lambda pos: -best[pos]))

    def relate(self, a: str, b: str, pos: PartOfSpeech | None = None) -> WordRelation:
        """Return the strongest relation from `a` to `b`; `UNRELATED` if there is none."""
        found = self.relations(a, b, pos)
        return found[0] if found else UNRELATED

    def relations(
        self, a: str, b: str, pos: PartOfSpeech | None = None
    ) -> tuple[WordRelation, ...]:
        """Return the relations from `a` to `b`, strongest first, one of each kind."""
        a, b = normal_form(a), normal_form(b)
        if a == b:
            return (EQUAL,)
        one, other = self._profile(a, pos), self._profile(b, pos)
        if not one.lemmas.isdisjoint(other.lemmas):
            return (_SAME_LEMMA,)
        related = one.relate(other)
        if related is None:
            return ()
        by_ancestors, there, back = related
        found: dict[RelationKind, WordRelation] = {
            (kind := ANCESTOR_KINDS[at]): WordRelation(kind, distance, strength)
            for at, distance, strength in by_ancestors
        }
        if there:
            _relate_by_links(self._linked(a, pos), other, found, mirrored=False)
        if back:
            _relate_by_links(self._linked(b, pos), one, found, mirrored=True)
        return tuple(sorted(found.values(), key=lambda relation: -relation.strength))

    def profile(self, word: str) -> Profile:
        """Return what is reached from a word's senses."""
        return self._profile(normal_form(word), None)

    def shared_information(self, a: str, b: str, pos: PartOfSpeech | None = None) -> float:
        """Return the information content (0 to 1) of the most specific common hypernym."""
        one, other = self._profile(normal_form(a), pos), self._profile(normal_form(b), pos)
        return one.shared_information(other)

    def lexicographer_files(
        self, word: str, pos: PartOfSpeech | None = None, senses: int = 3
    ) -> tuple[str, ...]:
        """Return the classes (``noun.person``, …) of a word's most frequent senses."""
        commonness = self._commonness(normal_form(word), pos)
        best = sorted(commonness, key=lambda sense: -commonness[sense])[:senses]
        table = self.table
        return tuple(
            dict.fromkeys(
                LEXICOGRAPHER_FILES[table.synset_file[table.sense_synset[sense]]] for sense in best
            )
        )

    def is_name(self, word: str) -> bool:
        """Return whether the most frequent sense is an individual: a city, a person, a war."""
        commonness = self._commonness(normal_form(word), None)
        if not commonness:
            return False
        best = max(commonness, key=lambda sense: commonness[sense])
        edges = self._graph.edges(self.table.sense_synset[best])
        return any(kind == INSTANCE_HYPERNYM for kind, _ in edges)

    def synonyms(self, word: str, pos: PartOfSpeech | None = None) -> tuple[str, ...]:
        """Return the words that share a synset with `word`, by frequency of its senses."""
        without = self._profile(normal_form(word), pos).lemmas
        return self._words_in(self._ranked_synsets(word, pos), without)

    def hypernyms(self, word: str, pos: PartOfSpeech | None = None) -> tuple[str, ...]:
        """Return the words of the direct hypernyms, those of the most frequent senses first."""
        parents = [
            target
            for synset in self._ranked_synsets(word, pos)
            for kind, target in self._graph.edges(synset)
            if kind <= INSTANCE_HYPERNYM
        ]
        return self._words_in(parents, frozenset())

    def _ranked_synsets(self, word: str, pos: PartOfSpeech | None) -> list[int]:
        commonness = self._commonness(normal_form(word), pos)
        ranked = sorted(commonness, key=lambda sense: -commonness[sense])
        return [self.table.sense_synset[sense] for sense in ranked]

    def _words_in(self, synsets: list[int], without: frozenset[str]) -> tuple[str, ...]:
        words = (word for synset in synsets for word in self._members.get(synset, ()))
        return tuple(dict.fromkeys(word for word in words if word not in without))

    @cached_property
    def _members(self) -> dict[int, list[str]]:
        """The words of each synset; built only when synonyms or hypernyms are listed."""
        table = self.table
        members: dict[int, list[str]] = {}
        for at, word in enumerate(table.words):
            for sense in range(table.sense_start[at], table.sense_start[at + 1]):
                members.setdefault(table.sense_synset[sense], []).append(word)
        return members

    def _find_commonness(self, form: str, pos: PartOfSpeech | None) -> dict[int, float]:
        """Return the commonness of each sense relative to the word's most frequent one (1.0)."""
        counts: array[int] = self.table.sense_count
        weights: dict[int, float] = {}
        for part, lemmas in self.morphology.bases_of_form(form).items():
            if pos is not None and part != pos:
                continue
            for lemma in lemmas:
                for rank, sense in enumerate(self.morphology.senses(lemma)[part][:_MAX_SENSES]):
                    # Untagged senses get a fraction of one use, which keeps their order.
                    weights[sense] = counts[sense] + 1 / (2 + rank)
        most = max(weights.values(), default=1.0)
        return {sense: weight / most for sense, weight in weights.items()}

    def _make_profile(self, form: str, pos: PartOfSpeech | None) -> Profile:
        lemmas = self.morphology.lemmas_of_form(form, pos)
        profile: Profile = self._build_profile(lemmas, self._commonness(form, pos))
        return profile

    def _follow_links(self, form: str, pos: PartOfSpeech | None) -> _Linked:
        """Return the targets of the links of a word's synsets and senses, by kind."""
        table, profile = self.table, self._profile(form, pos)
        linked = _Linked({}, {})
        for synset, (_, weight) in profile.synsets.items():
            for kind, target, distance in self._graph.links(synset):
                keep(linked.synsets.setdefault(kind, {}), target, (distance, weight))
        for sense, (_, weight) in profile.senses.items():
            for edge in range(table.sense_edge_start[sense], table.sense_edge_start[sense + 1]):
                kind = _KIND_OF_SENSE_EDGE[table.sense_edge_kind[edge]]
                target = table.sense_edge_target[edge]
                keep(linked.senses.setdefault(kind, {}), target, (1, weight))
                if kind is not RelationKind.ANTONYM:  # retire ~ a synonym of retirement
                    reach = linked.synsets.setdefault(kind, {})
                    keep(reach, table.sense_synset[target], (2, weight))
        return linked


def _relate_by_links(
    linked: _Linked, other: Profile, found: dict[RelationKind, WordRelation], *, mirrored: bool
) -> None:
    for own, links in ((other.senses, linked.senses), (other.synsets, linked.synsets)):
        for kind, reach in links.items():
            for target in own.keys() & reach.keys():
                distance, weight = reach[target]
                read = WordRelation(kind).reversed().kind if mirrored else kind
                strength = strength_of(read, distance, weight * own[target][1])
                known = found.get(read)
                if known is None or strength > known.strength:
                    found[read] = WordRelation(read, distance, strength)
