"""``ists explain``."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ists.chunker.tokens import Tokenization
from ists.cli.options import (
    aligned_format_option,
    edition_option,
    model_option,
    text_or_json_option,
    tokens_option,
)
from ists.errors import FormatError, printable
from ists.files import STANDARD_STREAM
from ists.formats import read, shown_name
from ists.formats.rows import table_format
from ists.pairs import Edition, SentencePair

if TYPE_CHECKING:
    from ists.explanation import Explanation

_QUOTATION_MARKS = "“”"
_WIDEST = 120
_FILES = (".wa", ".jsonl", ".xml", ".tsv", ".csv", ".parquet", ".txt")


@click.command(name="explain")
@click.argument("first", metavar="'SENTENCE 1'|FILE")
@click.argument("second", metavar="['SENTENCE 2']", required=False)
@click.option(
    "--pair",
    "ids",
    metavar="ID",
    multiple=True,
    help="Which pair of FILE to explain; may be given more than once (default: all).",
)
@text_or_json_option("Plain text, or one JSON object per pair, one per line.")
@click.option(
    "--color/--no-color", default=None, help="Colour the output (default: only on a terminal)."
)
@aligned_format_option()
@edition_option()
@click.option(
    "--similarity",
    is_flag=True,
    help="Add the overall similarity to the pairs of FILE; for two sentences it is always given.",
)
@tokens_option("How to split the two sentences into tokens.")
@model_option()
def command(
    first: str,
    second: str | None,
    ids: tuple[str, ...],
    format_: str,
    color: bool | None,
    from_: str | None,
    edition: Edition,
    similarity: bool,
    tokens: Tokenization,
    model: str,
) -> None:
    """Explain why two sentences are similar: their chunks, the links, and the evidence in words.

    Two sentences are first aligned by the model; for the pairs of a FILE (.wa, .jsonl, .xml), the
    alignments of the file are explained.

    \b
    Examples:
      ists explain "A tabby cat sleeps." "A cat is sleeping."
      ists explain gold.wa --pair 12
      ists explain gold.wa --pair 12 --pair 15 --format json
      ists explain gold.wa --color | less -R
    """
    if second is not None and (ids or from_):
        raise click.UsageError("--pair and --from require a FILE, not two sentences")
    if second is not None:
        _reject_files(first, second)
    if second is None and " " in first and not _is_file(first):
        raise click.UsageError("one sentence: expected two, or one file of aligned pairs")
    if second is None and from_ is None and table_format(first) not in (None, "jsonl"):
        raise click.UsageError(
            f"'{printable(first)}' holds pairs that are not aligned, expected .wa, .jsonl or .xml: "
            "align them first with ists align"
        )
    explanations = (
        _explain_file(first, from_, edition, ids, model if similarity else None)
        if second is None
        else _explain_sentences(first, second, tokens, model)
    )
    for number, explanation in enumerate(explanations):
        if format_ == "json":
            _print(json.dumps(explanation.to_dict()), color)
            continue
        heading = f"Pair {printable(explanation.pair.id)}\n" if second is None else ""
        _print(("\n" if number else "") + heading + _as_text(explanation), color)


def _reject_files(first: str, second: str) -> None:
    """Reject arguments that are file names where two sentences are expected."""
    files = [text for text in (first, second) if _is_file(text) or _is_named_as_file(text)]
    if files:
        found = "two files" if len(files) == 2 else f"'{printable(files[0])}' is a file"
        raise click.UsageError(f"{found}: expected two sentences, or one file of aligned pairs")


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # longer than a file name may be
        return False


def _is_named_as_file(text: str) -> bool:
    return len(text.split()) == 1 and Path(text).suffix.lower() in _FILES


def _explain_sentences(
    first: str, second: str, tokens: Tokenization, model: str
) -> "Iterator[Explanation]":
    from ists.cli.language import warn_unless_english
    from ists.explanation import explain
    from ists.pipeline import Aligner

    warn_unless_english("the sentences", (first, second))
    found = Aligner.load(model).similarity(first, second, tokens=tokens)
    yield explain(found.pair, found.score)


def _explain_file(
    file: str, from_: str | None, edition: Edition, ids: tuple[str, ...], model: str | None
) -> "Iterator[Explanation]":
    from ists.explanation import explain

    pairs = chosen_pairs(file, from_, edition, ids)
    if model is None:
        yield from map(explain, pairs)
        return
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)
    for pair in pairs:
        yield explain(pair, aligner.similarity(pair.sentence1.words, pair.sentence2.words).score)


def chosen_pairs(
    file: str, from_: str | None, edition: Edition, ids: Iterable[str]
) -> Iterator[SentencePair]:
    """Read the pairs of a file, or those with the given ids; a missing id is an error."""
    if file == STANDARD_STREAM and from_ is None:
        raise click.UsageError("standard input has no extension: name its format with --from")
    wanted = set(ids)
    if not wanted:
        yield from read(file, from_, edition)
        return
    for pair in read(file, from_, edition):
        if pair.id in wanted:
            wanted.discard(pair.id)
            yield pair
        if not wanted:
            return
    missing = ", ".join(sorted(wanted))
    raise FormatError(f"no pair {missing}", shown_name(file))


def _as_text(explanation: "Explanation") -> str:
    from ists.explanation.terminal import show

    return show(explanation, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns))


def _print(text: str, color: bool | None) -> None:
    """Print a text; characters outside the terminal's encoding are shown as escapes."""
    if color is None:
        color = _on_terminal() and not os.environ.get("NO_COLOR")
    shown = text if color else click.unstyle(text)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        _QUOTATION_MARKS.encode(encoding)
    except UnicodeEncodeError:
        shown = shown.translate(dict.fromkeys(map(ord, _QUOTATION_MARKS), '"'))
    click.echo(shown.encode(encoding, "backslashreplace"))


def _on_terminal() -> bool:
    return sys.stdout.isatty()
