"""``ists agreement``."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ists.cli.options import edition_option, match_option, text_or_json_option
from ists.cli.progress import watched
from ists.cli.running import at_terminal
from ists.errors import listed
from ists.files import STANDARD_STREAM, atomic_output
from ists.formats import format_of, read, shown_name
from ists.pairs import Edition, SentencePair
from ists.spool import Spool
from scorer.measures import Match

if TYPE_CHECKING:
    from scorer.agreement import AgreementReport, Disagreement

_LISTED = 20
_FEWEST = 2


@click.command(name="agreement")
@click.argument("files", metavar="A B [C]...", nargs=-1, required=True, type=click.Path())
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
@click.option(
    "--html", metavar="FILE", help="Also write a page of all disagreements, pair by pair."
)
@match_option()
@edition_option()
def command(
    files: tuple[str, ...],
    format_: str,
    disagreements: int,
    all_: bool,
    html: str | None,
    match: Match,
    edition: Edition,
) -> None:
    """Measure how far annotated files agree: they hold the same pairs, matched by id.

    The four F1 with either file as the gold; the chunks both have; Cohen's kappa on the labels and
    the correlation of the scores of links both have; and the disagreements, pair by pair. Pairs
    that are not finished (status="unfinished") in both files do not count. For more than two files,
    Krippendorff's alpha of all, and F1 and kappa of every two.

    \b
    Examples:
      ists agreement anna.wa ben.wa
      ists agreement anna.wa ben.wa --all
      ists agreement anna.wa ben.wa --html disagreements.html
      ists agreement anna.wa ben.wa carla.wa
      ists agreement anna.wa ben.wa --format json | jq .relations.kappa
    """
    if len(files) < _FEWEST:
        raise click.UsageError("expected at least two files")
    if sum(file == STANDARD_STREAM for file in files) > 1:
        raise click.UsageError("only one of the files can be standard input ('-')")
    if html is not None and (STANDARD_STREAM in files or html == STANDARD_STREAM):
        raise click.UsageError("--html needs files, not standard input or output ('-')")
    if len(files) == _FEWEST:
        _compare_two(files[0], files[1], format_, disagreements, all_, match, edition)
    else:
        _compare_all(files, format_, match, edition)
    if html is not None:
        _write_page(files, html, match, edition)


def _compare_two(
    first: str,
    second: str,
    format_: str,
    disagreements: int,
    all_: bool,
    match: Match,
    edition: Edition,
) -> None:
    from scorer.agreement import Disagreement, agree

    names = shown_name(first), shown_name(second)
    every = all_ or format_ == "json"
    # The figures come first, and all disagreements of large files need not fit into memory.
    with at_terminal() as watcher, Spool() as spooled:
        report = agree(
            watched(_pairs(first, edition), first, watcher),
            _pairs(second, edition),
            names,
            match,
            keep=0 if every else disagreements,
            on_disagreement=spooled.append if every else None,
        )
        watcher.end()
        _warn(report)
        found = map(Disagreement._make, spooled) if every else iter(report.disagreements)
        if format_ == "json":
            document = report.to_dict() | {"disagreements": _Streamed(found, len(spooled))}
            for part in json.JSONEncoder(indent=2).iterencode(document):
                click.echo(part, nl=False)
            click.echo()
            return
        shown = len(spooled) if every else len(report.disagreements)
        for number, part in enumerate(report.paragraphs(found, shown)):
            click.echo(f"\n{part}" if number else part)


def _compare_all(files: Sequence[str], format_: str, match: Match, edition: Edition) -> None:
    from scorer.group_agreement import agree_all

    pairs = [list(_pairs(file, edition)) for file in files]
    report = agree_all(pairs, [shown_name(file) for file in files], match)
    if format_ == "json":
        click.echo(json.dumps(report.to_dict(), indent=2))
    else:
        click.echo(report.render())


def _write_page(files: Sequence[str], html: str, match: Match, edition: Edition) -> None:
    from ists.annotate.disagreements import render
    from scorer.group_agreement import agree_all

    pairs = [list(_pairs(file, edition)) for file in files]
    names = [shown_name(file) for file in files]
    page = render(pairs, names, agree_all(pairs, names, match).pairwise)
    with atomic_output(html) as stream:
        stream.write(page.encode())


class _Streamed(list[Any]):
    """List for JSON whose items are produced while it is written."""

    def __init__(self, found: "Iterator[Disagreement]", count: int) -> None:
        self._found, self._count = found, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[dict[str, str]]:
        return (disagreement._asdict() for disagreement in self._found)


def _pairs(file: str, edition: Edition) -> Iterator[SentencePair]:
    return read(file, "wa" if file == "-" else format_of(file), edition)


def _warn(report: "AgreementReport") -> None:
    judged = report.by_first
    for file, ids in ((judged.gold, judged.missing), (judged.system, judged.unknown)):
        if ids:
            click.echo(f"warning: {len(ids)} pairs are only in {file}: {listed(ids)}", err=True)
    if report.unfinished:
        ids = report.unfinished
        click.echo(
            f"warning: {len(ids)} pairs are not finished in both files: {listed(ids)}", err=True
        )
