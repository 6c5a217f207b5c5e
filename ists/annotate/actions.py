"""Actions of an annotator: each is a value that maps a draft to the next one.

An action that is not part of the current step, or that the guidelines forbid, raises a
`RejectedError` with the reason; drafts are immutable.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from ists.annotate.draft import (
    SIDES,
    Alone,
    Draft,
    Link,
    Node,
    Side,
    Starts,
    Step,
    at_step,
    lone_labels,
    misfits,
    missing_in_links,
    missing_in_rest,
    sound_starts,
)
from ists.errors import IstsError
from ists.pairs import MAX_SCORE, Flag, Relation


class RejectedError(IstsError):
    """The action is not allowed; the message tells the annotator why."""


class Action(Protocol):
    """An action, which maps a draft to the next one."""

    def apply(self, draft: Draft) -> Draft:
        """Return the next draft."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Begin a chunk at a token, or join it with the previous chunk if one begins there."""

    side: Side
    before: int

    def apply(self, draft: Draft) -> Draft:
        """Links and labels of the changed chunks are removed."""
        starts = set(draft.starts[self.side - 1]) ^ {self.before}
        return Recut(self.side, tuple(sorted(starts))).apply(draft)


@dataclass(frozen=True, slots=True)
class Recut:
    """Set all chunks of a sentence."""

    side: Side
    starts: Starts

    def apply(self, draft: Draft) -> Draft:
        """Links and labels of unchanged chunks are kept."""
        _at_step(draft, Step.CHUNKS1 if self.side == 1 else Step.CHUNKS2)
        if not sound_starts(self.starts, len(draft.words[self.side - 1])):
            raise RejectedError("no chunk can begin there")
        both = (self.starts, draft.starts[1]) if self.side == 1 else (draft.starts[0], self.starts)
        cut = replace(draft, starts=both)

        def stays(start: int) -> bool:
            return start in self.starts and cut.chunk(self.side, start) == draft.chunk(
                self.side, start
            )

        return _decided(
            draft,
            starts=both,
            links=tuple(link for link in draft.links if all(map(stays, link.starts(self.side)))),
            alone=tuple(one for one in draft.alone if one.side != self.side or stays(one.start)),
        )


@dataclass(frozen=True, slots=True)
class Advance:
    """Finish the step and go to the next."""

    def apply(self, draft: Draft) -> Draft:
        """The step for unaligned chunks is skipped if there are none."""
        if draft.step is Step.DONE:
            raise RejectedError("the pair is done")
        lacking: Iterable[str] = ()
        if draft.step is Step.LINKS:
            lacking = missing_in_links(draft)
        elif draft.step is Step.REST:
            lacking = (*missing_in_links(draft), *missing_in_rest(draft))
        for reason in lacking:
            raise RejectedError(f"not yet: {reason}")
        following = list(Step)[draft.step.place + 1]
        if following is Step.REST and not draft.alone and not draft.undecided():
            following = Step.DONE
        return at_step(draft, following)


@dataclass(frozen=True, slots=True)
class Return:
    """Go back to an earlier step, to look at its decisions or to change them."""

    step: Step

    def apply(self, draft: Draft) -> Draft:
        """The decisions of later steps are kept."""
        if self.step.place >= draft.step.place:
            raise RejectedError("finish the steps before it first")
        return at_step(draft, self.step)


@dataclass(frozen=True, slots=True)
class Connect:
    """Link a chunk of sentence 1 with one of sentence 2."""

    first: int
    second: int

    def apply(self, draft: Draft) -> Draft:
        """Every chunk is in one link at most: one that is already linked is rejected."""
        _at_step(draft, Step.LINKS)
        for side, start in zip(SIDES, (self.first, self.second), strict=True):
            _chunk_is_unlinked(draft, side, start)
        link = Link((self.first,), (self.second,))
        return _decided(draft, links=(*draft.links, link), alone=_alone_without(draft, link.nodes))


