"""Arguments and options shared by several commands."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click
from click.core import ParameterSource

from ists.chunker.tokens import TOKENIZATIONS
from ists.errors import FormatError, printable
from ists.files import STANDARD_STREAM
from ists.formats import PAIR_FORMATS
from ists.formats.columns import Choice, parse_choice
from ists.formats.rows import TABLES
from ists.pairs import EDITIONS

Command = TypeVar("Command", bound=Callable[..., Any])
Format = TypeVar("Format", bound=str)
_ENDINGS = {".htm": "html", ".ndjson": "jsonl"}
"""File extensions that differ from the name of their format."""


class Decorator(Protocol):
    """Decorator that adds a parameter to a command of any signature."""

    def __call__(self, command: Command, /) -> Command:
        """Return the command with the parameter."""


def together(*decorators: Decorator) -> Decorator:
    """Combine decorators; the first is listed first in the help."""

    def decorate(command: Command, /) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def output_option(help_: str = "The output file (default: standard output).") -> Decorator:
    """Return the option ``-o``: a file, or standard output."""
    return click.option("-o", "--output", default=STANDARD_STREAM, metavar="OUT", help=help_)


def format_promised(output: str, *formats: Format) -> Format:
    """Return the format given by the output's extension; without extension, the first format.

    Any other extension is a usage error.
    """
    ending = Path(output).suffix.lower()
    if not ending:
        return formats[0]
    promised = _ENDINGS.get(ending, ending.removeprefix("."))
    for one in formats:
        if one == promised:
            return one
    written = " or ".join(f".{name}" for name in formats)
    raise click.UsageError(f"'{output}' ends in '{ending}', expected {written}")


def reject_terminal(output: str, *formats: str) -> None:
    """Raise a usage error if a page or picture would be printed on a terminal."""
    if output == STANDARD_STREAM and sys.stdout is not None and sys.stdout.isatty():
        named = " or ".join(f"-o OUT.{name}" for name in formats)
        raise click.UsageError(f"standard output is a terminal: name a file with {named}")


def reject_two_inputs_from_stdin(*files: str | None) -> None:
    """Raise a usage error if more than one input file is standard input."""
    if files.count(STANDARD_STREAM) > 1:
        raise click.UsageError("only one of the files can be standard input ('-')")


def reject_given(option: str, *names: str) -> None:
    """Raise a usage error if any of the named options is given together with `option`."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            other = name.strip("_").replace("_", "-")
            raise click.UsageError(f"{option} cannot be combined with --{other}")


class Warnings:
    """Callback that prints warnings about repaired input lines on stderr, and counts them."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, warning: FormatError | str) -> None:
        """Print one warning."""
        self._count += 1
        click.echo(printable(f"warning: {warning}"), err=True)

    def end(self) -> None:
        """Print the number of warnings."""
        if self._count:
            noun = "line was" if self._count == 1 else "lines were"
            click.echo(f"{self._count} {noun} read with a warning", err=True)


def text_or_json_option(help_: str = "Output format.") -> Decorator:
    """Return the option ``--format text|json``."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=help_,
    )


def edition_option(
    help_: str = "2016 allows tokens past the end of a sentence, as its checker does.",
) -> Decorator:
    """Return the option ``--edition 2015|2016``: the rules that a file of pairs follows."""
    return click.option(
        "--edition", type=click.Choice(EDITIONS), default="2015", show_default=True, help=help_
    )


def match_option(help_: str = "How strictly Typ+Sco compares relations.") -> Decorator:
    """Return the option ``--match strict|lenient``."""
    from scorer.measures import MATCHES  # most commands do not need the scorer

    return click.option(
        "--match", type=click.Choice(MATCHES), default="strict", show_default=True, help=help_
    )


def aligned_format_option() -> Decorator:
    """Return the option ``--from``: the format of a file of aligned pairs."""
    return click.option(
        "--from",
        "from_",
        type=click.Choice(PAIR_FORMATS),
        help="The format of FILE (default: by extension).",
    )


def tokens_option(
    help_: str = "How to split text into tokens; auto keeps the tokens of tokenised lines.",
) -> Decorator:
    """Return the option ``--tokens``."""
    return click.option(
        "--tokens", type=click.Choice(TOKENIZATIONS), default="auto", show_default=True, help=help_
    )


def model_option(default: str = "default", what: str = "aligner") -> Decorator:
    """Return the option ``--model``: the name of a shipped model, or a model's folder."""
    return click.option(
        "--model", default=default, show_default=True, metavar="NAME|DIR", help=f"The {what} model."
    )


def batch_size_option(help_: str) -> Decorator:
    """Return the option ``--batch-size``."""
    return click.option(
        "--batch-size", type=click.IntRange(min=1), default=32, show_default=True, help=help_
    )


def pairs_arguments() -> Decorator:
    """Return the arguments S1 and S2, or PAIRS: the input sentence pairs."""
    return together(
        click.argument("first", metavar="S1|PAIRS", type=click.Path()),
        click.argument("second", metavar="[S2]", required=False, type=click.Path()),
    )


def table_options() -> Decorator:
    """Return the options ``--from`` and ``--columns``: how to read a table of pairs."""
    return together(
        click.option(
            "--from",
            "from_",
            type=click.Choice(TABLES),
            help="The format of PAIRS (default: by extension).",
        ),
        click.option(
            "--columns",
            metavar="S1,S2",
            callback=_two_columns,
            help="The two columns of PAIRS that hold the sentences, by name or number from 1 "
            "(default: by their names or content).",
        ),
    )


def _two_columns(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Choice | None:
    try:
        return None if value is None else parse_choice(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def pairs_options() -> Decorator:
    """Return the options for reading pairs and for the aligner model."""
    return together(
        table_options(),
        click.option(
            "--chunks",
            type=click.Choice(["auto", "given"]),
            help="auto: chunk the sentences; given: they are bracketed (default: detected).",
        ),
        tokens_option(),
        model_option(),
    )
