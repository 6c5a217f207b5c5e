"""Web application for several annotators: each has a page of batches, at an address of their own.

The coordinator's page shows everybody's progress, without access to the batches.
"""

from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from ists.annotate.app import Work, asset, pages, rendered
from ists.annotate.assignment import Assignment, OpenBatch, progress, summary
from ists.annotate.suggestions import Suggester, uncertain_first
from ists.errors import printable
from ists.web import App


def annotator_app(
    assignment: Assignment, annotator: str, suggester: Suggester | None, uncertain: bool
) -> App:
    """Create the app of one annotator: an index of the batches, and a page for each."""
    found = assignment.of(annotator)
    groups = [(annotator, found)]
    batches: list[BaseRoute] = [
        Mount(f"/batches/{number}", _batch_pages(one, suggester, uncertain))
        for number, one in enumerate(found)
    ]
    return _app(f"{annotator}: {assignment.folder.name}", groups, batches)


def coordinator_app(assignment: Assignment) -> App:
    """Create the app that shows the progress of all annotators."""
    groups = [(name, assignment.of(name)) for name in assignment.annotators]
    return _app(assignment.folder.name, groups, [])


def _batch_pages(one: OpenBatch, suggester: Suggester | None, uncertain: bool) -> App:
    order = None
    if uncertain and suggester is not None:
        drafts = [one.book[index].draft for index in range(len(one.book))]
        order = uncertain_first(drafts, suggester)
    title = f"{one.batch.annotator}: {one.batch.name}"
    return pages(Work(one.book, suggester, order, title=title, home="../../"))


def _app(
    title: str, groups: Sequence[tuple[str, list[OpenBatch]]], batches: list[BaseRoute]
) -> App:
    async def index(request: Request) -> Response:
        return HTMLResponse(
            rendered(
                "batches.html",
                title=printable(title),
                groups=[_group(name, found) for name, found in groups],
                linked=bool(batches),
            )
        )

    async def static(request: Request) -> Response:
        return asset(request.path_params["name"])

    app = Starlette(routes=[Route("/", index), Route("/static/{name}", static), *batches])
    app.router.redirect_slashes = False
    return app


def _group(name: str, found: list[OpenBatch]) -> dict[str, Any]:
    done, total = progress(found)
    return {"name": name, "done": done, "total": total, "batches": summary(found)}