@dataclass(frozen=True, slots=True)
class Join:
    """Add a chunk of either sentence to a link, which makes it a group."""

    first: int
    side: Side
    start: int

    def apply(self, draft: Draft) -> Draft:
        """Score and label are kept."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if draft.edition == "2015":
            raise RejectedError("in the 2015 edition, a link has one chunk of each sentence")
        _chunk_is_unlinked(draft, self.side, self.start)
        joined = link.with_starts(self.side, (*link.starts(self.side), self.start))
        alone = _alone_without(draft, ((self.side, self.start),))
        return replace(_with_link(draft, link, joined), alone=alone)


@dataclass(frozen=True, slots=True)
class Leave:
    """Take a chunk out of its group."""

    side: Side
    start: int

    def apply(self, draft: Draft) -> Draft:
        """The last chunk of a sentence cannot leave its link."""
        _at_step(draft, Step.LINKS)
        link = draft.link_at(self.side, self.start)
        if link is None:
            raise RejectedError("this chunk is not linked")
        kept = [start for start in link.starts(self.side) if start != self.start]
        if not kept:
            raise RejectedError(
                f"‘{draft.text(self.side, self.start)}’ is the only chunk of sentence "
                f"{self.side} in this link: remove the link instead (D)"
            )
        return _with_link(draft, link, link.with_starts(self.side, kept))


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Remove a link."""

    first: int

    def apply(self, draft: Draft) -> Draft:
        """Its chunks become unlinked."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        return _decided(draft, links=tuple(one for one in draft.links if one != link))


@dataclass(frozen=True, slots=True)
class Score:
    """Set the similarity score of two linked chunks."""

    first: int
    score: int

    def apply(self, draft: Draft) -> Draft:
        """Score 5 sets EQUI; a label that does not agree with another score is removed."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if self.score == 0:
            raise RejectedError("0 means unrelated: remove the link instead (D)")
        if not 0 < self.score <= MAX_SCORE:
            raise RejectedError("a score is a number from 1 to 5")
        scored = replace(link, score=float(self.score))
        if link.relation is not None and misfits(self.score, link.relation):
            scored = replace(scored, relation=None, flags=frozenset())
        if self.score == MAX_SCORE:
            scored = replace(scored, relation=Relation.EQUI)
        return _with_link(draft, link, scored)


