"""The ASGI application: routes, errors, metrics and access control."""

import sys
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ists.errors import IstsError, ModelError
from ists.serve.answers import AnswerError, error_answer
from ists.serve.api import TOO_SLOW, Api
from ists.serve.batching import QueueFullError
from ists.serve.engine import Engine
from ists.serve.guard import Access, Guard
from ists.serve.limits import Limits
from ists.serve.metrics import Metrics
from ists.serve.openapi import OPERATIONS, description
from ists.serve.pages import Pages
from ists.web import App, Message, Receive, Scope, Send

Handler = Callable[[Request], Awaitable[Response]]
_RETRY_AFTER_TIMEOUT = 5
_OTHER = "other"


class Application:
    """The server's ASGI app with its models; `start` and `stop` surround its use."""

    def __init__(self, access: Access, models: tuple[str, ...] = (), limits: Limits | None = None):
        limits = limits or Limits()
        self._metrics = Metrics()
        self.engine = Engine(models, limits, observe=self._metrics.batch)
        self.api = Api(self.engine, limits, self._metrics)
        self._app = _measured(Guard(self._routed(access, limits), access), self._metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Load the default model before the block and finish all work after it."""
        await self.engine.warm_up()
        try:
            yield
        finally:
            self.engine.stop()

    def _routed(self, access: Access, limits: Limits) -> App:
        shown = description(limits, access.token is not None)
        pages = Pages(self.engine.models, shown)
        routes = [
            Route("/", _safe(pages.page)),
            Route("/docs", _safe(pages.docs)),
            Route("/openapi.json", _safe(pages.openapi)),
            Route("/static/{name}", _safe(pages.asset)),
        ]
        for one in OPERATIONS:
            method = "GET" if one.body is None else "POST"
            routes.append(Route(one.path, _safe(getattr(self.api, one.name)), methods=[method]))
        app = Starlette(routes=routes, exception_handlers={HTTPException: _http_error})
        app.router.redirect_slashes = False
        return app


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer requests without a route, as JSON."""
    assert isinstance(error, HTTPException)  # noqa: S101
    return error_answer(error.status_code, str(error.detail).lower(), error.headers)


def _safe(handle: Handler) -> Handler:
    """Return the handler with all its errors as answers; no text of a request is logged."""

    async def handled(request: Request) -> Response:
        try:
            return await handle(request)
        except AnswerError as error:
            return error_answer(error.status, error.reason, error.headers)
        except QueueFullError as error:
            return error_answer(503, str(error), {"Retry-After": str(error.seconds)})
        except TimeoutError:
            return error_answer(503, TOO_SLOW, {"Retry-After": str(_RETRY_AFTER_TIMEOUT)})
        except ModelError as error:
            return error_answer(500, str(error))
        except IstsError as error:
            return error_answer(422, str(error))
        except Exception as error:
            _report(error)
            return error_answer(500, "internal error")

    return handled


def _report(error: Exception) -> None:
    """Print where an unexpected error was raised, but not its message: it may quote a sentence."""
    places = traceback.extract_tb(error.__traceback__)
    at = " < ".join(f"{place.name}:{place.lineno}" for place in reversed(places))
    print(f"internal error: {type(error).__name__} at {at}", file=sys.stderr)


def _measured(app: App, metrics: Metrics) -> App:
    known = {one.path for one in OPERATIONS}

    async def measuring(scope: Scope, receive: Receive, send: Send) -> None:
        status = 500
        begin = time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, sending)
        finally:
            if scope["type"] == "http":
                path = scope["path"] if scope["path"] in known else _OTHER
                metrics.request(path, status, time.perf_counter() - begin)

    return measuring
