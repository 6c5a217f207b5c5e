"""``ists chunk``."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ists.chunker.tokens import Tokenization, tokenize
from ists.cli.options import (
    Warnings,
    batch_size_option,
    model_option,
    output_option,
    reject_given,
    reject_two_inputs_from_stdin,
    tokens_option,
)
from ists.cli.running import carry_out_command, run_options
from ists.errors import FormatError
from ists.files import STANDARD_STREAM, atomic_output, open_input, reject_replacing
from ists.formats import brackets, conll, jsonl, shown_name
from ists.formats.brackets import Chunks
from ists.formats.rows import TABLES, raise_rejected, table_format
from ists.formats.sentences import InputPair, looks_bracketed, scan_sentences, scan_two_files
from ists.formats.text import encode
from ists.runs.run import OnError
from ists.runs.sources import Sentences
from ists.runs.tasks import ChunkTask
from scorer.chunk_agreement import Agreement, ChunkReport, compare_chunks, compare_typed

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
    help="Output format.",
)
@click.option("--types", is_flag=True, help="Add each chunk's type: [ A cat ]/NP [ sits ]/VP.")
@model_option("chunker", "chunker")
@batch_size_option("Sentences per batch; the chunks do not depend on it.")
@click.option(
    "--from",
    "from_",
    type=click.Choice(("txt", *TABLES)),
    help="The format of FILE (default: by extension, else one sentence per line).",
)
@click.option(
    "--column",
    metavar="NAME|N",
    help="The table's column of sentences: a name, for TSV a number, for CSV either "
    "(default: 'sentence', else the last column of TSV and CSV).",
)
@click.option(
    "--from-conll",
    is_flag=True,
    help="FILE has CoNLL-2000's columns (token, part of speech, chunk tag): convert its chunks to "
    "the guidelines' by rules, without a model. Needs the extra 'nltk'.",
)
@click.option(
    "--eval",
    "gold",
    metavar="GOLD",
    help="Compare with the chunks of GOLD instead of writing chunks.",
)
@click.option(
    "--with",
    "other",
    metavar="FILE2",
    type=click.Path(),
    help="Chunk each sentence together with its line of FILE2, as 'ists align' does; "
    "--model is then an aligner (default: 'default').",
)
@click.option("--json", "as_json", is_flag=True, help="With --eval: print the figures as JSON.")
@run_options()
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
    from_conll: bool,
    gold: str | None,
    other: str | None,
    as_json: bool,
    workers: int,
    on_error: OnError,
    restart: bool,
    profile: bool,
) -> None:
    """Split sentences into chunks: FILE (default: standard input) has one sentence per line.

    FILE may also be a table: TSV, CSV, JSONL or Parquet with the sentences in one column. Lines
    that are already tokenised are split at white space, prose by spaCy's English tokeniser. Empty
    lines stay empty. 'ists align' reads the bracketed output as given chunks. To resume a run that
    was stopped, repeat the same command.

    With --from-conll, the sentences of FILE already have chunks, by the guidelines of CoNLL-2000,
    such as the output of a CoNLL-2000 chunker. They are converted to those of this task: whole PPs,
    verb chains, punctuation alone.

    With --eval, FILE is compared with GOLD line by line: exact chunks, boundaries, and the most
    frequent errors. FILE is either bracketed (then no model is used) or sentences to be chunked;
    without FILE, the gold's tokens are chunked. A GOLD in CoNLL-2000's columns is evaluated in that
    corpus' scheme of typed chunks.

    'ists align' chunks a sentence with the other one in view, which is more exact than chunking it
    alone. --with does the same: FILE2 has the other sentence of each pair, in the same order. With
    --eval, FILE2 is the bracketed gold of the other sentences.

    \b
    Examples:
      ists chunk sent1.txt -o sent1.chunk.txt
      echo "The cat sat on the mat." | ists chunk --types
      ists chunk sent1.txt --format jsonl
      ists chunk pairs.csv --column sentence1 -o sent1.chunk.txt
      ists chunk pairs.parquet --column sentence1 -o sent1.chunk.txt --workers 2
      ists chunk --from-conll conll2000/test.txt --types
      ists chunk --eval gold.chunk.txt
      ists chunk --eval gold.chunk.txt mine.chunk.txt --json
      ists chunk --eval conll2000/test.txt
      ists chunk sent1.txt --with sent2.txt
      ists chunk --eval gold1.chunk.txt --with gold2.chunk.txt
    """
    if from_conll:
        _reject_chunker_options({"--eval": gold, "--with": other, "--json": as_json or None})
        _write_adapted(file or STANDARD_STREAM, output, format_, types)
        return
    if gold is not None:
        if STANDARD_STREAM in (gold, file, other):
            raise click.UsageError("--eval reads its files twice: '-' is not possible")
        if other is not None:
            figures, text = _evaluate_with(gold, other, file, _aligner_name(model), batch_size)
        else:
            judge = _evaluate_chunks if looks_bracketed(gold) else _evaluate_tags
            figures, text = judge(gold, file, tokens, model, batch_size)
        click.echo(json.dumps(figures, indent=2) if as_json else text)
        return
    if as_json:
        raise click.UsageError("--json requires --eval; for chunks as JSON use --format jsonl")
    if other is not None:
        if types or format_ == "conll" or from_ or column or workers > 1:
            raise click.UsageError(
                "--with cannot be combined with --types, --format conll, --from, --column "
                "or --workers"
            )
        _write_with(file or STANDARD_STREAM, other, output, format_, tokens, model, batch_size)
        return
    task = ChunkTask(format_, model, tokens, types, batch_size)
    source = _source(file or STANDARD_STREAM, from_, column)
    carry_out_command(task, source, output, workers, on_error, restart, profile)


def _reject_chunker_options(others: Mapping[str, str | bool | None]) -> None:
    """Raise a usage error if an option is given that --from-conll has no use for."""
    for option, value in others.items():
        if value is not None:
            raise click.UsageError(f"--from-conll cannot be combined with {option}")
    reject_given("--from-conll", "tokens", "model", "batch_size", "from_", "column")
    reject_given("--from-conll", "workers", "on_error", "restart", "profile")


def _write_adapted(file: str, output: str, format_: str, types: bool) -> None:
    """Write the chunks of a file in CoNLL-2000's columns, converted to the guidelines'."""
    from ists.chunker.adaptation import adapt_tree
    from ists.chunker.rendering import RENDERERS
    from ists.chunker.trees import read_trees

    reject_replacing(output, (file,))
    render = RENDERERS[format_]
    with open_input(file) as stream, atomic_output(output) as written:
        for tree in read_trees(stream, shown_name(file)):
            written.write(render(adapt_tree(tree), types))


def _source(file: str, from_: str | None, column: str | None) -> Sentences:
    format_ = from_ or table_format(file) or "txt"
    if column is not None:
        if format_ == "txt":
            raise click.UsageError("--column requires TSV, CSV, JSONL or Parquet")
        if format_ == "tsv" and not (column.isascii() and column.isdigit() and int(column) > 0):
            raise click.UsageError("--column of TSV must be a number from 1")
    return Sentences(file, format_, column)


def _load(model: str) -> "Chunker":
    from ists.chunker.tagger import Chunker

    return Chunker.load(model)


def _evaluate_chunks(
    gold: str, file: str | None, tokens: Tokenization, model: str, batch_size: int
) -> tuple[dict[str, Any], str]:
    warn = Warnings()
    with open_input(gold) as stream:
        theirs = brackets.read(stream, gold, warn)
        if file is not None and looks_bracketed(file):
            with open_input(file) as own:
                ours = brackets.read(own, file, warn)
                report = compare_chunks(theirs, ours, file)
        else:
            sentences = _sentences(file, tokens) if file is not None else _tokens_of(gold)
            chunked = _load(model).chunk_many(sentences, batch_size)
            report = compare_chunks(theirs, (s.chunks for s in chunked), shown_name(file or gold))
    warn.end()
    return report.to_dict(), _format_report(report)


def _aligner_name(model: str) -> str:
    """Return the aligner of --with: --model's default is a chunker, which reads no pairs."""
    return "default" if model == "chunker" else model


