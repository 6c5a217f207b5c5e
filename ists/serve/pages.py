"""The page, its files, and the page that documents the API."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ists import __version__
from ists.chunker.tokens import TOKENIZATIONS
from ists.explanation.markup import SHARED_STYLES, page_environment, shared_style
from ists.serve.answers import error_answer, json_answer

_SCRIPT = "text/javascript"
ASSETS = {
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
    "page.js": _SCRIPT,
    "board.js": _SCRIPT,
    "dom.js": _SCRIPT,
    "dial.js": _SCRIPT,
    "exports.js": _SCRIPT,
    "links.js": _SCRIPT,
    "server.js": _SCRIPT,
    "state.js": _SCRIPT,
    "table.js": _SCRIPT,
    "tabular.js": _SCRIPT,
}
"""Files of the page; no file name is ever taken from a request."""
EXAMPLES = (
    ("A ferry sinks", "Harbour ferry sinks off Lisbon, 14 rescued",
     "Ferry goes down near Lisbon; 11 saved"),
    ("Shares", "Shares climb after bank report", "Shares tumble after bank report"),
    ("A cat", "A tabby cat is sleeping on the roof of the barn.", "A cat sleeps on a barn roof."),
    ("The bridge", "The old bridge will not open before May.",
     "The bridge is going to reopen in April."),
    ("Nothing shared", "The recipe needs two ripe lemons.", "Her train left an hour late."),
)  # fmt: skip


class Pages:
    """Handlers of the pages."""

    def __init__(self, models: list[str], description: Mapping[str, Any]) -> None:
        self._models = models
        self._description = description

    async def page(self, request: Request) -> Response:
        """Return the page for two sentences."""
        return HTMLResponse(
            _rendered(
                "page.html",
                models=self._models,
                tokenizations=TOKENIZATIONS,
                examples=EXAMPLES,
                version=__version__,
            )
        )

    async def docs(self, request: Request) -> Response:
        """Return the documentation of the API as a page without scripts."""
        return HTMLResponse(_rendered("docs.html", api=self._description))

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI description."""
        return json_answer(self._description)

    async def asset(self, request: Request) -> Response:
        """Return one of the page's files."""
        name = request.path_params["name"]
        if name in SHARED_STYLES:
            return Response(shared_style(name), media_type="text/css")
        if name not in ASSETS:
            return error_answer(404, "there is no such file")
        return Response(_asset(name), media_type=ASSETS[name])


@cache
def _asset(name: str) -> bytes:
    return files("ists.serve").joinpath("static", name).read_bytes()


def _rendered(template: str, **values: object) -> str:
    return page_environment("ists.serve").get_template(template).render(**values)
