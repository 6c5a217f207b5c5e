"""Responses of the API."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from ists.errors import printable

JSON = "application/json"
NDJSON = "application/x-ndjson"


class AnswerError(Exception):
    """A request that cannot be fulfilled: the status and reason to answer with."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers


def json_answer(content: Any, status: int = 200) -> Response:
    """Return a value as JSON; in ASCII, because lone surrogates can only be sent as escapes."""
    return Response(json.dumps(content).encode() + b"\n", status, media_type=JSON)


def error_answer(status: int, reason: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error as JSON: ``{"error": "…"}``."""
    content = json.dumps({"error": printable(reason)}).encode() + b"\n"
    return Response(content, status, headers, JSON)
