"""A local run: process all items of a source by a task and write the outcomes."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal, Protocol

from ists import __version__
from ists.errors import printable
from ists.files import atomic_output, can_be_replaced, reject_replacing
from ists.formats import shown_name
from ists.formats.jsonl import line_of
from ists.formats.rows import RejectedItem
from ists.runs.journal import (
    Progress,
    ResumableOutput,
    add_suffix,
    auxiliary_files,
    rejected_record,
)
from ists.runs.outcomes import outcomes
from ists.runs.sources import Fingerprint, Source, can_be_read_again
from ists.runs.tasks import Task

OnError = Literal["stop", "skip"]
ON_ERROR: tuple[OnError, ...] = ("stop", "skip")

_MOST_WARNINGS = 100
"""Number of items whose warnings are shown; further ones are only counted."""
_DECISIVE = ("numpy", "onnxruntime")
"""Packages whose versions may affect the output."""


class Watcher(Protocol):
    """Progress callbacks."""

    def begin(self, done: int, total: int | None) -> None:
        """Start; `done` items were processed by an earlier run."""

    def advance(self, items: int) -> None:
        """Report the number of newly written items."""

    def say(self, line: str) -> None:
        """Report a message for the user."""


@dataclass(frozen=True)
class Summary:
    """Counts of a run, including those of the earlier runs that it resumed."""

    items: int
    rejected: int
    errors: str | None
    """The file that lists rejected items; None if there are none or they went to the watcher."""
    repaired: int = 0
    """Number of items read with a warning."""


def carry_out(
    task: Task,
    source: Source,
    output: str,
    watcher: Watcher,
    workers: int = 0,
    on_error: OnError = "stop",
    restart: bool = False,
) -> Summary:
    """Process all items of a source and write the outcomes in its order.

    A run can be resumed if it reads and writes regular files, not pipes.
    """
    reject_replacing(output, source.files)
    if can_be_replaced(output):
        for file in auxiliary_files(output):
            reject_replacing(file, source.files)
    total = None
    sink: ResumableOutput | _PassingOutput
    if can_be_replaced(output) and can_be_read_again(source):
        inputs = source.fingerprints()
        total = inputs[0].rows
        sink = ResumableOutput(output, _identity(task, source, inputs), restart)
    else:
        sink = _PassingOutput(output, watcher)
    warnings = _Warnings(watcher)
    try:
        with sink:
            if not sink.locked:
                watcher.say(
                    "this system has no file locks: make sure that no other run writes "
                    f"{output} at the same time"
                )
            watcher.begin(sink.progress.items, total)
            if not sink.progress.complete:
                _process(task, source, sink, watcher, warnings, workers, on_error)
    finally:
        if sink.kept:
            watcher.say(
                f"{sink.progress.items} items are done and kept in {output}.part: "
                "repeat the command to resume"
            )
    if not sink.progress.items:
        names = " and ".join(map(shown_name, source.files))
        watcher.say(f"warning: {names}: no sentences found, so the output has none")
    errors = str(sink.errors) if sink.errors is not None and sink.progress.rejected else None
    return Summary(sink.progress.items, sink.progress.rejected, errors, warnings.items)


class _Warnings:
    """Passes the warnings of repaired items on to the watcher, and counts these items."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.items = 0

    def pass_on(self, items: Iterator[Any], done: int) -> Iterator[Any]:
        """Yield the items after the first `done` ones, whose warnings are counted but not shown."""
        for number, item in enumerate(items):
            warnings = getattr(item, "warnings", ())
            self.items += bool(warnings)
            if number < done:
                continue
            if self.items <= _MOST_WARNINGS:
                for warning in warnings:
                    self._watcher.say(f"warning: {warning}")
            yield item


def _process(
    task: Task,
    source: Source,
    sink: "ResumableOutput | _PassingOutput",
    watcher: Watcher,
    warnings: _Warnings,
    workers: int,
    on_error: OnError,
) -> None:
    head, foot = task.frame
    if not sink.progress.items:
        sink.begin(head)
    items = warnings.pass_on(source.items(), sink.progress.items)
    for block in outcomes(task, items, workers):
        if on_error == "stop":
            _stop_at_rejected(block, sink)
        sink.write(block)
        watcher.advance(len(block))
    sink.end(foot)


def _stop_at_rejected(
    block: list[bytes | RejectedItem], sink: "ResumableOutput | _PassingOutput"
) -> None:
    for place, outcome in enumerate(block):
        if isinstance(outcome, RejectedItem):
            if sink.progress.items:  # a run that stops in its first block leaves no files
                sink.write(block[:place])
            raise outcome.error


def _identity(task: Task, source: Source, inputs: tuple[Fingerprint, ...]) -> Mapping[str, Any]:
    """Return all that determines the output: a run is resumed only if it is unchanged."""
    return {
        **{f"input {Path(one.file).name}": one.sha256 for one in inputs},
        **source.options(),
        **identity_of(task),
    }


def identity_of(task: Task) -> Mapping[str, Any]:
    """Return all but the input that determines the output: options, model, versions."""
    versions = {name: _version(name) for name in _DECISIVE}
    return {**task.identity(), "ists": __version__, **versions}


def _version(package: str) -> str | None:
    """Return the version of an installed package, by the name of its metadata's folder."""
    for folder in sys.path:
        for found in Path(folder).glob(f"{package}-*.dist-info"):
            return found.name.removeprefix(f"{package}-").removesuffix(".dist-info")
    return _version_by_metadata(package)


def _version_by_metadata(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version(package)
    except PackageNotFoundError:
        return None


class _PassingOutput:
    """Output that cannot be resumed, because it is a stream or is made from one."""

    kept = False
    locked = True
    """No lock is needed: the temporary file has a unique name."""

    def __init__(self, path: str, watcher: Watcher) -> None:
        self._path = path
        self._watcher = watcher
        self.progress = Progress()
        self.errors = add_suffix(Path(path), ".errors.jsonl") if can_be_replaced(path) else None
        self._files = ExitStack()
        self._list: BinaryIO | None = None

    def __enter__(self) -> "_PassingOutput":
        self._stream = self._files.enter_context(atomic_output(self._path))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return self._files.__exit__(kind, error, trace)

    def write(self, outcomes: list[bytes | RejectedItem]) -> None:
        """Write the outcomes of a block of items."""
        rejected = [outcome for outcome in outcomes if isinstance(outcome, RejectedItem)]
        self._stream.write(b"".join(one for one in outcomes if isinstance(one, bytes)))
        for one in rejected:
            self._list_rejected(one)
        self.progress = replace(
            self.progress,
            items=self.progress.items + len(outcomes),
            rejected=self.progress.rejected + len(rejected),
        )

    def begin(self, head: bytes) -> None:
        """Write the format's header."""
        self._stream.write(head)

    def end(self, foot: bytes) -> None:
        """Write the format's footer."""
        self._stream.write(foot)

    def _list_rejected(self, rejected: RejectedItem) -> None:
        if self.errors is None:
            self._watcher.say(printable(f"skipped: {rejected.error}"))
            return
        if self._list is None:
            self._list = self._files.enter_context(atomic_output(self.errors))
        self._list.write(line_of(rejected_record(rejected)))
