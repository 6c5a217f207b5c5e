"""Profiles of words in WordNet: what is reached from a word's senses, and what two words share.

The profile of a word has the synsets of its senses, their hypernyms, and the synsets one lexical
edge away. `native/wordnet.c` computes the same; `compiled_graph` returns it if it is there.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Any, Protocol, Self

from ists.compiled import kernels
from ists.lexicon.morphology import POS_OF_FILE, PartOfSpeech
from ists.lexicon.relations import RelationKind
from ists.lexicon.table import SynsetEdge, WordTable

MAX_HYPERNYM_DISTANCE = 6  # snowboarder to person; every edge reduces the strength
_MAX_CLIMB = 6  # maximum distance of a common ancestor for NEAR
_MIN_INFORMATION = 0.25  # "artifact" and "act" are too general as common ancestors
_CACHED_SYNSETS = 32768
_CACHED_PARENTS = 16384

BASE_STRENGTH = {
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
KEPT = tuple(0.85**edges for edges in range(2 * _MAX_CLIMB + 1))
"""Factor of the strength by the number of further edges."""
_RARE_SENSE = 0.7  # factor of the strength for a sense without tagged uses

# Plain integers: comparing enum members is several times slower, in the innermost loops.
_HYPERNYM = int(SynsetEdge.HYPERNYM)
INSTANCE_HYPERNYM = int(SynsetEdge.INSTANCE_HYPERNYM)
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

_LOOSE = (RelationKind.COHYPONYM, RelationKind.NEAR)
ANCESTOR_KINDS = (
    RelationKind.SYNONYM,
    RelationKind.HYPONYM,
    RelationKind.HYPERNYM,
    *_LOOSE,
)
"""The kinds of relations through a common ancestor, the tightest first."""

_Path = tuple[int, float]  # distance, weight of the sense
Reach = dict[int, _Path]
"""Paths by synset or sense."""
Related = tuple[int, int, float]
"""Index of the kind in `ANCESTOR_KINDS`, distance, strength."""


class Profile(Protocol):
    """The profile of a word."""

    @property
    def lemmas(self) -> frozenset[str]:
        """Its base forms."""

    @property
    def senses(self) -> Reach:
        """Its senses."""

    @property
    def synsets(self) -> Reach:
        """The synsets of its senses."""

    def relate(self, other: Self) -> tuple[list[Related], bool, bool] | None:
        """Return the relations through common ancestors, one of each kind.

        Also whether a link of this word leads to the other one, and the other way round. None if
        the two are unrelated.
        """

    def shared_information(self, other: Self) -> float:
        """Return the information content (0 to 1) of the most specific common hypernym."""


class Graph:
    """The synsets and their edges."""

    def __init__(self, table: WordTable) -> None:
        self.table = table
        self._parents = lru_cache(maxsize=_CACHED_PARENTS)(self._find_parents)
        self.information = lru_cache(maxsize=_CACHED_SYNSETS)(self._find_information)
        self._sizes = dict.fromkeys(PartOfSpeech, 1)
        files = table.synset_file.tobytes()
        for at, pos in enumerate(POS_OF_FILE):
            self._sizes[pos] += files.count(at)
        # Maximum breadth of a sufficiently specific synset, by file: inverse of `information`.
        self.broadest = [(self._sizes[pos] + 1) ** (1 - _MIN_INFORMATION) for pos in POS_OF_FILE]
        self.log_sizes = [log(self._sizes[pos] + 1) for pos in POS_OF_FILE]

    def pos(self, synset: int) -> PartOfSpeech:
        """Return the part of speech of a synset."""
        return POS_OF_FILE[self.table.synset_file[synset]]

    def edges(self, synset: int) -> Iterator[tuple[int, int]]:
        """Yield the kind and the target of each edge of a synset."""
        table = self.table
        first, last = table.synset_edge_start[synset], table.synset_edge_start[synset + 1]
        return zip(
            table.synset_edge_kind[first:last], table.synset_edge_target[first:last], strict=True
        )

    def profile(self, lemmas: frozenset[str], commonness: Mapping[int, float]) -> Profile:
        """Build the profile of a word from its lemmas and the commonness of its senses."""
        table = self.table
        senses: Reach = {}
        synsets: Reach = {}
        linked_senses: list[int] = []
        for sense, common in commonness.items():
            weight = _RARE_SENSE + (1 - _RARE_SENSE) * common
            senses[sense] = (1, weight)
            keep(synsets, table.sense_synset[sense], (0, weight))
            edges = slice(table.sense_edge_start[sense], table.sense_edge_start[sense + 1])
            linked_senses += table.sense_edge_target[edges]
        above = dict(synsets)
        linked = {table.sense_synset[sense] for sense in linked_senses}
        for synset, (_, weight) in synsets.items():
            paths = [(distance, weight) for distance in range(_MAX_CLIMB + 1)]
            for ancestor, distance in self._climb(synset).items():
                keep(above, ancestor, paths[distance])
            if self._has_links(synset):
                linked.update(target for _, target, _ in self.links(synset))
        return _PlainProfile(
            graph=self,
            lemmas=lemmas,
            senses=senses,
            synsets=synsets,
            above=above,
            informative=self._informative_synsets(synsets, above),
            own=frozenset(synsets).union(~sense for sense in senses),
            linked=frozenset(linked).union(~sense for sense in linked_senses),
        )

    def links(self, synset: int) -> Iterator[tuple[RelationKind, int, int]]:
        """Yield the links of a synset: kind, target and distance."""
        is_verb = self.pos(synset) is PartOfSpeech.VERB
        inheriting = (_SIMILAR, _HYPERNYM) if is_verb else (_SIMILAR,)
        for edge, target in self.edges(synset):
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

    def _find_information(self, synset: int) -> float:
        """Return the intrinsic information content: 1 for a leaf, 0 for the root."""
        breadth = self.table.synset_breadth[synset]
        file = self.table.synset_file[synset]
        return 1 - log(breadth + 1) / self.log_sizes[file] if breadth else 1.0

    def _informative_synsets(self, synsets: Reach, above: Reach) -> frozenset[int]:
        breadth, files = self.table.synset_breadth, self.table.synset_file
        return frozenset(
            synset
            for synset in above
            if synset in synsets or breadth[synset] <= self.broadest[files[synset]]
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
        count = bisect_right(self.table.synset_edge_kind[first:last], INSTANCE_HYPERNYM)
        return tuple(self.table.synset_edge_target[first : first + count])

    def _has_links(self, synset: int) -> bool:
        """Return whether a synset may have links: most nouns have hypernyms and no others."""
        return self._last_edge(synset) > INSTANCE_HYPERNYM or self.pos(synset) is PartOfSpeech.VERB

    def _last_edge(self, synset: int) -> int:
        """Return the largest kind of a synset's edges, which are sorted by kind; 0 without any."""
        first, last = self.table.synset_edge_start[synset : synset + 2]
        return self.table.synset_edge_kind[last - 1] if last > first else 0

    def _inherited_opposites(self, synset: int) -> Iterator[tuple[RelationKind, int, int]]:
        """Yield the antonyms of a similar adjective or a verb's hypernym, and their neighbours."""
        if self._last_edge(synset) < _ANTONYM:
            return
        for opposite in self._targets(synset, _ANTONYM):
            yield RelationKind.ANTONYM, opposite, 3
            for near in self._targets(opposite, _SIMILAR):
                yield RelationKind.ANTONYM, near, 4

    def _targets(self, synset: int, wanted: int) -> list[int]:
        return [target for edge, target in self.edges(synset) if edge == wanted]