def _chunked_with(
    pairs: Iterable[InputPair | tuple[Sequence[str], Sequence[str]]],
    model: str,
    tokens: Tokenization,
    batch_size: int,
) -> Iterator[Chunks]:
    """Yield the chunks of the first sentence of each pair."""
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)
    found = aligner.chunk_each(pairs, batch_size=batch_size, tokens=tokens)
    for pair, chunks, _ in raise_rejected(found):
        words = pair.sides[0].sentence.words
        yield tuple(tuple(words[at - 1] for at in chunk.tokens) for chunk in chunks)


def _write_with(
    file: str,
    other: str,
    output: str,
    format_: str,
    tokens: Tokenization,
    model: str,
    batch_size: int,
) -> None:
    reject_two_inputs_from_stdin(file, other)
    reject_replacing(output, (file, other))
    inputs = raise_rejected(scan_two_files(file, other, bracketed=False))
    with atomic_output(output) as stream:
        for chunks in _chunked_with(inputs, _aligner_name(model), tokens, batch_size):
            if format_ == "jsonl":
                record = {"tokens": _flat(chunks), "chunks": [list(chunk) for chunk in chunks]}
                stream.write(jsonl.line_of(record))
            else:
                stream.write(encode(brackets.render(chunks) + "\n"))


def _evaluate_with(
    gold: str, other: str, file: str | None, model: str, batch_size: int
) -> tuple[dict[str, Any], str]:
    """Evaluate chunks of gold tokens that are read together with those of the other sentences."""
    if file is not None:
        raise click.UsageError("--eval GOLD --with FILE2 chunks the gold's tokens: give no FILE")
    warn = Warnings()
    with open_input(gold) as stream:
        theirs = list(brackets.read(stream, gold, warn))
    warn.end()
    others = list(_tokens_of(other))
    if len(theirs) != len(others):
        raise FormatError(f"has {len(others)} lines, expected {len(theirs)} as in {gold}", other)
    pairs = [(_flat(chunks), tokens) for chunks, tokens in zip(theirs, others, strict=True)]
    chunked = _chunked_with(pairs, model, "auto", batch_size)
    report = compare_chunks(theirs, chunked, shown_name(gold))
    return report.to_dict(), _format_report(report)


