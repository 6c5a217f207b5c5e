"""One run from its first item to its last, whatever the task."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal, Protocol

from ists import __version__
from ists.errors import printable
from ists.files import atomic_output, can_be_replaced, refuse_replacing
from ists.formats.jsonl import line_of
from ists.formats.rows import Refused
from ists.runs.journal import Progress, ResumableOutput, beside, refused_record, written_beside
from ists.runs.sources import Fingerprint, Source, can_be_read_again
from ists.runs.tasks import Task
from ists.runs.workers import outcomes

OnError = Literal["stop", "skip"]
ON_ERROR: tuple[OnError, ...] = ("stop", "skip")

_DECISIVE = ("numpy", "onnxruntime", "spacy", "tokenizers")
"""Packages whose version the output may depend on."""


class Watcher(Protocol):
    """Someone who wants to know how it goes."""

    def begin(self, done: int, total: int | None) -> None:
        """The run begins after so many items, which an earlier one has done."""

    def advance(self, items: int) -> None:
        """So many more are written."""

    def say(self, line: str) -> None:
        """A person should know this."""


@dataclass(frozen=True)
class Summary:
    """What a run has done, the parts before it was stopped included."""

    items: int
    refused: int
    errors: str | None
    """The file that lists what was refused; none where it went to the watcher."""


def carry_out(
    task: Task,
    source: Source,
    output: str,
    watcher: Watcher,
    workers: int = 0,
    on_error: OnError = "stop",
    restart: bool = False,
) -> Summary:
    """Work through a source and write the outcomes in its order.

    What goes from files to a file can be resumed; with a pipe on either side there is no way back.
    """
    refuse_replacing(output, source.files)
    if can_be_replaced(output):
        for file in written_beside(output):
            refuse_replacing(file, source.files)
    total = None
    sink: ResumableOutput | _PassingOutput
    if can_be_replaced(output) and can_be_read_again(source):
        inputs = source.fingerprints()
        total = inputs[0].rows
        sink = ResumableOutput(output, _identity(task, source, inputs), restart)
    else:
        sink = _PassingOutput(output, watcher)
    try:
        with sink:
            watcher.begin(sink.progress.items, total)
            if not sink.progress.complete:
                _work_through(task, source, sink, watcher, workers, on_error)
    finally:
        if sink.kept:
            watcher.say(
                f"{sink.progress.items} items are done and kept in {output}.part: "
                "the same command goes on from there"
            )
    errors = str(sink.errors) if sink.errors is not None and sink.progress.refused else None
    return Summary(sink.progress.items, sink.progress.refused, errors)


def _work_through(
    task: Task,
    source: Source,
    sink: "ResumableOutput | _PassingOutput",
    watcher: Watcher,
    workers: int,
    on_error: OnError,
) -> None:
    head, foot = task.frame
    if not sink.progress.items:
        sink.begin(head)
    items = islice(source.items(), sink.progress.items, None)
    for block in outcomes(task, items, workers):
        if on_error == "stop":
            _stop_at_refused(block, sink)
        sink.write(block)
        watcher.advance(len(block))
    sink.end(foot)


def _stop_at_refused(
    block: list[bytes | Refused], sink: "ResumableOutput | _PassingOutput"
) -> None:
    for place, outcome in enumerate(block):
        if isinstance(outcome, Refused):
            if sink.progress.items:  # a run that stops in its first block leaves nothing behind
                sink.write(block[:place])
            raise outcome.error


def _identity(task: Task, source: Source, inputs: tuple[Fingerprint, ...]) -> Mapping[str, Any]:
    """All that decides what an output is: what differs here must not be mixed in one file."""
    return {
        **{f"input {Path(one.file).name}": one.sha256 for one in inputs},
        **source.options(),
        **identity_of(task),
    }


def identity_of(task: Task) -> Mapping[str, Any]:
    """What decides it apart from the input: options, model, versions."""
    versions = {name: _version(name) for name in _DECISIVE}
    return {**task.identity(), "ists": __version__, **versions}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


class _PassingOutput:
    """Output that is written once, from the beginning to the end: a stream, or from a stream."""

    kept = False

    def __init__(self, path: str, watcher: Watcher) -> None:
        self._path = path
        self._watcher = watcher
        self.progress = Progress()
        self.errors = beside(Path(path), ".errors.jsonl") if can_be_replaced(path) else None
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

    def write(self, outcomes: list[bytes | Refused]) -> None:
        """Write the outcomes of some items."""
        refused = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
        self._stream.write(b"".join(one for one in outcomes if isinstance(one, bytes)))
        for one in refused:
            self._list_refused(one)
        self.progress = replace(
            self.progress,
            items=self.progress.items + len(outcomes),
            refused=self.progress.refused + len(refused),
        )

    def begin(self, head: bytes) -> None:
        """Write what stands before the first item."""
        self._stream.write(head)

    def end(self, foot: bytes) -> None:
        """Write what stands after the last."""
        self._stream.write(foot)

    def _list_refused(self, refused: Refused) -> None:
        if self.errors is None:
            self._watcher.say(printable(f"skipped: {refused.error}"))
            return
        if self._list is None:
            self._list = self._files.enter_context(atomic_output(self.errors))
        self._list.write(line_of(refused_record(refused)))
