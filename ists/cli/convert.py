"""``ists convert``."""

from collections.abc import Iterator
from itertools import zip_longest

import click

from ists.cli.options import Warnings, edition_option, reject_two_inputs_from_stdin
from ists.errors import FormatError
from ists.files import STANDARD_STREAM, atomic_output, open_input, reject_replacing
from ists.formats import BRACKETS, PAIR_FORMATS, brackets, format_of, read, shown_name, write
from ists.pairs import Edition, SentencePair

_FORMATS = (*PAIR_FORMATS, BRACKETS)


@click.command(name="convert")
@click.argument("source", metavar="IN", type=click.Path())
@click.argument("target", metavar="OUT", type=click.Path())
@click.option(
    "--from", "from_", type=click.Choice(_FORMATS), help="Format of IN (default: by extension)."
)
@click.option("--to", type=click.Choice(_FORMATS), help="Format of OUT (default: by extension).")
@click.option(
    "--side",
    type=click.IntRange(1, 2),
    help="Which sentence's chunks to write, for OUT in brackets.",
)
@click.option(
    "--second",
    metavar="FILE",
    type=click.Path(),
    help="The chunks of the second sentences, for IN in brackets.",
)
@edition_option()
def command(
    source: str,
    target: str,
    from_: str | None,
    to: str | None,
    side: int | None,
    second: str | None,
    edition: Edition,
) -> None:
    """Convert IN to OUT: .wa, .jsonl, .xml, or bracketed chunks (.txt).

    From .wa to JSONL or XML and back, every value is preserved; .wa to .wa preserves every byte.
    Bracketed files hold the chunks of one side: --side selects it when writing, --second names the
    file of the other side when reading (the result has no alignments: a start for annotation).

    \b
    Examples:
      ists convert gold.wa gold.jsonl
      ists convert gold.wa sent1.chunk.txt --side 1
      ists convert sent1.chunk.txt todo.wa --second sent2.chunk.txt
      cat gold.wa | ists convert - - --from wa --to xml
    """
    from_ = from_ or _format(source, "--from")
    to = to or _format(target, "--to")
    _reject_misuse(source, target, from_, to, side, second)
    reject_two_inputs_from_stdin(source, second)
    reject_replacing(target, filter(None, (source, second)))
    warn = Warnings()
    pairs = (
        _pair_lines(source, second, warn) if second is not None else read(source, from_, edition)
    )
    if side is not None:
        with atomic_output(target) as stream:
            brackets.write((brackets.chunks_of(pair, side) for pair in pairs), stream)
    else:
        write(pairs, target, to, edition)
    warn.end()


def _reject_misuse(
    source: str, target: str, from_: str, to: str, side: int | None, second: str | None
) -> None:
    if to == BRACKETS and side is None:
        raise click.UsageError(
            f"'{target}' gets the bracketed chunks of one sentence of each pair: choose it with "
            "--side 1 or --side 2"
        )
    if from_ == BRACKETS and second is None:
        raise click.UsageError(
            f"'{source}' has the bracketed chunks of the first sentences: name the file of the "
            "second ones with --second"
        )
    if to != BRACKETS and side is not None:
        raise click.UsageError("--side requires bracketed output (.txt or --to brackets)")
    if from_ != BRACKETS and second is not None:
        raise click.UsageError("--second requires bracketed input (.txt or --from brackets)")


def _format(path: str, option: str) -> str:
    if path == STANDARD_STREAM:
        raise click.UsageError(f"'-' has no extension: name the format with {option}")
    return format_of(path)


def _pair_lines(first: str, second: str, warn: Warnings) -> Iterator[SentencePair]:
    with open_input(first) as stream1, open_input(second) as stream2:
        sides = (
            brackets.read(stream1, shown_name(first), warn),
            brackets.read(stream2, shown_name(second), warn),
        )
        number = 0
        for number, (chunks1, chunks2) in enumerate(zip_longest(*sides), start=1):
            if chunks1 is None or chunks2 is None:
                shorter, longer = (first, second) if chunks1 is None else (second, first)
                raise FormatError(f"has {number - 1} lines, but {longer} has more", shorter)
            yield brackets.unaligned_pair(str(number), chunks1, chunks2)
        if not number:
            raise FormatError("is empty, expected bracketed chunks", shown_name(first))
