"""Record of one pair for the page's script: plain data that is safe to display."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from ists.explanation.display import displayed, displayed_id
from ists.explanation.explanation import explain
from ists.explanation.records import Record, picture_record
from ists.pairs import Alignment, Evidence, SentencePair
from scorer.confusion import label_cells
from scorer.marks import Mark, marks
from scorer.measures import PairCounts

WIDTHS = (560, 330)
"""Widths of the pictures: beside another one, and on a small screen."""
_DECIMALS = 4
_MARKED = " ✓"
"""Space for the mark after a label."""


def pair_record(
    pair_id: str,
    place: int,
    gold: SentencePair | None,
    systems: list[tuple[SentencePair | None, PairCounts | None]],
) -> dict[str, Any]:
    """Return a pair with its position, and the gold's picture and each system's.

    A system with the same alignments as the gold has no picture of its own (``same``).
    """
    gold = _sorted(gold)
    return {
        "id": displayed_id(pair_id),
        "place": place,
        "sentences": _sentences(gold, systems),
        "gold": _picture(gold),
        "systems": [_system_record(_sorted(pair), judged, gold) for pair, judged in systems],
    }


def _sentences(
    gold: SentencePair | None, systems: list[tuple[SentencePair | None, PairCounts | None]]
) -> list[str]:
    known = gold or next((pair for pair, _ in systems if pair is not None), None)
    return [displayed(str(one)) for one in ((known.sentence1, known.sentence2) if known else ())]


def _system_record(
    pair: SentencePair | None, judged: PairCounts | None, gold: SentencePair | None
) -> dict[str, Any]:
    same = pair is not None and gold is not None and _content(pair) == _content(gold)
    cells = sorted(label_cells(judged)) if judged else ()
    return {
        "f1": [round(x, _DECIMALS) for x in judged.f1] if judged and judged.f1 else None,
        "cells": [[*map(displayed, labels)] for labels in cells],
        "same": same,
        "picture": None if same else _picture(pair),
        "marks": _marks(pair, gold),
        "gold_marks": _marks(gold, pair),
    }


def _picture(pair: SentencePair | None) -> Record | None:
    if pair is None:
        return None
    return _drawn(replace(pair, id="", status="", origin=None), _content(pair)[1])


@lru_cache(maxsize=256)
def _drawn(pair: SentencePair, evidence: tuple[Evidence | None, ...]) -> Record:
    """Return the picture of a pair; the evidence is part of the cache's key.

    The gold and systems often have the same pair: nothing is drawn twice.
    """
    return picture_record(explain(pair), WIDTHS, _MARKED)


def _content(
    pair: SentencePair,
) -> tuple[tuple[Alignment, ...], tuple[Evidence | None, ...]]:
    return pair.alignments, tuple(alignment.evidence for alignment in pair.alignments)


def _marks(pair: SentencePair | None, other: SentencePair | None) -> list[Mark]:
    return [] if pair is None else list(marks(pair, other))


def _sorted(pair: SentencePair | None) -> SentencePair | None:
    """Return the pair with its links in the order of sentence 1, then its unaligned chunks."""
    if pair is None:
        return None
    return replace(
        pair,
        alignments=tuple(
            sorted(
                pair.alignments,
                key=lambda alignment: (
                    not alignment.is_link,
                    alignment.chunk1 is None,
                    alignment.chunk1.tokens if alignment.chunk1 else (),
                    alignment.chunk2.tokens if alignment.chunk2 else (),
                ),
            )
        ),
    )