@dataclass(frozen=True, slots=True)
class Label:
    """Set the relation of two linked chunks."""

    first: int
    relation: Relation

    def apply(self, draft: Draft) -> Draft:
        """By the guidelines, the score comes before the label, and both must agree."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if not self.relation.links:
            raise RejectedError(f"{self.relation} is for unaligned chunks")
        if link.score is None:
            raise RejectedError("the score comes before the label")
        for _ in misfits(link.score, self.relation):
            raise RejectedError(
                "EQUI requires score 5"
                if self.relation is Relation.EQUI
                else f"score 5 is only for EQUI; {self.relation} is scored 1 to 4"
            )
        return _with_link(draft, link, replace(link, relation=self.relation))


@dataclass(frozen=True, slots=True)
class FlagLink:
    """Set or clear a flag of two linked chunks: a difference in factuality or polarity."""

    first: int
    flag: Flag

    def apply(self, draft: Draft) -> Draft:
        """A flag requires a label."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if link.relation is None:
            raise RejectedError(f"the label comes before {self.flag}")
        return _with_link(draft, link, replace(link, flags=link.flags ^ {self.flag}))


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept a suggested link with its score, label and flags."""

    firsts: Starts
    seconds: Starts
    score: int
    relation: Relation
    flags: frozenset[Flag]

    def apply(self, draft: Draft) -> Draft:
        """The result is the same as linking, scoring and labelling by hand."""
        if not self.firsts or not self.seconds:
            raise RejectedError("a link needs a chunk of each sentence")
        first = self.firsts[0]
        by_hand: list[Action] = [
            Connect(first, self.seconds[0]),
            *(Join(first, 1, start) for start in self.firsts[1:]),
            *(Join(first, 2, start) for start in self.seconds[1:]),
            Score(first, self.score),
            Label(first, self.relation),
            *(FlagLink(first, flag) for flag in sorted(self.flags)),
        ]
        for action in by_hand:
            draft = action.apply(draft)
        return draft


@dataclass(frozen=True, slots=True)
class LeaveAlone:
    """Label an unaligned chunk as NOALI or ALIC."""

    side: Side
    start: int
    relation: Relation

    def apply(self, draft: Draft) -> Draft:
        """The flags of an earlier label are kept."""
        _at_step(draft, Step.REST)
        _chunk_exists(draft, self.side, self.start)
        if self.relation.links:
            raise RejectedError(f"{self.relation} is for two linked chunks")
        if self.relation not in lone_labels(draft.edition):
            raise RejectedError(f"the {draft.edition} edition has no {self.relation}")
        if draft.link_at(self.side, self.start) is not None:
            raise RejectedError(f"‘{draft.text(self.side, self.start)}’ is linked")
        old = draft.alone_at(self.side, self.start)
        one = Alone(self.side, self.start, self.relation, old.flags if old else frozenset())
        return _decided(draft, alone=(*(o for o in draft.alone if o != old), one))


@dataclass(frozen=True, slots=True)
class FlagAlone:
    """Set or clear a flag of an unaligned chunk: a nuance of factuality or polarity."""

    side: Side
    start: int
    flag: Flag

    def apply(self, draft: Draft) -> Draft:
        """A flag requires a label."""
        _at_step(draft, Step.REST)
        old = draft.alone_at(self.side, self.start)
        if old is None:
            raise RejectedError(f"the label comes before {self.flag}")
        one = replace(old, flags=old.flags ^ {self.flag})
        return _decided(draft, alone=tuple(one if o == old else o for o in draft.alone))


@dataclass(frozen=True, slots=True)
class LeaveAllAlone:
    """Label all undecided chunks as NOALI."""

    def apply(self, draft: Draft) -> Draft:
        """Scores and labels that unaligned chunks may not have are replaced."""
        _at_step(draft, Step.REST)
        allowed = lone_labels(draft.edition)
        labelled = (
            replace(
                one,
                score=None,
                relation=one.relation if one.relation in allowed else Relation.NOALI,
            )
            for one in draft.alone
        )
        alone = (Alone(side, start, Relation.NOALI) for side, start in draft.undecided())
        return _decided(draft, alone=(*labelled, *alone))


@dataclass(frozen=True, slots=True)
class AcceptAll:
    """Accept several suggestions at once and finish the step if nothing is missing."""

    accepted: tuple[Action, ...]

    def apply(self, draft: Draft) -> Draft:
        """The result is the same as accepting one by one; it is one change to undo."""
        for action in self.accepted:
            draft = action.apply(draft)
        with suppress(RejectedError):
            draft = Advance().apply(draft)
        return draft


def _decided(draft: Draft, **decisions: Any) -> Draft:
    """Return the draft with changed decisions; a pair that was done must be finished again."""
    changed = replace(draft, **decisions)
    return changed if changed == draft else replace(changed, confirmed=False)


def _at_step(draft: Draft, step: Step) -> None:
    if draft.step is not step:
        raise RejectedError("this action belongs to another step")


def _chunk_exists(draft: Draft, side: Side, start: int) -> None:
    if start not in draft.starts[side - 1]:
        raise RejectedError("there is no such chunk")


def _chunk_is_unlinked(draft: Draft, side: Side, start: int) -> None:
    _chunk_exists(draft, side, start)
    if draft.link_at(side, start) is not None:
        raise RejectedError(f"‘{draft.text(side, start)}’ is linked already")


def _alone_without(draft: Draft, nodes: Iterable[Node]) -> tuple[Alone, ...]:
    linked = {*nodes}
    return tuple(one for one in draft.alone if (one.side, one.start) not in linked)


def _link(draft: Draft, first: int) -> Link:
    link = draft.link_at(1, first)
    if link is None:
        raise RejectedError("there is no such link")
    return link


def _with_link(draft: Draft, old: Link, new: Link) -> Draft:
    return _decided(draft, links=tuple(new if link == old else link for link in draft.links))


_NAMES: dict[str, type[Action]] = {
    "cut": Cut,
    "recut": Recut,
    "advance": Advance,
    "return": Return,
    "connect": Connect,
    "disconnect": Disconnect,
    "join": Join,
    "leave": Leave,
    "score": Score,
    "label": Label,
    "flag": FlagLink,
    "accept": Accept,
    "alone": LeaveAlone,
    "flag-alone": FlagAlone,
    "rest": LeaveAllAlone,
    "accept-all": AcceptAll,
}
_SUGGESTED = {"recut", "accept", "alone"}


def parse(record: dict[str, Any]) -> Action:
    """Parse an action sent by the page; an invalid record is a `ValueError`."""
    kind = _NAMES.get(str(record.get("do")))
    if kind is None:
        raise ValueError("no such action")
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    if set(record) != {"do", *names}:
        raise ValueError(f"expected {', '.join(['do', *names])}")
    return kind(**{name: _READERS[name](record[name]) for name in names})


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("expected a whole number")
    return value


def _side(value: object) -> Side:
    if value not in SIDES or isinstance(value, bool):
        raise ValueError("expected 1 or 2")
    return 1 if value == 1 else 2


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("expected a list")
    return value


def _numbers(value: object) -> Starts:
    return tuple(map(_number, _list(value)))


def _accepted(value: object) -> tuple[Action, ...]:
    records = _list(value)
    if not all(isinstance(record, dict) and record.get("do") in _SUGGESTED for record in records):
        raise ValueError(f"expected actions among {', '.join(sorted(_SUGGESTED))}")
    return tuple(parse(record) for record in records if isinstance(record, dict))


_READERS: dict[str, Callable[[Any], Any]] = {
    "side": _side,
    "before": _number,
    "start": _number,
    "starts": _numbers,
    "firsts": _numbers,
    "seconds": _numbers,
    "first": _number,
    "second": _number,
    "score": _number,
    "step": lambda value: Step(str(value)),
    "relation": lambda value: Relation(str(value)),
    "flag": lambda value: Flag(str(value)),
    "accepted": _accepted,
    "flags": lambda value: frozenset(Flag(str(name)) for name in _list(value)),
}
