"""``ists annotate``."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from importlib.util import find_spec
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING, NamedTuple

import click

from ists.chunker.tokens import Tokenization
from ists.cli.options import (
    Warnings,
    edition_option,
    format_promised,
    table_options,
    tokens_option,
)
from ists.cli.progress import watched
from ists.cli.running import at_terminal
from ists.errors import IstsError
from ists.files import STANDARD_STREAM, reject_replacing
from ists.formats import read
from ists.formats.columns import Choice
from ists.formats.rows import table_format
from ists.formats.sentences import InputSentence
from ists.pairs import Edition, SentencePair

if TYPE_CHECKING:
    from ists.annotate.suggestions import Suggester
    from ists.annotate.workbook import Beginning, Workbook
    from ists.web import App

_DEFAULT_PORT = 8765
_LAST_PORT = 65535
_OVERLAP = 10
_BATCH_SIZE = 50
_ALL_PROGRESS = "(progress of all)"


@click.command(name="annotate")
@click.argument("first", metavar="[S1|PAIRS|FILE.wa]", required=False, type=click.Path())
@click.argument("second", metavar="[S2]", required=False, type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="GOLD.wa",
    help="The file to create, or to continue if it exists (default: FILE.wa itself).",
)
@click.option("--suggest", metavar="NAME|DIR", help="Show suggestions of this aligner model.")
@click.option(
    "--order",
    type=click.Choice(["file", "uncertain"]),
    default="file",
    show_default=True,
    help="'uncertain' shows first the pairs that the model of --suggest is least sure of; the "
    "file keeps its order.",
)
@click.option(
    "--adjudicate",
    is_flag=True,
    help="Make GOLD.wa from two annotators' files: S1 and S2 are .wa files of the same pairs.",
)
@click.option(
    "--assign",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Annotate the batches of a folder; with pairs and --annotators, create it first.",
)
@click.option("--annotators", metavar="NAME,…", help="The annotators of a new folder.")
@click.option(
    "--overlap",
    type=click.IntRange(0, 100),
    metavar="PERCENT",
    default=_OVERLAP,
    show_default=True,
    help="Share of the pairs that every annotator gets, to measure agreement.",
)
@click.option(
    "--batch-size",
    type=click.IntRange(min=1),
    metavar="N",
    default=_BATCH_SIZE,
    show_default=True,
    help="The most pairs in a batch of a new folder.",
)
@click.option(
    "--export",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write all batches of the folder as a .wa file per annotator, with their provenance.",
)
@edition_option(
    "2015: every chunk is linked at most once. 2016: several chunks of a sentence may form one "
    "link, with gaps between them, and there is no ALIC."
)
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
    first: str | None,
    second: str | None,
    output: str | None,
    suggest: str | None,
    order: str,
    adjudicate: bool,
    assign: Path | None,
    annotators: str | None,
    overlap: int,
    batch_size: int,
    export: Path | None,
    edition: Edition,
    from_: str | None,
    columns: Choice | None,
    tokens: Tokenization,
    port: int,
    open_: bool,
) -> None:
    """Create or correct a gold .wa file on a local web page, following the guidelines' procedure.

    S1 and S2 hold one sentence per line, or bracketed chunks ('[ A cat ] [ sits ]'), which are
    kept. PAIRS is one file instead, as for 'ists align': TSV, CSV, JSONL or Parquet; the alignments
    of an aligned JSONL file are kept. Every change is saved immediately; what .wa cannot represent
    (notes, unfinished chunks, undo) is written to GOLD.wa.journal. Pairs that are not done have
    status="unfinished".

    With --adjudicate, what both annotators agree on is taken over, the differences are decided one
    by one, and GOLD.wa.record.jsonl says who decided what. With --assign, several people annotate
    batches of the same pairs, each at an address of their own.

    The page is served at the printed address, on this machine only. Ctrl-C stops the server.

    \b
    Examples:
      ists annotate s1.txt s2.txt -o gold.wa
      ists annotate s1.txt s2.txt -o gold.wa --suggest default --open
      ists annotate s1.txt s2.txt -o gold.wa --suggest default --order uncertain
      ists annotate pairs.csv --columns sentence1,sentence2 -o gold.wa
      ists annotate gold.wa
      ists annotate system.wa -o corrected.wa
      ists annotate answers-students.wa --edition 2016
      ists annotate gold.wa --port 0
      ists annotate --adjudicate anna.wa ben.wa -o gold.wa
      ists annotate s1.txt s2.txt --assign work --annotators anna,ben --overlap 20
      ists annotate --assign work
      ists annotate --assign work --export exported
    """
    pairs = Pairs(first, second, from_, columns, tokens, edition)
    if STANDARD_STREAM in (first, second, output):
        raise click.UsageError("annotating needs files, not standard input or output ('-')")
    if order == "uncertain" and suggest is None:
        raise click.UsageError("--order uncertain requires --suggest, the model to ask")
    if adjudicate and (assign is not None or suggest is not None):
        other = "--assign" if assign is not None else "--suggest"
        raise click.UsageError(f"--adjudicate cannot be combined with {other}")
    if assign is None and (annotators is not None or export is not None):
        raise click.UsageError("--annotators and --export require --assign FOLDER")
    if assign is not None:
        if output is not None:
            raise click.UsageError("--assign cannot be combined with -o: its files are in FOLDER")
        if export is not None:
            _export(assign, export)
            return
    elif adjudicate:
        if first is None or second is None or output is None:
            raise click.UsageError("--adjudicate needs A.wa, B.wa and -o GOLD.wa")
        reject_replacing(output, (first, second))
        format_promised(output, "wa")
    else:
        _check_usage(pairs, output)
    _reject_without_packages()
    from ists.annotate.server import listen

    # Fail on a missing model or a used port before the workbook creates files.
    suggester = suggester_of(suggest, edition) if suggest is not None else None
    uncertain = order == "uncertain"
    with closing(listen(port)) as listener, ExitStack() as stack:
        if assign is not None:
            if annotators is not None:
                _create_folder(assign, pairs, annotators, overlap, batch_size)
            elif first is not None:
                raise click.UsageError("a new folder needs --annotators NAME,…")
            served = _assigned(assign, edition, suggester, uncertain, stack)
        elif adjudicate:
            files = Path(str(first)), Path(str(second)), Path(str(output))
            served = _adjudicated(*files, edition, stack)
        else:
            book = stack.enter_context(closing(_workbook(pairs, output)))
            served = _annotated(book, suggester, uncertain)
        _serve(listener, served, open_)


class Pairs(NamedTuple):
    """The pairs named on the command line, and how to read them."""

    first: str | None
    second: str | None
    from_: str | None
    columns: Choice | None
    tokens: Tokenization
    edition: Edition

    @property
    def table(self) -> str | None:
        """The format of a table of pairs; None for two files and for a .wa file."""
        if self.second is not None or self.first is None:
            return None
        return self.from_ or table_format(self.first)


class Served(NamedTuple):
    """Apps to serve, their names if there are several, and what is printed about the progress."""

    apps: "list[App]"
    names: tuple[str, ...]
    progress: Callable[[], str]


def _check_usage(pairs: Pairs, output: str | None) -> None:
    if pairs.first is None:
        raise click.UsageError("missing pairs: S1 and S2, PAIRS or FILE.wa")
    if (pairs.second is not None or pairs.table is not None) and output is None:
        needing = "PAIRS needs" if pairs.second is None else "S1 and S2 need"
        raise click.UsageError(f"{needing} -o GOLD.wa, the file to create")
    if pairs.table is None and (pairs.from_ is not None or pairs.columns is not None):
        option = "--from" if pairs.columns is None else "--columns"
        raise click.UsageError(f"{option} requires PAIRS, one file of pairs that are not aligned")
    if output is not None:
        format_promised(output, "wa")


def _serve(listener: socket, served: Served, open_: bool) -> None:
    from ists.annotate.server import Server

    server = Server(listener, *served.apps)
    click.echo(f"{served.progress()}; press Ctrl-C to stop", err=True)
    try:
        for number, address in enumerate(server.addresses):
            click.echo(f"{served.names[number]}\t{address}" if served.names else address)
        if open_:
            click.launch(server.addresses[0])
        server.run()
    except KeyboardInterrupt:
        click.echo(f"{served.progress()}; all changes are saved", err=True)


def _annotated(book: "Workbook", suggester: "Suggester | None", uncertain: bool) -> Served:
    from ists.annotate.app import Work, pages
    from ists.annotate.suggestions import uncertain_first

    order = None
    if uncertain and suggester is not None:
        with at_terminal() as watcher:
            drafts = (book[index].draft for index in range(len(book)))
            order = uncertain_first(watched(drafts, str(book.path), watcher), suggester)
            watcher.end()
    return Served([pages(Work(book, suggester, order))], (), lambda: _progress(book))


def _adjudicated(
    first: Path, second: Path, output: Path, edition: Edition, stack: ExitStack
) -> Served:
    from ists.annotate import adjudication
    from ists.annotate.app import Work, pages
    from ists.annotate.workbook import Workbook

    one, two = adjudication.names_of(first, second)
    found, unfinished = adjudication.versions(
        read(first, "wa"), read(second, "wa"), (str(first), str(second)), edition
    )
    if unfinished:
        click.echo(f"warning: {unfinished} pairs are not finished in both files", err=True)
    book = stack.enter_context(
        closing(Workbook.open(output, adjudication.beginnings(found), True, edition))
    )
    judged = adjudication.Adjudication(book, (one, two), found)
    judged.save_record()
    return Served([pages(Work(book, adjudication=judged))], (), lambda: _progress(book))


def _create_folder(
    folder: Path, pairs: Pairs, annotators: str, overlap: int, batch_size: int
) -> None:
    from ists.annotate import assignment

    if pairs.first is None:
        raise click.UsageError("--annotators needs pairs: S1 and S2, or PAIRS")
    try:
        names = assignment.annotator_names(annotators)
    except ValueError as error:
        raise click.UsageError(f"--annotators: {error}") from None
    source = _source(pairs)
    plans = assignment.plan(len(source), names, batch_size, overlap / 100)
    assignment.create(folder, source, plans, pairs.edition)


def _assigned(
    folder: Path,
    edition: Edition,
    suggester: "Suggester | None",
    uncertain: bool,
    stack: ExitStack,
) -> Served:
    from ists.annotate.assigned_app import annotator_app, coordinator_app
    from ists.annotate.assignment import Assignment, progress

    opened = stack.enter_context(closing(Assignment(folder, edition)))
    apps = [annotator_app(opened, name, suggester, uncertain) for name in opened.annotators]

    def shown_progress() -> str:
        done, total = progress(opened.batches)
        return f"{folder}: {done} of {total} pairs done"

    names = (_ALL_PROGRESS, *opened.annotators)
    return Served([coordinator_app(opened), *apps], names, shown_progress)


def _export(folder: Path, target: Path) -> None:
    from ists.annotate import assignment

    for annotator, done in assignment.export(folder, target).items():
        click.echo(f"{target / annotator}.wa: {done} pairs done", err=True)


def _reject_without_packages() -> None:
    lacking = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if lacking:
        raise IstsError(
            f"the annotation page needs {' and '.join(lacking)}: pip install 'ists[web]'"
        )


def _source(pairs: Pairs) -> "list[Beginning]":
    from ists.annotate import source

    warn = Warnings()
    first = str(pairs.first)
    if pairs.second is None and pairs.table is None:
        return source.one_file(first, pairs.edition)
    if pairs.table == "jsonl" and pairs.columns is None and source.is_aligned(first):
        return source.one_file(first, pairs.edition, "jsonl")
    given = (
        source.two_files(first, pairs.second, pairs.tokens, warn, pairs.edition)
        if pairs.second is not None
        else source.one_table(
            first, str(pairs.table), pairs.columns, pairs.tokens, warn, pairs.edition
        )
    )
    warn.end()
    return given


def _workbook(pairs: Pairs, output: str | None) -> "Workbook":
    from ists.annotate.workbook import Workbook

    target = Path(output or str(pairs.first))
    if target.absolute() == Path(str(pairs.first)).absolute():
        return Workbook.open(target, edition=pairs.edition)
    return Workbook.open(target, _source(pairs), edition=pairs.edition)


def suggester_of(model: str, edition: Edition = "2015") -> "Suggester":
    """Load an aligner model as a source of suggested chunks and links."""
    from ists.annotate.suggestions import Suggester
    from ists.pipeline import Aligner

    one_to_one = Aligner.load(model)
    aligner = one_to_one.in_edition(edition)

    def align(sentence1: InputSentence, sentence2: InputSentence) -> SentencePair:
        # Where chunks are suggested, groups would hide the boundaries between their chunks.
        chosen = one_to_one if sentence1.chunks is None else aligner
        return next(chosen.align_many([(sentence1, sentence2)], why=True))

    return Suggester(align)


def _progress(book: "Workbook") -> str:
    return f"{book.path}: {book.done} of {len(book)} pairs done"
