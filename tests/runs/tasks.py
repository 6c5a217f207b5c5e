"""Tasks without a model, for tests of runs."""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ists.errors import FormatError
from ists.formats.rows import RejectedItem
from ists.runs.tasks import AlignTask


@dataclass(frozen=True)
class Shout:
    """Convert sentences to capitals; a sentence with "bad" is rejected."""

    mark: str = "!"
    block: int = 4
    frame: tuple[bytes, bytes] = (b"<all>\n", b"</all>\n")

    def identity(self):
        return {"model": "none", "--mark": self.mark}

    def load(self, threads):
        return self.work

    def work(self, items) -> Iterator[bytes | RejectedItem]:
        for item in items:
            yield item if isinstance(item, RejectedItem) else self.outcome(item)

    def outcome(self, item) -> bytes | RejectedItem:
        text = item.sentence.text
        if "bad" in text:
            return RejectedItem(FormatError("too bad", item.file, item.line), text)
        return f"{text.upper()}{self.mark}\n".encode()


@dataclass(frozen=True)
class Deadly(Shout):
    """A sentence with "die" kills the process once; a file records that it did."""

    trace: str = ""

    def outcome(self, item) -> bytes | RejectedItem:
        if "die" in item.sentence.text and not Path(self.trace).exists():
            Path(self.trace).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().outcome(item)


@dataclass(frozen=True)
class DeadlyAlign(AlignTask):
    """Aligns; the first process that reads the second pair is killed."""

    trace: str = ""

    def load(self, threads):
        work = super().load(threads)
        return lambda items: work(map(self.looked_at, items))

    def looked_at(self, item):
        if item.line == 2 and not Path(self.trace).exists():
            Path(self.trace).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item


@dataclass(frozen=True)
class Waiting(Shout):
    """Writes its process id to a file and waits until it is terminated."""

    trace: str = ""

    def outcome(self, item) -> bytes | RejectedItem:
        Path(self.trace).write_text(str(os.getpid()))
        signal.pause()
        return b""


class Silent:
    """A watcher that records its calls."""

    def __init__(self):
        self.begun = []
        self.counted = 0
        self.said = []

    def begin(self, done, total):
        self.begun.append((done, total))

    def advance(self, items):
        self.counted += items

    def say(self, line):
        self.said.append(line)