def _evaluate_tags(
    gold: str, file: str | None, tokens: Tokenization, model: str, batch_size: int
) -> tuple[dict[str, Any], str]:
    """Evaluate typed chunks against a file in CoNLL-2000's columns."""
    if file is not None:
        raise click.UsageError(
            f"{gold} is not bracketed: with a file in CoNLL's columns, no FILE can be given"
        )
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
    for given in raise_rejected(scan_sentences(file)):
        yield tokenize(str(given.sentence), tokens)


def _tokens_of(file: str) -> Iterator[tuple[str, ...]]:
    with open_input(file) as stream:
        for chunks in brackets.read(
            stream, file, lambda _: None
        ):  # the gold reader prints the warnings
            yield _flat(chunks)


def _flat(chunks: Chunks) -> tuple[str, ...]:
    return tuple(token for chunk in chunks for token in chunk)


def _format_report(report: ChunkReport) -> str:
    lines = [
        f"{report.sentences} sentences, {report.identical} of them with exactly the gold chunks",
        f"{'':<12}{'precision':>10}{'recall':>10}{'F1':>10}{'gold':>8}{'found':>8}",
    ]
    lines += [
        _figures_line("chunks", report.chunks),
        _figures_line("boundaries", report.boundaries),
    ]
    if report.confusions:
        lines.append("\nMost frequent errors")
    for confusion, count in report.commonest():
        kind = "missing boundary" if confusion.kind == "missing" else "extra boundary"
        lines.append(f"{count:>5} × {kind} before '{confusion.before}'")
        for line, gold, system in report.examples[confusion]:
            lines.append(f"        line {line}: gold {gold}  found {system}")
    return "\n".join(lines)
