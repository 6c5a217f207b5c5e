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
from ists.pairs import Edition, SentencePair

if TYPE_CHECKING:
    from ists.explain import Explanation

_WIDEST = 120


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
@text_or_json_option("Text to read, or one JSON object a pair and line.")
@click.option("--color/--no-color", default=None, help="Colour, or none (default: on a terminal).")
@aligned_format_option()
@edition_option()
@click.option(
    "--similarity",
    is_flag=True,
    help="Add the overall similarity to the pairs of FILE; two sentences always have it.",
)
@tokens_option("How to cut the two sentences into tokens.")
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
    """Say why two sentences are similar: their chunks, what links them, and the evidence in words.

    Two sentences are aligned by the model first; the pairs of a FILE (.wa, .jsonl, .xml) are
    explained as they are aligned there.

    \b
    Examples:
      ists explain "A tabby cat sleeps." "A cat is sleeping."
      ists explain gold.wa --pair 12
      ists explain gold.wa --pair 12 --pair 15 --format json
      ists explain gold.wa --color | less -R
    """
    if second is not None and (ids or from_):
        raise click.UsageError("--pair and --from go with a FILE, not with two sentences")
    if second is not None and _is_file(first) and _is_file(second):
        raise click.UsageError("two files: expected two sentences, or one file of aligned pairs")
    if second is None and " " in first and not _is_file(first):
        raise click.UsageError("one sentence: expected two, or one file of aligned pairs")
    explanations = (
        _of_file(first, from_, edition, ids, model if similarity else None)
        if second is None
        else _of_sentences(first, second, tokens, model)
    )
    for number, explanation in enumerate(explanations):
        if format_ == "json":
            _print(json.dumps(explanation.to_dict()), color)
            continue
        heading = f"Pair {printable(explanation.pair.id)}\n" if second is None else ""
        _print(("\n" if number else "") + heading + _as_text(explanation), color)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # a sentence longer than any name of a file
        return False


def _of_sentences(
    first: str, second: str, tokens: Tokenization, model: str
) -> "Iterator[Explanation]":
    from ists.explain import explain
    from ists.pipeline import Aligner

    found = Aligner.load(model).similarity(first, second, tokens)
    yield explain(found.pair, found.score)


def _of_file(
    file: str, from_: str | None, edition: Edition, ids: tuple[str, ...], model: str | None
) -> "Iterator[Explanation]":
    from ists.explain import explain

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
    """The pairs of a file, or those of the given ids, all of which must be there."""
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
    raise FormatError(f"there is no pair {missing}", shown_name(file))


def _as_text(explanation: "Explanation") -> str:
    from ists.explain.terminal import show

    return show(explanation, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns))


def _print(text: str, color: bool | None) -> None:
    """Print; what the terminal's own alphabet lacks is shown as an escape, not an error."""
    if color is None:
        color = _on_terminal() and not os.environ.get("NO_COLOR")
    shown = text if color else click.unstyle(text)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(shown.encode(encoding, "backslashreplace"))


def _on_terminal() -> bool:
    return sys.stdout.isatty()