def compiled_graph(graph: Graph) -> Any:
    """Return an object that builds compiled profiles, or None without the extension."""
    if kernels is None:
        return None
    import numpy as np  # when a table is read: importing the lexicon stays cheap

    table = graph.table
    return kernels.Graph(
        table.synset_edge_start,
        table.synset_edge_kind,
        table.synset_edge_target,
        table.sense_synset,
        table.sense_edge_start,
        table.sense_edge_target,
        table.synset_file,
        table.synset_breadth,
        np.array([pos is PartOfSpeech.VERB for pos in POS_OF_FILE], np.uint8),
        np.array(graph.broadest),
        np.array(graph.log_sizes),
        np.array(KEPT),
        np.array([BASE_STRENGTH[kind] for kind in ANCESTOR_KINDS]),
    )


@dataclass(frozen=True, slots=True)
class _PlainProfile:
    """A profile that is computed in Python."""

    graph: Graph
    lemmas: frozenset[str]
    senses: Reach
    synsets: Reach
    above: Reach  # the word's own synsets (0 edges) and their hypernyms
    informative: frozenset[int]  # of those: its own and the sufficiently specific ones
    own: frozenset[int]  # own synsets, and senses as bitwise complements
    linked: frozenset[int]  # targets of links, in the same coding

    def relate(self, other: "_PlainProfile") -> tuple[list[Related], bool, bool] | None:
        by_ancestors = self._shares_ancestor(other)
        there = not self.linked.isdisjoint(other.own)
        back = not other.linked.isdisjoint(self.own)
        if not (by_ancestors or there or back):
            return None
        return self._relate_by_ancestors(other) if by_ancestors else [], there, back

    def shared_information(self, other: "_PlainProfile") -> float:
        shared = self.above.keys() & other.above.keys()
        return max(map(self.graph.information, shared), default=0.0)

    def _shares_ancestor(self, other: "_PlainProfile") -> bool:
        """Return whether the two have a sufficiently specific common ancestor."""
        return not (
            self.above.keys().isdisjoint(other.informative)
            and other.above.keys().isdisjoint(self.informative)
        )

    def _relate_by_ancestors(self, other: "_PlainProfile") -> list[Related]:
        found: dict[int, Related] = {}
        for shared in self.above.keys() & other.above.keys():
            up, weight = self.above[shared]
            down, other_weight = other.above[shared]
            weight *= other_weight
            if up == 0 or down == 0:
                if up + down <= MAX_HYPERNYM_DISTANCE:
                    kind = 0 if up + down == 0 else 1 if up else 2
                    _add_related(found, kind, up + down, weight)
                continue
            information = self.graph.information(shared)
            if information >= _MIN_INFORMATION:
                kind = 3 if up == down == 1 else 4
                # Cohyponyms under "person" are less related than those under "bicycle".
                _add_related(found, kind, up + down, weight * information, free_edges=2)
        _drop_redundant(found)
        return list(found.values())


def _add_related(
    found: dict[int, Related], kind: int, distance: int, weight: float, free_edges: int = 1
) -> None:
    strength = strength_of(ANCESTOR_KINDS[kind], distance, weight, free_edges)
    known = found.get(kind)
    if known is None or strength > known[2]:
        found[kind] = kind, distance, strength


def _drop_redundant(found: dict[int, Related]) -> None:
    """Drop loose relations that are weaker than a tighter one: synonyms share their hypernym."""
    strongest = 0.0
    for kind in sorted(found):
        strength = found[kind][2]
        if ANCESTOR_KINDS[kind] in _LOOSE and strength <= strongest:
            del found[kind]
        strongest = max(strongest, strength)


def strength_of(kind: RelationKind, distance: int, weight: float, free_edges: int = 1) -> float:
    """Return the strength of a relation over a distance between senses of some weight."""
    return BASE_STRENGTH[kind] * weight * KEPT[max(0, distance - free_edges)]


def keep(reach: Reach, target: int, path: _Path) -> None:
    """Keep the best path to a target: the one with the highest resulting strength."""
    known = reach.get(target)
    if known is None or path[1] * KEPT[path[0]] > known[1] * KEPT[known[0]]:
        reach[target] = path
