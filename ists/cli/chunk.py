"""``ists chunk``."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ists.chunker.tokens import Tokenization, tokenize
from ists.cli.options import batch_size_option, model_option, output_option, tokens_option
from ists.cli.running import carry_out_command, run_options
from ists.files import STANDARD_STREAM, open_input
from ists.formats import brackets, conll, shown_name
from ists.formats.brackets import Chunks
from ists.formats.rows import TABLES, table_format
from ists.formats.sentences import looks_bracketed
from ists.formats.text import decode
from ists.runs.run import OnError
from ists.runs.sources import Sentences
from ists.runs.tasks import ChunkTask
from scorer.chunking import Agreement, ChunkReport, compare_chunks, compare_typed

if TYPE_CHECKING:
    from ists.chunker.tagger import Chunker


@click.command(name="chunk")
@click.argument("file", required=False, type=click.Path())
@output_option()
@tokens_option()
@click.option(
    "--format",
    "format_",
    type=click.Choice(["brackets", "conll", "jsonl"]),
    default="brackets",
    show_default=True,
    help="What the output looks like.",
)
@click.option("--types", is_flag=True, help="Name each chunk's type: [ A cat ]/NP [ sits ]/VP.")
@model_option("chunker", "chunker")
@batch_size_option("Sentences read at once; the chunks do not depend on it.")
@click.option(
    "--from",
    "from_",
    type=click.Choice(("txt", *TABLES)),
    help="The format of FILE (default: by extension, else one sentence a line).",
)
@click.option(
    "--column",
    metavar="NAME|N",
    help="Where a table has its sentences: a name, for TSV a number "
    "(default: 'sentence', the last).",
)
@click.option(
    "--eval",
    "gold",
    metavar="GOLD",
    help="Compare with the chunks of GOLD instead of writing chunks.",
)
@click.option("--json", "as_json", is_flag=True, help="With --eval: figures as JSON.")
@run_options
def command(
    file: str | None,
    output: str,
    tokens: Tokenization,
    format_: str,
    types: bool,
    model: str,
    batch_size: int,
    from_: str | None,
    column: str | None,
    gold: str | None,
    as_json: bool,
    workers: int,
    on_error: OnError,
    restart: bool,
    profile: bool,
) -> None:
    """Cut sentences into chunks: FILE (default: standard input) has one sentence a line.

    FILE may also be a table: TSV, JSONL or Parquet with the sentences in one column. Lines that are
    tokenised already are cut at white space, prose by spaCy's English tokeniser. Empty lines stay
    empty. The bracketed output is what 'ists align' takes as given chunks. A run that was stopped
    goes on where it was when the same command is given again.

    With --eval, FILE is compared with GOLD line by line: exact chunks, boundaries, and what goes
    wrong most. FILE may be bracketed itself (then no model is used) or sentences to be chunked;
    without FILE the gold's own tokens are chunked. A GOLD in CoNLL-2000's columns is judged in that
    corpus' own scheme.

    \b
    Examples:
      ists chunk sent1.txt -o sent1.chunk.txt
      echo "The cat sat on the mat." | ists chunk --types
      ists chunk sent1.txt --format jsonl
      ists chunk pairs.parquet --column sentence1 -o sent1.chunk.txt --workers 2
      ists chunk --eval gold.chunk.txt
      ists chunk --eval gold.chunk.txt mine.chunk.txt --json
      ists chunk --eval conll2000/test.txt
    """
    if gold is not None:
        if STANDARD_STREAM in (gold, file):
            raise click.UsageError("--eval reads its files twice, which '-' does not allow")
        judge = _judged_chunks if looks_bracketed(gold) else _judged_tags
        figures, text = judge(gold, file, tokens, model, batch_size)
        click.echo(json.dumps(figures, indent=2) if as_json else text)
        return
    if as_json:
        raise click.UsageError("--json goes with --eval; for chunks as JSON take --format jsonl")
    task = ChunkTask(format_, model, tokens, types, batch_size)
    source = _source(file or STANDARD_STREAM, from_, column)
    carry_out_command(task, source, output, workers, on_error, restart, profile)


def _source(file: str, from_: str | None, column: str | None) -> Sentences:
    format_ = from_ or table_format(file) or "txt"
    if column is not None:
        if format_ == "txt":
            raise click.UsageError("--column goes with TSV, JSONL and Parquet")
        if format_ == "tsv" and not (column.isascii() and column.isdigit() and int(column) > 0):
            raise click.UsageError("--column of TSV is a number from 1")
    return Sentences(file, format_, column)


def _load(model: str) -> "Chunker":
    from ists.chunker.tagger import Chunker

    return Chunker.load(model)


def _judged_chunks(
    gold: str, file: str | None, tokens: Tokenization, model: str, batch_size: int
) -> tuple[dict[str, Any], str]:
    with open_input(gold) as stream:
        theirs = brackets.read(stream, gold)
        if file is not None and looks_bracketed(file):
            with open_input(file) as own:
                report = compare_chunks(theirs, brackets.read(own, file), file)
        else:
            sentences = _sentences(file, tokens) if file is not None else _tokens_of(gold)
            chunked = _load(model).chunk_many(sentences, batch_size)
            report = compare_chunks(theirs, (s.chunks for s in chunked), shown_name(file or gold))
    return report.to_dict(), _rendered(report)


def _judged_tags(
    gold: str, file: str | None, tokens: Tokenization, model: str, batch_size: int
) -> tuple[dict[str, Any], str]:
    """CoNLL-2000's own scheme, of a file in its columns."""
    if file is not None:
        raise click.UsageError(f"{gold} is not bracketed: a file in CoNLL's columns comes alone")
    from ists.chunker.iob import spans

    with open_input(gold) as stream:
        sentences = list(conll.read(stream, gold))
    chunked = _load(model).chunk_many((s.tokens for s in sentences), batch_size)
    counts = compare_typed((spans(s.iob) for s in sentences), (spans(s.iob) for s in chunked))
    head = f"{'':<12}{'precision':>10}{'recall':>10}{'F1':>10}{'gold':>8}{'found':>8}"
    rows = [_figures_line(name, counts[name]) for name in ("all", *sorted(set(counts) - {"all"}))]
    return {name: c.to_dict() for name, c in counts.items()}, "\n".join([head, *rows])


