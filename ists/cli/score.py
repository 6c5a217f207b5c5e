"""``ists score``."""

import io
import json
from collections.abc import Iterable

import click

from ists.cli.options import edition_option, match_option, reject_two_inputs_from_stdin
from ists.errors import FormatError
from ists.files import open_input
from ists.formats import shown_name, wa
from ists.pairs import Edition
from scorer.judge import Loaded, load, score
from scorer.measures import Match
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS, Views, summarise
from scorer.warnings import mismatches, of_problems, of_scores
from scorer.wellformed import check

_FORMATS = ("text", "json", "tsv", "latex")


@click.command(name="score")
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYS...", nargs=-1, required=True, type=click.Path())
@match_option("How strictly Typ+Sco compares relations (the paper's tables are strict).")
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option(
    "--bootstrap",
    metavar="N",
    type=click.IntRange(min=1),
    help="Add 95 % confidence intervals from N bootstrap samples of the pairs.",
)
@click.option(
    "--compare",
    is_flag=True,
    help="Test the difference of every two systems by paired approximate randomisation.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=DEFAULT_TRIALS,
    show_default=True,
    help="Number of random trials of --compare.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=DEFAULT_SEED,
    show_default=True,
    help="Seed of --bootstrap and --compare.",
)
@click.option("--by-label", is_flag=True, help="Add precision, recall and F1 of each relation.")
@click.option("--confusion", is_flag=True, help="Add gold × system labels, unaligned included.")
@click.option("--per-pair", is_flag=True, help="Add the four F1 of each sentence pair.")
@click.option(
    "--require-all",
    is_flag=True,
    help="Fail if a system file lacks gold pairs, has others, or other tokens in them.",
)
@click.option(
    "--require-wellformed", is_flag=True, help="Fail if a system file is not well-formed."
)
@edition_option("The rules of --require-wellformed.")
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
    both. Pairs are matched by id. Irregularities in a system file are scored as by the task's own
    program, and reported on stderr.

    \b
    Examples:
      ists score gold.wa system.wa
      ists score gold.wa a.wa b.wa --compare --bootstrap 1000
      ists score gold.wa system.wa --by-label --confusion
      ists score gold.wa system.wa --format json | jq .systems[0].f1
    """
    reject_two_inputs_from_stdin(gold, *systems)
    if compare and len(systems) < 2:
        raise click.UsageError("--compare needs at least two system files")
    gold_pairs = load(gold)
    warnings = [*warn(of_problems(gold_pairs.problems))]
    reports = []
    for system in systems:
        loaded = _load_wellformed(system, edition) if require_wellformed else load(system, False)
        report = score(gold_pairs, loaded, match)
        warnings += warn(of_problems(report.problems))
        for mismatch in mismatches(report) if require_all else ():
            raise mismatch
        warnings += warn(of_scores(report))
        reports.append(report)
    views = Views(by_label, confusion, per_pair)
    summary = summarise(reports, views, bootstrap, compare, trials, seed, warnings)
    as_json = format_ == "json"
    click.echo(json.dumps(summary.to_dict(), indent=2) if as_json else summary.render(format_))


def _load_wellformed(system: str, edition: Edition) -> Loaded:
    """Check and load a file that is read once, because a pipe cannot be read twice."""
    name = shown_name(system)
    with open_input(system) as stream:
        data = stream.read()
    problems = list(check(wa.scan(io.BytesIO(data), name), edition))
    if problems:
        warn(of_problems(problems))
        raise FormatError(f"not well-formed by the rules of {edition}", name)
    return load(io.BytesIO(data), as_gold=False, name=name)


def warn(warnings: Iterable[str]) -> list[str]:
    """Print warnings, and return them."""
    printed = list(warnings)
    for warning in printed:
        click.echo(f"warning: {warning}", err=True)
    return printed
