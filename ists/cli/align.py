"""``ists align``."""

from math import isnan

import click

from ists.chunker.tokens import Tokenization
from ists.cli.options import (
    batch_size_option,
    edition_option,
    format_promised,
    output_option,
    pairs_arguments,
    pairs_options,
    reject_given,
)
from ists.cli.running import at_terminal, carry_out_command, pairs_from, print_summary, run_options
from ists.files import STANDARD_STREAM
from ists.formats import PAIR_FORMATS
from ists.formats.columns import Choice
from ists.formats.rows import PARQUET
from ists.models import open_model
from ists.pairs import Edition
from ists.runs.run import OnError
from ists.runs.tasks import AlignTask

_SHARDS = (PARQUET, "jsonl")


@click.command(name="align")
@pairs_arguments()
@output_option()
@click.option(
    "--format",
    "format_",
    type=click.Choice((*PAIR_FORMATS, PARQUET)),
    help="Output format (default: by OUT's extension, else wa; on Ray, parquet).",
)
@pairs_options()
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Align chunks only above this probability (default: the model's own).",
)
@edition_option(
    "2015: each chunk is linked at most once. 2016: several chunks may be linked together."
)
@click.option("--baseline", is_flag=True, help="Align with the pilot task's baseline.")
@click.option("--why", is_flag=True, help="With JSONL: the evidence for each decision.")
@click.option("--matrix", is_flag=True, help="With JSONL: the chunk × chunk link scores.")
@batch_size_option("Pairs per batch; the output does not depend on it.")
@run_options(on_ray=True)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="ray: PAIRS is Parquet (a file or a folder) and OUT a folder of shards.",
)
@click.option(
    "--address", metavar="HOST:PORT", help="The Ray cluster (default: one on this machine)."
)
def command(
    first: str,
    second: str | None,
    output: str,
    format_: str | None,
    from_: str | None,
    columns: Choice | None,
    chunks: str | None,
    tokens: Tokenization,
    model: str,
    threshold: float | None,
    edition: Edition,
    baseline: bool,
    why: bool,
    matrix: bool,
    batch_size: int,
    workers: int,
    on_error: OnError,
    restart: bool,
    profile: bool,
    engine: str,
    address: str | None,
) -> None:
    """Align the chunks of sentence pairs, name each relation and score it from 0 to 5.

    S1 and S2 hold one sentence per line; lines with the same number are a pair. PAIRS is one
    file instead: TSV, CSV, JSONL or Parquet with the columns sentence1 and sentence2, or those that
    --columns names; in TSV and CSV without column names, the two columns of sentences are detected.
    Sentences are chunked by ists; the chunks of bracketed files ('[ A cat ] [ sits ]') are kept.

    Files of any size are read as a stream. To resume a run that was stopped, repeat the same
    command; until the run is complete, its state is in OUT.part and OUT.journal.

    \b
    Examples:
      ists align s1.txt s2.txt -o out.wa
      ists align s1.chunk.txt s2.chunk.txt -o out.wa
      ists align pairs.tsv --format jsonl --why
      ists align SICK_train.txt --from tsv --columns sentence_A,sentence_B -o out.wa
      ists align pairs.csv --columns 2,3 -o out.wa
      printf 'A cat sits.\\tA dog sat.\\n' | ists align - --from tsv
      ists align s1.chunk.txt s2.chunk.txt --edition 2016 -o out.wa
      ists align s1.txt s2.txt --baseline -o baseline.wa
      ists align pairs.parquet -o out.jsonl --workers 4 --on-error skip
      ists align pairs.parquet -o aligned --engine ray --address auto
    """
    format_ = format_ or (
        PARQUET if engine == "ray" else format_promised(output, *PAIR_FORMATS, PARQUET)
    )
    if baseline:
        reject_given("--baseline", "model", "threshold", "edition", "why", "matrix")
    _reject_misuse(format_, why, matrix, threshold, engine, address)
    if edition == "2016" and "groups" not in open_model(model, "aligner").card:
        click.echo(
            f"note: the model '{model}' makes no groups of chunks, every chunk is linked at most "
            "once",
            err=True,
        )
    on_ray = engine == "ray"
    kind = "jsonl" if on_ray else format_
    task = AlignTask(kind, model, threshold, baseline, tokens, why, matrix, batch_size, edition)
    if on_ray:
        if profile:
            raise click.UsageError("--profile measures one process: use it without --engine ray")
        if second is not None or output == STANDARD_STREAM or from_ not in (None, PARQUET):
            raise click.UsageError("--engine ray reads Parquet and writes a folder (-o DIR)")
        from ists.runs.on_ray import Cluster, carry_out_on_ray

        bracketed = None if chunks is None else chunks == "given"
        cluster = Cluster(address, workers or None)
        with at_terminal() as watcher:
            summary = carry_out_on_ray(
                task,
                first,
                output,
                format_,
                watcher,
                cluster,
                on_error,
                restart,
                bracketed,
                columns=columns,
            )
            print_summary(watcher, summary)
        return
    pairs = pairs_from(first, second, from_, chunks, columns)
    carry_out_command(task, pairs, output, workers, on_error, restart, profile)


def _reject_misuse(
    format_: str,
    why: bool,
    matrix: bool,
    threshold: float | None,
    engine: str,
    address: str | None,
) -> None:
    if engine == "ray":
        if format_ not in _SHARDS:
            raise click.UsageError("--engine ray writes --format parquet or jsonl")
    elif address is not None:
        raise click.UsageError("--address requires --engine ray")
    elif format_ == PARQUET:
        raise click.UsageError("Parquet output requires --engine ray, which writes it in shards")
    if (why and format_ not in _SHARDS) or (matrix and format_ != "jsonl"):
        raise click.UsageError("--why and --matrix require --format jsonl")
    if threshold is not None and isnan(threshold):  # FloatRange accepts nan
        raise click.UsageError("--threshold is 'nan', expected a number from 0 to 1")
