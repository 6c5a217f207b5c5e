"""OpenAPI 3.1 description of the API, from the pydantic models of `schema`."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ists import __version__
from ists.serve import schema
from ists.serve.answers import JSON, NDJSON
from ists.serve.limits import Limits

_REF = "#/components/schemas/{model}"
_PAIR = {"sentence1": "A tabby cat sleeps.", "sentence2": "A cat is sleeping."}


class Operation(NamedTuple):
    """One path of the API."""

    path: str
    name: str
    summary: str
    answer: type[BaseModel] | None
    body: type[BaseModel] | None = None
    options: type[BaseModel] | None = None
    example: Any = None
    other: tuple[str, ...] = ()
    """Media types of the answer besides JSON and NDJSON."""
    many: bool = True
    """Whether the body may be a list or NDJSON."""


OPERATIONS = (
    Operation(
        "/v1/align",
        "align",
        "Align the chunks of sentence pairs, name each relation and score it",
        schema.PairOut,
        schema.PairIn,
        schema.AlignOptions,
        _PAIR,
        ("text/plain", "application/xml"),
    ),
    Operation(
        "/v1/similarity",
        "similarity",
        "Score the similarity of sentence pairs, with the contribution of each chunk",
        schema.SimilarityOut,
        schema.PairIn,
        schema.SimilarityOptions,
        _PAIR,
    ),
    Operation(
        "/v1/explain",
        "explain",
        "Say in words why two sentences are similar, or draw them",
        schema.ExplanationOut,
        schema.PairIn,
        schema.ExplainOptions,
        _PAIR,
        ("image/svg+xml",),
    ),
    Operation(
        "/v1/chunk",
        "chunk",
        "Split sentences into chunks",
        schema.ChunkedOut,
        schema.SentenceIn,
        schema.ChunkOptions,
        {"sentence": "A tabby cat sleeps on the roof."},
    ),
    Operation(
        "/v1/score",
        "score",
        "Score a system file against a gold file: the four F1",
        schema.ScoreOut,
        schema.ScoreIn,
        schema.ScoreOptions,
        many=False,
    ),
    Operation("/v1/models", "models", "List the models", schema.ModelOut),
    Operation(
        "/healthz", "health", "Tell whether the server is ready", schema.HealthOut, many=False
    ),
    Operation("/metrics", "metrics", "Metrics as Prometheus text", None, many=False),
)
_ERRORS = {
    "400": "The body is not JSON.",
    "413": "The body is too long, or has too many pairs.",
    "415": "Another content type than expected.",
    "422": "An option or a pair is invalid.",
    "503": "The queue is full or the answer takes too long; see the header Retry-After.",
}


def description(limits: Limits, token: bool) -> dict[str, Any]:
    """Return the description of the API as plain data."""
    _, schemas = models_json_schema(
        [(model, "serialization") for model in _models()], ref_template=_REF
    )
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "ists",
            "version": __version__,
            "summary": "Interpretable similarity of English sentences.",
            "description": (
                "Options are in the query string. The body is one pair, a list of pairs, or one "
                f"pair per line ({NDJSON}), as in JSONL files of `ists align`; the answer has the "
                "same form. In a stream of lines, a pair that cannot be aligned is an object with "
                f"`error`. A body has at most {limits.body} bytes and {limits.pairs} pairs, a "
                f"sentence at most {limits.characters} characters."
            ),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {one.path: _path(one) for one in OPERATIONS},
        "components": {"schemas": schemas["$defs"]},
    }
    if token:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
        found["paths"]["/healthz"]["get"]["security"] = []
    return found


def _models() -> Iterator[type[BaseModel]]:
    yield schema.ErrorOut
    for one in OPERATIONS:
        yield from (model for model in (one.answer, one.body) if model is not None)


def _path(one: Operation) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "parameters": list(_parameters(one)),
        "responses": {"200": {"description": "The answer.", "content": _answers(one)}},
    }
    if one.body is not None:
        operation["requestBody"] = {"required": True, "content": _bodies(one)}
        operation["responses"] |= {
            status: {"description": reason, "content": {JSON: {"schema": _ref(schema.ErrorOut)}}}
            for status, reason in _ERRORS.items()
        }
    if one.path == "/healthz":
        content = {JSON: {"schema": _ref(schema.HealthOut)}}
        operation["responses"]["503"] = {"description": "Not ready.", "content": content}
    return {"get" if one.body is None else "post": operation}


def _parameters(one: Operation) -> Iterator[dict[str, Any]]:
    if one.options is None:
        return
    for name, property_ in one.options.model_json_schema()["properties"].items():
        shown = {key: value for key, value in property_.items() if key not in _SHOWN_ELSEWHERE}
        shown |= _without_null(shown)
        if property_.get("default") is None:
            shown.pop("default", None)
        yield {
            "name": name,
            "in": "query",
            "description": property_.get("description", ""),
            "schema": shown,
        }


_SHOWN_ELSEWHERE = ("title", "description")


def _without_null(property_: dict[str, Any]) -> Mapping[str, Any]:
    """Return the one type of an optional value: a query string has no null."""
    choices = [one for one in property_.pop("anyOf", []) if one.get("type") != "null"]
    return choices[0] if choices else {}


def _bodies(one: Operation) -> dict[str, Any]:
    if one.body is None:
        return {}
    ref = _ref(one.body)
    if not one.many:
        part = {"type": "string", "contentMediaType": "text/plain"}
        files = {"gold": part, "system": part}
        form = {"type": "object", "properties": files, "required": list(files)}
        return {JSON: {"schema": ref}, "multipart/form-data": {"schema": form}}
    both = {"oneOf": [ref, {"type": "array", "items": ref}]}
    return {JSON: {"schema": both, "example": one.example}, NDJSON: {"schema": {"type": "string"}}}


def _answers(one: Operation) -> dict[str, Any]:
    if one.answer is None:
        return {"text/plain": {"schema": {"type": "string"}}}
    ref = _ref(one.answer)
    if one.body is None or not one.many:
        listed = {"type": "array", "items": ref}
        return {JSON: {"schema": listed if one.many else ref}}
    both = {"oneOf": [ref, {"type": "array", "items": ref}]}
    texts = {kind: {"schema": {"type": "string"}} for kind in (NDJSON, *one.other)}
    return {JSON: {"schema": both}, **texts}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}
