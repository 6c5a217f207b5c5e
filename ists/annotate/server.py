"""The server of the pages, which listens only on this machine."""

import secrets
import socket

import uvicorn

from ists import web
from ists.annotate.guard import Guard
from ists.web import App

_TOKEN_BYTES = 24
_SECONDS_TO_FINISH = 2


def listen(port: int) -> socket.socket:
    """Open a listening socket on the loopback interface; port 0 is any free one."""
    return web.listen(web.LOOPBACK, port)


class Server:
    """Server of one or more apps, each at an address with a random token of its own."""

    def __init__(self, listener: socket.socket, *apps: App) -> None:
        tokens = [secrets.token_urlsafe(_TOKEN_BYTES) for _ in apps]
        port = listener.getsockname()[1]
        self.addresses = [f"http://{web.LOOPBACK}:{port}/{token}/" for token in tokens]
        self._listener = listener
        self._server = uvicorn.Server(
            uvicorn.Config(
                Guard(dict(zip(tokens, apps, strict=True)), port),
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
