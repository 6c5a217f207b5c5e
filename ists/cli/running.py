"""Shared code of commands with long runs: options, input files and progress display."""

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ists.cli.language import Sampled
from ists.cli.options import Decorator, reject_two_inputs_from_stdin, together
from ists.compiled import kernels, use_one_heap
from ists.errors import printable
from ists.files import STANDARD_STREAM
from ists.formats.columns import Choice
from ists.formats.rows import TABLES, table_format
from ists.runs.run import ON_ERROR, OnError, Summary, carry_out
from ists.runs.sources import Pairs, Source
from ists.runs.tasks import Task
from ists.stages import watched

_DAY = 24 * 60 * 60


def run_options(on_ray: bool = False) -> Decorator:
    """Return the options of a long run; `on_ray`: the command can also run on Ray."""
    without = "this process, one thread per core" + ("; on Ray, one per CPU" * on_ray)
    return together(
        click.option(
            "--workers",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help=f"Number of single-threaded worker processes (default: {without}). "
            "The output does not depend on it.",
        ),
        click.option(
            "--on-error",
            type=click.Choice(ON_ERROR),
            default="stop",
            show_default=True,
            help="On an invalid line: stop, or list it in OUT.errors.jsonl and continue.",
        ),
        click.option(
            "--restart", is_flag=True, help="Start again instead of resuming a stopped run."
        ),
        click.option("--profile", is_flag=True, help="Print the time per stage on stderr."),
    )


def carry_out_command(
    task: Task,
    source: Source,
    output: str,
    workers: int,
    on_error: OnError,
    restart: bool,
    profile: bool,
) -> None:
    """Run a task on this machine, with progress on stderr."""
    if profile and workers > 1:
        raise click.UsageError("--profile measures one process: use it with --workers 0 or 1")
    use_one_heap()
    begun = time.perf_counter()
    with at_terminal() as watcher:
        with watched() as stages:
            sampled = Sampled(source, watcher.say)
            summary = carry_out(task, sampled, output, watcher, workers, on_error, restart)
        if profile:
            watcher.say(stages.table(time.perf_counter() - begun, summary.items))
            watcher.say(f"compiled extension: {'not used' if kernels is None else 'used'}")
        print_summary(watcher, summary)


@contextmanager
def at_terminal() -> Iterator["Terminal"]:
    """Show the progress on stderr in this block; clear the progress line at the end."""
    watcher = Terminal(str(click.get_current_context().info_name))
    try:
        yield watcher
    finally:
        watcher.end()


def print_summary(watcher: "Terminal", summary: Summary) -> None:
    """Print the number of repaired and skipped items; exit with code 1 if any was skipped."""
    if summary.repaired:
        watcher.say(f"{summary.repaired} of {summary.items} were read with a warning")
    if summary.rejected:
        where = f", listed in {summary.errors}" if summary.errors else ""
        watcher.say(f"{summary.rejected} of {summary.items} were skipped{where}")
        sys.exit(1)


def pairs_from(
    first: str,
    second: str | None,
    from_: str | None,
    chunks: str | None,
    columns: Choice | None = None,
) -> Pairs:
    """Return the pairs of S1 and S2, or of PAIRS; check the usage first."""
    reject_sentences(first, second)
    if second is not None:
        if from_ is not None or columns is not None:
            option = "--from" if columns is None else "--columns"
            raise click.UsageError(f"{option} requires one file of pairs, not S1 and S2")
        reject_two_inputs_from_stdin(first, second)
    elif from_ is None and table_format(first) is None:
        raise click.UsageError(
            f"'{first}' alone must be {', '.join(f'.{name}' for name in TABLES)} (or name its "
            "format with --from); text files must be given in pairs: S1 S2"
        )
    return Pairs.of(first, second, from_, chunks, columns)


def reject_sentences(first: str, second: str | None) -> None:
    """Raise a usage error that suggests 'ists explain' if both arguments are sentences."""
    if second is None or any(map(_may_be_file, (first, second))):
        return
    names = [shlex.quote(printable(name)) for name in (first, second)]
    raise click.UsageError(
        f"no such files: {' and '.join(names)}, expected S1 and S2; to compare two sentences: "
        f"ists explain {' '.join(names)}"
    )


def _may_be_file(name: str) -> bool:
    """Return whether a file exists or the text looks like the name of a missing one."""
    if name == STANDARD_STREAM:
        return True
    try:
        return Path(name).exists() or (bool(Path(name).suffix) and " " not in name)
    except (OSError, ValueError):  # longer than a file name may be
        return False


class Terminal:
    """Progress line on stderr: items done, items per second, remaining time."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._shown = sys.stderr.isatty()
        self._total: int | None = None
        self._done = self._before = 0
        self._started = time.monotonic()

    def begin(self, done: int, total: int | None) -> None:
        """Set the number of items done before: they do not count for the speed."""
        self._done = self._before = done
        self._total = total
        if done:
            self.say(f"resuming after {done} items")
        self._started = time.monotonic()

    def advance(self, items: int) -> None:
        """Add to the count and show it."""
        self._done += items
        if self._shown:
            click.echo(f"\r\x1b[K{self._line()}", nl=False, err=True)

    def say(self, line: str) -> None:
        """Print a message on a separate line."""
        self.end()
        click.echo(line, err=True)

    def end(self) -> None:
        """Clear the progress line."""
        if self._shown and self._done > self._before:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _line(self) -> str:
        rate = (self._done - self._before) / max(time.monotonic() - self._started, 1e-6)
        of = f" of {self._total}" if self._total is not None else ""
        line = f"{self._label}: {self._done}{of}, {rate:.1f}/s"
        if self._total is not None and rate:
            line += f", {_duration((self._total - self._done) / rate)} left"
        return line


def _duration(seconds: float) -> str:
    days, rest = divmod(max(0, int(seconds)), _DAY)
    clock = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} d {clock}" if days else clock
