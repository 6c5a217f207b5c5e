"""Draft of a pair's annotation: an immutable value with its current step and decisions.

The guidelines' procedure is a sequence of steps. Each sentence is split into chunks separately,
then chunks are linked, scored and labelled, then the remaining chunks are labelled as unaligned.
Chunks are represented by their first tokens, so that every token is always in exactly one chunk.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any, Literal

from ists.errors import FormatError
from ists.formats.problems import problems_of
from ists.pairs import (
    UNFINISHED,
    Alignment,
    Chunk,
    Flag,
    Relation,
    Sentence,
    SentencePair,
    commented,
)

Side = Literal[1, 2]
Starts = tuple[int, ...]
SIDES: tuple[Side, Side] = (1, 2)


class Step(StrEnum):
    """The steps of the procedure, in order."""

    CHUNKS1 = "chunks1"
    CHUNKS2 = "chunks2"
    LINKS = "links"
    REST = "rest"
    DONE = "done"

    @property
    def place(self) -> int:
        """Index of the step in the procedure."""
        return list(Step).index(self)


@dataclass(frozen=True, slots=True)
class Link:
    """Two linked chunks, by their first tokens; the score is set first, then the label."""

    first: int
    second: int
    score: float | None = None
    relation: Relation | None = None
    flags: frozenset[Flag] = frozenset()

    def start(self, side: Side) -> int:
        """The first token of its chunk on one side."""
        return self.first if side == 1 else self.second


@dataclass(frozen=True, slots=True)
class Alone:
    """An unaligned chunk, by its first token, and its label."""

    side: Side
    start: int
    relation: Relation
    flags: frozenset[Flag] = frozenset()
    score: float | None = None
    """Not allowed by the guidelines, but found in files, even in the official gold."""


@dataclass(frozen=True)
class Draft:
    """Two sentences and the annotator's decisions so far."""

    words: tuple[tuple[str, ...], tuple[str, ...]]
    starts: tuple[Starts, Starts]
    links: tuple[Link, ...] = ()
    """In the order of their creation: by the guidelines, from the strongest to the weakest."""
    alone: tuple[Alone, ...] = ()
    step: Step = Step.CHUNKS1
    confirmed: bool = False
    """Whether the pair was done and no decision has changed since, whatever step is shown."""

    @property
    def done(self) -> bool:
        """Whether the annotator has finished the pair."""
        return self.confirmed or self.step is Step.DONE

    @property
    def decisions(self) -> tuple[tuple[Starts, Starts], tuple[Link, ...], tuple[Alone, ...]]:
        """Chunks, links and labels, without the step."""
        return self.starts, self.links, self.alone

    def chunk(self, side: Side, start: int) -> Chunk:
        """The chunk that starts with a token."""
        starts = self.starts[side - 1]
        ends = (*starts[1:], len(self.words[side - 1]) + 1)
        return Chunk(tuple(range(start, ends[starts.index(start)])))

    def text(self, side: Side, start: int) -> str:
        """The words of a chunk."""
        return self.chunk(side, start).text(self.words[side - 1])

    def link_at(self, side: Side, start: int) -> Link | None:
        """The link of a chunk, if it has one."""
        return next((link for link in self.links if link.start(side) == start), None)

    def alone_at(self, side: Side, start: int) -> Alone | None:
        """The label of an unaligned chunk, if it has one."""
        return next((one for one in self.alone if (one.side, one.start) == (side, start)), None)

    def undecided(self) -> list[tuple[Side, int]]:
        """The chunks that are neither linked nor labelled as unaligned."""
        return [
            (side, start)
            for side in SIDES
            for start in self.starts[side - 1]
            if self.link_at(side, start) is None and self.alone_at(side, start) is None
        ]

    def alignments(self) -> Iterator[Alignment]:
        """Yield the complete alignments, from left to right: links first, then unaligned chunks."""
        for link in sorted(self.links, key=lambda link: link.first):
            if link.score is not None and link.relation is not None:
                chunks = self.chunk(1, link.first), self.chunk(2, link.second)
                yield Alignment(*chunks, link.relation, link.score, link.flags)
        for one in sorted(self.alone, key=lambda one: (one.side, one.start)):
            chunk = self.chunk(one.side, one.start)
            first, second = (chunk, None) if one.side == 1 else (None, chunk)
            yield Alignment(first, second, one.relation, one.score, one.flags)


