"""Arguments and options that several commands have in common, each said once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click
from click.core import ParameterSource

from ists.chunker.tokens import TOKENIZATIONS
from ists.files import STANDARD_STREAM
from ists.formats import PAIR_FORMATS
from ists.formats.rows import TABLES
from ists.pairs import EDITIONS
from scorer.measures import MATCHES

Command = TypeVar("Command", bound=Callable[..., Any])
Format = TypeVar("Format", bound=str)
_ENDINGS = {".htm": "html"}
"""Endings that are not the name of their format."""


class Decorator(Protocol):
    """Adds something to a command, whatever its parameters."""

    def __call__(self, command: Command, /) -> Command:
        """The command with it."""


def together(*decorators: Decorator) -> Decorator:
    """Several decorators as one; the first stands first in the help."""

    def decorate(command: Command, /) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def output_option(help_: str = "Where to write.") -> Decorator:
    """``-o``: a file, or standard output."""
    return click.option("-o", "--output", default=STANDARD_STREAM, metavar="OUT", help=help_)


def format_promised(output: str, *formats: Format) -> Format:
    """The format that an output's ending promises; without an ending, the first of those written.

    Any other ending is refused: a picture named .png that is a page helps nobody.
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


def refuse_given(option: str, *names: str) -> None:
    """Options that `option` has no use for: who gives them expects something else."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{option} knows no --{name}")


def text_or_json_option(help_: str = "What the output looks like.") -> Decorator:
    """``--format text|json``."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=help_,
    )


def edition_option(
    help_: str = "2016 lets tokens past the end of a sentence through, as its checker does.",
) -> Decorator:
    """``--edition 2015|2016``: whose rules a file of pairs keeps."""
    return click.option(
        "--edition", type=click.Choice(EDITIONS), default="2015", show_default=True, help=help_
    )


def match_option(help_: str = "How strictly Typ+Sco compares relations.") -> Decorator:
    """``--match strict|lenient``."""
    return click.option(
        "--match", type=click.Choice(MATCHES), default="strict", show_default=True, help=help_
    )


def aligned_format_option() -> Decorator:
    """``--from``: the format of a file of aligned pairs."""
    return click.option(
        "--from",
        "from_",
        type=click.Choice(PAIR_FORMATS),
        help="The format of FILE (default: by extension).",
    )


def tokens_option(
    help_: str = "How to cut text into tokens; auto leaves tokenised lines as they are.",
) -> Decorator:
    """``--tokens``."""
    return click.option(
        "--tokens", type=click.Choice(TOKENIZATIONS), default="auto", show_default=True, help=help_
    )


def model_option(default: str = "default", what: str = "aligner") -> Decorator:
    """``--model``: a shipped one by name, or any by its folder."""
    return click.option(
        "--model", default=default, show_default=True, metavar="NAME|DIR", help=f"The {what} model."
    )


def batch_size_option(help_: str) -> Decorator:
    """``--batch-size``."""
    return click.option(
        "--batch-size", type=click.IntRange(min=1), default=32, show_default=True, help=help_
    )


def pairs_arguments() -> Decorator:
    """S1 and S2, or PAIRS: sentence pairs to work on."""
    return together(
        click.argument("first", metavar="S1|PAIRS", type=click.Path()),
        click.argument("second", metavar="[S2]", required=False, type=click.Path()),
    )


def pairs_options() -> Decorator:
    """How these pairs are to be read, and by which aligner."""
    return together(
        click.option(
            "--from",
            "from_",
            type=click.Choice(TABLES),
            help="The format of PAIRS (default: by extension).",
        ),
        click.option(
            "--chunks",
            type=click.Choice(["auto", "given"]),
            help="auto: chunk the sentences; given: they are bracketed. Default: as they look.",
        ),
        tokens_option(),
        model_option(),
    )
