"""Groups of the 2016 edition: a chunk left alone may join a link whose other side says it too.

A group is a link between several chunks of one sentence and one or more of the other. Groups are
made after the one-to-one matching: every chunk left alone is compared with the links it might
join, a classifier estimates whether it belongs there, and the most probable candidates join first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ists.arrays import Floats
from ists.labeler.features import Feature
from ists.labeler.lone import LONE_FEATURES, lone_features
from ists.labeler.phrases import Phrase, PhraseKind
from ists.labeler.views import Counterpart, PairView, counterparts
from ists.pairs import Relation
from ists.scored_pair import RELATION_INDEX, Group, PairScores

_CANDIDATE_FROM = 0.02
"""Minimum network link probability of a candidate; below it, gold groups are very rare."""

_SIZES = (
    ("tokens", "how many tokens the chunks have"),
    ("content words", "how many content words the chunks have"),
    ("verb chain", "the first chunk looks like a verb chain"),
    ("prepositional", "the first chunk opens with a preposition"),
    ("coordinated", "the chunks contain a coordinating conjunction"),
    ("plural", "the head of the last chunk is a plural"),
)
GROUP_FEATURES = (
    *(Feature(f"joining {one.name}", one.description) for one in LONE_FEATURES),
    Feature("joining coordinated", "the chunk contains a coordinating conjunction"),
    *(Feature(f"joined {name}", f"{text} (same sentence)") for name, text in _SIZES),
    *(Feature(f"other {name}", f"{text} (other sentence)") for name, text in _SIZES),
    Feature("distance", "chunks between the chunk and the nearest chunk that it would join"),
    Feature("after", "the chunk follows the chunks that it would join"),
    Feature("same kind", "the chunk and the chunk that it would join have the same kind"),
    Feature("all verbs", "the chunk, the joined and the other chunks are verb chains"),
    Feature("link", "the labeller's probability of a link between the chunk and the other side"),
    Feature("joined link", "the same for the link that the chunk would join"),
    Feature("rival link", "the labeller's best link of the chunk to any chunk outside the group"),
    Feature("network link", "the network's link probability of the chunk with the other side"),
    Feature("network joined link", "the same for the link that the chunk would join"),
    Feature("network rank", "other chunks with a higher network link probability to the chunk"),
    Feature("network EQUI", "the network's probability of EQUI with the other side"),
    Feature("network narrower", "the network's probability that the chunk is more specific"),
    Feature("network broader", "the network's probability that the other side is more specific"),
    Feature("network joined EQUI", "the network's probability of EQUI for the joined link"),
    Feature("network joined narrower", "the probability that the joined chunks are more specific"),
    Feature("network joined broader", "the probability that the other side is more specific"),
    Feature("answered", "share of the chunk's content words that the other side says"),
    Feature("covers before", "share of the other side's content words that the link says"),
    Feature("covers after", "the same with the chunk joined"),
    Feature("covers alone", "the same of the chunk alone"),
    Feature("new words", "content words of the other side that only the chunk says"),
    Feature("new numbers", "the same for numbers"),
    Feature("strength before", "mean strength of the other side's counterparts in the link"),
    Feature("strength after", "the same with the chunk joined"),
    Feature("repeats", "share of the chunk's content words that the joined chunks say"),
    Feature("no content", "neither the joined nor the other chunks have content words"),
)
_CONJUNCTIONS = frozenset(("and", "or", "&", "both"))


class Joining(NamedTuple):
    """A chunk left alone that might join a group."""

    sentence: int
    """1 or 2: the sentence of the chunk."""
    chunk: int
    group: int
    """The index of the group."""


@dataclass(frozen=True, eq=False)
class _Side:
    """The pair seen from the sentence of the chunk that might join."""

    view: PairView
    scores: PairScores
    link: Floats
    """The labeller's link probabilities."""
    groups: Sequence[Group]
    """With the chunk's sentence first."""


def groups_of(links: Iterable[tuple[int, int]]) -> tuple[Group, ...]:
    """Return one-to-one links as groups of one chunk on each side."""
    return tuple(Group((i,), (j,)) for i, j in links)


def candidates_to_join(
    view: PairView, scores: PairScores, groups: Sequence[Group]
) -> list[Joining]:
    """Return every chunk left alone with every group that it might join."""
    found = []
    for sentence, side, own, turned in (
        (1, view, scores, groups),
        (2, view.swapped, scores.swapped, [group.swapped for group in groups]),
    ):
        taken = {chunk for group in turned for chunk in group.chunks1}
        for chunk, phrase in enumerate(side.one.phrases):
            if chunk in taken or phrase.is_wordless:
                continue
            found += [
                Joining(sentence, chunk, at)
                for at, group in enumerate(turned)
                if own.link[chunk, list(group.chunks2)].max() >= _CANDIDATE_FROM
            ]
    return found


def group_rows(
    view: PairView,
    scores: PairScores,
    link: Floats,
    groups: Sequence[Group],
    candidates: Sequence[Joining],
) -> list[tuple[float, ...]]:
    """Return the features of each candidate, in the order of `GROUP_FEATURES`."""
    sides = {
        1: _Side(view, scores, link, groups),
        2: _Side(view.swapped, scores.swapped, link.T, [group.swapped for group in groups]),
    }
    return [_features(sides[one.sentence], one.chunk, one.group) for one in candidates]


