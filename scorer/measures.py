"""Score one sentence pair: the system's token links against the gold's.

Two aligned chunks are expanded to token links, one for each token of chunk 1 and each token of
chunk 2. A link has the weight 1 / max(fan-out of its two tokens), so that a long chunk does not
outweigh a short one by the square of its length. Precision weights links by the system's fan-out,
recall by the gold's. A link in both files gets a credit for each of the four `Measures`; links to
punctuation are ignored.

If no token is in two alignments of the same file, as the pilot requires, all token links of a chunk
pair have the same weight, and they are counted without being enumerated.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ists.pairs import Flag, Relation
from ists.sets import jaccard

Match = Literal["strict", "lenient"]
MATCHES: tuple[Match, ...] = ("strict", "lenient")

PUNCTUATION = frozenset(".,:'`?;\"-")
NONE = "none"
"""Label in the confusion matrix for a link that the other file lacks."""

_LARGEST_DIFFERENCE = 5
_NEAR_EQUI = frozenset({"SIMI", "SPE1", "SPE2"})
_WEAK = frozenset({"SPE1", "SPE2", "SIMI", "REL"})
_HIGH_SCORE = 4
_LOW_SCORE = 3
_NOTHING = 1e-9

Labels = frozenset[str]
Tokens = frozenset[int]
Cells = dict[tuple[str, str], tuple[float, float]]


class Measures(NamedTuple):
    """A value for each of the task's four measures."""

    ali: float = 0.0
    type: float = 0.0
    score: float = 0.0
    type_score: float = 0.0


class Link(NamedTuple):
    """Two aligned chunks; the labels are taken from the file unchecked."""

    tokens1: Tokens
    tokens2: Tokens
    labels: Labels
    score: float
    weight: float
    """The weight of each token link, if no other link shares its tokens."""
    mass: float
    """The total weight of its token links."""

    @classmethod
    def of(cls, tokens1: Tokens, tokens2: Tokens, labels: Labels, score: float) -> "Link":
        """Create a link between two chunks whose tokens are in no other link."""
        sizes = len(tokens1), len(tokens2)
        return cls(tokens1, tokens2, labels, score, 1 / max(sizes), float(min(sizes)))


class Lone(NamedTuple):
    """An unaligned chunk of sentence 1 or 2."""

    side: int
    tokens: Tokens
    labels: Labels


class Annotation(NamedTuple):
    """The parts of a sentence pair's annotation that are scored."""

    links: tuple[Link, ...] = ()
    lone: tuple[Lone, ...] = ()
    punctuation1: Tokens = frozenset()
    punctuation2: Tokens = frozenset()


class PairCounts(NamedTuple):
    """The sufficient statistics of one pair: sums of weights, and label confusions."""

    id: str
    system: float
    """The weight of all of the system's links."""
    gold: float
    """The weight of all of the gold's links."""
    precision_hits: Measures
    """The credit of the links in both files, weighted as in the system."""
    recall_hits: Measures
    """The credit of the links in both files, weighted as in the gold."""
    cells: Cells
    """For gold label × system label: the weight in the gold and in the system."""

    @property
    def f1(self) -> Measures | None:
        """The four F1 of this pair alone; None if neither file has a link."""
        if not self.system and not self.gold:
            return None
        return f1(
            ratios(self.precision_hits, self.system),
            ratios(self.recall_hits, self.gold),
        )


def ratios(hits: Measures, total: float) -> Measures:
    """Divide hits by a total; all zeros if the total is 0."""
    return Measures(*(hit / total if total else 0.0 for hit in hits))


def f1(precision: Measures, recall: Measures) -> Measures:
    """Return the harmonic mean of precision and recall for each measure."""
    return Measures(
        *(2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precision, recall, strict=True))
    )


