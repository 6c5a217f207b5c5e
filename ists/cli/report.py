"""``ists report``."""

from typing import TYPE_CHECKING

import click

from ists.cli.options import (
    format_promised,
    match_option,
    output_option,
    reject_terminal,
    reject_two_inputs_from_stdin,
)
from ists.cli.progress import watched
from ists.cli.running import at_terminal
from ists.cli.score import warn
from ists.files import atomic_output, reject_replacing
from ists.spool import Spool
from scorer.measures import Match
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS
from scorer.warnings import of_problems, of_scores

if TYPE_CHECKING:
    from ists.report import Contents


_PAIRS = 1000


def _number_or_all(context: click.Context, option: click.Parameter, text: str) -> int | None:
    if text == "all":
        return None
    if text.isascii() and text.isdigit():
        return int(text)
    raise click.BadParameter(f"'{text}' is no number, expected one or 'all'")


@click.command(name="report")
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYS...", nargs=-1, required=True, type=click.Path())
@output_option("The output file (default: standard output, unless it is a terminal).")
@click.option(
    "--pairs",
    "most",
    metavar="N|all",
    default=str(_PAIRS),
    show_default=True,
    callback=_number_or_all,
    help="Number of pairs to show, worst first; the figures cover all pairs.",
)
@click.option("--title", metavar="TEXT", default="", help="The page's title.")
@match_option()
@click.option(
    "--bootstrap",
    metavar="N",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of bootstrap samples for the 95 % intervals.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=DEFAULT_TRIALS,
    show_default=True,
    help="Number of random trials of the tests between systems.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=DEFAULT_SEED,
    show_default=True,
    help="Seed of samples and trials.",
)
def command(
    gold: str,
    systems: tuple[str, ...],
    output: str,
    most: int | None,
    title: str,
    match: Match,
    bootstrap: int,
    trials: int,
    seed: int,
) -> None:
    """Score system files SYS against the GOLD file and write a report as one HTML page.

    The page has the four F1 with intervals, comparisons of systems, F1 by relation and by sentence
    length, label confusion, agreement, calibration (for JSONL files with confidences), and the
    pairs as pictures of gold and system side by side: worst first, filtered by label, text, result
    or differences. It is one self-contained file. Input files of any size are read as a stream; of
    many pairs, those with the lowest Typ+Sco are shown (--pairs).

    \b
    Examples:
      ists report gold.wa system.wa -o report.html
      ists report gold.wa a.wa b.wa -o report.html --title "a against b"
      ists report gold.wa system.wa -o report.html --pairs all
    """
    from ists.report import compile_report, parts

    reject_two_inputs_from_stdin(gold, *systems)
    reject_terminal(output, "html")
    reject_replacing(output, (gold, *systems))
    format_promised(output, "html")
    with at_terminal() as watcher, Spool() as records:
        contents = compile_report(
            gold,
            systems,
            match,
            bootstrap,
            trials,
            seed,
            most,
            records,
            lambda entries: watched(entries, gold, watcher),
        )
        watcher.end()
        _warn(contents)
        with atomic_output(output) as stream:
            for part in parts(contents, title):
                stream.write(part.encode())


def _warn(contents: "Contents") -> None:
    for problems in contents.problems:
        warn(of_problems(problems.first, problems.total))
    for report in contents.reports:
        warn(of_scores(report))
