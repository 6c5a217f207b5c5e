"""``ists annotate``."""

from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ists.chunker.tokens import Tokenization
from ists.cli.options import Warnings, table_options, tokens_option
from ists.errors import IstsError
from ists.files import STANDARD_STREAM
from ists.formats.columns import Choice
from ists.formats.rows import table_format
from ists.formats.sentences import InputSentence
from ists.pairs import SentencePair

if TYPE_CHECKING:
    from ists.annotate.suggestions import Suggester
    from ists.annotate.workbook import Workbook

_DEFAULT_PORT = 8765
_LAST_PORT = 65535


@click.command(name="annotate")
@click.argument("first", metavar="S1|PAIRS|FILE.wa", type=click.Path())
@click.argument("second", metavar="[S2]", required=False, type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="GOLD.wa",
    help="The file to create, or to continue if it exists (default: FILE.wa itself).",
)
@click.option("--suggest", metavar="NAME|DIR", help="Show suggestions of this aligner model.")
@table_options()
@tokens_option("How to split text into tokens.")
@click.option(
    "--port",
    type=click.IntRange(0, _LAST_PORT),
    default=_DEFAULT_PORT,
    show_default=True,
    help="The page's port on this machine; 0 chooses a free one.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def command(
    first: str,
    second: str | None,
    output: str | None,
    suggest: str | None,
    from_: str | None,
    columns: Choice | None,
    tokens: Tokenization,
    port: int,
    open_: bool,
) -> None:
    """Create or correct a gold .wa file on a local web page, following the guidelines' procedure.

    S1 and S2 hold one sentence per line, or bracketed chunks ('[ A cat ] [ sits ]'), which are
    kept. PAIRS is one file instead, as for 'ists align': TSV, CSV, JSONL or Parquet. Every change
    is saved immediately; what .wa cannot represent (notes, unfinished chunks, undo) is written to
    GOLD.wa.journal. Pairs that are not done have status="unfinished".

    The page is served at the printed address, on this machine only. Ctrl-C stops the server.

    \b
    Examples:
      ists annotate s1.txt s2.txt -o gold.wa
      ists annotate s1.txt s2.txt -o gold.wa --suggest default --open
      ists annotate pairs.csv --columns sentence1,sentence2 -o gold.wa
      ists annotate gold.wa
      ists annotate system.wa -o corrected.wa
      ists annotate gold.wa --port 0
    """
    table = None if second is not None else from_ or table_format(first)
    if (second is not None or table is not None) and output is None:
        pairs = "PAIRS needs" if second is None else "S1 and S2 need"
        raise click.UsageError(f"{pairs} -o GOLD.wa, the file to create")
    if table is None and (from_ is not None or columns is not None):
        option = "--from" if columns is None else "--columns"
        raise click.UsageError(f"{option} requires PAIRS, one file of pairs that are not aligned")
    if STANDARD_STREAM in (first, second, output):
        raise click.UsageError("annotating needs files, not standard input or output ('-')")
    _reject_without_packages()
    from ists.annotate.server import Server, listen

    # Fail on a missing model or a used port before the workbook creates files.
    suggester = suggester_of(suggest) if suggest is not None else None
    with (
        closing(listen(port)) as listener,
        closing(_workbook(first, second, output, table, columns, tokens)) as book,
    ):
        server = Server(book, listener, suggester)
        click.echo(f"{_progress(book)}; press Ctrl-C to stop", err=True)
        try:
            click.echo(server.address)
            if open_:
                click.launch(server.address)
            server.run()
        except KeyboardInterrupt:
            click.echo(f"{_progress(book)}; all changes are saved", err=True)


def _reject_without_packages() -> None:
    lacking = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if lacking:
        raise IstsError(
            f"the annotation page needs {' and '.join(lacking)}: pip install 'ists[web]'"
        )


def _workbook(
    first: str,
    second: str | None,
    output: str | None,
    table: str | None,
    columns: Choice | None,
    tokens: Tokenization,
) -> "Workbook":
    from ists.annotate import source
    from ists.annotate.workbook import Workbook

    target, warn = Path(output or first), Warnings()
    if second is not None or table is not None:
        given = (
            source.two_files(first, second, tokens, warn)
            if second is not None
            else source.one_table(first, str(table), columns, tokens, warn)
        )
        warn.end()
        return Workbook.open(target, given)
    if target.absolute() == Path(first).absolute():
        return Workbook.open(target)
    return Workbook.open(target, source.one_file(first))


def suggester_of(model: str) -> "Suggester":
    """Load an aligner model as a source of suggested chunks and links."""
    from ists.annotate.suggestions import Suggester
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)

    def align(sentence1: InputSentence, sentence2: InputSentence) -> SentencePair:
        return next(aligner.align_many([(sentence1, sentence2)], why=True))

    return Suggester(align)


def _progress(book: "Workbook") -> str:
    return f"{book.path}: {book.done} of {len(book)} pairs done"