def judge_pair(pair_id: str, gold: Annotation, system: Annotation, match: Match) -> PairCounts:
    """Score one pair.

    Punctuation is taken from the gold's tokens; a pair that the gold lacks has none.
    """
    skip1, skip2 = gold.punctuation1, gold.punctuation2
    gold_links = _weighted(gold.links, skip1, skip2)
    system_links = _weighted(system.links, skip1, skip2)
    p_ali = p_type = p_score = p_both = r_ali = r_type = r_score = r_both = 0.0
    cells: Cells = {}
    # Unrolled for speed: a loop over the four measures would dominate the run time.
    for theirs, ours, shared in _overlaps(gold_links, system_links):
        in_system, in_gold = shared * ours.weight, shared * theirs.weight
        type_, score, both = _credit(theirs.labels, theirs.score, ours.labels, ours.score, match)
        p_ali, r_ali = p_ali + in_system, r_ali + in_gold
        p_type, r_type = p_type + in_system * type_, r_type + in_gold * type_
        p_score, r_score = p_score + in_system * score, r_score + in_gold * score
        p_both, r_both = p_both + in_system * both, r_both + in_gold * both
        _add(cells, main_label(theirs.labels), main_label(ours.labels), in_gold, in_system)
    in_system = sum([link.mass for link in system_links])
    in_gold = sum([link.mass for link in gold_links])
    if in_system - p_ali > _NOTHING or in_gold - r_ali > _NOTHING:
        _count_unmatched(cells, gold_links, system_links)
    if gold.lone or system.lone:
        _count_lone_tokens(gold, system, cells)
    return PairCounts(
        pair_id,
        in_system,
        in_gold,
        Measures(p_ali, p_type, p_score, p_both),
        Measures(r_ali, r_type, r_score, r_both),
        cells,
    )


def _overlaps(
    gold_links: Sequence[Link], system_links: Sequence[Link]
) -> Iterator[tuple[Link, Link, int]]:
    """Yield overlapping gold and system links with the number of token links they share."""
    at_chunks = {(link.tokens1, link.tokens2): link for link in gold_links}
    at_token: dict[int, list[Link]] = {}
    for link in gold_links:
        for token in link.tokens1:
            at_token.setdefault(token, []).append(link)
    for ours in system_links:
        same = at_chunks.get((ours.tokens1, ours.tokens2))
        if same is not None:  # then no other gold link has these tokens
            yield same, ours, len(ours.tokens1) * len(ours.tokens2)
            continue
        near = {id(link): link for token in ours.tokens1 for link in at_token.get(token, ())}
        for theirs in near.values():
            shared = len(ours.tokens1 & theirs.tokens1) * len(ours.tokens2 & theirs.tokens2)
            if shared:
                yield theirs, ours, shared


def _count_unmatched(cells: Cells, gold_links: list[Link], system_links: list[Link]) -> None:
    """Add the links that only one file has: the rest of each label's mass."""
    for label, mass in _by_label(gold_links).items():
        rest = mass - sum([cell[0] for (row, _), cell in cells.items() if row == label])
        if rest > _NOTHING:
            _add(cells, label, NONE, rest, 0.0)
    for label, mass in _by_label(system_links).items():
        rest = mass - sum([cell[1] for (_, column), cell in cells.items() if column == label])
        if rest > _NOTHING:
            _add(cells, NONE, label, 0.0, rest)


def _by_label(links: Iterable[Link]) -> dict[str, float]:
    masses: dict[str, float] = {}
    for link in links:
        label = main_label(link.labels)
        masses[label] = masses.get(label, 0.0) + link.mass
    return masses


def _weighted(links: Iterable[Link], skip1: Tokens, skip2: Tokens) -> list[Link]:
    """Return a file's links without punctuation, with weights over the whole sentence pair."""
    kept = []
    used1: set[int] = set()
    used2: set[int] = set()
    one_to_one = True
    for link in links:
        tokens1, tokens2 = link.tokens1, link.tokens2
        if not (skip1.isdisjoint(tokens1) and skip2.isdisjoint(tokens2)):
            tokens1, tokens2 = tokens1 - skip1, tokens2 - skip2
            if not (tokens1 and tokens2):
                continue
            link = Link.of(tokens1, tokens2, link.labels, link.score)
        if not (used1.isdisjoint(tokens1) and used2.isdisjoint(tokens2)):
            one_to_one = False
        used1 |= tokens1
        used2 |= tokens2
        kept.append(link)
    return kept if one_to_one else single_links(kept)


