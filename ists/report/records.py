"""One pair as the page's script shows it: plain data, safe to print."""

from typing import Any

from ists.errors import printable
from ists.explain.explanation import chunk_text
from ists.pairs import Alignment, SentencePair, format_score
from scorer.marks import Mark, marks
from scorer.measures import PairCounts

_DECIMALS = 4


def pair_record(
    pair_id: str,
    place: int,
    gold: SentencePair | None,
    systems: list[tuple[SentencePair | None, PairCounts | None]],
) -> dict[str, Any]:
    """A pair with its place among all, the gold's alignments and each system's."""
    known = gold or next((pair for pair, _ in systems if pair is not None), None)
    return {
        "id": printable(pair_id),
        "place": place,
        "sentences": [
            printable(str(sentence))
            for sentence in ((known.sentence1, known.sentence2) if known else ())
        ],
        "gold": _lines(gold) if gold else None,
        "systems": [
            {
                "f1": [round(x, _DECIMALS) for x in judged.f1] if judged and judged.f1 else None,
                "cells": [
                    [*map(printable, cell)] for cell in sorted(judged.cells if judged else ())
                ],
                "lines": _lines(pair) if pair else None,
                "marks": [mark.value for mark in _marks(pair, gold)],
                "gold_marks": [mark.value for mark in _marks(gold, pair)],
            }
            for pair, judged in systems
        ],
    }


def _lines(pair: SentencePair) -> list[list[str]]:
    """Both chunks, the label and the score of each alignment, from left to right."""
    return [
        [
            printable(chunk_text(pair, alignment, 1)),
            printable(chunk_text(pair, alignment, 2)),
            alignment.label,
            "" if alignment.score is None else format_score(alignment.score),
        ]
        for alignment in _in_order(pair)
    ]


def _marks(pair: SentencePair | None, other: SentencePair | None) -> list[Mark]:
    if pair is None:
        return []
    found = dict(zip(map(id, pair.alignments), marks(pair, other), strict=True))
    return [found[id(alignment)] for alignment in _in_order(pair)]


def _in_order(pair: SentencePair) -> list[Alignment]:
    """Links by their place in sentence 1, then what stays alone on either side."""
    return sorted(
        pair.alignments,
        key=lambda alignment: (
            not alignment.is_link,
            alignment.chunk1 is None,
            alignment.chunk1.tokens if alignment.chunk1 else (),
            alignment.chunk2.tokens if alignment.chunk2 else (),
        ),
    )
