"""Draft of a pair's annotation: an immutable value with its current step and decisions.

The guidelines' procedure is a sequence of steps. Each sentence is split into chunks separately,
then chunks are linked, scored and labelled, then the remaining chunks are labelled as unaligned.
Chunks are represented by their first tokens, so that every token is always in exactly one chunk. A
link has one chunk of each sentence, in the 2016 edition one or more.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import pairwise
from typing import Any, Literal

from ists.errors import FormatError
from ists.explanation.wording import words_of
from ists.formats.problems import problem_at, problems_of
from ists.pairs import (
    UNFINISHED,
    Alignment,
    Chunk,
    Edition,
    Flag,
    Relation,
    Sentence,
    SentencePair,
    commented,
)

Side = Literal[1, 2]
Starts = tuple[int, ...]
Node = tuple[Side, int]
"""A chunk: its sentence and its first token."""
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
    """Linked chunks of both sentences, by their first tokens; the score is set before the label."""

    firsts: Starts
    seconds: Starts
    score: float | None = None
    relation: Relation | None = None
    flags: frozenset[Flag] = frozenset()

    @property
    def first(self) -> int:
        """The first token of its first chunk in sentence 1."""
        return self.firsts[0]

    @property
    def is_group(self) -> bool:
        """Whether it has several chunks of a sentence, which only the 2016 edition allows."""
        return len(self.firsts) + len(self.seconds) > len(SIDES)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All its chunks."""
        return tuple((side, start) for side in SIDES for start in self.starts(side))

    def starts(self, side: Side) -> Starts:
        """The first tokens of its chunks in one sentence, from left to right."""
        return self.firsts if side == 1 else self.seconds

    def with_starts(self, side: Side, starts: Iterable[int]) -> "Link":
        """Return the link with other chunks of one sentence."""
        ordered = tuple(sorted(starts))
        return replace(self, firsts=ordered) if side == 1 else replace(self, seconds=ordered)


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
    edition: Edition = "2015"
    """The edition whose rules the annotation follows."""

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

    def linked_chunk(self, link: Link, side: Side) -> Chunk:
        """All tokens of a link in one sentence."""
        chunks = (self.chunk(side, start) for start in link.starts(side))
        return Chunk(tuple(token for chunk in chunks for token in chunk.tokens))

    def linked_text(self, link: Link, side: Side) -> str:
        """The words of a link in one sentence, with ``…`` for gaps."""
        return words_of(self.linked_chunk(link, side), Sentence(tokens=self.words[side - 1]))

    def link_name(self, link: Link) -> str:
        """The words of a link in both sentences."""
        return f"‘{self.linked_text(link, 1)}’ ⇔ ‘{self.linked_text(link, 2)}’"

    def link_at(self, side: Side, start: int) -> Link | None:
        """The link of a chunk, if it has one."""
        return next((link for link in self.links if start in link.starts(side)), None)

    def alone_at(self, side: Side, start: int) -> Alone | None:
        """The label of an unaligned chunk, if it has one."""
        return next((one for one in self.alone if (one.side, one.start) == (side, start)), None)

    def undecided(self) -> list[Node]:
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
                chunks = self.linked_chunk(link, 1), self.linked_chunk(link, 2)
                yield Alignment(*chunks, link.relation, link.score, link.flags)
        for one in sorted(self.alone, key=lambda one: (one.side, one.start)):
            chunk = self.chunk(one.side, one.start)
            first, second = (chunk, None) if one.side == 1 else (None, chunk)
            yield Alignment(first, second, one.relation, one.score, one.flags)


def fresh(words1: Iterable[str], words2: Iterable[str], edition: Edition = "2015") -> Draft:
    """Create a draft without decisions: each sentence is one chunk."""
    words = tuple(words1), tuple(words2)
    return Draft(words, (_one_chunk(words[0]), _one_chunk(words[1])), edition=edition)


def chunked(draft: Draft, starts1: Starts, starts2: Starts) -> Draft:
    """Return the draft with given chunks for both sentences, at the step of linking."""
    return replace(draft, starts=(starts1, starts2), step=Step.LINKS)


