"""``ists correlate``."""

import json
from collections.abc import Sequence
from typing import Any

import click

from ists import __version__
from ists.cli.options import reject_two_inputs_from_stdin, text_or_json_option
from ists.errors import FormatError, UndefinedError
from scorer.correlation import (
    Correlation,
    Significance,
    fisher_z,
    one_sample_t,
    pearson,
    spearman,
    steiger_z,
    two_sample_t,
)
from scorer.scores import read_gold_scores, read_scores, with_gold
from scorer.tables import Table, as_text

_NAMES = {
    "steiger": "Steiger's Z",
    "fisher": "Fisher's r-to-z",
    "one_sample": "one-sample t",
    "two_sample": "two-sample t",
}


@click.command(name="correlate")
@click.argument("files", metavar="GOLD SYS [SYS2]", nargs=-1, type=click.Path())
@click.option(
    "--triangle",
    nargs=3,
    type=float,
    metavar="R1 R2 R12",
    help="Steiger's Z of given correlations: each system with the gold, and both systems.",
)
@click.option(
    "--pairs", type=click.IntRange(min=1), metavar="N", help="Number of pairs for --triangle."
)
@click.option(
    "--other",
    nargs=2,
    type=(float, int),
    metavar="R N",
    help="Fisher's r-to-z: SYS against a correlation R over N pairs of another data set.",
)
@click.option(
    "--raters",
    type=click.Path(),
    metavar="FILE",
    help="One-sample t: SYS against these correlations, one per line.",
)
@click.option(
    "--other-raters",
    type=click.Path(),
    metavar="FILE",
    help="Two-sample t: the correlations of --raters against these.",
)
@text_or_json_option()
def command(
    files: tuple[str, ...],
    triangle: tuple[float, float, float] | None,
    pairs: int | None,
    other: tuple[float, int] | None,
    raters: str | None,
    other_raters: str | None,
    format_: str,
) -> None:
    """Correlate the scores of one or two systems with gold scores, and test differences.

    Files hold one number per line (or a JSON object with the key 'similarity' or 'score'), in the
    same order. A blank line in GOLD is a pair that was not rated, and is left out. Prints Pearson's
    r and Spearman's rho, each with its p-value; for two systems, Steiger's Z tests whether they
    differ. The p-values of correlations are two-sided; tests have one-sided ones as well.

    \b
    Examples:
      ists correlate gold.txt system.txt
      ists correlate gold.txt a.txt b.txt --format json
      ists correlate gold.txt system.txt --other .8015 3000
      ists correlate gold.txt system.txt --raters humans.txt
      ists correlate --triangle .636 .693 .52 --pairs 64
    """
    _check_usage(files, triangle, pairs, other, raters, other_raters)
    document: dict[str, Any] = {}
    tests: dict[str, Significance] = {}
    if files:
        gold, *systems = files
        scores = _scores(gold, systems)
        figures = [_figures(gold, file, one) for file, one in zip(systems, scores, strict=True)]
        document["gold"] = gold
        document["pairs"] = figures[0][0].n
        document["systems"] = [
            {"file": file, "pearson": r.to_dict(), "spearman": rho.to_dict()}
            for file, (r, rho) in zip(systems, figures, strict=True)
        ]
        (first, _), *more = figures
        if more:
            between = pearson(scores[0][1], scores[1][1])
            document["between"] = between.to_dict()
            tests["steiger"] = steiger_z(first.r, more[0][0].r, between.r, between.n)
        if other:
            tests["fisher"] = fisher_z(first.r, first.n, *other)
        if raters:
            tests["one_sample"] = one_sample_t(first.r, _correlations(raters))
    if triangle and pairs:
        tests["steiger"] = steiger_z(*triangle, pairs)
    if raters and other_raters:
        tests["two_sample"] = two_sample_t(_correlations(raters), _correlations(other_raters))
    document |= {"tests": {name: test.to_dict() for name, test in tests.items()}}
    if format_ == "json":
        click.echo(json.dumps(document | {"version": __version__}, indent=2))
        return
    parts = [as_text(_overview(systems, figures))] if files else []
    if tests:
        parts.append(as_text(_tests(tests)))
    click.echo("\n\n".join(parts))


def _check_usage(
    files: Sequence[str],
    triangle: tuple[float, ...] | None,
    pairs: int | None,
    other: tuple[float, int] | None,
    raters: str | None,
    other_raters: str | None,
) -> None:
    if len(files) not in (0, 2, 3):
        raise click.UsageError("expected GOLD and one or two system files")
    if (triangle is None) != (pairs is None):
        raise click.UsageError("--triangle and --pairs require each other")
    if triangle and files:
        raise click.UsageError("--triangle cannot be combined with files")
    if other_raters and not raters:
        raise click.UsageError("--other-raters requires --raters")
    if not files and (other or (raters and not other_raters)):
        raise click.UsageError("--other and --raters need GOLD and SYS")
    if not files and not triangle and not other_raters:
        raise click.UsageError("expected GOLD and one or two system files, or --triangle")
    reject_two_inputs_from_stdin(*files, raters, other_raters)


def _scores(gold: str, systems: Sequence[str]) -> list[tuple[list[float], list[float]]]:
    gold_scores = read_gold_scores(gold)
    scores = [with_gold(gold_scores, gold, read_scores(file), file) for file in systems]
    if left_out := len(gold_scores) - len(scores[0][0]):
        click.echo(f"warning: {gold}: {left_out} pairs without a score are left out", err=True)
    return scores


def _correlations(file: str) -> list[float]:
    figures = read_scores(file)
    for line, figure in enumerate(figures, start=1):
        if not -1 <= figure <= 1:
            raise FormatError(f"{figure:g}, expected a correlation from -1 to 1", file, line)
    return figures


def _figures(
    gold: str, system: str, scores: tuple[list[float], list[float]]
) -> tuple[Correlation, Correlation]:
    try:
        return pearson(*scores), spearman(*scores)
    except UndefinedError as error:
        raise FormatError(str(error), f"{gold} and {system}") from None


def _overview(systems: Sequence[str], figures: Sequence[tuple[Correlation, Correlation]]) -> Table:
    rows = [
        (file, f"{r.r:.4f}", f"{r.p:.3g}", f"{rho.r:.4f}", f"{rho.p:.3g}")
        for file, (r, rho) in zip(systems, figures, strict=True)
    ]
    return Table(
        f"{figures[0][0].n} pairs", ("system", "Pearson r", "p", "Spearman rho", "p"), rows
    )


def _tests(tests: dict[str, Significance]) -> Table:
    rows = [
        (
            _NAMES[name],
            f"{test.statistic:.3f}",
            "" if test.df is None else f"{test.df:.4g}",
            *(f"{p:.4f}" for p in (test.p, test.p_less, test.p_greater)),
        )
        for name, test in tests.items()
    ]
    return Table("", ("test", "z or t", "df", "p two-sided", "p less", "p greater"), rows)
