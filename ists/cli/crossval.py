"""``ists crossval``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ists.cli.cross_validated import make_folder, write_pairs
from ists.cli.options import text_or_json_option
from ists.cli.train import (
    aligner_setup,
    chunker_option,
    conll_option,
    entailment_option,
    extra_options,
    extra_pairs,
    folds_option,
    networks_option,
    pretraining_option,
    recipe_option,
    seed_option,
    show_progress,
    training_requirements,
    workers_option,
)
from ists.labeler.features import FEATURE_GROUPS

if TYPE_CHECKING:
    from ists.train.aligner.crossval import CrossValidation


@click.command(name="crossval")
@click.argument("files", metavar="GOLD.wa...", nargs=-1, required=True, type=click.Path())
@folds_option
@seed_option
@conll_option
@pretraining_option
@chunker_option
@entailment_option
@recipe_option
@extra_options
@click.option(
    "--without",
    "hidden",
    type=click.Choice(list(FEATURE_GROUPS)),
    multiple=True,
    help="Hide these features from the labeller, to measure what they contribute; may be repeated.",
)
@workers_option
@networks_option
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(),
    help="Write the aligned pairs to this folder: CORPUS.gold_chunks and CORPUS.own_chunks, each "
    "as .wa and, with confidences, as .jsonl.",
)
@text_or_json_option()
def command(
    files: tuple[str, ...],
    folds: int,
    seeds: tuple[int, ...],
    conll: str | None,
    pretraining: str | None,
    chunker: str | None,
    entailment: str | None,
    recipe: str,
    extra: tuple[str, ...],
    chunked: tuple[str, ...],
    hidden: tuple[str, ...],
    workers: int | None,
    networks: str | None,
    output: str | None,
    format_: str,
) -> None:
    """Cross-validate the aligner on GOLD.wa files, by pair: the four F1 in both scenarios.

    Each fold is aligned by a network, a labeller and a link threshold that were trained without it,
    once with gold chunks and once with the network's own. Needs the extra 'train'.

    \b
    Examples:
      ists crossval headlines.wa images.wa --conll conll2000/train.txt
      ists crossval headlines.wa --pretraining chunker.safetensors --format json
      ists crossval corpus/*.wa --chunker chunker --recipe default --folds 3 --without network
      ists crossval headlines.wa -o judged
      ists score headlines.wa judged/headlines.gold_chunks.wa --confusion
      ists bench everyday DIR --cross-validated judged
    """
    with training_requirements():
        from ists.train.aligner.train import cross_validate
        from ists.train.gold import GoldPairs
    setup = aligner_setup(recipe, seeds, conll, pretraining, chunker, entailment)
    gold = GoldPairs.read([Path(file) for file in files])
    if output is not None:
        make_folder(output, gold, files)
    found = cross_validate(
        gold,
        *setup,
        folds=folds,
        hidden=hidden,
        workers=workers or 0,
        saved=Path(networks) if networks else None,
        progress=show_progress,
        extra=extra_pairs(extra, chunked),
    )
    if output is not None:
        write_pairs(found, output)
    as_json = format_ == "json"
    click.echo(json.dumps(found.figures(), indent=2) if as_json else _table(found))


def _table(found: "CrossValidation") -> str:
    from scorer.report import NAMES
    from scorer.tables import Table, as_text

    rows = [
        (f"{corpus}, {scenario.replace('_', ' ')}", *(f"{value:.4f}" for value in report.f1))
        for corpus, reports in found.reports().items()
        for scenario, report in reports.items()
    ]
    return as_text(Table("", ("corpus", *NAMES), rows))
