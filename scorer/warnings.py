"""Warnings about files that are scored in spite of them, as by the task's own program."""

from collections.abc import Iterator, Sequence

from ists.errors import FormatError, listed
from ists.formats.problems import Problem
from scorer.report import Judgement, Report

_SHOWN = 5


def of_problems(problems: Sequence[Problem], total: int | None = None) -> Iterator[str]:
    """Yield the first problems of a file, and their number if there are more.

    `total` is given if not all of them were kept.
    """
    total = len(problems) if total is None else total
    yield from map(str, problems[:_SHOWN])
    if total > _SHOWN:
        yield f"{total} such problems in all"


def of_scores(report: Report | Judgement) -> Iterator[str]:
    """Yield what in the pairs of a system file decides its figures."""
    yield from map(str, mismatches(report))
    if not report.totals.system:
        yield f"{report.system}: aligns nothing, all figures are 0"


def mismatches(report: Report | Judgement) -> Iterator[FormatError]:
    """Yield in what the pairs of a system file are not those of the gold."""
    for what, ids in (
        ("lacks {} of the gold's pairs, counted as unaligned: {}", report.missing),
        ("has {} pairs that the gold lacks, counted as wrong: {}", report.unknown),
    ):
        if ids:
            yield FormatError(what.format(len(ids), listed(ids)), report.system)
    if report.other_tokens:
        first, count = report.other_tokens[0].error(), len(report.other_tokens)
        more = f"; {count} such pairs in all" if count > 1 else ""
        yield FormatError(first.reason + more, first.file, first.line)
