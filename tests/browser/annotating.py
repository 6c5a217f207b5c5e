"""Running ``ists annotate`` for tests of its page: in a thread, or in a process to kill."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

from tests.conftest import ROOT


def sentence_files(folder: Path, *pairs: tuple[str, str]) -> tuple[Path, Path]:
    files = folder / "s1.txt", folder / "s2.txt"
    for side, file in enumerate(files):
        file.write_text("".join(f"{pair[side]}\n" for pair in pairs))
    return files


@contextmanager
def served(
    gold: Path, *pairs: tuple[str, str], suggester=None, order=None, edition="2015"
) -> Iterator[str]:
    """The address of a page for these pairs, or for those the file has already."""
    from ists.annotate.app import Work, pages
    from ists.annotate.source import two_files
    from ists.annotate.workbook import Workbook

    source = two_files(*sentence_files(gold.parent, *pairs), edition=edition) if pairs else None
    with (
        closing(Workbook.open(gold, source, edition=edition)) as book,
        running(pages(Work(book, suggester, order))) as addresses,
    ):
        yield addresses[0]


@contextmanager
def running(*apps) -> Iterator[list[str]]:
    """The addresses of apps that are served in a thread."""
    from ists.annotate.server import Server, listen

    with closing(listen(0)) as listener:
        server = Server(listener, *apps)
        thread = Thread(target=server.run)
        thread.start()
        try:
            yield server.addresses
        finally:
            server.stop()
            thread.join()


class Process:
    """The command in a separate process, and the address it has printed."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "ists", "annotate", *map(str, arguments), "--port", "0"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), "the server did not start"

    def kill(self) -> None:
        """Kill the process at once, like kill -9."""
        self._process.kill()
        self._process.communicate()
