"""Request handlers of the API."""

import io
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import anyio.to_thread
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from ists import __version__
from ists.errors import FormatError, IstsError
from ists.formats import rendering
from ists.formats.jsonl import from_record, line_of
from ists.formats.problems import valid_pairs
from ists.formats.rows import RejectedItem
from ists.runs.tasks import AlignTask, ChunkTask, SimilarityTask
from ists.serve.answers import JSON, NDJSON, AnswerError, json_answer
from ists.serve.batching import Outcome
from ists.serve.engine import BASELINE, CHUNKER, AlignerTask, Engine
from ists.serve.inputs import Body, Items, pairs_of, parsed, parts_of, sentences_of
from ists.serve.limits import Limits
from ists.serve.metrics import Metrics
from ists.serve.schema import (
    AlignOptions,
    ChunkOptions,
    ExplainOptions,
    PairOptions,
    ScoreOptions,
    SimilarityOptions,
)
from ists.serve.tasks import ExplainTask
from ists.web import limited_body
from scorer.judge import Loaded, load, score
from scorer.summary import Views, summarise
from scorer.warnings import of_problems, of_scores

Options = TypeVar("Options", bound=BaseModel)
TOO_SLOW = "the answer takes too long, send fewer pairs or try again later"
_TEXT = "text/plain"
_MEDIA_TYPES = {"wa": _TEXT, "xml": "application/xml", "svg": "image/svg+xml"}
_DESCRIPTIONS = {
    "default": "for ordinary English",
    "pilot": "trained on the pilot's data alone, for its closed track",
    BASELINE: "the pilot's baseline: aligns chunks that share words (EQUI, 5); gives no similarity",
}


class Api:
    """The handlers, each for one path."""

    def __init__(self, engine: Engine, limits: Limits, metrics: Metrics) -> None:
        self.engine = engine
        self.status = "ok"
        self._limits = limits
        self._metrics = metrics

    async def align(self, request: Request) -> Response:
        """Align pairs."""
        options = _options(request, AlignOptions)
        model = self._model(options)
        body, found = await self._pairs(request)
        format_ = options.format or _format_of(body)
        kind = format_ if format_ in ("wa", "xml") else "jsonl"
        task = AlignTask(kind, model, None, False, options.tokens, options.why, options.matrix)
        outcomes = self.engine.outcomes(model, _at(options, task), found.items)
        if kind != "jsonl":
            return await self._file(outcomes, format_)
        return await self._answer(outcomes, found, format_)

    async def similarity(self, request: Request) -> Response:
        """Score the similarity of pairs."""
        options = _options(request, SimilarityOptions)
        model = self._model(options)
        if model == BASELINE:
            raise AnswerError(422, "the baseline gives no similarity, choose another model")
        body, found = await self._pairs(request)
        task = SimilarityTask("jsonl", options.scale, model, tokens=options.tokens)
        outcomes = self.engine.outcomes(model, _at(options, task), found.items)
        return await self._answer(outcomes, found, options.format or _format_of(body))

    async def explain(self, request: Request) -> Response:
        """Explain pairs in words."""
        options = _options(request, ExplainOptions)
        model = self._model(options)
        body, found = await self._pairs(request)
        format_ = options.format or _format_of(body)
        if format_ == "svg":
            if len(found.items) != 1:
                raise AnswerError(422, "a picture shows one pair, expected one pair")
            task = ExplainTask(options.tokens, format="svg", width=options.width)
        else:
            task = ExplainTask(options.tokens, options.details)
        outcomes = self.engine.outcomes(model, _at(options, task), found.items)
        if format_ == "svg":
            return await self._file(outcomes, format_)
        return await self._answer(outcomes, found, format_)

    async def chunk(self, request: Request) -> Response:
        """Split sentences into chunks."""
        options = _options(request, ChunkOptions)
        body = await self._body(request)
        found = sentences_of(body, self._limits)
        task = ChunkTask("jsonl", CHUNKER, options.tokens, options.types)
        outcomes = self.engine.outcomes(CHUNKER, task, found.items)
        return await self._answer(outcomes, found, options.format or _format_of(body))

    async def score(self, request: Request) -> Response:
        """Score a system file against a gold file."""
        options = _options(request, ScoreOptions)
        body = await self._body(request)
        with anyio.fail_after(self._limits.seconds):
            summary = await anyio.to_thread.run_sync(_scored, body, options, abandon_on_cancel=True)
        return Response(json.dumps(summary, indent=2).encode() + b"\n", media_type=JSON)

    async def models(self, request: Request) -> Response:
        """List the models."""
        return json_answer(
            [
                {
                    "name": name,
                    "description": _DESCRIPTIONS.get(name, "an aligner"),
                    "default": name == self.engine.default,
                    "language": "en",
                    "threshold": card.get("threshold") if name != BASELINE else None,
                    "similarity": name != BASELINE,
                    "groups": name != BASELINE and "groups" in card,
                }
                for name, card in self.engine.cards().items()
            ]
        )

    async def health(self, request: Request) -> Response:
        """Tell whether the server is ready."""
        status = 200 if self.status == "ok" else 503
        return json_answer({"status": self.status, "version": __version__}, status)

    async def metrics(self, request: Request) -> Response:
        """Return the metrics as Prometheus text."""
        text = self._metrics.render(self.engine.queues)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    def _model(self, options: PairOptions) -> str:
        name = options.model or self.engine.default
        if name not in self.engine.models:
            known = ", ".join(self.engine.models)
            raise AnswerError(422, f"no model '{name}', expected one of: {known}")
        if name == BASELINE and options.edition != "2015":
            raise AnswerError(422, "the baseline has only edition 2015, choose another model")
        return name

    async def _pairs(self, request: Request) -> tuple[Body, Items]:
        body = await self._body(request)
        return body, pairs_of(body, self._limits)

    async def _body(self, request: Request) -> Body:
        with anyio.fail_after(self._limits.seconds):
            content = await limited_body(request.scope, request.receive, self._limits.body)
        if content is None:
            raise AnswerError(
                413, f"the body has more than {self._limits.body} bytes", {"Connection": "close"}
            )
        return Body(request.headers.get("content-type", JSON), content)

    async def _answer(
        self, outcomes: AsyncGenerator[Outcome, None], found: Items, format_: str
    ) -> Response:
        """Return the outcomes as JSON, all at once, or as NDJSON, line by line."""
        if format_ == "ndjson":
            lines = self._lines(outcomes, found.items)
            # Before the answer begins, so that a full queue can still be reported.
            first = await anext(lines, b"")
            return StreamingResponse(_chained(first, lines), media_type=NDJSON)
        content = await self._all(outcomes)
        if found.single:
            return Response(content[0], media_type=JSON)
        listed = b",\n".join(line.rstrip(b"\n") for line in content)
        return Response(b"[" + listed + b"]\n", media_type=JSON)

    async def _file(self, outcomes: AsyncGenerator[Outcome, None], format_: str) -> Response:
        content = await self._all(outcomes)
        head, foot = b"", b""
        if format_ != "svg":
            head, _, foot = rendering(format_)
        return Response(head + b"".join(content) + foot, media_type=_MEDIA_TYPES[format_])

    async def _all(self, outcomes: AsyncGenerator[Outcome, None]) -> list[bytes]:
        content: list[bytes] = []
        async with aclosing(outcomes):
            with anyio.fail_after(self._limits.seconds):
                async for outcome in outcomes:
                    if isinstance(outcome, RejectedItem):
                        raise AnswerError(422, str(outcome.error))
                    content.append(outcome)
        return content

    async def _lines(
        self, outcomes: AsyncGenerator[Outcome, None], items: Sequence[Any]
    ) -> AsyncGenerator[bytes, None]:
        """Yield one line per item; one that was rejected has its id and the error."""
        async with aclosing(outcomes):
            for number, item in enumerate(items):
                named = {"id": item.id} if hasattr(item, "id") else {}
                try:
                    with anyio.fail_after(self._limits.seconds):
                        outcome = await anext(outcomes)
                except (TimeoutError, IstsError) as error:
                    if not number:
                        raise
                    # The status was sent already: the last line says why there are no more.
                    yield line_of({**named, "error": str(error) or TOO_SLOW})
                    return
                if isinstance(outcome, RejectedItem):
                    outcome = line_of({**named, "error": str(outcome.error)})
                yield outcome


