"""IOB tags of CoNLL-2000: conversion to spans, and the best well-formed sequence (Viterbi)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats

_IMPOSSIBLE = -1e9


class Span(NamedTuple):
    """Tokens from ``begin`` up to, not including, ``end``, counted from 0, and their type."""

    begin: int
    end: int
    type: str


def spans(tags: Sequence[str]) -> list[Span]:
    """Convert tags to spans; an I- of another type begins a span, as in conlleval."""
    found = []
    begin, type_ = 0, ""
    for position, tag in enumerate([*tags, "O"]):
        mark, _, name = tag.partition("-")
        if type_ and (mark != "I" or name != type_):
            found.append(Span(begin, position, type_))
            type_ = ""
        if mark == "B" or (mark == "I" and not type_):
            begin, type_ = position, name
    return found


def best_tags(scores: Floats, tags: Sequence[str]) -> list[str]:
    """Return the highest-scoring sequence in which I-X follows only B-X or I-X (Viterbi)."""
    greedy = [tags[index] for index in scores.argmax(-1)]
    if _is_well_formed(greedy):  # then it is optimal
        return greedy
    barrier = _transitions(tuple(tags))
    begins_badly = [_IMPOSSIBLE if tag.startswith("I-") else 0.0 for tag in tags]
    best = scores[0] + np.array(begins_badly)
    back = []
    for row in scores[1:]:
        table = best[:, None] + barrier
        back.append(table.argmax(0))
        best = table.max(0) + row
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return [tags[index] for index in reversed(path)]


def _is_well_formed(tags: Sequence[str]) -> bool:
    return all(
        not tag.startswith("I-") or before[1:] == tag[1:]
        for before, tag in zip(("O", *tags), tags, strict=False)
    )


def _transitions(tags: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the transition scores from tag (row) to next tag (column): 0, or `_IMPOSSIBLE`."""
    return np.array(
        [
            [
                _IMPOSSIBLE if after.startswith("I-") and after[1:] != before[1:] else 0.0
                for after in tags
            ]
            for before in tags
        ]
    )
