"""Web application: shows pairs and applies the annotator's actions, one per request.

Pairs are addressed by their index in the file, and static files by a fixed table: no file name is
ever taken from a request.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ists.annotate import guidance
from ists.annotate.actions import RejectedError, parse
from ists.annotate.guard import App, Guard
from ists.annotate.suggestions import Suggester
from ists.annotate.view import overview, view
from ists.annotate.workbook import Entry, StaleError, Workbook
from ists.errors import IstsError, printable
from ists.explain.relations import RELATION_STYLES

_SCRIPT = "text/javascript"
_ASSETS = {
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
    "page.js": _SCRIPT,
    "board.js": _SCRIPT,
    "curves.js": _SCRIPT,
    "help.js": _SCRIPT,
    "keys.js": _SCRIPT,
    "pair.js": _SCRIPT,
    "panels.js": _SCRIPT,
    "server.js": _SCRIPT,
    "state.js": _SCRIPT,
}
_OK, _BAD_REQUEST, _NOT_FOUND, _CONFLICT, _FAILED = 200, 400, 404, 409, 500


class _Json(Response):
    """JSON in ASCII: lone surrogates (bytes that are not UTF-8) can only be sent as escapes."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode()


def application(book: Workbook, token: str, port: int, suggester: Suggester | None = None) -> App:
    """Create the ASGI app for one workbook, protected by a `Guard`."""
    pages = _Pages(book, suggester)
    routes = [
        Route("/", pages.page),
        Route("/static/relations.css", pages.colours),
        Route("/static/{name}", pages.asset),
        Route("/pairs", pages.pairs),
        Route("/pairs/{place:int}", pages.pair),
        Route("/pairs/{place:int}", pages.act, methods=["POST"]),
        Route("/pairs/{place:int}/suggestions", pages.suggestions),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return Guard(app, token, port)


class _Pages:
    """Request handlers."""

    def __init__(self, book: Workbook, suggester: Suggester | None) -> None:
        self._book = book
        self._suggester = suggester

    async def page(self, request: Request) -> Response:
        page = _rendered(
            "page.html",
            file=printable(self._book.path.name),
            suggesting=self._suggester is not None,
            steps=guidance.STEPS,
            scores=guidance.SCORES,
            labels=guidance.LABELS,
            lone_labels=guidance.LONE_LABELS,
            flags=guidance.FLAGS,
        )
        return HTMLResponse(page)

    async def colours(self, request: Request) -> Response:
        return Response(_rendered("relations.css.j2", looks=RELATION_STYLES), media_type="text/css")

    async def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _ASSETS:
            return Response(status_code=_NOT_FOUND)
        return Response(_asset(name), media_type=_ASSETS[name])

    async def pairs(self, request: Request) -> Response:
        return _Json(overview(self._book))

    async def pair(self, request: Request) -> Response:
        place = self._place(request)
        return _missing_pair() if place is None else _Json(view(self._book, place))

    async def suggestions(self, request: Request) -> Response:
        place = self._place(request)
        if place is None or self._suggester is None:
            return _missing_pair()
        try:
            found = await run_in_threadpool(self._suggester.suggest, self._book[place].draft)
        except IstsError as error:
            return _Json({"error": printable(str(error))})
        return _Json(found)

    async def act(self, request: Request) -> Response:
        """Apply one action; the response has the pair's current state, also after most errors."""
        place = self._place(request)
        if place is None:
            return _missing_pair()
        try:
            record = json.loads(await request.body())
            self._done(place, record)
        except (StaleError, RejectedError) as error:
            # A rejected action, such as a label that does not fit the score, is not an HTTP error.
            status = _CONFLICT if isinstance(error, StaleError) else _OK
            return _Json({"error": str(error), "view": view(self._book, place)}, status)
        except (ValueError, RecursionError, TypeError) as error:
            return _Json({"error": f"invalid request: {error}"}, _BAD_REQUEST)
        except (IstsError, OSError) as error:
            reason = printable(f"not saved: {error}")
            return _Json({"error": reason, "view": view(self._book, place)}, _FAILED)
        return _Json(view(self._book, place))

    def _done(self, place: int, record: object) -> Entry:
        if not isinstance(record, dict) or type(record.get("version")) is not int:
            raise ValueError("expected an object with a version")
        version: int = record.pop("version")
        match record:
            case {"do": "undo"}:
                return self._book.undo(place, version)
            case {"do": "redo"}:
                return self._book.redo(place, version)
            case {"do": "note", "text": str(text)}:
                return self._book.note(place, version, text)
        return self._book.act(place, version, parse(record))

    def _place(self, request: Request) -> int | None:
        place: int = request.path_params["place"]
        return place if place < len(self._book) else None


def _missing_pair() -> Response:
    return _Json({"error": "there is no such pair"}, _NOT_FOUND)


@cache
def _asset(name: str) -> bytes:
    return files("ists.annotate").joinpath("static", name).read_bytes()


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ists.annotate"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )


def _rendered(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)