def _one_chunk(words: tuple[str, ...]) -> Starts:
    return (1,) if words else ()


def draft_of(pair: SentencePair, edition: Edition = "2015") -> Draft:
    """Create the draft of a pair from a file, with its annotations.

    In the 2016 edition, each contiguous part of a chunk with gaps is a chunk, and links that share
    a token, which the official gold has, become one group.
    """
    _reject_what_has_no_draft(pair, edition)
    words = pair.sentence1.words, pair.sentence2.words
    starts1, starts2 = (
        starts_around(chunks, len(words[side - 1]))
        for side, chunks in zip(SIDES, (pair.chunks1, pair.chunks2), strict=True)
    )
    links = (
        Link(_within(a.chunk1, starts1), _within(a.chunk2, starts2), a.score, a.relation, a.flags)
        for a in pair.alignments
        if a.chunk1 and a.chunk2
    )
    alones = tuple(_alones(pair.alignments, (starts1, starts2)))
    draft = Draft(words, (starts1, starts2), _merged(links), alones, edition=edition)
    if not _sound(draft):
        for place, reason in pair.violations():
            if "used twice" in reason:
                raise problem_at(pair, place, f"{reason}, linked and unaligned").error()
    return at_step(draft, _step_reached(pair, draft))


def _within(chunk: Chunk, starts: Starts) -> Starts:
    """First tokens of the contiguous chunks that a chunk consists of."""
    tokens = {*chunk.tokens}
    return tuple(start for start in starts if start in tokens)


def _merged(links: Iterable[Link]) -> tuple[Link, ...]:
    """Join links that share a chunk; if their scores or labels differ, the group has none."""
    merged: list[Link] = []
    for link in links:
        sharing = [other for other in merged if {*other.nodes} & {*link.nodes}]
        merged = [other for other in merged if other not in sharing]
        merged.append(reduce(_one_group, sharing, link))
    return tuple(merged)


def _one_group(one: Link, two: Link) -> Link:
    firsts, seconds = (tuple(sorted({*one.starts(side), *two.starts(side)})) for side in SIDES)
    alike = (one.score, one.relation, one.flags) == (two.score, two.relation, two.flags)
    return replace(one, firsts=firsts, seconds=seconds) if alike else Link(firsts, seconds)


def at_step(draft: Draft, step: Step) -> Draft:
    """Return the draft at another step; a pair that is done stays done."""
    return replace(draft, step=step, confirmed=draft.done or step is Step.DONE)


def _reject_what_has_no_draft(pair: SentencePair, edition: Edition) -> None:
    for place, reason in pair.stray_tokens():
        raise problem_at(pair, place, reason).error()
    for problem in problems_of(pair, edition):
        hint = " (--edition 2016 allows this)" if not any(problems_of(pair, "2016")) else ""
        raise replace(problem, reason=problem.reason + hint).error()
    for side, sentence in zip(SIDES, (pair.sentence1, pair.sentence2), strict=True):
        if sentence.tokens is None and sentence.text is None:
            file = pair.origin.file if pair.origin else ""
            raise FormatError(f"pair {pair.id}: no sentence {side}", file, pair.line_of(None))


def starts_around(chunks: Iterable[Chunk], length: int) -> Starts:
    """First tokens of the chunks, and of the tokens between them, which form chunks as well."""
    parts = (part for chunk in chunks for part in chunk.parts)
    edges = {edge for part in parts for edge in (part.tokens[0], part.tokens[-1] + 1)}
    return tuple(sorted(({1} | edges) & set(range(1, length + 1))))


def _alones(alignments: Iterable[Alignment], starts: tuple[Starts, Starts]) -> Iterator[Alone]:
    for alignment in alignments:
        if not alignment.is_link:
            side: Side = 1 if alignment.chunk1 else 2
            chunk = alignment.chunk1 or alignment.chunk2
            for start in _within(chunk, starts[side - 1]) if chunk else ():
                yield Alone(side, start, alignment.relation, alignment.flags, alignment.score)


