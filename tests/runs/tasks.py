"""Tasks that take no model: what a run does with them is plain to see."""

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
    """Every sentence in capitals; one that says "bad" is rejected."""

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
    """A sentence that says "die" kills the process, once: it leaves a file behind."""

    trace: str = ""

    def outcome(self, item) -> bytes | RejectedItem:
        if "die" in item.sentence.text and not Path(self.trace).exists():
            Path(self.trace).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().outcome(item)


@dataclass(frozen=True)
class DeadlyAlign(AlignTask):
    """Aligns, but the first process that meets the second pair is killed."""

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
    """Leaves its process number behind and waits until it is ended."""

    trace: str = ""

    def outcome(self, item) -> bytes | RejectedItem:
        Path(self.trace).write_text(str(os.getpid()))
        signal.pause()
        return b""


class Silent:
    """A watcher that remembers."""

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
