"""Command-line interface: one module per command, each calls functions of the Python API."""

import atexit
import os
import signal
import sys
from importlib import import_module

import click

from ists import __version__
from ists.errors import IstsError, printable
from ists.files import named_standard_output
from ists.garbage import skip_last_collections

_COMMANDS = {
    "agreement": "Measure the agreement of two annotated files.",
    "align": "Align the chunks of sentence pairs, name and score each relation.",
    "annotate": "Create or correct gold files on a local web page.",
    "bench": "Run a benchmark and compare its figures with the published ones.",
    "bws": "Best–worst scaling: draw tuples, score answers, measure reliability.",
    "chunk": "Split sentences into chunks, or evaluate given chunks.",
    "check": "Check that files are well-formed.",
    "corpus": "Build, count and check the annotated corpus of everyday English.",
    "correlate": "Correlate scores with gold scores and test differences.",
    "convert": "Convert between .wa, JSONL, XML and bracketed chunks.",
    "crossval": "Cross-validate an aligner on gold files: the four F1.",
    "train": "Retrain the shipped models, or train your own.",
    "report": "Compare systems with a gold file, pair by pair, on one page.",
    "render": "Draw aligned pairs: a page or an SVG picture.",
    "explain": "Explain in words why two sentences are similar.",
    "serve": "Serve a page that compares two sentences, and an HTTP API.",
    "similarity": "Score the similarity of sentence pairs, with each chunk's contribution.",
    "score": "Score system files against a gold file: the four F1.",
}
# numpy's matrix products are small here, and its threads would compete with the network's. numpy
# reads this variable when it is first imported, which no command has done yet.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# When the interpreter exits, not when `main` returns: it may be called by another program.
atexit.register(skip_last_collections)

_INTERRUPTED = 130
_ENDED_BY = 128
"""Added to the number of the signal that ended a command, as shells do."""


class _LazyGroup(click.Group):
    """Group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"ists.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ists")
def cli() -> None:
    """Explain why two sentences are similar: align chunks, name and score each relation.

    The models are trained on English text; scoring, checking and converting files work for any
    language.

    \b
    Examples:
      ists align s1.txt s2.txt -o out.wa
      ists score gold.wa out.wa
      ists check system.wa
      ists convert gold.wa gold.jsonl

    Every command has examples in its own help: ists COMMAND --help. A file named '-' is standard
    input or output. Exit codes: 0 success, 1 an error in the data, 2 wrong usage.
    """


def main() -> None:
    """Run the command line; print errors that a user can correct as one line on stderr."""
    # As an exception, so that partially written files are removed on exit.
    for name in ("SIGTERM", "SIGHUP"):  # the latter when a terminal is closed; Windows has none
        ending = getattr(signal, name, None)
        if (
            ending is not None and signal.getsignal(ending) is not signal.SIG_IGN
        ):  # ignored under nohup
            signal.signal(ending, lambda number, _: sys.exit(_ENDED_BY + number))
    try:
        with named_standard_output():
            code = cli.main(standalone_mode=False)
        sys.exit(code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        # The reader has closed the pipe: keep Python from reporting it again at exit.
        sys.stdout = None
        sys.exit(1)
    except (IstsError, OSError) as error:
        click.echo(printable(str(error)), err=True)
        sys.exit(1)
