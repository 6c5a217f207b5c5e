"""``ists similarity``."""

import click

from ists.chunker.tokens import Tokenization
from ists.cli.options import (
    batch_size_option,
    output_option,
    pairs_arguments,
    pairs_options,
)
from ists.cli.running import carry_out_command, pairs_from, run_options
from ists.formats.columns import Choice
from ists.runs.run import OnError
from ists.runs.tasks import SimilarityTask
from ists.similarity import SCALES, Scale

_FORMATS = ("text", "jsonl")


@click.command(name="similarity")
@pairs_arguments()
@output_option()
@click.option(
    "--scale",
    type=click.Choice(list(SCALES)),
    default="0-5",
    show_default=True,
    help="The scale of the scores: 0-5 as SemEval, 0-4 as its Spanish task and STSS-131, or 0-1.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    help="text: one score per line; jsonl: also each chunk's contribution (default: by OUT's "
    "extension, else text).",
)
@pairs_options()
@click.option(
    "--similarity-model",
    default="similarity",
    show_default=True,
    metavar="NAME|DIR",
    help="The model that encodes whole sentences.",
)
@batch_size_option("Pairs per batch; the output does not depend on it.")
@run_options()
def command(
    first: str,
    second: str | None,
    output: str,
    scale: Scale,
    format_: str | None,
    from_: str | None,
    columns: Choice | None,
    chunks: str | None,
    tokens: Tokenization,
    model: str,
    similarity_model: str,
    batch_size: int,
    workers: int,
    on_error: OnError,
    restart: bool,
    profile: bool,
) -> None:
    """Score the similarity of sentence pairs, with the contribution of each chunk.

    S1 and S2 hold one sentence per line; lines with the same number are a pair. PAIRS is one
    file instead: TSV, CSV, JSONL or Parquet with the columns sentence1 and sentence2, or those that
    --columns names; in TSV and CSV without column names, the two columns of sentences are detected.
    The text format has one score per line. JSONL is that of 'ists align' with the similarity, and
    the contribution of each alignment and each unaligned chunk: these add up to the similarity.

    The score does not depend on the order of the two sentences.

    \b
    Examples:
      ists similarity s1.txt s2.txt
      ists similarity pairs.tsv --scale 0-1 -o scores.txt
      ists similarity pairs.tsv --format jsonl
      ists similarity SICK_train.txt --from tsv --columns sentence_A,sentence_B
      printf 'A cat sits.\\tA dog sat.\\n' | ists similarity - --from tsv
    """
    format_ = format_ or ("jsonl" if output.lower().endswith(".jsonl") else "text")
    task = SimilarityTask(format_, scale, model, similarity_model, tokens, batch_size)
    pairs = pairs_from(first, second, from_, chunks, columns)
    carry_out_command(task, pairs, output, workers, on_error, restart, profile)
