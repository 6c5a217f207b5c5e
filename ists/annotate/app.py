"""Web application: shows pairs and applies the annotator's actions, one per request.

Pairs are addressed by their index on the page, and static files by a fixed set of names: no file
name is ever taken from a request.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ists.annotate import guidance, routing
from ists.annotate.actions import Action, RejectedError, parse
from ists.annotate.adjudication import Adjudication
from ists.annotate.changes import describe, removed_by_cut
from ists.annotate.draft import Draft
from ists.annotate.guard import Guard
from ists.annotate.suggestions import Suggester
from ists.annotate.view import summary, view
from ists.annotate.workbook import StaleError, Workbook
from ists.errors import IstsError, printable
from ists.explanation.markup import SHARED_STYLES, page_environment, shared_style
from ists.web import App

_TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".js": "text/javascript"}
_OK, _BAD_REQUEST, _NOT_FOUND, _CONFLICT, _FAILED = 200, 400, 404, 409, 500


class _Json(Response):
    """JSON in ASCII: lone surrogates (bytes that are not UTF-8) can only be sent as escapes."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode()


@dataclass(frozen=True)
class Work:
    """A workbook on a page, with the page's options."""

    book: Workbook
    suggester: Suggester | None = None
    order: Sequence[int] | None = None
    """The pairs' indices in the file, in the order of the page; the file's order if None."""
    adjudication: Adjudication | None = None
    title: str = ""
    """The page's title, if not the file's name."""
    home: str = ""
    """Address of the index of batches, relative to the page, if there is one."""


def application(work: Work, token: str, port: int) -> App:
    """Create the ASGI app for one workbook, protected by a `Guard`."""
    return Guard({token: pages(work)}, port)


