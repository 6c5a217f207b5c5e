"""Evaluation of aligned pairs: all figures of one system in one scenario."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import product
from operator import add
from typing import Any

import scorer
from ists.bench.everyday.acceptable import LabelCounts, count_labels
from ists.bench.everyday.systems import System
from ists.bench.everyday.themes import SCENARIOS, Scenario, Theme
from ists.pairs import Flag, SentencePair
from scorer.calibration import Reliability, label_decisions, link_decisions
from scorer.chunk_agreement import Agreement
from scorer.report import Report

PairOfPairs = tuple[SentencePair, SentencePair]
"""A gold pair and the system's pair."""


@dataclass(frozen=True)
class Figures:
    """Counts over a set of pairs; ``+`` merges those of several themes."""

    pairs: int
    seen: int
    """Number of pairs the system was trained on."""
    report: Report
    flags: Mapping[Flag, Report]
    """Scores of the links with a flag, ignoring all others; only Ali is used."""
    labels: LabelCounts
    chunks: Agreement
    link: Reliability
    label: Reliability

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(
            self.pairs + other.pairs,
            self.seen + other.seen,
            _merge_reports(self.report, other.report),
            {flag: _merge_reports(self.flags[flag], other.flags[flag]) for flag in Flag},
            self.labels + other.labels,
            self.chunks + other.chunks,
            self.link + other.link,
            self.label + other.label,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "seen": self.seen,
            "trained_on": bool(self.seen),
            "f1": self.report.f1._asdict(),
            "precision": self.report.precision._asdict(),
            "recall": self.report.recall._asdict(),
            "by_label": self.report.by_label(),
            "flags": {flag.value: _flag_dict(report) for flag, report in self.flags.items()},
            "acceptable": self.labels.to_dict(),
            "chunks": self.chunks.to_dict(),
            "calibration": {"link": self.link.to_dict(), "label": self.label.to_dict()},
        }


@dataclass(frozen=True)
class Result:
    """The figures of one system in one scenario, by theme."""

    system: str
    scenario: Scenario
    themes: Mapping[str, Figures]

    @cached_property
    def total(self) -> Figures:
        """The figures over all themes; every pair has the same weight."""
        return reduce(add, self.themes.values())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, unrounded: over all themes, then for each."""
        return {
            "system": self.system,
            "scenario": self.scenario,
            **self.total.to_dict(),
            "themes": {name: figures.to_dict() for name, figures in self.themes.items()},
        }


def run(
    themes: Sequence[Theme],
    systems: Sequence[System],
    scenarios: Sequence[Scenario] = SCENARIOS,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Result]:
    """Align and evaluate all pairs with every system in every scenario."""
    results = []
    for system, scenario in product(systems, scenarios):
        progress(f"{system.name}, {scenario}")
        figures = {
            theme.name: judge(theme, system.align(theme, scenario), theme.count_seen(system.seen))
            for theme in themes
        }
        results.append(Result(system.name, scenario, figures))
    return results


def judge(theme: Theme, system: Sequence[SentencePair], seen: int = 0) -> Figures:
    """Evaluate aligned pairs, which are in the order of the gold pairs."""
    both = list(zip(theme.pairs, system, strict=True))
    return Figures(
        len(theme.pairs),
        seen,
        scorer.score(theme.pairs, system),
        {
            flag: scorer.score(_with_flag(theme.pairs, flag), _with_flag(system, flag))
            for flag in Flag
        },
        _sum_of_labels(both, theme),
        _sum_of_chunks(both),
        Reliability.of(decision for pair in both for decision in link_decisions(*pair)),
        Reliability.of(decision for pair in both for decision in label_decisions(*pair)),
    )


def _merge_reports(one: Report, other: Report) -> Report:
    return replace(one, pairs=one.pairs + other.pairs)


def _flag_dict(report: Report) -> dict[str, float]:
    return {
        "precision": report.precision.ali,
        "recall": report.recall.ali,
        "f1": report.f1.ali,
        "gold": report.gold_weight,
        "system": report.system_weight,
    }


def _with_flag(pairs: Iterable[SentencePair], flag: Flag) -> list[SentencePair]:
    """Return the pairs with only the links that have a flag."""
    return [
        replace(pair, alignments=tuple(link for link in pair.links if flag in link.flags))
        for pair in pairs
    ]


def _sum_of_labels(both: Iterable[PairOfPairs], theme: Theme) -> LabelCounts:
    counts = (
        count_labels(gold, system.links, theme.acceptable.get(gold.id, {})) for gold, system in both
    )
    return sum(counts, LabelCounts())


def _sum_of_chunks(both: Iterable[PairOfPairs]) -> Agreement:
    counts = (
        Agreement(len({*gold} & {*system}), len(gold), len(system))
        for pair, other in both
        for gold, system in ((pair.chunks1, other.chunks1), (pair.chunks2, other.chunks2))
    )
    return sum(counts, Agreement())
