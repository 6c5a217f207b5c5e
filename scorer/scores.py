"""Files of scores: one number per line.

A line may be a JSON object with the key ``similarity``, as ``ists similarity --format jsonl``
writes them, or ``score``; a number may be followed by a tab and a confidence, as in the system
files of the STS tasks. In their gold files a blank line means a pair without a gold score.
"""

import json
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path

from ists.errors import FormatError
from ists.files import open_input
from ists.formats.text import decode, numbered_lines, reject_endless, shown

_BYTE_ORDER_MARK = "\ufeff"
_EXPECTED = "expected a number"
_KEYS = ("similarity", "score")


def read_scores(path: str | Path) -> list[float]:
    """Read the scores of a file, one in each line; only blank lines at the end are allowed."""
    lines = list(_lines(path))
    scores = [score for score in lines if score is not None]
    if not scores:
        raise FormatError(f"no score found, {_EXPECTED} per line", str(path))
    if None in lines[: len(scores)]:
        raise FormatError(f"a blank line, {_EXPECTED}", str(path), lines.index(None) + 1)
    return scores


def read_gold_scores(path: str | Path) -> list[float | None]:
    """Read the scores of a gold file; None for a pair without a gold score."""
    scores = list(_lines(path))
    if not any(score is not None for score in scores):
        raise FormatError(f"no score found, {_EXPECTED} per line", str(path))
    return scores


def with_gold(
    gold: Sequence[float | None], gold_file: str | Path, system: Sequence[float], file: str | Path
) -> tuple[list[float], list[float]]:
    """Return gold and system scores of the pairs that have a gold score."""
    if all(score is None for score in gold[len(system) :]):
        gold = gold[: len(system)]  # blank lines at the end
    if len(gold) != len(system):
        raise FormatError(
            f"{gold_file} has {len(gold)} lines and {file} has {len(system)}: "
            "both must have one line per pair, in the same order"
        )
    both = [(one, two) for one, two in zip(gold, system, strict=True) if one is not None]
    return [one for one, _ in both], [two for _, two in both]


def parse_score(text: str) -> float:
    """Parse a finite number; anything else raises a `FormatError` without file and line."""
    try:
        score = float(text)
    except ValueError:
        raise FormatError(f"score {shown(text)}, {_EXPECTED}") from None
    if not isfinite(score):
        raise FormatError(f"score {shown(text)} is not finite, {_EXPECTED}")
    return score


def _lines(path: str | Path) -> Iterator[float | None]:
    with open_input(path) as stream:
        for number, line in numbered_lines(stream):
            try:
                text = decode(reject_endless(line)).strip().lstrip(_BYTE_ORDER_MARK)
                yield _score(text) if text else None
            except FormatError as error:
                raise FormatError(error.reason, str(path), number) from None


def _score(text: str) -> float:
    if text.startswith("{"):
        return _from_json(text)
    score, *confidence = text.split("\t")
    if len(confidence) > 1:
        raise FormatError(f"{shown(text)} has {len(confidence)} tabs, {_EXPECTED} per line")
    for figure in confidence:
        parse_score(figure)
    return parse_score(score)


def _from_json(text: str) -> float:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"invalid JSON: {str(error)[:80]}") from None
    score = next((record[key] for key in _KEYS if key in record), None)
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise FormatError(f"no number under the key 'similarity' or 'score' of {shown(text)}")
    return parse_score(str(score))
