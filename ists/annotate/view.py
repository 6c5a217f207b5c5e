"""View of a pair for the page, as plain data."""

from typing import Any

from ists.annotate.draft import SIDES, Draft, Side, Step, missing
from ists.annotate.workbook import Entry, Workbook

_CUTTING = (Step.CHUNKS1, Step.CHUNKS2)


def view(book: Workbook, place: int) -> dict[str, Any]:
    """Return the current state of one pair; during chunking, without the other sentence."""
    entry = book[place]
    draft = entry.draft
    return {
        "id": entry.original.id,
        "version": entry.version,
        "step": draft.step,
        "sentences": [_sentence(draft, side) for side in SIDES],
        "links": _links(draft),
        "alone": _alone(draft),
        "missing": missing(draft),
        "undo": bool(entry.history.past),
        "redo": bool(entry.history.future),
        "note": entry.note,
        "state": state(entry),
        "done": book.done,
        "total": len(book),
    }


def summary(entry: Entry) -> dict[str, Any]:
    """Return a pair's line in the list of all pairs; hidden sentences are left out."""
    shown = (
        " ".join(entry.draft.words[side - 1]) for side in SIDES if not hidden(entry.draft, side)
    )
    return {
        "id": entry.original.id,
        "state": state(entry),
        "version": entry.version,
        "note": bool(entry.note),
        "text": list(shown),
    }


def state(entry: Entry) -> str:
    """Return the state of a pair: done, begun or new."""
    if entry.done:
        return "done"
    return "begun" if entry.begun else "new"


def hidden(draft: Draft, side: Side) -> bool:
    """Whether a sentence is hidden because the other one is being split into chunks."""
    return draft.step is (Step.CHUNKS2 if side == 1 else Step.CHUNKS1)


def _sentence(draft: Draft, side: Side) -> dict[str, Any] | None:
    if hidden(draft, side):
        return None
    return {"words": draft.words[side - 1], "starts": draft.starts[side - 1]}


def _links(draft: Draft) -> list[dict[str, Any]]:
    if draft.step in _CUTTING:
        return []
    return [
        {
            "firsts": link.firsts,
            "seconds": link.seconds,
            "score": link.score,
            "relation": link.relation,
            "flags": sorted(link.flags),
        }
        for link in draft.links
    ]


def _alone(draft: Draft) -> list[dict[str, Any]]:
    if draft.step in _CUTTING:
        return []
    return [
        {
            "side": one.side,
            "start": one.start,
            "relation": one.relation,
            "flags": sorted(one.flags),
            "score": one.score,
        }
        for one in draft.alone
    ]
