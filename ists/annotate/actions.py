"""What an annotator can do to a draft: each action is a value that gives the next draft.

An action that the procedure does not allow now, or that the guidelines forbid, raises a
`RefusedError` with the reason; the draft stays as it is.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from ists.annotate.draft import (
    SIDES,
    Alone,
    Draft,
    Link,
    Side,
    Starts,
    Step,
    misfits,
    missing_in_links,
    missing_in_rest,
    sound_starts,
)
from ists.errors import IstsError
from ists.pairs import MAX_SCORE, Flag, Relation


class RefusedError(IstsError):
    """The action is not allowed; the text says why, for the annotator."""


class Action(Protocol):
    """Anything that leads from one draft to the next."""

    def apply(self, draft: Draft) -> Draft:
        """The next draft; a new value."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Begin a chunk at a token, or join it to the chunk before if one begins there."""

    side: Side
    before: int

    def apply(self, draft: Draft) -> Draft:
        """Whatever was said of the chunks that change is forgotten."""
        starts = set(draft.starts[self.side - 1]) ^ {self.before}
        return Recut(self.side, tuple(sorted(starts))).apply(draft)


@dataclass(frozen=True, slots=True)
class Recut:
    """Give a sentence all its chunks at once."""

    side: Side
    starts: Starts

    def apply(self, draft: Draft) -> Draft:
        """Links and labels of the chunks that stay as they are stay, too."""
        _at_step(draft, Step.CHUNKS1 if self.side == 1 else Step.CHUNKS2)
        if not sound_starts(self.starts, len(draft.words[self.side - 1])):
            raise RefusedError("no chunk can begin there")
        both = (self.starts, draft.starts[1]) if self.side == 1 else (draft.starts[0], self.starts)
        cut = replace(draft, starts=both)

        def stays(start: int) -> bool:
            return start in self.starts and cut.chunk(self.side, start) == draft.chunk(
                self.side, start
            )

        return replace(
            cut,
            links=tuple(link for link in draft.links if stays(link.start(self.side))),
            alone=tuple(one for one in draft.alone if one.side != self.side or stays(one.start)),
        )


@dataclass(frozen=True, slots=True)
class Advance:
    """The step is finished: go on to the next."""

    def apply(self, draft: Draft) -> Draft:
        """Where no chunk is left alone, the step that asks why is passed over."""
        if draft.step is Step.DONE:
            raise RefusedError("the pair is done")
        lacking: Iterable[str] = ()
        if draft.step is Step.LINKS:
            lacking = missing_in_links(draft)
        elif draft.step is Step.REST:
            lacking = (*missing_in_links(draft), *missing_in_rest(draft))
        for reason in lacking:
            raise RefusedError(f"not yet: {reason}")
        following = list(Step)[draft.step.place + 1]
        if following is Step.REST and not draft.alone and not draft.undecided():
            following = Step.DONE
        return replace(draft, step=following)


@dataclass(frozen=True, slots=True)
class Return:
    """Go back to an earlier step, to change what was decided there."""

    step: Step

    def apply(self, draft: Draft) -> Draft:
        """Nothing that was decided since is lost."""
        if self.step.place >= draft.step.place:
            raise RefusedError("finish the steps before it first")
        return replace(draft, step=self.step)


@dataclass(frozen=True, slots=True)
class Connect:
    """Link a chunk of sentence 1 with one of sentence 2."""

    first: int
    second: int

    def apply(self, draft: Draft) -> Draft:
        """One to one: a chunk that has a partner must lose it first."""
        _at_step(draft, Step.LINKS)
        for side, start in zip(SIDES, (self.first, self.second), strict=True):
            _chunk_exists(draft, side, start)
            if draft.link_at(side, start) is not None:
                raise RefusedError(f"‘{draft.text(side, start)}’ is linked already")
        return replace(
            draft,
            links=(*draft.links, Link(self.first, self.second)),
            alone=tuple(
                one
                for one in draft.alone
                if (one.side, one.start) not in ((1, self.first), (2, self.second))
            ),
        )


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Take a link away."""

    first: int

    def apply(self, draft: Draft) -> Draft:
        """Both chunks are free again."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        return replace(draft, links=tuple(one for one in draft.links if one != link))


@dataclass(frozen=True, slots=True)
class Score:
    """Say how similar two linked chunks are."""

    first: int
    score: int

    def apply(self, draft: Draft) -> Draft:
        """A label that does not go with the new score is taken away."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if self.score == 0:
            raise RefusedError("0 means unrelated: take the link away instead")
        if not 0 < self.score <= MAX_SCORE:
            raise RefusedError("a score is a number from 1 to 5")
        scored = replace(link, score=float(self.score))
        if link.relation is not None and misfits(self.score, link.relation):
            scored = replace(scored, relation=None, flags=frozenset())
        return _with_link(draft, link, scored)


@dataclass(frozen=True, slots=True)
class Label:
    """Name the relation of two linked chunks."""

    first: int
    relation: Relation

    def apply(self, draft: Draft) -> Draft:
        """The guidelines ask for the score before any label, and for one that goes with it."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if not self.relation.links:
            raise RefusedError(f"{self.relation} is for chunks left alone")
        if link.score is None:
            raise RefusedError("the score comes before the label")
        for _ in misfits(link.score, self.relation):
            raise RefusedError(
                "EQUI goes with score 5"
                if self.relation is Relation.EQUI
                else f"score 5 goes with EQUI alone; {self.relation} is scored 1 to 4"
            )
        return _with_link(draft, link, replace(link, relation=self.relation))


