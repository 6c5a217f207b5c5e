"""Relations of two words in WordNet, fast enough for every word pair of a text.

The *profile* of a word is computed once: the synsets of its senses, their hypernyms, and the
synsets one lexical edge away. Two words are related by intersecting their profiles; most pairs are
unrelated, which is detected by set operations. Profiles are kept in a bounded cache.

Senses are weighted by frequency: each has a *commonness* from 0 to 1 (its tagged uses in WordNet's
corpora relative to the word's most frequent sense), and a relation through rare senses of both
words keeps about half of its strength. It is not reduced further, because in a sentence pair the
senses that are related to each other are the likely ones.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from pathlib import Path

from ists.lexicon.morphology import POS_OF_FILE, Morphology, PartOfSpeech, normal_form
from ists.lexicon.relations import EQUAL, UNRELATED, RelationKind, WordRelation
from ists.lexicon.table import (
    LEXICOGRAPHER_FILES,
    SenseEdge,
    SynsetEdge,
    WordTable,
    read_table,
)
from ists.resources import data_path

MAX_HYPERNYM_DISTANCE = 6  # snowboarder to person; every edge reduces the strength
_MAX_CLIMB = 6  # maximum distance of a common ancestor for NEAR
_MAX_SENSES = 12  # per part of speech; further senses are rare and add noise
_MIN_INFORMATION = 0.25  # "artifact" and "act" are too general as common ancestors
_CACHED_PROFILES = 4096
_CACHED_SYNSETS = 32768
_CACHED_PARENTS = 16384

_BASE_STRENGTH = {
    RelationKind.SYNONYM: 0.95,
    RelationKind.DERIVED: 0.9,
    RelationKind.PERTAINYM: 0.9,
    RelationKind.ANTONYM: 0.88,
    RelationKind.HYPONYM: 0.85,
    RelationKind.HYPERNYM: 0.85,
    RelationKind.SIMILAR: 0.8,
    RelationKind.CAUSES: 0.75,
    RelationKind.CAUSED_BY: 0.75,
    RelationKind.ENTAILS: 0.75,
    RelationKind.ENTAILED_BY: 0.75,
    RelationKind.PART: 0.7,
    RelationKind.WHOLE: 0.7,
    RelationKind.ATTRIBUTE: 0.65,
    RelationKind.COHYPONYM: 0.7,
    RelationKind.NEAR: 0.6,
}
# Factor of the strength by the number of further edges.
_KEPT = tuple(0.85**edges for edges in range(2 * _MAX_CLIMB + 1))
_RARE_SENSE = 0.7  # factor of the strength for a sense without tagged uses

_SAME_LEMMA = WordRelation(RelationKind.SAME_LEMMA, 0, 0.98)

# Plain integers: comparing enum members is several times slower, in the innermost loops.
_HYPERNYM = int(SynsetEdge.HYPERNYM)
_INSTANCE_HYPERNYM = int(SynsetEdge.INSTANCE_HYPERNYM)
_HOLONYM = int(SynsetEdge.HOLONYM)
_SIMILAR = int(SynsetEdge.SIMILAR)
_ANTONYM = int(SynsetEdge.ANTONYM)

# Relation of the source of a stored edge to its target.
_KIND_OF_SYNSET_EDGE: dict[int, tuple[RelationKind, int]] = {
    SynsetEdge.SIMILAR: (RelationKind.SIMILAR, 1),
    SynsetEdge.VERB_GROUP: (RelationKind.SIMILAR, 1),
    SynsetEdge.SEE_ALSO: (RelationKind.SIMILAR, 2),
    SynsetEdge.ENTAILMENT: (RelationKind.ENTAILS, 1),
    SynsetEdge.CAUSE: (RelationKind.CAUSES, 1),
    SynsetEdge.ATTRIBUTE: (RelationKind.ATTRIBUTE, 1),
    SynsetEdge.HOLONYM: (RelationKind.PART, 1),
    # An antonym of the whole synset is one step further than an antonym of the word itself.
    SynsetEdge.ANTONYM: (RelationKind.ANTONYM, 2),
}
_KIND_OF_SENSE_EDGE: dict[int, RelationKind] = {
    SenseEdge.ANTONYM: RelationKind.ANTONYM,
    SenseEdge.DERIVATION: RelationKind.DERIVED,
    SenseEdge.PERTAINYM: RelationKind.PERTAINYM,
}

_LOOSE = (RelationKind.COHYPONYM, RelationKind.NEAR)
_TIGHTEST_FIRST = (RelationKind.SYNONYM, RelationKind.HYPONYM, RelationKind.HYPERNYM, *_LOOSE)

_Path = tuple[int, float]  # distance, weight of the sense
_Reach = dict[int, _Path]  # by synset or sense
_Links = dict[RelationKind, _Reach]


@dataclass(frozen=True, slots=True)
class _Profile:
    """The synsets and senses reachable from a word."""

    lemmas: frozenset[str]
    senses: _Reach
    synsets: _Reach
    above: _Reach  # the word's own synsets (0 edges) and their hypernyms
    informative: frozenset[int]  # of those: its own and the sufficiently specific ones
    own: frozenset[int]  # own synsets, and senses as bitwise complements
    linked: frozenset[int]  # targets of links, in the same coding

    def shares_ancestor(self, other: "_Profile") -> bool:
        """Return whether the two have a sufficiently specific common ancestor."""
        return not (
            self.above.keys().isdisjoint(other.informative)
            and other.above.keys().isdisjoint(self.informative)
        )


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
        self._commonness = lru_cache(maxsize=_CACHED_PROFILES)(self._find_commonness)
        self._linked = lru_cache(maxsize=_CACHED_PROFILES)(self._follow_links)
        self._parents = lru_cache(maxsize=_CACHED_PARENTS)(self._find_parents)
        self._information = lru_cache(maxsize=_CACHED_SYNSETS)(self._find_information)
        self._sizes = dict.fromkeys(PartOfSpeech, 1)
        files = table.synset_file.tobytes()
        for at, pos in enumerate(POS_OF_FILE):
            self._sizes[pos] += files.count(at)
        # Maximum breadth of a sufficiently specific synset, by file: inverse of `_information`.
        self._broadest = [(self._sizes[pos] + 1) ** (1 - _MIN_INFORMATION) for pos in POS_OF_FILE]

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
            pos = self._pos(self.table.sense_synset[sense])
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
        found: dict[RelationKind, WordRelation] = {}
        if one.shares_ancestor(other):
            self._relate_by_ancestors(one, other, found)
        if not one.linked.isdisjoint(other.own):
            _relate_by_links(self._linked(a, pos), other, found, mirrored=False)
        if not other.linked.isdisjoint(one.own):
            _relate_by_links(self._linked(b, pos), one, found, mirrored=True)
        return tuple(sorted(found.values(), key=lambda relation: -relation.strength))

    def shared_information(self, a: str, b: str, pos: PartOfSpeech | None = None) -> float:
        """Return the information content (0 to 1) of the most specific common hypernym."""
        one, other = self._profile(normal_form(a), pos), self._profile(normal_form(b), pos)
        shared = one.above.keys() & other.above.keys()
        return max(map(self._information, shared), default=0.0)

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
        edges = self._synset_edges(self.table.sense_synset[best])
        return any(kind == _INSTANCE_HYPERNYM for kind, _ in edges)

    def synonyms(self, word: str, pos: PartOfSpeech | None = None) -> tuple[str, ...]:
        """Return the words that share a synset with `word`, by frequency of its senses."""
        without = self._profile(normal_form(word), pos).lemmas
        return self._words_in(self._ranked_synsets(word, pos), without)

    def hypernyms(self, word: str, pos: PartOfSpeech | None = None) -> tuple[str, ...]:
        """Return the words of the direct hypernyms, those of the most frequent senses first."""
        parents = [
            target
            for synset in self._ranked_synsets(word, pos)
            for kind, target in self._synset_edges(synset)
            if kind <= _INSTANCE_HYPERNYM
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

    def _pos(self, synset: int) -> PartOfSpeech:
        return POS_OF_FILE[self.table.synset_file[synset]]

    def _synset_edges(self, synset: int) -> Iterator[tuple[int, int]]:
        table = self.table
        first, last = table.synset_edge_start[synset], table.synset_edge_start[synset + 1]
        return zip(
            table.synset_edge_kind[first:last], table.synset_edge_target[first:last], strict=True
        )

    def _find_information(self, synset: int) -> float:
        """Return the intrinsic information content: 1 for a leaf, 0 for the root."""
        breadth = self.table.synset_breadth[synset]
        return 1 - log(breadth + 1) / log(self._sizes[self._pos(synset)] + 1) if breadth else 1.0

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

    def _make_profile(self, form: str, pos: PartOfSpeech | None) -> _Profile:
        table = self.table
        senses: _Reach = {}
        synsets: _Reach = {}
        linked_senses: list[int] = []
        for sense, commonness in self._commonness(form, pos).items():
            weight = _RARE_SENSE + (1 - _RARE_SENSE) * commonness
            senses[sense] = (1, weight)
            _keep(synsets, table.sense_synset[sense], (0, weight))
            edges = slice(table.sense_edge_start[sense], table.sense_edge_start[sense + 1])
            linked_senses += table.sense_edge_target[edges]
        above = dict(synsets)
        linked = {table.sense_synset[sense] for sense in linked_senses}
        for synset, (_, weight) in synsets.items():
            paths = [(distance, weight) for distance in range(_MAX_CLIMB + 1)]
            for ancestor, distance in self._climb(synset).items():
                _keep(above, ancestor, paths[distance])
            if self._has_links(synset):
                linked.update(target for _, target, _ in self._links(synset))
        return _Profile(
            lemmas=self.morphology.lemmas_of_form(form, pos),
            senses=senses,
            synsets=synsets,
            above=above,
            informative=self._informative_synsets(synsets, above),
            own=frozenset(synsets).union(~sense for sense in senses),
            linked=frozenset(linked).union(~sense for sense in linked_senses),
        )

    def _informative_synsets(self, synsets: _Reach, above: _Reach) -> frozenset[int]:
        breadth, files = self.table.synset_breadth, self.table.synset_file
        return frozenset(
            synset
            for synset in above
            if synset in synsets or breadth[synset] <= self._broadest[files[synset]]
        )

    def _climb(self, synset: int) -> dict[int, int]:
        """Return the hypernyms of a synset with their distances."""
        above: dict[int, int] = {}
        frontier: Sequence[int] = self._parents(synset)
        for distance in range(1, _MAX_CLIMB + 1):
            for ancestor in frontier:
                above.setdefault(ancestor, distance)
            frontier = [higher for below in frontier for higher in self._parents(below)]
            if not frontier:
                break
        return above

    def _find_parents(self, synset: int) -> tuple[int, ...]:
        """Return the direct hypernyms of a synset."""
        first, last = self.table.synset_edge_start[synset : synset + 2]
        # Edges are sorted by kind, hypernyms come first.
        count = bisect_right(self.table.synset_edge_kind[first:last], _INSTANCE_HYPERNYM)
        return tuple(self.table.synset_edge_target[first : first + count])

    def _has_links(self, synset: int) -> bool:
        """Return whether a synset may have links: most nouns have hypernyms and no others."""
        return (
            self._last_edge(synset) > _INSTANCE_HYPERNYM or self._pos(synset) is PartOfSpeech.VERB
        )

    def _last_edge(self, synset: int) -> int:
        """Return the largest kind of a synset's edges, which are sorted by kind; 0 without any."""
        first, last = self.table.synset_edge_start[synset : synset + 2]
        return self.table.synset_edge_kind[last - 1] if last > first else 0

    def _links(self, synset: int) -> Iterator[tuple[RelationKind, int, int]]:
        """Yield the links of a synset: kind, target and distance."""
        is_verb = self._pos(synset) is PartOfSpeech.VERB
        inheriting = (_SIMILAR, _HYPERNYM) if is_verb else (_SIMILAR,)
        for edge, target in self._synset_edges(synset):
            known = _KIND_OF_SYNSET_EDGE.get(edge)
            if known is not None:
                yield known[0], target, known[1]
            if edge == _HOLONYM:
                # A part of a part is a part: Brooklyn, New York, United States.
                for larger in self._targets(target, _HOLONYM):
                    yield RelationKind.PART, larger, 2
            elif edge == _ANTONYM:
                for near in self._targets(target, _SIMILAR):
                    yield RelationKind.ANTONYM, near, 3
            elif edge in inheriting:
                yield from self._inherited_opposites(target)

    def _inherited_opposites(self, synset: int) -> Iterator[tuple[RelationKind, int, int]]:
        """Yield the antonyms of a similar adjective or a verb's hypernym, and their neighbours."""
        if self._last_edge(synset) < _ANTONYM:
            return
        for opposite in self._targets(synset, _ANTONYM):
            yield RelationKind.ANTONYM, opposite, 3
            for near in self._targets(opposite, _SIMILAR):
                yield RelationKind.ANTONYM, near, 4

    def _targets(self, synset: int, wanted: int) -> list[int]:
        return [target for edge, target in self._synset_edges(synset) if edge == wanted]

    def _follow_links(self, form: str, pos: PartOfSpeech | None) -> _Linked:
        """Return the targets of the links of a word's synsets and senses, by kind."""
        table, profile = self.table, self._profile(form, pos)
        linked = _Linked({}, {})
        for synset, (_, weight) in profile.synsets.items():
            for kind, target, distance in self._links(synset):
                _keep(linked.synsets.setdefault(kind, {}), target, (distance, weight))
        for sense, (_, weight) in profile.senses.items():
            for edge in range(table.sense_edge_start[sense], table.sense_edge_start[sense + 1]):
                kind = _KIND_OF_SENSE_EDGE[table.sense_edge_kind[edge]]
                target = table.sense_edge_target[edge]
                _keep(linked.senses.setdefault(kind, {}), target, (1, weight))
                if kind is not RelationKind.ANTONYM:  # retire ~ a synonym of retirement
                    reach = linked.synsets.setdefault(kind, {})
                    _keep(reach, table.sense_synset[target], (2, weight))
        return linked

    def _relate_by_ancestors(
        self, one: _Profile, other: _Profile, found: dict[RelationKind, WordRelation]
    ) -> None:
        for shared in one.above.keys() & other.above.keys():
            up, weight = one.above[shared]
            down, other_weight = other.above[shared]
            weight *= other_weight
            if up == 0 or down == 0:
                distance = up + down
                if distance > MAX_HYPERNYM_DISTANCE:
                    continue
                kind = (
                    RelationKind.SYNONYM
                    if distance == 0
                    else RelationKind.HYPONYM
                    if up
                    else RelationKind.HYPERNYM
                )
                _add_relation(found, kind, distance, weight)
                continue
            information = self._information(shared)
            if information >= _MIN_INFORMATION:
                kind = RelationKind.COHYPONYM if up == down == 1 else RelationKind.NEAR
                # Cohyponyms under "person" are less related than those under "bicycle".
                _add_relation(found, kind, up + down, weight * information, free_edges=2)
        _drop_redundant(found)