def fresh(words1: Iterable[str], words2: Iterable[str]) -> Draft:
    """Create a draft without decisions: each sentence is one chunk."""
    words = tuple(words1), tuple(words2)
    return Draft(words, (_one_chunk(words[0]), _one_chunk(words[1])))


def chunked(draft: Draft, starts1: Starts, starts2: Starts) -> Draft:
    """Return the draft with given chunks for both sentences, at the step of linking."""
    return replace(draft, starts=(starts1, starts2), step=Step.LINKS)


def _one_chunk(words: tuple[str, ...]) -> Starts:
    return (1,) if words else ()


def draft_of(pair: SentencePair) -> Draft:
    """Create the draft of a pair from a file, with its annotations."""
    _reject_what_has_no_draft(pair)
    words = pair.sentence1.words, pair.sentence2.words
    draft = Draft(
        words,
        (_starts(pair.chunks1, len(words[0])), _starts(pair.chunks2, len(words[1]))),
        tuple(
            Link(a.chunk1.tokens[0], a.chunk2.tokens[0], a.score, a.relation, a.flags)
            for a in pair.alignments
            if a.chunk1 and a.chunk2
        ),
        tuple(_alones(pair.alignments)),
    )
    return at_step(draft, _step_reached(pair, draft))


def at_step(draft: Draft, step: Step) -> Draft:
    """Return the draft at another step; a pair that is done stays done."""
    return replace(draft, step=step, confirmed=draft.done or step is Step.DONE)


def _reject_what_has_no_draft(pair: SentencePair) -> None:
    for problem in problems_of(pair, "2015"):
        raise problem.error()
    for side, sentence in zip(SIDES, (pair.sentence1, pair.sentence2), strict=True):
        if sentence.tokens is None and sentence.text is None:
            file = pair.origin.file if pair.origin else ""
            raise FormatError(f"pair {pair.id}: no sentence {side}", file, pair.line_of(None))


def _starts(chunks: Iterable[Chunk], length: int) -> Starts:
    """First tokens of the chunks, and of the tokens between them, which form chunks as well."""
    edges = {edge for chunk in chunks for edge in (chunk.tokens[0], chunk.tokens[-1] + 1)}
    return tuple(sorted(({1} | edges) & set(range(1, length + 1))))


def _alones(alignments: Iterable[Alignment]) -> Iterator[Alone]:
    for alignment in alignments:
        if not alignment.is_link:
            side: Side = 1 if alignment.chunk1 else 2
            chunk = alignment.chunk1 or alignment.chunk2
            if chunk is not None:
                yield Alone(
                    side, chunk.tokens[0], alignment.relation, alignment.flags, alignment.score
                )


def _step_reached(pair: SentencePair, draft: Draft) -> Step:
    if pair.status != UNFINISHED and not draft.undecided() and not any(pair.violations()):
        return Step.DONE
    unused = {side for side, _ in draft.undecided()}
    if not unused:
        return Step.REST if draft.alone and not any(missing_in_links(draft)) else Step.LINKS
    return Step.CHUNKS1 if 1 in unused else Step.CHUNKS2


def pair_of(draft: Draft, original: SentencePair, status: str = "") -> SentencePair:
    """Return the pair for the file: all decisions, and `status` if the pair is done."""
    sentence1, sentence2 = (
        Sentence(sentence.text, words)
        for sentence, words in zip(
            (original.sentence1, original.sentence2), draft.words, strict=True
        )
    )
    return SentencePair(
        original.id,
        sentence1,
        sentence2,
        commented(draft.alignments(), sentence1, sentence2),
        status if draft.done else UNFINISHED,
    )