def join(
    groups: Sequence[Group],
    candidates: Sequence[Joining],
    probabilities: Sequence[float],
    threshold: float,
) -> tuple[Group, ...]:
    """Return the groups after one round of joining, most probable candidates first.

    A candidate joins if its probability exceeds the threshold, its chunk has not joined another
    group, and its group has not grown in this round: a larger group needs features of its own.
    """
    found = list(groups)
    moved: set[tuple[int, int]] = set()
    grown: set[int] = set()
    ranked = sorted(zip(probabilities, candidates, strict=True), key=lambda one: (-one[0], one[1]))
    for probability, one in ranked:
        if probability <= threshold:
            break
        if one.group in grown or (one.sentence, one.chunk) in moved:
            continue
        grown.add(one.group)
        moved.add((one.sentence, one.chunk))
        found[one.group] = _joined(found[one.group], one)
    return tuple(found)


def _joined(group: Group, one: Joining) -> Group:
    chunks1, chunks2 = group
    if one.sentence == 1:
        return Group(tuple(sorted((*chunks1, one.chunk))), chunks2)
    return Group(chunks1, tuple(sorted((*chunks2, one.chunk))))


def _features(side: _Side, chunk: int, at: int) -> tuple[float, ...]:
    group = side.groups[at]
    phrase = side.view.one.phrases[chunk]
    joined = [side.view.one.phrases[own] for own in group.chunks1]
    others = [side.view.two.phrases[other] for other in group.chunks2]
    taken1 = frozenset(own for one in side.groups for own in one.chunks1)
    taken2 = frozenset(other for one in side.groups for other in one.chunks2)
    verbs = [one.kind is PhraseKind.VERB for one in (phrase, *joined, *others)]
    gaps = [abs(chunk - own) - 1 for own in group.chunks1]
    return (
        *lone_features(side.view, side.scores, chunk, taken1, taken2),
        _is_coordinated(phrase),
        *_sizes(joined),
        *_sizes(others),
        min(gaps),
        chunk > max(group.chunks1),
        any(one.kind is phrase.kind for one in joined),
        all(verbs),
        *_link_features(side, chunk, group),
        *_coverage(side.view, phrase, joined, others),
    )


def _sizes(phrases: Sequence[Phrase]) -> tuple[float, ...]:
    head = phrases[-1].head
    return (
        sum(len(phrase.words) for phrase in phrases),
        sum(len(phrase.content) for phrase in phrases),
        phrases[0].kind is PhraseKind.VERB,
        phrases[0].kind is PhraseKind.PREPOSITION,
        any(map(_is_coordinated, phrases)),
        head is not None and head.is_plural,
    )


def _is_coordinated(phrase: Phrase) -> bool:
    return not phrase.tokens.isdisjoint(_CONJUNCTIONS)


def _link_features(side: _Side, chunk: int, group: Group) -> tuple[float, ...]:
    others = list(group.chunks2)
    network = side.scores.link
    own = network[chunk, others]
    best = others[int(own.argmax())]
    outside = [j for j in range(network.shape[1]) if j not in group.chunks2]
    within = network[list(group.chunks1)][:, others]
    row, column = divmod(int(within.argmax()), len(others))
    relation = side.scores.relation[chunk, best]
    joined_relation = side.scores.relation[group.chunks1[row], others[column]]
    return (
        float(side.link[chunk, others].max()),
        float(side.link[list(group.chunks1)][:, others].max()),
        float(side.link[chunk, outside].max(initial=0.0)),
        float(own.max()),
        float(within.max()),
        float((network[chunk] > own.max()).sum()),
        *(float(relation[at]) for at in _COMPARED),
        *(float(joined_relation[at]) for at in _COMPARED),
    )


_COMPARED = tuple(RELATION_INDEX[one] for one in (Relation.EQUI, Relation.SPE1, Relation.SPE2))


def _coverage(
    view: PairView, phrase: Phrase, joined: Sequence[Phrase], others: Sequence[Phrase]
) -> tuple[float, ...]:
    before, own = _found_in(joined, others, view), _found_in([phrase], others, view)
    after = [max(pair, key=lambda one: one.strength) for pair in zip(before, own, strict=True)]
    new = [
        there for there, here in zip(before, own, strict=True) if here.is_same and not there.is_same
    ]
    repeated = _found_in(joined, [phrase], view)
    return (
        _share_same(_found_in(others, [phrase], view)),
        _share_same(before),
        _share_same(after),
        _share_same(own),
        len(new),
        sum(one.word.is_number for one in new),
        _mean_strength(before),
        _mean_strength(after),
        _share_same(repeated),
        not any(one.content for one in (*joined, *others)),
    )


def _found_in(
    phrases: Sequence[Phrase], words_of: Sequence[Phrase], view: PairView
) -> list[Counterpart]:
    """Return the closest counterpart in `phrases` of every content word of `words_of`."""
    found: list[Counterpart] = []
    for own in words_of:
        each = [counterparts(own, phrase, view.knowledge) for phrase in phrases]
        found += [max(rivals, key=lambda one: one.strength) for rivals in zip(*each, strict=True)]
    return found


def _share_same(found: Sequence[Counterpart]) -> float:
    return sum(one.is_same for one in found) / max(1, len(found))


def _mean_strength(found: Sequence[Counterpart]) -> float:
    return sum(one.strength for one in found) / max(1, len(found))
