"""``ists bws``."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from statistics import stdev
from typing import Any, TypeVar

import click

from ists.cli.options import reject_two_inputs_from_stdin, text_or_json_option
from ists.errors import FormatError, UndefinedError
from ists.files import STANDARD_STREAM, atomic_output, reject_replacing
from ists.formats.text import encode
from scorer.bws import (
    DEFAULT_PER_ITEM,
    DEFAULT_SEED,
    DEFAULT_SIZE,
    DEFAULT_SPLITS,
    Annotation,
    draw_tuples,
    reliability,
    score_items,
)
from scorer.bws_files import read_annotations, read_items, scores_as_csv, tuples_as_csv

Command = TypeVar("Command", bound=Callable[..., Any])


def _items_option(command: Command) -> Command:
    return click.option(
        "--items",
        "items_file",
        type=click.Path(),
        metavar="ITEMS",
        help="All valid items, one per line: any other item is an error.",
    )(command)


def _seed_option(command: Command) -> Command:
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=DEFAULT_SEED,
        show_default=True,
        help="The same seed gives the same result.",
    )(command)


def _output_option(command: Command) -> Command:
    return click.option(
        "-o",
        "--output",
        default=STANDARD_STREAM,
        metavar="OUT",
        help="The output file (default: standard output).",
    )(command)


@click.group(name="bws")
def command() -> None:
    """Best–worst scaling: draw tuples for annotators, score answers, measure reliability.

    Annotators see a few items at a time and select the best and the worst of them ("best" is
    defined by the question, for example the most related pair).

    \b
    Examples:
      ists bws tuples items.txt -k 4 --per-item 8 -o tuples.csv
      ists bws score annotations.csv -o scores.csv
      ists bws reliability annotations.csv
    """


@command.command(name="tuples")
@click.argument("items_file", metavar="ITEMS", type=click.Path())
@click.option(
    "-k",
    "size",
    type=click.IntRange(min=2),
    default=DEFAULT_SIZE,
    show_default=True,
    help="Items in a tuple.",
)
@click.option(
    "--per-item",
    type=click.IntRange(min=1),
    default=DEFAULT_PER_ITEM,
    show_default=True,
    help="Tuples per item (one more for some items if the numbers do not divide evenly).",
)
@_seed_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="Columns Item1, Item2, …, or one JSON list per line.",
)
@_output_option
def tuples(items_file: str, size: int, per_item: int, seed: int, format_: str, output: str) -> None:
    """Draw balanced tuples of the items: no item twice in a tuple, no tuple twice.

    \b
    Examples:
      ists bws tuples items.txt -o tuples.csv
      ists bws tuples items.txt -k 5 --per-item 10 --seed 7
    """
    reject_replacing(output, (items_file,))
    items = read_items(items_file)
    try:
        drawn = draw_tuples(items, size, per_item, seed)
    except UndefinedError as error:
        raise FormatError(str(error), items_file) from None
    if format_ == "csv":
        _write(tuples_as_csv(drawn), output)
    else:
        _write("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in drawn), output)


@command.command(name="score")
@click.argument("annotations", metavar="ANNOTATIONS.csv", type=click.Path())
@_items_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(["csv", "json"]),
    default="csv",
    show_default=True,
    help="Output format.",
)
@_output_option
def score(annotations: str, items_file: str | None, format_: str, output: str) -> None:
    """Score items: share of best minus share of worst, also rescaled from 0 to 1.

    The file has the columns Item1, Item2, … BestItem, WorstItem, one answer per line.

    \b
    Examples:
      ists bws score annotations.csv
      ists bws score annotations.csv --items items.txt --format json
    """
    reject_replacing(output, filter(None, (annotations, items_file)))
    scores = score_items(_read(annotations, items_file))
    ranked = sorted(scores.items(), key=lambda one: -one[1].score)
    if format_ == "csv":
        _write(scores_as_csv(ranked), output)
        return
    document = [
        {
            "item": item,
            "score": one.score,
            "difference": one.difference,
            "best": one.best,
            "worst": one.worst,
            "shown": one.shown,
        }
        for item, one in ranked
    ]
    _write(json.dumps(document, indent=2) + "\n", output)


@command.command(name="reliability")
@click.argument("annotations", metavar="ANNOTATIONS.csv", type=click.Path())
@_items_option
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    default=DEFAULT_SPLITS,
    show_default=True,
    help="Random splits to average over.",
)
@_seed_option
@text_or_json_option()
def split_half(
    annotations: str, items_file: str | None, splits: int, seed: int, format_: str
) -> None:
    """Split-half reliability: Spearman between the scores from two halves of the answers.

    In each split, the answers to each tuple are divided at random between the two halves.

    \b
    Examples:
      ists bws reliability annotations.csv
      ists bws reliability annotations.csv --splits 100 --seed 7 --format json
    """
    answers = _read(annotations, items_file)
    try:
        found = reliability(answers, splits, seed, _with_progress)
    except UndefinedError as error:
        raise FormatError(str(error), annotations) from None
    spread = stdev(found.correlations) if splits > 1 else 0.0
    if format_ == "json":
        document = {
            "reliability": found.mean,
            "standard_deviation": spread,
            "annotations": len(answers),
            "splits": splits,
            "seed": seed,
        }
        click.echo(json.dumps(document, indent=2))
        return
    click.echo(
        f"split-half reliability {found.mean:.4f} (Spearman, standard deviation {spread:.4f}, "
        f"{len(answers)} annotations, {splits} splits, seed {seed})"
    )


def _read(file: str, items_file: str | None) -> list[Annotation]:
    reject_two_inputs_from_stdin(file, items_file)
    return read_annotations(file, None if items_file is None else set(read_items(items_file)))


def _write(text: str, output: str) -> None:
    with atomic_output(output) as stream:
        stream.write(encode(text))


def _with_progress(numbers: Iterable[int]) -> Iterator[int]:
    if not sys.stderr.isatty():
        yield from numbers
        return
    with click.progressbar(numbers, label="splitting", file=sys.stderr) as bar:
        yield from bar
