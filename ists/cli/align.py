"""``ists align``."""

import click

from ists.chunker.tokens import TOKENIZATIONS, Tokenization
from ists.cli.running import carry_out_command, pairs_from, run_options
from ists.files import STANDARD_STREAM
from ists.formats import PAIR_FORMATS
from ists.formats.rows import TABLES
from ists.runs.run import OnError
from ists.runs.tasks import AlignTask


@click.command(name="align")
@click.argument("first", metavar="S1|PAIRS", type=click.Path())
@click.argument("second", metavar="[S2]", required=False, type=click.Path())
@click.option("-o", "--output", default=STANDARD_STREAM, metavar="OUT", help="Where to write.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(PAIR_FORMATS),
    help="The output's format (default: by OUT's extension, else wa).",
)
@click.option(
    "--from",
    "from_",
    type=click.Choice(TABLES),
    help="The format of PAIRS (default: by extension).",
)
@click.option(
    "--chunks",
    type=click.Choice(["auto", "given"]),
    help="auto: chunk the sentences; given: they are bracketed. Default: as they look.",
)
@click.option(
    "--tokens",
    type=click.Choice(TOKENIZATIONS),
    default="auto",
    show_default=True,
    help="How to cut text into tokens; auto leaves tokenised lines as they are.",
)
@click.option(
    "--model", default="default", show_default=True, metavar="NAME|DIR", help="The aligner model."
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Align chunks only above this probability (default: the model's own).",
)
@click.option("--baseline", is_flag=True, help="Align as the pilot's baseline does.")
@click.option("--why", is_flag=True, help="With JSONL: what each decision rests on.")
@click.option("--matrix", is_flag=True, help="With JSONL: the chunk × chunk link scores.")
@click.option(
    "--batch-size",
    type=click.IntRange(min=1),
    default=32,
    show_default=True,
    help="Pairs read at once; the output does not depend on it.",
)
@run_options
def command(
    first: str,
    second: str | None,
    output: str,
    format_: str | None,
    from_: str | None,
    chunks: str | None,
    tokens: Tokenization,
    model: str,
    threshold: float | None,
    baseline: bool,
    why: bool,
    matrix: bool,
    batch_size: int,
    workers: int,
    on_error: OnError,
    restart: bool,
    profile: bool,
) -> None:
    """Align the chunks of sentence pairs, name each relation and score it from 0 to 5.

    S1 and S2 hold one sentence a line, line i of one with line i of the other. PAIRS is one file
    instead: TSV (its last two columns are the sentences), JSONL or Parquet (sentence1, sentence2).
    Sentences are chunked by ists; bracketed files ('[ A cat ] [ sits ]') are taken as given chunks.

    Files of any size are read as a stream. A run that was stopped goes on where it was when the
    same command is given again; until its end, OUT.part and OUT.journal stand beside OUT.

    \b
    Examples:
      ists align s1.txt s2.txt -o out.wa
      ists align s1.chunk.txt s2.chunk.txt -o out.wa
      ists align pairs.tsv --format jsonl --why
      printf 'A cat sits.\\tA dog sat.\\n' | ists align - --from tsv
      ists align s1.txt s2.txt --baseline -o baseline.wa
      ists align pairs.parquet -o out.jsonl --workers 4 --on-error skip
    """
    format_ = format_ or _output_format(output)
    if (why or matrix) and format_ != "jsonl":
        raise click.UsageError("--why and --matrix go with --format jsonl")
    if baseline and (why or matrix or threshold is not None):
        raise click.UsageError("--baseline knows no --why, --matrix and --threshold")
    task = AlignTask(format_, model, threshold, baseline, tokens, why, matrix, batch_size)
    pairs = pairs_from(first, second, from_, chunks)
    carry_out_command(task, pairs, output, workers, on_error, restart, profile)


def _output_format(output: str) -> str:
    suffix = output.rpartition(".")[2].lower()
    return suffix if suffix in PAIR_FORMATS else "wa"
