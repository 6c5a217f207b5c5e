"""The page's server, which listens only on this machine."""

import secrets
import socket

import uvicorn

from ists import web
from ists.annotate.app import application
from ists.annotate.suggestions import Suggester
from ists.annotate.workbook import Workbook

_TOKEN_BYTES = 24
_SECONDS_TO_FINISH = 2


def listen(port: int) -> socket.socket:
    """Open a listening socket on the loopback interface; port 0 is any free one."""
    return web.listen(web.LOOPBACK, port)


class Server:
    """Server of a workbook's page, at an address with a random token."""

    def __init__(
        self, book: Workbook, listener: socket.socket, suggester: Suggester | None = None
    ) -> None:
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        port = listener.getsockname()[1]
        self.address = f"http://{web.LOOPBACK}:{port}/{token}/"
        self._listener = listener
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(book, token, port, suggester),
                http="h11",
                ws="none",
                lifespan="off",
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_SECONDS_TO_FINISH,
            )
        )

    def run(self) -> None:
        """Serve requests until the process is interrupted or `stop` is called."""
        self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """Stop `run`, which runs in another thread."""
        self._server.should_exit = True
