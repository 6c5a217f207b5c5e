"""``ists align``."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from ists.chunker.tokens import TOKENIZATIONS, Tokenization
from ists.errors import FormatError
from ists.files import STANDARD_STREAM
from ists.formats import PAIR_FORMATS, write
from ists.formats.sentences import InputPair, looks_bracketed, read_jsonl, read_tsv, read_two_files
from ists.pairs import SentencePair

if TYPE_CHECKING:
    from ists.pipeline import Aligner, BaselineAligner

_INPUTS = ("tsv", "jsonl")


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
    type=click.Choice(_INPUTS),
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
) -> None:
    """Align the chunks of sentence pairs, name each relation and score it from 0 to 5.

    S1 and S2 hold one sentence a line, line i of one with line i of the other. PAIRS is one file
    instead: TSV (its last two columns are the sentences) or JSONL (sentence1, sentence2). Sentences
    are chunked by ists; bracketed files ('[ A cat ] [ sits ]') are taken as given chunks.

    \b
    Examples:
      ists align s1.txt s2.txt -o out.wa
      ists align s1.chunk.txt s2.chunk.txt -o out.wa
      ists align pairs.tsv --format jsonl --why
      printf 'A cat sits.\\tA dog sat.\\n' | ists align - --from tsv
      ists align s1.txt s2.txt --baseline -o baseline.wa
    """
    format_ = format_ or _output_format(output)
    if (why or matrix) and format_ != "jsonl":
        raise click.UsageError("--why and --matrix go with --format jsonl")
    if baseline and (why or matrix or threshold is not None):
        raise click.UsageError("--baseline knows no --why, --matrix and --threshold")
    pairs = _read(first, second, from_, chunks)
    aligner = _aligner(model, threshold, baseline)
    aligned = aligner.align_many(
        pairs, batch_size=batch_size, tokens=tokens, why=why, matrix=matrix
    )
    write(_with_progress(aligned), output, format_)


def _output_format(output: str) -> str:
    suffix = output.rpartition(".")[2].lower()
    return suffix if suffix in PAIR_FORMATS else "wa"


def _read(
    first: str, second: str | None, from_: str | None, chunks: str | None
) -> Iterator[InputPair]:
    if second is not None:
        if from_ is not None:
            raise click.UsageError("--from goes with one file of pairs, not with S1 and S2")
        if first == second == STANDARD_STREAM:
            raise click.UsageError("only one of the files can be standard input ('-')")
        return read_two_files(first, second, _bracketed([first, second], chunks))
    if from_ is None:
        from_ = first.rpartition(".")[2].lower() if first != STANDARD_STREAM else ""
        if from_ not in _INPUTS:
            raise click.UsageError(
                f"'{first}' alone must be .tsv or .jsonl (or name its format with --from); "
                "text files come in pairs: S1 S2"
            )
    given = None if chunks is None else chunks == "given"
    return read_jsonl(first, given) if from_ == "jsonl" else read_tsv(first, given)


def _bracketed(files: list[str], chunks: str | None) -> bool:
    if chunks is not None:
        return chunks == "given"
    named = [file for file in files if file != STANDARD_STREAM]
    looks = [looks_bracketed(file) for file in named]
    if any(looks) and not all(looks):
        with_, without = files if looks[0] else files[::-1]
        raise FormatError(
            f"is bracketed, but {without} is not: expected chunks in both files or in none", with_
        )
    return all(looks)


def _aligner(model: str, threshold: float | None, baseline: bool) -> "Aligner | BaselineAligner":
    from ists.pipeline import Aligner, BaselineAligner

    if baseline:
        return BaselineAligner()
    return Aligner.load(model, threshold=threshold)


def _with_progress(pairs: Iterable[SentencePair]) -> Iterator[SentencePair]:
    """Pass pairs on; tell a person at a terminal how many have gone by."""
    if not sys.stderr.isatty():
        yield from pairs
        return
    with click.progressbar(pairs, label="aligning", file=sys.stderr, show_pos=True) as bar:
        yield from bar