def single_links(links: Sequence[Link]) -> list[Link]:
    """Split links into single token links, weighted by their fan-out in the sentence pair.

    A token link that occurs twice counts once, with the labels and score of the last occurrence.
    """
    stated = {
        (token1, token2): link
        for link in links
        for token1 in link.tokens1
        for token2 in link.tokens2
    }
    fan_out1 = Counter(token1 for token1, _ in stated)
    fan_out2 = Counter(token2 for _, token2 in stated)
    singles = []
    for (token1, token2), link in stated.items():
        weight = 1 / max(fan_out1[token1], fan_out2[token2])
        singles.append(
            Link(frozenset({token1}), frozenset({token2}), link.labels, link.score, weight, weight)
        )
    return singles


@lru_cache(maxsize=1 << 16)
def _credit(
    gold: Labels, gold_score: float, system: Labels, score: float, match: Match
) -> tuple[float, float, float]:
    """Return the Type, Score and Typ+Sco credit of a link in both files; its Ali credit is 1."""
    type_credit = jaccard(gold, system)
    score_credit = 1 - abs(gold_score - score) / _LARGEST_DIFFERENCE
    both = type_credit
    if match == "lenient" and _close_enough(gold, gold_score, system, score):
        # One label more in the intersection, one less in the union, as in the official program.
        both = (len(gold & system) + 1) / (len(gold | system) - 1)
    return type_credit, score_credit, both * score_credit


def _close_enough(gold: Labels, gold_score: float, system: Labels, score: float) -> bool:
    """Return whether lenient matching accepts two different relations as the same type."""
    for theirs in gold:
        for ours in system:
            if theirs == ours:
                continue
            if theirs == "EQUI" and ours in _NEAR_EQUI and score >= _HIGH_SCORE:
                return True
            if ours == "EQUI" and theirs in _NEAR_EQUI and gold_score >= _HIGH_SCORE:
                return True
            if theirs in _WEAK and ours in _WEAK and max(score, gold_score) < _LOW_SCORE:
                return True
    return False


@lru_cache(maxsize=1 << 12)
def main_label(labels: Labels) -> str:
    """Return the relation among a link's labels, or an unknown label or flag if it has none."""
    for relation in Relation:
        if relation.value in labels:
            return relation.value
    unknown = labels - set(Flag.__members__)
    return min(unknown) if unknown else "FACT" if "FACT" in labels else "POL"


def _count_lone_tokens(gold: Annotation, system: Annotation, cells: Cells) -> None:
    for side, skip in ((1, gold.punctuation1), (2, gold.punctuation2)):
        in_gold = _lone_labels(gold, side, skip)
        in_system = _lone_labels(system, side, skip)
        for token in in_gold.keys() | in_system.keys():
            theirs, ours = in_gold.get(token, NONE), in_system.get(token, NONE)
            _add(cells, theirs, ours, float(theirs != NONE), float(ours != NONE))


def _lone_labels(annotation: Annotation, side: int, skip: Tokens) -> dict[int, str]:
    return {
        token: main_label(lone.labels)
        for lone in annotation.lone
        if lone.side == side
        for token in lone.tokens
        if token not in skip
    }


def _add(
    cells: Cells,
    gold_label: str,
    system_label: str,
    in_gold: float,
    in_system: float,
) -> None:
    old_gold, old_system = cells.get((gold_label, system_label), (0.0, 0.0))
    cells[gold_label, system_label] = (old_gold + in_gold, old_system + in_system)
