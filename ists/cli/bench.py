"""``ists bench``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorer.report import NAMES
from scorer.tables import Table, as_text

if TYPE_CHECKING:
    from ists.bench.pilot import Result


@click.group(name="bench")
def command() -> None:
    """Run a benchmark and set its figures beside the published ones.

    \b
    Examples:
      ists bench pilot DIR
      ists bench pilot DIR --model pilot --format json
    """


@command.command(name="pilot")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option(
    "--model", default="pilot", show_default=True, metavar="NAME|DIR", help="The aligner model."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What the output looks like.",
)
def pilot(folder: str, model: str, format_: str) -> None:
    """The SemEval-2015 pilot: Tables 5 and 6 of the task paper with our rows in their rank.

    DIR holds the official files: STSint.gs.NAME.wa, and the split sent*.txt and *.chunk.txt where
    there are any. Both scenarios are run: gold chunks given, and raw sentences. Data that the model
    was trained on is marked: figures on it prove nothing.

    \b
    Examples:
      ists bench pilot semeval2015/test
      ists bench pilot semeval2015/test --format json
    """
    from ists.bench import pilot as benchmark
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)
    results = benchmark.run(Path(folder), aligner, lambda text: click.echo(text, err=True))
    if format_ == "json":
        document = {
            "signature": benchmark.signature(aligner),
            "results": [result.to_dict() for result in results],
        }
        click.echo(json.dumps(document, indent=2))
        return
    parts = [as_text(_table(result)) for result in results]
    click.echo("\n\n".join([*parts, benchmark.signature(aligner)]))


def _table(result: "Result") -> Table:
    title = f"{result.dataset}, {result.scenario} ({result.pairs} pairs)"
    if result.trained_on:
        title += " -- TRAINING DATA of this model: no measure of quality"
    rows = [
        (
            run.name if run.published else f"> {run.name}",
            *(f"{figure:.4f}" for figure in run.f1),
            str(place),
        )
        for place, run in enumerate(result.runs, start=1)
    ]
    return Table(title, ("run", *NAMES, "place"), rows)
