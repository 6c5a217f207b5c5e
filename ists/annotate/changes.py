"""Descriptions of what an action changed, for the page's messages.

While a sentence is split into chunks, the other one is hidden; descriptions then name no words
of it.
"""

from collections.abc import Iterator

from ists.annotate.draft import SIDES, Alone, Draft, Link, Node, Side, Step
from ists.annotate.guidance import STEP_NAMES
from ists.pairs import format_score


def describe(before: Draft, after: Draft, step: Step) -> str:
    """Describe the change from one draft to another in a few words, for a page at this step."""
    parts = [
        *_recuts(before, after, step),
        *_removals(before, after, step),
        *_additions(before, after, step),
        *_regrouped(before, after, step),
        *_relabelled(before, after, step),
    ]
    if before.step is not after.step:
        parts.append(f"step ‘{STEP_NAMES[before.step]}’ to ‘{STEP_NAMES[after.step]}’")
    return "; ".join(parts) or "no change"


def removed_by_cut(before: Draft, after: Draft) -> str:
    """Describe the links and labels that were removed together with their chunks, if any."""
    return "; ".join(_removals(before, after, after.step)) if before.starts != after.starts else ""


def _recuts(before: Draft, after: Draft, step: Step) -> Iterator[str]:
    for side in _sides_shown(step):
        old, new = set(before.starts[side - 1]), set(after.starts[side - 1])
        words = before.words[side - 1]
        if len(old ^ new) > 1:
            yield f"other chunks of sentence {side}"
            continue
        for start in old ^ new:
            verb = "cut" if start in new else "join"
            yield f"{verb} between ‘{words[start - 2]}’ and ‘{words[start - 1]}’"


def _removals(before: Draft, after: Draft, step: Step) -> Iterator[str]:
    for link in before.links:
        if _counterpart(link, after) is None:
            yield f"removed the link {_name(before, link, step)}{_bracketed(link)}"
    chunks = {(one.side, one.start) for one in after.alone}
    linked = {node for link in after.links for node in link.nodes}
    for one in before.alone:
        if one.side in _sides_shown(step) and (one.side, one.start) not in chunks | linked:
            yield f"removed {_label(one)} of ‘{before.text(one.side, one.start)}’"


def _additions(before: Draft, after: Draft, step: Step) -> Iterator[str]:
    for link in after.links:
        if _counterpart(link, before) is None:
            yield f"link {_name(after, link, step)}{_bracketed(link)}"
    chunks = {(one.side, one.start) for one in before.alone}
    for one in after.alone:
        if one.side in _sides_shown(step) and (one.side, one.start) not in chunks:
            yield f"{_label(one)} for ‘{after.text(one.side, one.start)}’"


def _counterpart(link: Link, other: Draft) -> Link | None:
    """Return the same link of another draft, which may have more or fewer chunks."""
    nodes = {*link.nodes}
    return next(
        (one for one in other.links if nodes <= {*one.nodes} or nodes >= {*one.nodes}), None
    )


def _regrouped(before: Draft, after: Draft, step: Step) -> Iterator[str]:
    for link in after.links:
        old = _counterpart(link, before)
        if old is None:
            continue
        for node in _nodes_shown(link, old, step):
            yield f"‘{after.text(*node)}’ added to {_name(before, old, step)}"
        for node in _nodes_shown(old, link, step):
            yield f"‘{before.text(*node)}’ taken out of {_name(before, old, step)}"


def _nodes_shown(link: Link, other: Link, step: Step) -> list[Node]:
    """Return the chunks of a link that another lacks, as far as their sentence is shown."""
    shown = _sides_shown(step)
    return [node for node in link.nodes if node not in other.nodes and node[0] in shown]


def _relabelled(before: Draft, after: Draft, step: Step) -> Iterator[str]:
    for link in after.links:
        old = _counterpart(link, before)
        if old is not None and _label(old) != _label(link):
            change = f"{_label(old) or 'no score'} to {_label(link) or 'no score'}"
            yield f"{_name(after, link, step)}: {change}"
    for one in after.alone:
        earlier = before.alone_at(one.side, one.start)
        if one.side in _sides_shown(step) and earlier is not None and earlier != one:
            yield f"‘{after.text(one.side, one.start)}’: {_label(earlier)} to {_label(one)}"


def _sides_shown(step: Step) -> tuple[Side, ...]:
    if step is Step.CHUNKS1:
        return (1,)
    return (2,) if step is Step.CHUNKS2 else SIDES


def _name(draft: Draft, link: Link, step: Step) -> str:
    shown = _sides_shown(step)
    if len(shown) == 1:
        side = shown[0]
        return f"of ‘{draft.linked_text(link, side)}’"
    return draft.link_name(link)


def _bracketed(link: Link) -> str:
    label = _label(link)
    return f" ({label})" if label else ""


def _label(one: Link | Alone) -> str:
    parts = [one.relation, *sorted(one.flags)] if one.relation else []
    score = [] if one.score is None else [format_score(one.score)]
    return " ".join([*map(str, parts), *score])