def _figures_line(name: str, figures: Agreement) -> str:
    return (
        f"{name:<12}{figures.precision:>10.4f}{figures.recall:>10.4f}{figures.f1:>10.4f}"
        f"{figures.gold:>8}{figures.system:>8}"
    )


def _sentences(file: str, tokens: Tokenization) -> Iterator[tuple[str, ...]]:
    with open_input(file) as stream:
        yield from (tokenize(decode(line), tokens) for line in stream)


def _tokens_of(file: str) -> Iterator[tuple[str, ...]]:
    with open_input(file) as stream:
        for chunks in brackets.read(stream, file):
            yield _flat(chunks)


def _flat(chunks: Chunks) -> tuple[str, ...]:
    return tuple(token for chunk in chunks for token in chunk)


def _rendered(report: ChunkReport) -> str:
    lines = [
        f"{report.sentences} sentences, {report.identical} of them cut exactly alike",
        f"{'':<12}{'precision':>10}{'recall':>10}{'F1':>10}{'gold':>8}{'found':>8}",
    ]
    lines += [
        _figures_line("chunks", report.chunks),
        _figures_line("boundaries", report.boundaries),
    ]
    if report.confusions:
        lines.append("\nCommonest confusions")
    for confusion, count in report.commonest():
        kind = "no boundary" if confusion.kind == "missing" else "a boundary too many"
        lines.append(f"{count:>5} × {kind} before '{confusion.before}'")
        for line, gold, system in report.examples[confusion]:
            lines.append(f"        line {line}: gold {gold}  found {system}")
    return "\n".join(lines)
