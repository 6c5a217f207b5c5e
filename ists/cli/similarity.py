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
    help="The scale of the scores: SemEval's, its Spanish one's and STSS-131's, or a share.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    help="text: a score a line; jsonl: with what each chunk adds. Default: by OUT, else text.",
)
@pairs_options()
@click.option(
    "--similarity-model",
    default="similarity",
    show_default=True,
    metavar="NAME|DIR",
    help="The model that reads the sentences as a whole.",
)
@batch_size_option("Pairs read at once; the output does not depend on it.")
@run_options
def command(
    first: str,
    second: str | None,
    output: str,
    scale: Scale,
    format_: str | None,
    from_: str | None,
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
    """Say how similar the sentences of pairs are, and what each chunk adds to the number.

    S1 and S2 hold one sentence a line, line i of one with line i of the other. PAIRS is one file
    instead: TSV (its last two columns are the sentences), JSONL or Parquet (sentence1, sentence2).
    The text format has one score a line. JSONL is that of 'ists align' with the similarity, and the
    contribution of each alignment and each chunk left alone: these add up to the similarity.

    The score is the same whichever sentence comes first.

    \b
    Examples:
      ists similarity s1.txt s2.txt
      ists similarity pairs.tsv --scale 0-1 -o scores.txt
      ists similarity pairs.tsv --format jsonl
      printf 'A cat sits.\\tA dog sat.\\n' | ists similarity - --from tsv
    """
    format_ = format_ or ("jsonl" if output.lower().endswith(".jsonl") else "text")
    task = SimilarityTask(format_, scale, model, similarity_model, tokens, batch_size)
    pairs = pairs_from(first, second, from_, chunks)
    carry_out_command(task, pairs, output, workers, on_error, restart, profile)