def missing(draft: Draft) -> tuple[str, ...]:
    """List the decisions that are missing before the pair is done.

    During chunking, the list does not reveal any words of the other sentence.
    """
    if draft.step is Step.CHUNKS1:
        return ("the chunks of sentence 1", "the chunks of sentence 2", "links and labels")
    if draft.step is Step.CHUNKS2:
        return ("the chunks of sentence 2", "links and labels")
    found = list(missing_in_links(draft))
    undecided = draft.undecided()
    if draft.step is Step.LINKS and undecided:
        noun = "chunk is" if len(undecided) == 1 else "chunks are"
        found.append(f"{len(undecided)} {noun} not linked: the next step asks why")
    else:
        found += missing_in_rest(draft)
    return tuple(found)


def missing_in_links(draft: Draft) -> Iterator[str]:
    """Yield the links that lack a score or a label, or whose score and label do not agree."""
    for link in draft.links:
        name = f"‘{draft.text(1, link.first)}’ ⇔ ‘{draft.text(2, link.second)}’"
        if link.score is None:
            yield f"{name} has no score"
        elif link.relation is None:
            yield f"{name} has no label"
        else:
            for reason in misfits(link.score, link.relation):
                yield f"{name}: {reason}"


def missing_in_rest(draft: Draft) -> Iterator[str]:
    """Yield the undecided chunks, and unaligned chunks with a score."""
    for side, start in draft.undecided():
        yield f"‘{draft.text(side, start)}’ of sentence {side} needs NOALI or ALIC"
    for one in draft.alone:
        if one.score is not None:
            name = f"‘{draft.text(one.side, one.start)}’ of sentence {one.side}"
            yield f"{name} has a score, {one.relation} has none: label it again"


def misfits(score: float, relation: Relation) -> tuple[str, ...]:
    """Return the reasons why the score and label of a link do not agree, if any."""
    return tuple(Alignment(Chunk((1,)), Chunk((1,)), relation, score).violations())


def state_of(draft: Draft) -> dict[str, Any]:
    """Return all of a draft but its words as plain data."""
    return {
        "step": draft.step.value,
        "done": draft.done,
        "starts": [list(starts) for starts in draft.starts],
        "links": [
            [link.first, link.second, link.score, link.relation, sorted(link.flags)]
            for link in draft.links
        ],
        "alone": [
            [one.side, one.start, one.relation, sorted(one.flags), one.score] for one in draft.alone
        ],
    }


def draft_from(state: dict[str, Any], words: tuple[tuple[str, ...], tuple[str, ...]]) -> Draft:
    """Restore a draft from the data of `state_of`; invalid data is a `ValueError`."""
    try:
        draft = Draft(
            words,
            (tuple(state["starts"][0]), tuple(state["starts"][1])),
            tuple(
                Link(first, second, score, Relation(name) if name else None, _flags(flags))
                for first, second, score, name, flags in state["links"]
            ),
            tuple(
                Alone(side, start, Relation(name), _flags(flags), score)
                for side, start, name, flags, score in state["alone"]
            ),
            Step(state["step"]),
            state.get("done") is True,
        )
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"not the state of a pair: {error}") from None
    if not _sound(draft):
        raise ValueError("its chunks are not those of the sentences")
    return draft


def _flags(names: Iterable[str]) -> frozenset[Flag]:
    return frozenset(map(Flag, names))


def _sound(draft: Draft) -> bool:
    """Whether all links and labels refer to existing chunks, and each chunk is used once."""
    used = [(side, link.start(side)) for link in draft.links for side in SIDES]
    used += [(one.side, one.start) for one in draft.alone]
    chunks = {(side, start) for side in SIDES for start in draft.starts[side - 1]}
    return (
        all(sound_starts(draft.starts[side - 1], len(draft.words[side - 1])) for side in SIDES)
        and len(set(used)) == len(used)
        and set(used) <= chunks
    )


def sound_starts(starts: Starts, length: int) -> bool:
    """Whether these first tokens are a valid chunking of a sentence of this length."""
    if not length:
        return not starts
    return starts[:1] == (1,) and starts[-1] <= length and all(a < b for a, b in pairwise(starts))