def _step_reached(pair: SentencePair, draft: Draft) -> Step:
    ruled = not any(pair.violations()) and not any(missing_in_rest(draft))
    if pair.status != UNFINISHED and ruled:
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
        name = draft.link_name(link)
        if link.score is None:
            yield f"{name} has no score"
        elif link.relation is None:
            yield f"{name} has no label"
        else:
            for reason in misfits(link.score, link.relation):
                yield f"{name}: {reason}"


def missing_in_rest(draft: Draft) -> Iterator[str]:
    """Yield the undecided chunks, and unaligned chunks with a score or a label not allowed."""
    labels = " or ".join(lone_labels(draft.edition))
    for side, start in draft.undecided():
        yield f"‘{draft.text(side, start)}’ of sentence {side} needs {labels}"
    for one in draft.alone:
        name = f"‘{draft.text(one.side, one.start)}’ of sentence {one.side}"
        if one.score is not None:
            yield f"{name} has a score, {one.relation} has none: label it again"
        elif one.relation not in lone_labels(draft.edition):
            yield f"{name} has {one.relation}, which this edition lacks: it needs {labels}"


def lone_labels(edition: Edition) -> tuple[Relation, ...]:
    """Return the labels for unaligned chunks: the 2016 edition has no ALIC."""
    return (Relation.NOALI, Relation.ALIC) if edition == "2015" else (Relation.NOALI,)


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
            [
                *(_plain(link.starts(side)) for side in SIDES),
                link.score,
                link.relation,
                sorted(link.flags),
            ]
            for link in draft.links
        ],
        "alone": [
            [one.side, one.start, one.relation, sorted(one.flags), one.score] for one in draft.alone
        ],
    }


def _plain(starts: Starts) -> int | list[int]:
    """Return one chunk as a number, several as a list: journals of 2015 have only numbers."""
    return starts[0] if len(starts) == 1 else list(starts)


def _from_plain(value: Any) -> Starts:
    return (value,) if isinstance(value, int) else tuple(value)


def draft_from(
    state: dict[str, Any],
    words: tuple[tuple[str, ...], tuple[str, ...]],
    edition: Edition = "2015",
) -> Draft:
    """Restore a draft from the data of `state_of`; invalid data is a `ValueError`."""
    try:
        draft = Draft(
            words,
            (tuple(state["starts"][0]), tuple(state["starts"][1])),
            tuple(
                Link(
                    _from_plain(firsts),
                    _from_plain(seconds),
                    score,
                    Relation(name) if name else None,
                    _flags(flags),
                )
                for firsts, seconds, score, name, flags in state["links"]
            ),
            tuple(
                Alone(side, start, Relation(name), _flags(flags), score)
                for side, start, name, flags, score in state["alone"]
            ),
            Step(state["step"]),
            state.get("done") is True,
            edition,
        )
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"not the state of a pair: {error}") from None
    if not _sound(draft):
        raise ValueError("its chunks are not those of the sentences")
    if edition == "2015" and any(link.is_group for link in draft.links):
        raise ValueError("it has a group of chunks, which needs --edition 2016")
    return draft


def _flags(names: Iterable[str]) -> frozenset[Flag]:
    return frozenset(map(Flag, names))


def _sound(draft: Draft) -> bool:
    """Whether all links and labels refer to existing chunks, and each chunk is used once."""
    used = [node for link in draft.links for node in link.nodes]
    used += [(one.side, one.start) for one in draft.alone]
    chunks = {(side, start) for side in SIDES for start in draft.starts[side - 1]}
    return (
        all(sound_starts(draft.starts[side - 1], len(draft.words[side - 1])) for side in SIDES)
        and len(set(used)) == len(used)
        and set(used) <= chunks
        and all(_in_order(link.firsts) and _in_order(link.seconds) for link in draft.links)
    )


def _in_order(starts: Starts) -> bool:
    return bool(starts) and all(a < b for a, b in pairwise(starts))


def sound_starts(starts: Starts, length: int) -> bool:
    """Whether these first tokens are a valid chunking of a sentence of this length."""
    if not length:
        return not starts
    return starts[:1] == (1,) and starts[-1] <= length and _in_order(starts)
