"""What the commands that make long runs have in common: their options, and telling how it goes."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ists.cli.options import together
from ists.files import STANDARD_STREAM
from ists.formats.rows import TABLES, table_format
from ists.runs.run import ON_ERROR, OnError, Summary, carry_out
from ists.runs.sources import Pairs, Source
from ists.runs.tasks import Task
from ists.stages import watched

_DAY = 24 * 60 * 60


run_options = together(
    click.option(
        "--workers",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Processes of one thread each that work at once (default: this one, with a thread for "
        "every core; on Ray, all there are). The output does not depend on it.",
    ),
    click.option(
        "--on-error",
        type=click.Choice(ON_ERROR),
        default="stop",
        show_default=True,
        help="At a line that cannot be used: stop, or list it in OUT.errors.jsonl and go on.",
    ),
    click.option("--restart", is_flag=True, help="Begin anew, even if a run was stopped half-way."),
    click.option("--profile", is_flag=True, help="Tell on stderr where the time went."),
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
    """Run a task to its end on this machine."""
    if profile and workers > 1:
        raise click.UsageError("--profile looks at one process: use it with --workers 1 or none")
    begun = time.perf_counter()
    with at_terminal() as watcher:
        with watched() as stages:
            summary = carry_out(task, source, output, watcher, workers, on_error, restart)
        if profile:
            watcher.say(stages.table(time.perf_counter() - begun, summary.items))
        tell(watcher, summary)


@contextmanager
def at_terminal() -> Iterator["Terminal"]:
    """Someone who tells a person at a terminal how it goes."""
    watcher = Terminal(str(click.get_current_context().info_name))
    try:
        yield watcher
    finally:
        watcher.end()


def tell(watcher: "Terminal", summary: Summary) -> None:
    """Skipped lines are counted on stderr and end in exit code 1."""
    if summary.refused:
        where = f", listed in {summary.errors}" if summary.errors else ""
        watcher.say(f"{summary.refused} of {summary.items} were skipped{where}")
        sys.exit(1)


def pairs_from(first: str, second: str | None, from_: str | None, chunks: str | None) -> Pairs:
    """The pairs that S1 and S2, or PAIRS, name."""
    if second is not None:
        if from_ is not None:
            raise click.UsageError("--from goes with one file of pairs, not with S1 and S2")
        if first == second == STANDARD_STREAM:
            raise click.UsageError("only one of the files can be standard input ('-')")
    elif from_ is None and table_format(first) is None:
        raise click.UsageError(
            f"'{first}' alone must be {', '.join(f'.{name}' for name in TABLES)} (or name its "
            "format with --from); text files come in pairs: S1 S2"
        )
    return Pairs.of(first, second, from_, chunks)


class Terminal:
    """Tells a person at a terminal how many are done, how fast it goes and how long it takes."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._shown = sys.stderr.isatty()
        self._total: int | None = None
        self._done = self._before = 0
        self._begun = time.monotonic()

    def begin(self, done: int, total: int | None) -> None:
        """Remember where this part of the run begins: its speed is told, not the earlier one's."""
        self._done = self._before = done
        self._total = total
        if done:
            self.say(f"going on after {done} that are done")
        self._begun = time.monotonic()

    def advance(self, items: int) -> None:
        """Show the new count."""
        self._done += items
        if self._shown:
            click.echo(f"\r\x1b[K{self._line()}", nl=False, err=True)

    def say(self, line: str) -> None:
        """Write a line of its own."""
        self.end()
        click.echo(line, err=True)

    def end(self) -> None:
        """Leave the line of the count."""
        if self._shown and self._done > self._before:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _line(self) -> str:
        rate = (self._done - self._before) / max(time.monotonic() - self._begun, 1e-6)
        of = f" of {self._total}" if self._total is not None else ""
        line = f"{self._label}: {self._done}{of}, {rate:.1f}/s"
        if self._total is not None and rate:
            line += f", {_duration((self._total - self._done) / rate)} left"
        return line


def _duration(seconds: float) -> str:
    days, rest = divmod(max(0, int(seconds)), _DAY)
    clock = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} d {clock}" if days else clock