def pages(work: Work) -> App:
    """Create the ASGI app for one workbook, without protection."""
    handlers = _Pages(work)
    routes = [
        Route("/", handlers.page),
        Route("/static/{name}", handlers.asset),
        Route("/pairs", handlers.pairs),
        Route("/pairs/{place:int}", handlers.pair),
        Route("/pairs/{place:int}", handlers.act, methods=["POST"]),
        Route("/pairs/{place:int}/suggestions", handlers.suggestions),
        Route("/pairs/{place:int}/difference", handlers.difference),
        Route("/paths", handlers.paths, methods=["POST"]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return app


class _Pages:
    """Request handlers; pairs are addressed by their index in the page's order."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._book = work.book
        self._suggester = work.suggester
        self._edition = work.book.edition
        self._order = range(len(work.book)) if work.order is None else tuple(work.order)

    async def page(self, request: Request) -> Response:
        adjudication = self._work.adjudication
        page = rendered(
            "page.html",
            file=printable(self._work.title or self._book.path.name),
            home=self._work.home,
            suggesting=self._suggester is not None,
            annotators=[printable(name) for name in adjudication.names] if adjudication else [],
            steps=guidance.STEPS,
            scores=guidance.SCORES,
            labels=guidance.LABELS,
            lone_labels=guidance.lone_choices(self._edition),
            flags=guidance.FLAGS,
            cards=guidance.cards(self._edition),
            chunk_rules=guidance.CHUNK_RULES,
            tree=guidance.decision_tree(self._edition),
            edition=self._edition,
        )
        return HTMLResponse(page)

    async def asset(self, request: Request) -> Response:
        return asset(request.path_params["name"])

    async def pairs(self, request: Request) -> Response:
        return _Json([summary(self._book[index]) for index in self._order])

    async def pair(self, request: Request) -> Response:
        place = self._place(request)
        return _missing_pair() if place is None else _Json(self._view(place))

    async def suggestions(self, request: Request) -> Response:
        place = self._place(request)
        if place is None or self._suggester is None:
            return _missing_pair()
        draft = self._book[self._order[place]].draft
        try:
            found = await run_in_threadpool(self._suggester.suggest, draft)
        except IstsError as error:
            return _Json({"error": printable(str(error))})
        return _Json(found)

    async def difference(self, request: Request) -> Response:
        """Answer whether the model would annotate a finished pair's chunks differently."""
        place = self._place(request)
        if place is None or self._suggester is None:
            return _missing_pair()
        entry = self._book[self._order[place]]
        try:
            differs = entry.done and await run_in_threadpool(self._suggester.differs, entry.draft)
        except IstsError as error:
            return _Json({"error": printable(str(error))})
        return _Json({"differs": differs})

    async def paths(self, request: Request) -> Response:
        try:
            return _Json(routing.paths(json.loads(await request.body())))
        except (ValueError, RecursionError) as error:
            return _Json({"error": f"invalid request: {error}"}, _BAD_REQUEST)

    async def act(self, request: Request) -> Response:
        """Apply one action; the response has the pair's current state, also after most errors."""
        place = self._place(request)
        if place is None:
            return _missing_pair()
        try:
            record = json.loads(await request.body())
            said = self._done(self._order[place], record)
            if self._work.adjudication is not None:
                self._work.adjudication.save_record()
        except (StaleError, RejectedError) as error:
            # A rejected action, such as a label that does not fit the score, is not an HTTP error.
            status = _CONFLICT if isinstance(error, StaleError) else _OK
            return _Json({"error": str(error), "view": self._view(place)}, status)
        except (ValueError, RecursionError, TypeError) as error:
            return _Json({"error": f"invalid request: {error}"}, _BAD_REQUEST)
        except (IstsError, OSError) as error:
            reason = printable(f"not saved: {error}")
            return _Json({"error": reason, "view": self._view(place)}, _FAILED)
        return _Json({**self._view(place), "said": said})

    def _view(self, place: int) -> dict[str, Any]:
        index = self._order[place]
        shown = {**view(self._book, index), "place": place}
        if self._work.adjudication is not None:
            shown["differences"] = self._work.adjudication.differences(index)
        return shown

    def _done(self, index: int, record: object) -> str:
        """Do what a request asks for; return what the page should say about it, if anything."""
        if not isinstance(record, dict) or type(record.get("version")) is not int:
            raise ValueError("expected an object with a version")
        version: int = record.pop("version")
        before = self._book[index].draft
        match record:
            case {"do": "undo"}:
                self._book.undo(index, version)
                return _said("Undone", before, self._book[index].draft, back=True)
            case {"do": "redo"}:
                self._book.redo(index, version)
                return _said("Redone", before, self._book[index].draft)
            case {"do": "note", "text": str(text)}:
                self._book.note(index, version, text)
                return ""
            case {"do": "take", "who": int(who), "difference": int(number)}:
                action = self._taken(index, who, number)
            case _:
                action = parse(record)
        if self._work.adjudication is not None:
            action = self._work.adjudication.completed(index, action)
        self._book.act(index, version, action)
        removed = removed_by_cut(before, self._book[index].draft)
        return f"{removed[0].upper()}{removed[1:]}. Undo brings this back." if removed else ""

    def _taken(self, index: int, who: int, number: int) -> Action:
        if self._work.adjudication is None:
            raise ValueError("no such action")
        return self._work.adjudication.take(index, who, number)

    def _place(self, request: Request) -> int | None:
        place: int = request.path_params["place"]
        return place if place < len(self._order) else None


def _said(verb: str, before: Draft, after: Draft, back: bool = False) -> str:
    if before == after:
        return "There is nothing to undo." if back else "There is nothing to redo."
    # The words that may be named are those of the step that is shown now.
    change = (after, before) if back else (before, after)
    return f"{verb}: {describe(*change, step=after.step)}."


def _missing_pair() -> Response:
    return _Json({"error": "there is no such pair"}, _NOT_FOUND)


def asset(name: str) -> Response:
    """Return a static file of the page, if there is one of this name."""
    if name in SHARED_STYLES:
        return Response(shared_style(name), media_type="text/css")
    if name not in _assets():
        return Response(status_code=_NOT_FOUND)
    return Response(_asset(name), media_type=_TYPES[Path(name).suffix])


@cache
def _assets() -> frozenset[str]:
    return frozenset(file.name for file in files("ists.annotate").joinpath("static").iterdir())


@cache
def _asset(name: str) -> bytes:
    return files("ists.annotate").joinpath("static", name).read_bytes()


def rendered(template: str, **values: object) -> str:
    """Return a page made from a template."""
    return page_environment("ists.annotate").get_template(template).render(**values)
