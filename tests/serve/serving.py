"""Servers for tests: the app in this process, in a thread, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread

from tests.conftest import ROOT

PORT = 8000
HOME = f"http://127.0.0.1:{PORT}"
CATS = {"sentence1": "A tabby cat sleeps.", "sentence2": "A cat is sleeping."}
SHARES = {
    "sentence1": "Shares climb after bank report",
    "sentence2": "Shares tumble after bank report",
}
SNOW = {"sentence1": "Heavy snow closes two roads.", "sentence2": "Roads are closed by snow."}


def application(token: str | None = None, origins: tuple[str, ...] = (), **limits):
    from ists.serve.app import Application
    from ists.serve.guard import Access
    from ists.serve.limits import Limits

    return Application(Access(PORT, token, origins), ("default",), Limits(**limits))


@contextmanager
def served(token: str | None = None, **limits) -> Iterator[str]:
    """The address of a server that runs in a thread."""
    from ists.serve.app import Application
    from ists.serve.guard import Access
    from ists.serve.limits import Limits
    from ists.serve.server import Server
    from ists.web import LOOPBACK, listen

    with closing(listen(LOOPBACK, 0)) as listener:
        port = listener.getsockname()[1]
        app = Application(Access(port, token), (), Limits(**limits))
        server = Server(app, listener, 10)
        ready = Event()
        thread = Thread(target=server.run, args=(ready.set,))
        thread.start()
        assert ready.wait(120)
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.stop()
            thread.join()


class Process:
    """The command in a process of its own."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        command = [sys.executable, "-m", "ists", "serve", "--port", "0", *map(str, arguments)]
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **environment},
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        assert self.address.startswith("http://"), "the server did not start"

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """The exit code and all that was printed, once the process has ended."""
        out, err = self._process.communicate(timeout=120)
        return self._process.returncode, out + err
