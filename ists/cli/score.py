"""``ists score``."""

import json
from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from ists.errors import FormatError
from ists.pairs import EDITIONS, Edition
from scorer.judge import load, score
from scorer.measures import MATCHES, Match
from scorer.report import Report

if TYPE_CHECKING:
    from scorer.resampling import Comparison, Interval

_WARNINGS_SHOWN = 5
_FORMATS = ("text", "json", "tsv", "latex")


@click.command(name="score")
@click.argument("gold")
@click.argument("systems", metavar="SYS...", nargs=-1, required=True)
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    default="strict",
    show_default=True,
    help="How strictly Typ+Sco compares relations (the paper's tables are strict).",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="What the output looks like.",
)
@click.option(
    "--bootstrap",
    metavar="N",
    type=click.IntRange(min=1),
    help="Add 95 % intervals from N samples of the pairs.",
)
@click.option(
    "--compare",
    is_flag=True,
    help="Test the difference of each two systems by paired approximate randomisation.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="The number of random trials of --compare.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=2015,
    show_default=True,
    help="Seed of --bootstrap and --compare.",
)
@click.option("--by-label", is_flag=True, help="Add precision, recall and F1 of each relation.")
@click.option("--confusion", is_flag=True, help="Add gold × system labels, unaligned included.")
@click.option("--per-pair", is_flag=True, help="Add the four F1 of each sentence pair.")
@click.option(
    "--require-all", is_flag=True, help="Fail if a system lacks pairs of the gold or has others."
)
@click.option(
    "--require-wellformed", is_flag=True, help="Fail if a system file is not well-formed."
)
@click.option(
    "--edition",
    type=click.Choice(EDITIONS),
    default="2015",
    show_default=True,
    help="The rules of --require-wellformed.",
)
def command(
    gold: str,
    systems: tuple[str, ...],
    match: Match,
    format_: str,
    bootstrap: int | None,
    compare: bool,
    trials: int,
    seed: int,
    by_label: bool,
    confusion: bool,
    per_pair: bool,
    require_all: bool,
    require_wellformed: bool,
    edition: Edition,
) -> None:
    """Score system files SYS against the GOLD file: the four F1 of the SemEval-2015 pilot.

    Ali: the alignments alone. Type: with their relations. Score: with their scores. Typ+Sco: with
    both. Pairs are matched by id. What is odd in a system file is counted as the task's own program
    counts it, and reported on stderr.

    \b
    Examples:
      ists score gold.wa system.wa
      ists score gold.wa a.wa b.wa --compare --bootstrap 1000
      ists score gold.wa system.wa --by-label --confusion
      ists score gold.wa system.wa --format json | jq .systems[0].f1
    """
    if systems.count("-") + (gold == "-") > 1:
        raise click.UsageError("only one of the files can be standard input ('-')")
    if compare and len(systems) < 2:
        raise click.UsageError("--compare needs at least two system files")
    if require_wellformed:
        for system in systems:
            _refuse_illformed(system, edition)
    gold_pairs = load(gold)
    _warn(gold_pairs.problems)
    reports = [score(gold_pairs, system, match) for system in systems]
    for report in reports:
        _warn(report.problems)
        _report_ids(report, require_all)
    view = _View(reports, bootstrap, compare, trials, seed, by_label, confusion, per_pair)
    click.echo(view.as_json() if format_ == "json" else view.as_tables(format_))


class _View:
    """What was asked for, computed once, for any output format."""

    def __init__(
        self,
        reports: list[Report],
        bootstrap: int | None,
        compare: bool,
        trials: int,
        seed: int,
        by_label: bool,
        confusion: bool,
        per_pair: bool,
    ) -> None:
        self.reports = reports
        self.by_label, self.confusion, self.per_pair = by_label, confusion, per_pair
        self.intervals: list[list[Interval]] | None = None
        self.comparisons: list[Comparison] = []
        options: dict[str, object] = {}
        if bootstrap or compare:
            from scorer import resampling

            if bootstrap:
                self.intervals = [resampling.bootstrap(r, bootstrap, seed) for r in reports]
                options["bootstrap"] = bootstrap
            if compare:
                pairs = combinations(reports, 2)
                self.comparisons = [resampling.compare(a, b, trials, seed) for a, b in pairs]
                options["trials"] = trials
            options["seed"] = seed
        self.signature = reports[0].signature(**options)

    def as_json(self) -> str:
        systems = []
        for index, report in enumerate(self.reports):
            record = report.to_dict()
            if self.intervals:
                names = record["f1"]
                record["interval95"] = dict(zip(names, self.intervals[index], strict=True))
            if self.by_label:
                record["by_label"] = report.by_label()
            if self.confusion:
                record["confusion"] = report.confusion()
            if self.per_pair:
                record["per_pair"] = [
                    {"id": pair.id, "f1": pair.f1 and pair.f1._asdict()} for pair in report.pairs
                ]
            systems.append(record)
        document: dict[str, Any] = {"signature": self.signature, "systems": systems}
        if self.comparisons:
            document["comparisons"] = [
                {
                    "first": result.first,
                    "second": result.second,
                    "difference": result.difference._asdict(),
                    "p": result.p._asdict(),
                }
                for result in self.comparisons
            ]
        return json.dumps(document, indent=2)

    def as_tables(self, format_: str) -> str:
        from scorer import tables

        render = {"text": tables.as_text, "tsv": tables.as_tsv, "latex": tables.as_latex}[format_]
        parts = []
        if format_ == "text" and len(self.reports) == 1:
            bounds = self.intervals[0] if self.intervals else None
            parts.append(f"{tables.official_lines(self.reports[0].f1, bounds)}\n{self.signature}")
        else:
            parts.append(render(tables.overview(self.reports, self.intervals)))
            mark = {"text": "", "tsv": "# ", "latex": "% "}[format_]
            parts[0] += f"\n{mark}{self.signature}"
        if self.comparisons:
            parts.append(render(tables.comparisons(self.comparisons)))
        for report in self.reports:
            if self.by_label:
                parts.append(render(tables.by_label(report)))
            if self.confusion:
                parts.append(render(tables.confusion(report)))
            if self.per_pair:
                parts.append(render(tables.per_pair(report)))
        return "\n\n".join(parts)


def _refuse_illformed(system: str, edition: Edition) -> None:
    from ists.formats import scan
    from scorer.wellformed import check

    if system == "-":
        raise click.UsageError("--require-wellformed reads twice, which '-' does not allow")
    problems = list(check(scan(system, "wa"), edition))
    _warn(problems)
    if problems:
        raise FormatError(f"not well-formed by the rules of {edition}", system)


def _warn(problems: "list[Any] | tuple[Any, ...]") -> None:
    for problem in problems[:_WARNINGS_SHOWN]:
        click.echo(f"warning: {problem}", err=True)
    if len(problems) > _WARNINGS_SHOWN:
        click.echo(f"warning: {len(problems)} such problems in all", err=True)


def _report_ids(report: Report, require_all: bool) -> None:
    for what, ids in (
        ("lacks {} of the gold's pairs, counted as unaligned: {}", report.missing),
        ("has {} pairs that the gold lacks, counted as wrong: {}", report.unknown),
    ):
        if not ids:
            continue
        shown = ", ".join(ids[:10]) + (", …" if len(ids) > 10 else "")
        message = what.format(len(ids), shown)
        if require_all:
            raise FormatError(message, report.system)
        click.echo(f"warning: {report.system}: {message}", err=True)
    if not report.system_weight:
        click.echo(f"warning: {report.system}: aligns nothing, all figures are 0", err=True)
