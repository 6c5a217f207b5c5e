"""The HTTP server."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from ists.serve.app import Application


class Server:
    """Server of an application on a listening socket."""

    def __init__(self, app: Application, listener: socket.socket, seconds_to_finish: float) -> None:
        self._app = app
        self._listener = listener
        self._server = _Uvicorn(
            app,
            uvicorn.Config(
                app,
                http="httptools",
                ws="none",
                lifespan="off",
                log_level="critical",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=max(1, round(seconds_to_finish)),
            ),
        )

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Load the model, call `ready`, then serve requests until interrupted or stopped.

        Requests that were accepted before are finished.
        """
        asyncio.run(self._run(ready))

    def stop(self) -> None:
        """Stop `run`, which runs in another thread."""
        self._server.should_exit = True

    async def _run(self, ready: Callable[[], None]) -> None:
        async with self._app.running():
            ready()
            await self._server.serve(sockets=[self._listener])


class _Uvicorn(uvicorn.Server):
    """Tells the application when it stops, so that load balancers learn of it."""

    def __init__(self, app: Application, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._application = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._application.api.status = "stopping"
        await super().shutdown(sockets)