def _drop_redundant(found: dict[RelationKind, WordRelation]) -> None:
    """Drop loose relations that are weaker than a tighter one: synonyms share their hypernym."""
    strongest = 0.0
    for kind in _TIGHTEST_FIRST:
        relation = found.get(kind)
        if relation is None:
            continue
        if kind in _LOOSE and relation.strength <= strongest:
            del found[kind]
        strongest = max(strongest, relation.strength)


def _keep(reach: _Reach, target: int, path: _Path) -> None:
    """Keep the best path to a target: the one with the highest resulting strength."""
    known = reach.get(target)
    if known is None or path[1] * _KEPT[path[0]] > known[1] * _KEPT[known[0]]:
        reach[target] = path


def _add_relation(
    found: dict[RelationKind, WordRelation],
    kind: RelationKind,
    distance: int,
    weight: float,
    free_edges: int = 1,
) -> None:
    strength = _BASE_STRENGTH[kind] * weight * _KEPT[max(0, distance - free_edges)]
    known = found.get(kind)
    if known is None or strength > known.strength:
        found[kind] = WordRelation(kind, distance, strength)


def _relate_by_links(
    linked: _Linked, other: _Profile, found: dict[RelationKind, WordRelation], *, mirrored: bool
) -> None:
    for own, links in ((other.senses, linked.senses), (other.synsets, linked.synsets)):
        for kind, reach in links.items():
            for target in own.keys() & reach.keys():
                distance, weight = reach[target]
                read = WordRelation(kind).reversed().kind if mirrored else kind
                _add_relation(found, read, distance, weight * own[target][1])
