"""``ists agreement``."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ists.cli.options import edition_option, match_option, text_or_json_option
from ists.cli.progress import watched
from ists.cli.running import at_terminal
from ists.errors import listed
from ists.formats import format_of, read, shown_name
from ists.pairs import Edition, SentencePair
from ists.spool import Spool
from scorer.measures import Match

if TYPE_CHECKING:
    from scorer.agreement import Disagreement
    from scorer.report import Judgement

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
    from scorer.agreement import Disagreement, agree

    if first == second == "-":
        raise click.UsageError("only one of the files can be standard input ('-')")
    names = shown_name(first), shown_name(second)
    every = all_ or format_ == "json"
    # The figures come first, and all disagreements of large files need not fit into memory.
    with at_terminal() as watcher, Spool() as told:
        report = agree(
            watched(_pairs(first, edition), first, watcher),
            _pairs(second, edition),
            names,
            match,
            keep=0 if every else disagreements,
            on_disagreement=told.append if every else None,
        )
        watcher.end()
        _warn(report.by_first)
        found = map(Disagreement._make, told) if every else iter(report.disagreements)
        if format_ == "json":
            document = report.to_dict() | {"disagreements": _Streamed(found, len(told))}
            for part in json.JSONEncoder(indent=2).iterencode(document):
                click.echo(part, nl=False)
            click.echo()
            return
        shown = len(told) if every else len(report.disagreements)
        for number, part in enumerate(report.paragraphs(found, shown)):
            click.echo(f"\n{part}" if number else part)


class _Streamed(list[Any]):
    """A list for JSON that is made as it is written."""

    def __init__(self, found: "Iterator[Disagreement]", count: int) -> None:
        self._found, self._count = found, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[dict[str, str]]:
        return (disagreement._asdict() for disagreement in self._found)


def _pairs(file: str, edition: Edition) -> Iterator[SentencePair]:
    return read(file, "wa" if file == "-" else format_of(file), edition)


def _warn(report: "Judgement") -> None:
    for file, ids in ((report.gold, report.missing), (report.system, report.unknown)):
        if ids:
            click.echo(f"warning: {len(ids)} pairs are only in {file}: {listed(ids)}", err=True)