async def _chained(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(rest):
        yield first
        async for line in rest:
            yield line


def _at(options: PairOptions, task: Any) -> AlignerTask:
    return AlignerTask(task, options.threshold, options.edition)


def _format_of(body: Body) -> str:
    return "ndjson" if body.is_ndjson else "json"


def _options(request: Request, kind: type[Options]) -> Options:
    """Read the options from the query string."""
    given = request.query_params.multi_items()
    names = [name for name, _ in given]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise AnswerError(422, f"the option '{repeated}' is given twice")
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            known = ", ".join(kind.model_fields)
            raise AnswerError(422, f"no option '{name}', expected any of: {known}") from None
        raise AnswerError(422, f"option '{name}': {first['msg']}") from None


def _scored(body: Body, options: ScoreOptions) -> Mapping[str, Any]:
    gold, *systems = _files_to_score(body)
    reports = [score(gold, system, options.match) for system in systems]
    warnings = [*of_problems(gold.problems)]
    for report in reports:
        warnings += [*of_problems(report.problems), *of_scores(report)]
    views = Views(options.by_label, options.confusion, options.per_pair)
    return summarise(reports, views, options.bootstrap, warnings=warnings).to_dict()


def _files_to_score(body: Body) -> list[Loaded]:
    """Return the gold file and the system files of a body."""
    parts = parts_of(body)
    if parts is not None:
        gold = [part for part in parts if part.name == "gold"]
        systems = [part for part in parts if part.name == "system"]
        if len(gold) != 1 or not systems or len(parts) != 1 + len(systems):
            raise AnswerError(422, "expected one part 'gold' and one or more parts 'system'")
        files = [(part.file, part.content) for part in (*gold, *systems)]
        return [_loaded(name, content, not at) for at, (name, content) in enumerate(files)]
    if body.media_type != JSON:
        raise AnswerError(415, f"the content type is not {JSON} or multipart/form-data")
    content = parsed(body.content)
    if not isinstance(content, dict) or set(content) != {"gold", "system"}:
        raise AnswerError(422, "expected an object with 'gold' and 'system'")
    return [_loaded(name, content[name], name == "gold") for name in ("gold", "system")]


def _loaded(name: str, content: object, as_gold: bool) -> Loaded:
    try:
        if isinstance(content, bytes) and name.lower().endswith((".jsonl", ".xml")):
            from ists.formats import jsonl, xml

            module = jsonl if name.lower().endswith(".jsonl") else xml
            return load(valid_pairs(module.scan(io.BytesIO(content), name), "2016"), as_gold, name)
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogatepass")
        if isinstance(content, bytes):
            return load(io.BytesIO(content), as_gold, name)
        if isinstance(content, list):
            records = [one if isinstance(one, dict) else _no_object(name) for one in content]
            return load((from_record(record) for record in records), as_gold, name)
    except FormatError as error:
        raise AnswerError(422, str(error)) from None
    raise AnswerError(422, f"'{name}' is not the text of a .wa file or a list of aligned pairs")


def _no_object(name: str) -> dict[str, Any]:
    raise FormatError("has an item that is not a JSON object", name)
