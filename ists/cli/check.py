"""``ists check``."""

from collections.abc import Iterator

import click

from ists.cli.options import edition_option
from ists.errors import FormatError
from ists.files import STANDARD_STREAM, open_input
from ists.formats import BRACKETS, PAIR_FORMATS, brackets, scan, shown_name
from ists.pairs import Edition
from scorer.wellformed import Statistics, check


@click.command(name="check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@edition_option("2015: one-to-one, contiguous chunks. 2016: many-to-many and gaps allowed.")
@click.option(
    "--guidelines",
    is_flag=True,
    help="Also check the guidelines' rules: scores agree with labels, every token used once.",
)
@click.option("--stats", is_flag=True, help="Print pairs, alignments and counts per label.")
@click.option(
    "--from",
    "format_",
    type=click.Choice((*PAIR_FORMATS, BRACKETS)),
    help="The files' format (default: by extension; .txt is bracketed chunks).",
)
def command(
    files: tuple[str, ...], edition: Edition, guidelines: bool, stats: bool, format_: str | None
) -> None:
    """Check that each FILE is well-formed; list every problem as 'file:line: pair ID: reason'.

    In a file of bracketed chunks (.txt), each line that other commands read with a warning is a
    problem. Exit code 0 if all files are well-formed, 1 otherwise.

    \b
    Examples:
      ists check system.wa
      ists check --edition 2016 answers-students.wa
      ists check --guidelines --stats gold.wa
      ists check sent1.chunk.txt
      ists check - --from wa < gold.wa
    """
    faults = 0
    for file in files:
        if _format(file, format_) == BRACKETS:
            for fault in _faults_of_chunks(file):
                click.echo(str(fault))
                faults += 1
            continue
        statistics = Statistics()
        for problem in check(scan(file, format_), edition, guidelines, statistics):
            click.echo(str(problem))
            faults += 1
        if stats:
            click.echo(_format_statistics(file, statistics))
    if faults:
        noun = "problem" if faults == 1 else "problems"
        click.echo(f"{faults} {noun} found", err=True)
        raise click.exceptions.Exit(1)


def _format(file: str, format_: str | None) -> str | None:
    if file == STANDARD_STREAM and format_ is None:
        raise click.UsageError("standard input has no extension: name its format with --from")
    return BRACKETS if format_ is None and file.lower().endswith(".txt") else format_


def _faults_of_chunks(file: str) -> Iterator[FormatError]:
    try:
        with open_input(file) as stream:
            yield from brackets.faults(stream, shown_name(file))
    except FormatError as error:
        yield error


def _format_statistics(file: str, statistics: Statistics) -> str:
    counts = sorted(statistics.labels.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{file}: {statistics.pairs} pairs, {statistics.alignments} alignments"]
    lines += [f"  {label:<16} {count:>7}" for label, count in counts]
    return "\n".join(lines)