@dataclass(frozen=True, slots=True)
class FlagLink:
    """Say, or no longer say, that two linked chunks differ in factuality or polarity."""

    first: int
    flag: Flag

    def apply(self, draft: Draft) -> Draft:
        """Flags stand beside a label."""
        _at_step(draft, Step.LINKS)
        link = _link(draft, self.first)
        if link.relation is None:
            raise RefusedError(f"the label comes before {self.flag}")
        return _with_link(draft, link, replace(link, flags=link.flags ^ {self.flag}))


@dataclass(frozen=True, slots=True)
class Accept:
    """Take a suggested link as a whole."""

    first: int
    second: int
    score: int
    relation: Relation
    flags: frozenset[Flag]

    def apply(self, draft: Draft) -> Draft:
        """The same as to link, score and label by hand."""
        by_hand: list[Action] = [
            Connect(self.first, self.second),
            Score(self.first, self.score),
            Label(self.first, self.relation),
            *(FlagLink(self.first, flag) for flag in sorted(self.flags)),
        ]
        for action in by_hand:
            draft = action.apply(draft)
        return draft


@dataclass(frozen=True, slots=True)
class LeaveAlone:
    """Say why a chunk has no partner."""

    side: Side
    start: int
    relation: Relation

    def apply(self, draft: Draft) -> Draft:
        """NOALI or ALIC; flags it has are kept."""
        _at_step(draft, Step.REST)
        _chunk_exists(draft, self.side, self.start)
        if self.relation.links:
            raise RefusedError(f"{self.relation} is for two linked chunks")
        if draft.link_at(self.side, self.start) is not None:
            raise RefusedError(f"‘{draft.text(self.side, self.start)}’ is linked")
        old = draft.alone_at(self.side, self.start)
        one = Alone(self.side, self.start, self.relation, old.flags if old else frozenset())
        return replace(draft, alone=(*(o for o in draft.alone if o != old), one))


@dataclass(frozen=True, slots=True)
class FlagAlone:
    """Say, or no longer say, that a lone chunk adds a nuance of factuality or polarity."""

    side: Side
    start: int
    flag: Flag

    def apply(self, draft: Draft) -> Draft:
        """Flags stand beside a label."""
        _at_step(draft, Step.REST)
        old = draft.alone_at(self.side, self.start)
        if old is None:
            raise RefusedError(f"NOALI or ALIC comes before {self.flag}")
        one = replace(old, flags=old.flags ^ {self.flag})
        return replace(draft, alone=tuple(one if o == old else o for o in draft.alone))


@dataclass(frozen=True, slots=True)
class LeaveAllAlone:
    """Label all chunks that nothing is said of as having no counterpart."""

    def apply(self, draft: Draft) -> Draft:
        """NOALI for each; labels that have a score lose it."""
        _at_step(draft, Step.REST)
        labelled = (replace(one, score=None) for one in draft.alone)
        alone = (Alone(side, start, Relation.NOALI) for side, start in draft.undecided())
        return replace(draft, alone=(*labelled, *alone))


def _at_step(draft: Draft, step: Step) -> None:
    if draft.step is not step:
        raise RefusedError("this belongs to another step")


def _chunk_exists(draft: Draft, side: Side, start: int) -> None:
    if start not in draft.starts[side - 1]:
        raise RefusedError("there is no such chunk")


def _link(draft: Draft, first: int) -> Link:
    link = draft.link_at(1, first)
    if link is None:
        raise RefusedError("there is no such link")
    return link


def _with_link(draft: Draft, old: Link, new: Link) -> Draft:
    return replace(draft, links=tuple(new if link == old else link for link in draft.links))


_NAMES: dict[str, type[Action]] = {
    "cut": Cut,
    "recut": Recut,
    "advance": Advance,
    "return": Return,
    "connect": Connect,
    "disconnect": Disconnect,
    "score": Score,
    "label": Label,
    "flag": FlagLink,
    "accept": Accept,
    "alone": LeaveAlone,
    "flag-alone": FlagAlone,
    "rest": LeaveAllAlone,
}


def parse(record: dict[str, Any]) -> Action:
    """The action that the page describes; anything else is a `ValueError`."""
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


_READERS: dict[str, Callable[[Any], Any]] = {
    "side": _side,
    "before": _number,
    "start": _number,
    "starts": lambda value: tuple(map(_number, _list(value))),
    "first": _number,
    "second": _number,
    "score": _number,
    "step": lambda value: Step(str(value)),
    "relation": lambda value: Relation(str(value)),
    "flag": lambda value: Flag(str(value)),
    "flags": lambda value: frozenset(Flag(str(name)) for name in _list(value)),
}
