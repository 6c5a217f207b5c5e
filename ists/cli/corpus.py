"""``ists corpus``."""

import json
from pathlib import Path

import click

from ists.cli.options import Decorator
from ists.corpus.build import KINDS, Kind
from ists.corpus.folder import open_corpus
from ists.files import reject_no_folder
from scorer.tables import Table, as_markdown, as_text


def _corpus_option() -> Decorator:
    return click.option(
        "--corpus",
        "folder",
        metavar="DIR",
        type=click.Path(),
        help="The folder of the corpus.  [default: data/everyday of this checkout]",
    )


def _data_argument() -> Decorator:
    return click.argument("data", metavar="[DATA]", required=False, type=click.Path())


def _format_option() -> Decorator:
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "markdown", "json"]),
        default="text",
        show_default=True,
        help="Output format.",
    )


@click.group(name="corpus")
def command() -> None:
    """Build, count and check the annotated corpus of everyday English.

    DATA is a folder of data sets, which hold the sentences of the real pairs: the corpus has only
    their annotations.

    \b
    Examples:
      ists corpus build ../shared/data -o build/corpus
      ists corpus stats
      ists corpus check ../shared/data
      ists corpus agreement ../shared/data
    """


@command.command(name="build")
@_data_argument()
@click.option(
    "-o", "--output", required=True, metavar="DIR", type=click.Path(), help="The output folder."
)
@click.option(
    "--only",
    type=click.Choice(KINDS),
    multiple=True,
    help="Build only this part; everyday needs no DATA. May be given more than once.",
)
@_corpus_option()
def build(data: str | None, output: str, only: tuple[Kind, ...], folder: str | None) -> None:
    """Write one .wa file per corpus, and all acceptable labels as accept.jsonl.

    everyday-THEME.wa holds the written pairs, real-SOURCE.wa the real ones with their sentences
    from DATA, which must be the annotated ones. The task's training sets are copied if DATA has
    them: pilot-headlines.wa, pilot-images.wa, more-headlines.wa, more-images.wa and students.wa.
    extra/alternatives.wa has pairs made from sentences with alternatives, for 'ists train aligner
    --extra'; extra/chunked.wa, real pairs of which only the chunks were annotated, for --chunked.

    \b
    Examples:
      ists corpus build ../shared/data -o build/corpus
      ists corpus build -o build/corpus --only everyday
    """
    from ists.corpus.build import EXTRA_FOLDER, extra, parts, write

    kinds = only or KINDS
    if data is None and set(kinds) != {"everyday"}:
        raise click.UsageError("real and official pairs need DATA (or: --only everyday)")
    corpus = open_corpus(folder)
    found = parts(corpus, _data(data), kinds)
    write(found, Path(output))
    for part in found:
        click.echo(f"{part.file}: {part.pairs} pairs", err=True)
    if "everyday" in kinds and (added := extra(corpus, _data(data) if "real" in kinds else None)):
        write(added, Path(output, EXTRA_FOLDER))
        for part in added:
            click.echo(f"{EXTRA_FOLDER}/{part.file}: {part.pairs} pairs", err=True)


@command.command(name="stats")
@click.argument("built", metavar="[DIR]", required=False, type=click.Path())
@_corpus_option()
@_format_option()
def stats(built: str | None, folder: str | None, format_: str) -> None:
    """Count pairs, chunks, links by label, flags and unaligned chunks.

    Counts the corpus itself, or the .wa files of DIR.

    \b
    Examples:
      ists corpus stats
      ists corpus stats build/corpus --format json
    """
    from ists.corpus.stats import of_corpus, of_folder, table, to_dict

    if built is not None and folder is not None:
        raise click.UsageError("DIR cannot be combined with --corpus")
    counts = of_folder(Path(built)) if built is not None else of_corpus(open_corpus(folder))
    _echo(table(counts), to_dict(counts), format_)


@command.command(name="check")
@_data_argument()
@_corpus_option()
def check(data: str | None, folder: str | None) -> None:
    """Check the corpus; list every problem as 'file:line: pair ID: reason'.

    Checks that the files are well-formed and follow the guidelines; that ids match; that every link
    has a list of acceptable labels with the gold label first. With DATA, also that the real pairs
    can be joined and share no six consecutive words with the task's data sets, and that the written
    pairs share no sentence with any data set, and no six consecutive words except those of
    common-phrases.txt. The pairs for testing may share neither with the other written pairs.

    Exit code 0 if there is no problem, 1 otherwise.

    \b
    Examples:
      ists corpus check
      ists corpus check ../shared/data
    """
    from ists.corpus.check import check as problems

    faults = 0
    for problem in problems(open_corpus(folder), _data(data)):
        click.echo(str(problem))
        faults += 1
    if faults:
        click.echo(f"{faults} {'problem' if faults == 1 else 'problems'} found", err=True)
        raise click.exceptions.Exit(1)


@command.command(name="agreement")
@_data_argument()
@click.option(
    "--disagreements",
    type=click.IntRange(min=0),
    metavar="N",
    default=0,
    show_default=True,
    help="Also print all figures and up to N disagreements.",
)
@_corpus_option()
@_format_option()
def agreement(data: str | None, disagreements: int, folder: str | None, format_: str) -> None:
    """Compare the second annotation of some pairs with the first.

    Prints the four F1 with the first as gold; F1 of chunks and of links; and for links in both
    annotations, Cohen's kappa of the relations, the share whose second label is acceptable by the
    first annotation, and Pearson's r of the scores. Without DATA, only the written pairs are
    compared.

    \b
    Examples:
      ists corpus agreement
      ists corpus agreement ../shared/data --disagreements 20
    """
    from ists.corpus.agreement import compare, table

    compared = compare(open_corpus(folder), _data(data))
    _echo(table(compared), {part: one.to_dict() for part, one in compared.items()}, format_)
    if disagreements and format_ == "text":
        *_, widest = compared.values()
        click.echo("\n" + widest.report.render(disagreements))


def _data(folder: str | None) -> Path | None:
    if folder is None:
        return None
    reject_no_folder(Path(folder))
    return Path(folder)


def _echo(table: Table, document: object, format_: str) -> None:
    if format_ == "json":
        click.echo(json.dumps(document, indent=2))
    else:
        click.echo(as_markdown(table) if format_ == "markdown" else as_text(table))
