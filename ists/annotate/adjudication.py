"""Adjudication: one gold file from two annotators' files of the same pairs.

What both annotators have decided alike is taken over. The rest is a list of differences, which the
adjudicator settles one by one: by taking one annotator's decision, or by making another one. A
record says what each annotator had decided and whose decision the gold has.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from ists.annotate.actions import AcceptAll, Action, Advance, Recut, RejectedError
from ists.annotate.draft import (
    SIDES,
    Alone,
    Draft,
    Link,
    Node,
    Side,
    Step,
    at_step,
    chunked,
    draft_of,
    fresh,
    missing_in_links,
    missing_in_rest,
    pair_of,
)
from ists.annotate.workbook import Beginning, Workbook
from ists.errors import FormatError
from ists.files import atomic_output
from ists.formats.brackets import render as bracketed
from ists.pairs import UNFINISHED, Alignment, Edition, SentencePair, comment_for, format_score

RECORD_SUFFIX = ".record.jsonl"
BOTH, ADJUDICATOR = "both", "adjudicator"

Decision = Link | Alone


class Versions(NamedTuple):
    """One pair as two annotators have finished it."""

    pair: SentencePair
    drafts: tuple[Draft, Draft]


def versions(
    first: Iterable[SentencePair],
    second: Iterable[SentencePair],
    names: tuple[str, str],
    edition: Edition = "2015",
) -> tuple[list[Versions], int]:
    """Match two files by pair id; return the pairs finished in both, and how many are not.

    Pairs that only one file has, or with other tokens, are a `FormatError`.
    """
    others = {pair.id: pair for pair in second}
    found, unfinished = [], 0
    for pair in first:
        other = others.pop(pair.id, None)
        if other is None:
            raise FormatError(f"pair {pair.id} is not in {names[1]}", names[0], pair.line_of(None))
        if UNFINISHED in (pair.status, other.status):
            unfinished += 1
            continue
        drafts = draft_of(pair, edition), draft_of(other, edition)
        if drafts[0].words != drafts[1].words:
            reason = f"pair {other.id}: its tokens are not those of {names[0]}"
            raise FormatError(reason, names[1], other.line_of(None))
        for draft, one, name in zip(drafts, (pair, other), names, strict=True):
            if not draft.done:
                reason = f"pair {one.id}: does not follow the guidelines (ists check --guidelines)"
                raise FormatError(reason, name, one.line_of(None))
        found.append(Versions(pair, drafts))
    for pair in others.values():
        raise FormatError(f"pair {pair.id} is not in {names[0]}", names[1], pair.line_of(None))
    if not found:
        raise FormatError(f"no pair is finished in both this file and {names[1]}", names[0])
    return found, unfinished


def beginnings(found: Sequence[Versions]) -> list[Beginning]:
    """Create the first drafts of the gold: what both annotators agree on."""
    drafts = [_agreed(one) for one in found]
    return [
        Beginning(pair_of(draft, one.pair), draft) for one, draft in zip(found, drafts, strict=True)
    ]


def _agreed(one: Versions) -> Draft:
    first, second = one.drafts
    draft = fresh(*first.words, edition=first.edition)
    starts = [tuple(sorted({*a} & {*b})) for a, b in zip(first.starts, second.starts, strict=True)]
    draft = chunked(draft, starts[0], starts[1])
    for side, step in zip(SIDES, (Step.CHUNKS1, Step.CHUNKS2), strict=True):
        if first.starts[side - 1] != second.starts[side - 1]:
            return at_step(draft, step)
    draft = taken_over(draft, one.drafts)
    return at_step(draft, Step.DONE) if _complete(draft) else draft


def taken_over(draft: Draft, drafts: Sequence[Draft]) -> Draft:
    """Return the draft with the decisions that both annotators have made on undecided chunks."""
    links, alone = list(draft.links), list(draft.alone)
    for side, start in draft.undecided():
        first, second = (_decision(draft, one, (side, start)) for one in drafts)
        if first is None or first != second:
            continue
        if isinstance(first, Alone):
            alone.append(first)
        elif first not in links and all(draft.link_at(*node) is None for node in first.nodes):
            links.append(first)
    taken = replace(draft, links=tuple(links), alone=tuple(alone))
    linked = {node for link in links for node in link.nodes}
    kept = tuple(one for one in alone if (one.side, one.start) not in linked)
    return replace(taken, alone=kept)


def _complete(draft: Draft) -> bool:
    return not any(missing_in_links(draft)) and not any(missing_in_rest(draft))


def _decision(draft: Draft, annotator: Draft, node: Node) -> Decision | None:
    """Return an annotator's decision on a chunk of the draft, if both have the same chunks."""
    side, start = node
    if not _same_chunk(draft, annotator, side, start):
        return None
    link = annotator.link_at(side, start)
    if link is None:
        return annotator.alone_at(side, start)
    return link if all(_same_chunk(draft, annotator, *node) for node in link.nodes) else None


