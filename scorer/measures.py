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

from ists.sets import jaccard

Match = Literal["strict", "lenient"]
MATCHES: tuple[Match, ...] = ("strict", "lenient")

PUNCTUATION = frozenset(".,:'`?;\"-")

_LARGEST_DIFFERENCE = 5
_NEAR_EQUI = frozenset({"SIMI", "SPE1", "SPE2"})
_WEAK = frozenset({"SPE1", "SPE2", "SIMI", "REL"})
_HIGH_SCORE = 4
_LOW_SCORE = 3

Labels = frozenset[str]
Tokens = frozenset[int]
NO_TOKENS: Tokens = frozenset()


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
    punctuation1: Tokens = NO_TOKENS
    punctuation2: Tokens = NO_TOKENS


class PairCounts(NamedTuple):
    """The sufficient statistics of one pair: sums of weights."""

    id: str
    system: float
    """The weight of all of the system's links."""
    gold: float
    """The weight of all of the gold's links."""
    precision_hits: Measures
    """The credit of the links in both files, weighted as in the system."""
    recall_hits: Measures
    """The credit of the links in both files, weighted as in the gold."""
    annotations: tuple[Annotation, Annotation]
    """The gold's and the system's annotation that were compared."""

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
    gold_links = weighted(gold.links, skip1, skip2)
    system_links = weighted(system.links, skip1, skip2)
    p_ali = p_type = p_score = p_both = r_ali = r_type = r_score = r_both = 0.0
    # Unrolled for speed: a loop over the four measures would dominate the run time.
    for theirs, ours, shared in overlaps(gold_links, system_links):
        in_system, in_gold = shared * ours.weight, shared * theirs.weight
        type_, score, both = _credit(theirs.labels, theirs.score, ours.labels, ours.score, match)
        p_ali, r_ali = p_ali + in_system, r_ali + in_gold
        p_type, r_type = p_type + in_system * type_, r_type + in_gold * type_
        p_score, r_score = p_score + in_system * score, r_score + in_gold * score
        p_both, r_both = p_both + in_system * both, r_both + in_gold * both
    return PairCounts(
        pair_id,
        sum([link.mass for link in system_links]),
        sum([link.mass for link in gold_links]),
        Measures(p_ali, p_type, p_score, p_both),
        Measures(r_ali, r_type, r_score, r_both),
        (gold, system),
    )


def overlaps(
    gold_links: Sequence[Link], system_links: Sequence[Link]
) -> Iterator[tuple[Link, Link, int]]:
    """Yield overlapping gold and system links with the number of token links they share."""
    at_chunks = {(link.tokens1, link.tokens2): link for link in gold_links}
    at_token: dict[int, list[Link]] | None = None
    for ours in system_links:
        same = at_chunks.get((ours.tokens1, ours.tokens2))
        if same is not None:  # then no other gold link has these tokens
            yield same, ours, len(ours.tokens1) * len(ours.tokens2)
            continue
        if at_token is None:
            at_token = _by_token(gold_links)
        near = {id(link): link for token in ours.tokens1 for link in at_token.get(token, ())}
        for theirs in near.values():
            shared = len(ours.tokens1 & theirs.tokens1) * len(ours.tokens2 & theirs.tokens2)
            if shared:
                yield theirs, ours, shared


def _by_token(links: Iterable[Link]) -> dict[int, list[Link]]:
    """Return the links of each token of sentence 1."""
    found: dict[int, list[Link]] = {}
    for link in links:
        for token in link.tokens1:
            found.setdefault(token, []).append(link)
    return found


def weighted(links: Sequence[Link], skip1: Tokens, skip2: Tokens) -> Sequence[Link]:
    """Return a file's links without punctuation, with weights over the whole sentence pair."""
    if not links:
        return ()
    chunks1, chunks2, *_ = zip(*links, strict=True)
    used1, used2 = NO_TOKENS.union(*chunks1), NO_TOKENS.union(*chunks2)
    if not (skip1.isdisjoint(used1) and skip2.isdisjoint(used2)):
        return weighted([*_without(links, skip1, skip2)], NO_TOKENS, NO_TOKENS)
    one_to_one = len(used1) == sum(map(len, chunks1)) and len(used2) == sum(map(len, chunks2))
    return links if one_to_one else single_links(links)


def _without(links: Iterable[Link], skip1: Tokens, skip2: Tokens) -> Iterator[Link]:
    """Yield links without the tokens to skip; a link with no other tokens in a chunk is dropped."""
    for link in links:
        tokens1, tokens2 = link.tokens1 - skip1, link.tokens2 - skip2
        if tokens1 and tokens2:
            yield Link.of(tokens1, tokens2, link.labels, link.score)


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
