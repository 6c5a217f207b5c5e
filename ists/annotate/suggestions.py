"""A model's suggestions for a draft: chunks in the chunking steps, then links and labels."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any

from ists.annotate.draft import SIDES, Draft, Side, Starts, Step, starts_around
from ists.formats.brackets import Chunks
from ists.formats.sentences import InputSentence
from ists.pairs import MAX_SCORE, Alignment, Chunk, Relation, SentencePair

Align = Callable[[InputSentence, InputSentence], SentencePair]
_PAIRS_REMEMBERED = 64


class Suggester:
    """Suggests chunks and links by a model; results are cached for repeated requests."""

    def __init__(self, align: Align) -> None:
        self._align = lru_cache(maxsize=_PAIRS_REMEMBERED)(align)
        self._one_at_a_time = Lock()

    def suggest(self, draft: Draft) -> dict[str, Any]:
        """Return the model's suggestions for the draft's current step."""
        if draft.step in (Step.CHUNKS1, Step.CHUNKS2):
            return {"starts": self._starts(draft, 1 if draft.step is Step.CHUNKS1 else 2)}
        pair = self._aligned(*(InputSentence(chunks=_chunks(draft, side)) for side in SIDES))
        links = sorted(pair.links, key=_strength, reverse=True)
        lone = (alignment for alignment in pair.alignments if not alignment.is_link)
        return {"links": [_link(draft, link) for link in links], "alone": [*map(_alone, lone)]}

    def differs(self, draft: Draft) -> bool:
        """Whether the model would link or label the draft's chunks in another way."""
        found = self.suggest(replace(draft, step=Step.LINKS))
        links = {(link["firsts"], link["seconds"], link["relation"]) for link in found["links"]}
        alone = {(one["side"], one["start"], one["relation"]) for one in found["alone"]}
        return {(link.firsts, link.seconds, link.relation) for link in draft.links} != links or {
            (one.side, one.start, one.relation) for one in draft.alone
        } != alone

    def confidence(self, draft: Draft) -> float:
        """Return the mean probability that the model gives to its decisions on a pair, 0 to 1."""
        if draft.step in (Step.CHUNKS1, Step.CHUNKS2):
            pair = self._aligned(*(InputSentence(tokens=words) for words in draft.words))
        else:
            pair = self._aligned(*(InputSentence(chunks=_chunks(draft, side)) for side in SIDES))
        found = [_certainty(alignment) for alignment in pair.alignments]
        return sum(found) / len(found) if found else 1.0

    def _starts(self, draft: Draft, side: Side) -> Starts:
        pair = self._aligned(*(InputSentence(tokens=words) for words in draft.words))
        chunks = pair.chunks1 if side == 1 else pair.chunks2
        return starts_around(chunks, len(draft.words[side - 1]))

    def _aligned(self, sentence1: InputSentence, sentence2: InputSentence) -> SentencePair:
        with self._one_at_a_time:
            return self._align(sentence1, sentence2)


def _chunks(draft: Draft, side: Side) -> Chunks:
    words = draft.words[side - 1]
    return tuple(
        tuple(words[token - 1] for token in draft.chunk(side, start).tokens)
        for start in draft.starts[side - 1]
    )


def _certainty(alignment: Alignment) -> float:
    evidence = alignment.evidence
    if evidence is None:
        return 0.0
    return evidence.label * (1.0 if evidence.link is None else evidence.link)


def _strength(link: Alignment) -> tuple[float, float]:
    return link.score or 0, _probability(link)


def _probability(alignment: Alignment) -> float:
    return (alignment.evidence.link or 0) if alignment.evidence else 0


def _link(draft: Draft, link: Alignment) -> dict[str, Any]:
    return {
        "firsts": _starts_in(draft, 1, link.chunk1),
        "seconds": _starts_in(draft, 2, link.chunk2),
        "score": _whole(link),
        "relation": link.relation,
        "flags": sorted(link.flags),
        "probability": _probability(link),
        "why": " ".join(link.evidence.why) if link.evidence else "",
    }


def _starts_in(draft: Draft, side: Side, chunk: Chunk | None) -> Starts:
    tokens = {*chunk.tokens} if chunk else set()
    return tuple(start for start in draft.starts[side - 1] if start in tokens)


def _whole(link: Alignment) -> int:
    """The score rounded to a whole number that agrees with the label."""
    if link.relation is Relation.EQUI:
        return MAX_SCORE
    return min(max(round(link.score or 0), 1), MAX_SCORE - 1)


def uncertain_first(drafts: Iterable[Draft], suggester: Suggester) -> list[int]:
    """Return the indices of drafts, those that the model is least sure of first."""
    confidences = [suggester.confidence(draft) for draft in drafts]
    return sorted(range(len(confidences)), key=lambda place: (confidences[place], place))


def _alone(alignment: Alignment) -> dict[str, Any]:
    chunk = alignment.chunk1 or alignment.chunk2
    return {
        "side": 1 if alignment.chunk1 else 2,
        "start": chunk.tokens[0] if chunk else None,
        "relation": alignment.relation,
        "why": " ".join(alignment.evidence.why) if alignment.evidence else "",
    }
