"""``ists check``."""

from collections.abc import Iterator

import click

from ists.cli.options import edition_option
from ists.formats import PAIR_FORMATS, scan
from ists.formats.problems import Scanned
from ists.pairs import Edition
from scorer.wellformed import Statistics, check


@click.command(name="check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@edition_option("2015: one-to-one, contiguous chunks. 2016: many-to-many and gaps allowed.")
@click.option(
    "--guidelines",
    is_flag=True,
    help="Also check the annotators' rules: scores fit labels, every token used once.",
)
@click.option("--stats", is_flag=True, help="Print pairs, alignments and counts per label.")
@click.option(
    "--from",
    "format_",
    type=click.Choice(PAIR_FORMATS),
    help="The files' format (default: by extension).",
)
def command(
    files: tuple[str, ...], edition: Edition, guidelines: bool, stats: bool, format_: str | None
) -> None:
    """Check that each FILE is well-formed; list every problem as 'file:line: pair ID: reason'.

    Exit code 0 if all files are well-formed, 1 if any is not.

    \b
    Examples:
      ists check system.wa
      ists check --edition 2016 answers-students.wa
      ists check --guidelines --stats gold.wa
      ists check - --from wa < gold.wa
    """
    faults = 0
    for file in files:
        statistics = Statistics()
        for problem in check(_scanned(file, format_), edition, guidelines, statistics):
            click.echo(str(problem))
            faults += 1
        if stats:
            click.echo(_rendered(file, statistics))
    if faults:
        noun = "problem" if faults == 1 else "problems"
        click.echo(f"{faults} {noun} found", err=True)
        raise click.exceptions.Exit(1)


def _scanned(file: str, format_: str | None) -> Iterator[Scanned]:
    if file == "-" and format_ is None:
        raise click.UsageError("standard input has no extension: name its format with --from")
    return scan(file, format_)


def _rendered(file: str, statistics: Statistics) -> str:
    counts = sorted(statistics.labels.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{file}: {statistics.pairs} pairs, {statistics.alignments} alignments"]
    lines += [f"  {label:<16} {count:>7}" for label, count in counts]
    return "\n".join(lines)
