"""The command line: one file a command, each a thin skin over functions usable from Python."""

import os
import signal
import sys
from importlib import import_module

import click

from ists import __version__
from ists.errors import IstsError, printable

_COMMANDS = {
    "agreement": "Measure how far two annotated files agree.",
    "align": "Align the chunks of sentence pairs, name and score each relation.",
    "annotate": "Make or correct gold files on a local web page.",
    "bench": "Run a benchmark and set its figures beside the published ones.",
    "bws": "Best–worst scaling: draw tuples, score answers, tell how reliable.",
    "chunk": "Cut sentences into chunks, or judge such cuts.",
    "check": "Check the well-formedness of files.",
    "correlate": "Correlate scores with the gold's and test differences.",
    "convert": "Convert between .wa, JSONL, XML and bracketed chunks.",
    "crossval": "Cross-validate an aligner on gold files: the four F1.",
    "train": "Train the models anew, or your own.",
    "report": "Show how systems fare against a gold file, pair by pair, as one page.",
    "render": "Draw aligned pairs: a page or an SVG picture.",
    "explain": "Say in words why two sentences are similar.",
    "similarity": "Give sentence pairs one number, and what each chunk adds to it.",
    "score": "Score system files against a gold file: the four F1.",
}
# The products that numpy computes here are small: threads of its own would only get in the way of
# the network's. It reads this when it is first imported, which no command has done yet.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_INTERRUPTED = 130
_TERMINATED = 143


class _LazyGroup(click.Group):
    """Imports a command's module when that command runs: each costs only its own imports."""

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
    """Say why two sentences are similar: align their chunks, name and score each relation.

    \b
    Examples:
      ists align s1.txt s2.txt -o out.wa
      ists score gold.wa out.wa
      ists check system.wa
      ists convert gold.wa gold.jsonl

    Every command has examples in its own help: ists COMMAND --help. A file named '-' is standard
    input or output. Exit codes: 0 all well, 1 something is wrong with the data, 2 wrong usage.
    """


def main() -> None:
    """Run the command line; what a user can put right ends in one line on stderr."""
    # As an exception, so that half-written files are removed on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_TERMINATED))
    try:
        sys.exit(cli.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone, which is its right; python must not complain at exit.
        sys.stdout = None
        sys.exit(1)
    except (IstsError, OSError) as error:
        click.echo(printable(str(error)), err=True)
        sys.exit(1)
