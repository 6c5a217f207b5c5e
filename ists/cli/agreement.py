"""``ists agreement``."""

import json

import click

from ists.cli.options import edition_option, match_option, text_or_json_option
from ists.errors import listed
from ists.formats import format_of, read, shown_name
from ists.pairs import Edition, SentencePair
from scorer.measures import Match
from scorer.report import Report

_LISTED = 20


@click.command(name="agreement")
@click.argument("first", metavar="A", type=click.Path())
@click.argument("second", metavar="B", type=click.Path())
@text_or_json_option("What the output looks like; JSON is unrounded and lists every disagreement.")
@click.option(
    "--disagreements",
    type=click.IntRange(min=0),
    metavar="N",
    default=_LISTED,
    show_default=True,
    help="How many disagreements to list as text.",
)
@click.option("--all", "all_", is_flag=True, help="List every disagreement.")
@match_option()
@edition_option()
def command(
    first: str,
    second: str,
    format_: str,
    disagreements: int,
    all_: bool,
    match: Match,
    edition: Edition,
) -> None:
    """Measure how far two annotated files agree: A and B hold the same pairs, matched by id.

    The four F1 with either file as the gold; the chunks both have; Cohen's kappa on the labels and
    the correlation of the scores of links both have; and what they disagree on, pair by pair.

    \b
    Examples:
      ists agreement anna.wa ben.wa
      ists agreement anna.wa ben.wa --all
      ists agreement anna.wa ben.wa --format json | jq .relations.kappa
    """
    from scorer.agreement import agree

    if first == second == "-":
        raise click.UsageError("only one of the files can be standard input ('-')")
    names = shown_name(first), shown_name(second)
    report = agree(_pairs(first, edition), _pairs(second, edition), names, match)
    _warn(report.by_first)
    if format_ == "json":
        click.echo(json.dumps(report.to_dict(), indent=2))
    else:
        click.echo(report.render(None if all_ else disagreements))


def _pairs(file: str, edition: Edition) -> list[SentencePair]:
    return list(read(file, "wa" if file == "-" else format_of(file), edition))


def _warn(report: Report) -> None:
    for file, ids in ((report.gold, report.missing), (report.system, report.unknown)):
        if ids:
            click.echo(f"warning: {len(ids)} pairs are only in {file}: {listed(ids)}", err=True)