def _same_chunk(one: Draft, two: Draft, side: Side, start: int) -> bool:
    both = all(start in draft.starts[side - 1] for draft in (one, two))
    return both and one.chunk(side, start) == two.chunk(side, start)


class Difference(NamedTuple):
    """Chunks on which two annotators differ, with the decisions of each."""

    nodes: tuple[Node, ...]
    decisions: tuple[tuple[Decision, ...], tuple[Decision, ...]]
    said: tuple[str, str]


def differences(draft: Draft, drafts: tuple[Draft, Draft]) -> list[Difference]:
    """Return the differences in links and labels: groups of chunks that belong together."""
    nodes = [(side, start) for side in SIDES for start in draft.starts[side - 1]]
    decided = [{node: _decision(draft, one, node) for node in nodes} for one in drafts]
    open_nodes = [
        node for node in nodes if decided[0][node] is None or decided[0][node] != decided[1][node]
    ]
    groups: list[set[Node]] = []
    for node in open_nodes:
        joined = {node}
        for found in decided:
            decision = found[node]
            if isinstance(decision, Link):
                joined |= {*decision.nodes}
        apart = [group for group in groups if not group & joined]
        groups = [*apart, joined.union(*(group for group in groups if group & joined))]
    return [
        _difference(draft, drafts, tuple(sorted(group)), decided)
        for group in sorted(groups, key=min)
    ]


def _difference(
    draft: Draft,
    drafts: tuple[Draft, Draft],
    nodes: tuple[Node, ...],
    decided: list[dict[Node, Decision | None]],
) -> Difference:
    decisions = [
        tuple(dict.fromkeys(found[node] for node in nodes if found[node] is not None))
        for found in decided
    ]
    said = ["; ".join(_worded(annotator, nodes, draft)) or "no decision" for annotator in drafts]
    return Difference(nodes, (decisions[0], decisions[1]), (said[0], said[1]))  # type: ignore[arg-type]


def _worded(annotator: Draft, nodes: tuple[Node, ...], draft: Draft) -> list[str]:
    """Return an annotator's decisions on the tokens of some chunks, in words."""
    tokens = {(side, token) for side, start in nodes for token in draft.chunk(side, start).tokens}
    texts = []
    for link in annotator.links:
        ends = [
            (side, token) for side in SIDES for token in annotator.linked_chunk(link, side).tokens
        ]
        if tokens.intersection(ends):
            texts.append(f"{annotator.link_name(link)}: {_label(link)}")
    for one in annotator.alone:
        own = [(one.side, token) for token in annotator.chunk(one.side, one.start).tokens]
        if tokens.intersection(own):
            texts.append(
                f"‘{annotator.text(one.side, one.start)}’ of sentence {one.side}: {_label(one)}"
            )
    return texts


def _label(one: Decision) -> str:
    score = [] if one.score is None else [format_score(one.score)]
    return " ".join([str(one.relation), *sorted(one.flags), *score])


@dataclass(frozen=True, slots=True)
class Take:
    """Take an annotator's decisions on some chunks instead of the present ones."""

    decisions: tuple[Decision, ...]
    nodes: tuple[Node, ...]

    def apply(self, draft: Draft) -> Draft:
        """Links to other chunks are removed."""
        if draft.step not in (Step.LINKS, Step.REST):
            raise RejectedError("go back to ‘Link, score, label’ first")
        if not self.decisions:
            raise RejectedError("this annotator has other chunks: decide yourself")
        nodes = {*self.nodes}
        links = [link for link in draft.links if not nodes & {*link.nodes}]
        alone = [one for one in draft.alone if (one.side, one.start) not in nodes]
        links += [one for one in self.decisions if isinstance(one, Link)]
        alone += [one for one in self.decisions if isinstance(one, Alone)]
        changed = replace(draft, links=tuple(links), alone=tuple(alone))
        return changed if changed == draft else replace(changed, confirmed=False)


@dataclass(frozen=True, slots=True)
class _Completed:
    """An action, followed by what needs no decision of the adjudicator."""

    action: Action
    drafts: tuple[Draft, Draft]

    def apply(self, draft: Draft) -> Draft:
        before, draft = draft, self.action.apply(draft)
        if draft.step is Step.CHUNKS2 and before.step is Step.CHUNKS1 and self._same(draft, 2):
            draft = Advance().apply(draft)
        if draft.step is Step.LINKS and before.step in (Step.CHUNKS1, Step.CHUNKS2):
            draft = taken_over(draft, self.drafts)
        if draft.step is Step.REST and before.step is Step.LINKS and _complete(draft):
            draft = Advance().apply(draft)
        return draft

    def _same(self, draft: Draft, side: Side) -> bool:
        return all(one.starts[side - 1] == draft.starts[side - 1] for one in self.drafts)


