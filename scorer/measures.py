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

from ists.compiled import kernels
from ists.sets import jaccard

Match = Literal["strict", "lenient"]
MATCHES: tuple[Match, ...] = ("strict", "lenient")

PUNCTUATION = frozenset(".,:'`?;\"-")

_TOKENS_WITH_BITS = 128
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
    bits: int = 0
    """A bit for each token of both chunks, to compare them quickly; 0 if a token has no bit."""

    @classmethod
    def of(cls, tokens1: Tokens, tokens2: Tokens, labels: Labels, score: float) -> "Link":
        """Create a link between two chunks whose tokens are in no other link."""
        sizes = len(tokens1), len(tokens2)
        weight, mass = 1 / max(sizes), float(min(sizes))
        return cls(tokens1, tokens2, labels, score, weight, mass, _all_bits(tokens1, tokens2))


def _all_bits(tokens1: Tokens, tokens2: Tokens) -> int:
    """Return the tokens' bits; 0 if a token has none."""
    bits = _bits(tokens1, tokens2)
    return bits if bits.bit_count() == len(tokens1) + len(tokens2) else 0


@lru_cache(maxsize=1 << 12)
def _bits(tokens1: Tokens, tokens2: Tokens) -> int:
    """Return a number with a bit for each token of both sentences that has one.

    The tokens of very long sentences and odd ones of malformed files have no bit.
    """
    bits = 0
    for place, tokens in enumerate((tokens1, tokens2)):
        for token in tokens:
            if 0 < token <= _TOKENS_WITH_BITS:
                bits |= 1 << 2 * token + place
    return bits


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
    judged = None
    if kernels is not None:
        skip = _bits(skip1, skip2) if skip1 or skip2 else 0
        judged = kernels.judge_links(gold.links, system.links, skip, match, _credit)
    if judged is None:
        judged = _judge_links(gold.links, system.links, skip1, skip2, match)
    in_system, in_gold, precision_hits, recall_hits = judged
    return PairCounts(
        pair_id,
        in_system,
        in_gold,
        Measures._make(precision_hits),
        Measures._make(recall_hits),
        (gold, system),
    )


_Hits = tuple[float, float, float, float]


def _judge_links(
    gold: Sequence[Link], system: Sequence[Link], skip1: Tokens, skip2: Tokens, match: Match
) -> tuple[float, float, _Hits, _Hits]:
    """Return the weights of the system's and the gold's links, and the hits weighted as in each."""
    gold_links, in_gold = weighted(gold, skip1, skip2)
    system_links, in_system = weighted(system, skip1, skip2)
    p_ali = p_type = p_score = p_both = r_ali = r_type = r_score = r_both = 0.0
    # Unrolled for speed: a loop over the four measures would dominate the run time.
    for theirs, ours, shared in overlaps(gold_links, system_links):
        p_weight, r_weight = shared * ours.weight, shared * theirs.weight
        type_, score, both = _credit(theirs.labels, theirs.score, ours.labels, ours.score, match)
        p_ali += p_weight
        r_ali += r_weight
        p_type += p_weight * type_
        r_type += r_weight * type_
        p_score += p_weight * score
        r_score += r_weight * score
        p_both += p_weight * both
        r_both += r_weight * both
    precision_hits, recall_hits = (p_ali, p_type, p_score, p_both), (r_ali, r_type, r_score, r_both)
    return in_system, in_gold, precision_hits, recall_hits


def overlaps(
    gold_links: Sequence[Link], system_links: Sequence[Link]
) -> list[tuple[Link, Link, int]]:
    """Return overlapping gold and system links with the number of token links they share."""
    at_chunks = {link.bits or (link.tokens1, link.tokens2): link for link in gold_links}
    at_token: dict[int, list[Link]] | None = None
    found = []
    for ours in system_links:
        same = at_chunks.get(ours.bits or (ours.tokens1, ours.tokens2))
        if same is not None:  # then no other gold link has these tokens
            found.append((same, ours, len(ours.tokens1) * len(ours.tokens2)))
            continue
        if at_token is None:
            at_token = _by_token(gold_links)
        near = {id(link): link for token in ours.tokens1 for link in at_token.get(token, ())}
        for theirs in near.values():
            shared = len(ours.tokens1 & theirs.tokens1) * len(ours.tokens2 & theirs.tokens2)
            if shared:
                found.append((theirs, ours, shared))
    return found


def _by_token(links: Iterable[Link]) -> dict[int, list[Link]]:
    """Return the links of each token of sentence 1."""
    found: dict[int, list[Link]] = {}
    for link in links:
        for token in link.tokens1:
            found.setdefault(token, []).append(link)
    return found


def weighted(links: Sequence[Link], skip1: Tokens, skip2: Tokens) -> tuple[Sequence[Link], float]:
    """Return a file's links without punctuation, with weights over the whole pair, and their mass.

    The mass is the total weight of all token links.
    """
    seen = _bits(skip1, skip2) if skip1 or skip2 else 0
    mass = 0.0
    for link in links:
        bits = link.bits
        if seen & bits or not bits:
            break
        seen |= bits
        mass += link.mass
    else:  # no token is in two links, none is punctuation
        return links, mass
    links = _one_to_one(links, skip1, skip2)
    return links, sum([link.mass for link in links], 0.0)


def _one_to_one(links: Sequence[Link], skip1: Tokens, skip2: Tokens) -> Sequence[Link]:
    chunks1, chunks2, *_ = zip(*links, strict=True)
    used1, used2 = NO_TOKENS.union(*chunks1), NO_TOKENS.union(*chunks2)
    if not (skip1.isdisjoint(used1) and skip2.isdisjoint(used2)):
        return weighted([*_without(links, skip1, skip2)], NO_TOKENS, NO_TOKENS)[0]
    one_to_one = len(used1) == sum(map(len, chunks1)) and len(used2) == sum(map(len, chunks2))
    return links if one_to_one else single_links(links)


def _without(links: Iterable[Link], skip1: Tokens, skip2: Tokens) -> Iterator[Link]:
    """Yield links without the tokens to skip; a link with no other tokens in a chunk is dropped."""
    for link in links:
        tokens1, tokens2 = link.tokens1 - skip1, link.tokens2 - skip2
        if len(tokens1) == len(link.tokens1) and len(tokens2) == len(link.tokens2):
            yield link
        elif tokens1 and tokens2:
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
        tokens1, tokens2 = frozenset({token1}), frozenset({token2})
        bits = _all_bits(tokens1, tokens2)
        singles.append(Link(tokens1, tokens2, link.labels, link.score, weight, weight, bits))
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
