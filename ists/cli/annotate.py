"""``ists annotate``."""

from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ists.chunker.tokens import Tokenization
from ists.cli.options import tokens_option
from ists.errors import IstsError
from ists.files import STANDARD_STREAM
from ists.formats.sentences import Given
from ists.pairs import SentencePair

if TYPE_CHECKING:
    from ists.annotate.suggestions import Suggester
    from ists.annotate.workbook import Workbook

_DEFAULT_PORT = 8765
_LAST_PORT = 65535


@click.command(name="annotate")
@click.argument("first", metavar="S1|FILE.wa", type=click.Path())
@click.argument("second", metavar="[S2]", required=False, type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="GOLD.wa",
    help="The file to make, or to continue if it exists (default: FILE.wa itself).",
)
@click.option("--suggest", metavar="NAME|DIR", help="Offer the suggestions of this aligner model.")
@tokens_option("How to cut the text of S1 and S2 into tokens.")
@click.option(
    "--port",
    type=click.IntRange(0, _LAST_PORT),
    default=_DEFAULT_PORT,
    show_default=True,
    help="The port of the page on this machine; 0 takes a free one.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def command(
    first: str,
    second: str | None,
    output: str | None,
    suggest: str | None,
    tokens: Tokenization,
    port: int,
    open_: bool,
) -> None:
    """Make or correct a gold .wa file on a local web page, by the guidelines' procedure.

    S1 and S2 hold one sentence a line, or bracketed chunks ('[ A cat ] [ sits ]'), which are taken
    as given. Every change is saved at once; what .wa cannot hold (notes, unfinished chunks, undo)
    goes to GOLD.wa.journal beside it. Pairs that are not done have status="unfinished".

    The page is at the printed address, on this machine only. Ctrl-C ends it.

    \b
    Examples:
      ists annotate s1.txt s2.txt -o gold.wa
      ists annotate s1.txt s2.txt -o gold.wa --suggest default --open
      ists annotate gold.wa
      ists annotate system.wa -o corrected.wa
      ists annotate gold.wa --port 0
    """
    if second is not None and output is None:
        raise click.UsageError("S1 and S2 need -o GOLD.wa, the file to make")
    if STANDARD_STREAM in (first, second, output):
        raise click.UsageError("annotating needs files, not standard input or output ('-')")
    _refuse_without_packages()
    from ists.annotate.server import Server, listen

    # Whatever can be refused comes before the workbook, which makes files.
    suggester = suggester_of(suggest) if suggest is not None else None
    with (
        closing(listen(port)) as listener,
        closing(_workbook(first, second, output, tokens)) as book,
    ):
        server = Server(book, listener, suggester)
        click.echo(f"{_progress(book)}; Ctrl-C ends", err=True)
        try:
            click.echo(server.address)
            if open_:
                click.launch(server.address)
            server.run()
        except KeyboardInterrupt:
            click.echo(f"{_progress(book)}; all is saved", err=True)


def _refuse_without_packages() -> None:
    lacking = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if lacking:
        raise IstsError(
            f"the annotation page needs {' and '.join(lacking)}: pip install 'ists[web]'"
        )


def _workbook(
    first: str, second: str | None, output: str | None, tokens: Tokenization
) -> "Workbook":
    from ists.annotate import source
    from ists.annotate.workbook import Workbook

    if second is not None:
        return Workbook.open(Path(output or ""), source.two_files(first, second, tokens))
    if output is None or Path(output).absolute() == Path(first).absolute():
        return Workbook.open(Path(first))
    return Workbook.open(Path(output), source.one_file(first))


def suggester_of(model: str) -> "Suggester":
    """A model that proposes chunks and links."""
    from ists.annotate.suggestions import Suggester
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)

    def align(sentence1: Given, sentence2: Given) -> SentencePair:
        return next(aligner.align_many([(sentence1, sentence2)], why=True))

    return Suggester(align)


def _progress(book: "Workbook") -> str:
    return f"{book.path}: {book.done} of {len(book)} pairs done"