class Adjudication:
    """Two annotators' versions of a workbook's pairs."""

    def __init__(self, book: Workbook, names: tuple[str, str], found: Iterable[Versions]) -> None:
        self.names = names
        self._book = book
        drafts = {one.pair.id: one.drafts for one in found}
        self._drafts = [drafts[book[index].original.id] for index in range(len(book))]

    def differences(self, index: int) -> list[dict[str, Any]]:
        """Return the differences at the pair's current step as plain data for the page."""
        draft, drafts = self._book[index].draft, self._drafts[index]
        side = _side_of(draft.step)
        if side is not None:
            if drafts[0].starts[side - 1] == drafts[1].starts[side - 1]:
                return []
            said = [_brackets(one, side) for one in drafts]
            return [{"nodes": [], "said": said, "able": [True, True], "open": True}]
        return [
            {
                "nodes": [{"side": side, "start": start} for side, start in one.nodes],
                "said": list(one.said),
                "able": [bool(decisions) for decisions in one.decisions],
                "open": any(_is_open(draft, node) for node in one.nodes),
            }
            for one in differences(draft, drafts)
        ]

    def take(self, index: int, who: int, number: int) -> Action:
        """Return the action that takes an annotator's side in a difference."""
        draft, drafts = self._book[index].draft, self._drafts[index]
        if who not in (0, 1):
            raise ValueError("expected 0 or 1")
        side = _side_of(draft.step)
        if side is not None:
            return AcceptAll((Recut(side, drafts[who].starts[side - 1]),))
        found = differences(draft, drafts)
        if not 0 <= number < len(found):
            raise ValueError("no such difference")
        return Take(found[number].decisions[who], found[number].nodes)

    def completed(self, index: int, action: Action) -> Action:
        """Return the action together with what follows from both annotators' agreement."""
        return _Completed(action, self._drafts[index])

    def save_record(self) -> None:
        """Write who decided what, a JSON object per pair, beside the gold file."""
        path = record_path(self._book.path)
        with atomic_output(path) as stream:
            for index in range(len(self._book)):
                stream.write(json.dumps(self._record(index), ensure_ascii=True).encode() + b"\n")

    def _record(self, index: int) -> dict[str, Any]:
        entry, drafts = self._book[index], self._drafts[index]
        pairs = [pair_of(one, entry.original) for one in drafts]
        return {
            "pair": entry.original.id,
            "done": entry.done,
            "chunks": [self._chunk_record(entry.draft, drafts, side) for side in SIDES],
            "alignments": [
                self._alignment_record(alignment, pairs) for alignment in entry.pair.alignments
            ],
            "note": entry.note,
        }

    def _chunk_record(self, draft: Draft, drafts: Sequence[Draft], side: Side) -> dict[str, Any]:
        same = [one.starts[side - 1] == draft.starts[side - 1] for one in drafts]
        said = dict(zip(self.names, (_brackets(one, side) for one in drafts), strict=True))
        return {"gold": _brackets(draft, side), "said": said, "from": self._source(same)}

    def _alignment_record(
        self, alignment: Alignment, pairs: Sequence[SentencePair]
    ) -> dict[str, Any]:
        said = {
            name: [_written(other, pair) for other in pair.alignments if _overlap(alignment, other)]
            for name, pair in zip(self.names, pairs, strict=True)
        }
        gold = _written(alignment, pairs[0])
        same = [gold in said[name] for name in self.names]
        return {"gold": gold, "said": said, "from": self._source(same)}

    def _source(self, same: Sequence[bool]) -> str:
        if all(same):
            return BOTH
        return next(
            (name for name, is_same in zip(self.names, same, strict=True) if is_same), ADJUDICATOR
        )


def record_path(gold: Path) -> Path:
    """Return the path of the record of a gold file."""
    return gold.with_name(gold.name + RECORD_SUFFIX)


def _side_of(step: Step) -> Side | None:
    if step is Step.CHUNKS1:
        return 1
    return 2 if step is Step.CHUNKS2 else None


def _is_open(draft: Draft, node: Node) -> bool:
    link = draft.link_at(*node)
    if link is None:
        return draft.alone_at(*node) is None
    return link.score is None or link.relation is None


def _brackets(draft: Draft, side: Side) -> str:
    return bracketed([draft.text(side, start).split(" ") for start in draft.starts[side - 1]])


def _overlap(one: Alignment, two: Alignment) -> bool:
    return any(
        ours is not None and theirs is not None and {*ours.tokens} & {*theirs.tokens}
        for ours, theirs in ((one.chunk1, two.chunk1), (one.chunk2, two.chunk2))
    )


def _written(alignment: Alignment, pair: SentencePair) -> str:
    comment = comment_for(alignment, pair.sentence1, pair.sentence2)
    return f"{comment} // {alignment.label} // {format_score(alignment.score)}"


def names_of(first: Path, second: Path) -> Iterator[str]:
    """Yield short names of two annotators' files: file names, or paths if those are equal."""
    for path in (first, second):
        yield path.name if first.name != second.name else str(path)
