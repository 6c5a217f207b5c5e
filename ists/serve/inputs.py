"""Request bodies: sentence pairs and sentences as JSON or NDJSON, files to be scored.

Pairs are those of JSONL files (see `ists.formats.sentences`), with the same error messages.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from typing import Any, NamedTuple, NoReturn, TypeVar

from ists.errors import FormatError
from ists.formats.rows import Row
from ists.formats.sentences import InputLine, InputPair, InputSentence, pair_of, sentence_of
from ists.serve.answers import JSON, NDJSON, AnswerError
from ists.serve.limits import Limits

_MULTIPART = "multipart/form-data"
Item = TypeVar("Item")


@dataclass(frozen=True)
class Body:
    """A request body: its media type with parameters, and its bytes."""

    type: str
    content: bytes

    @property
    def media_type(self) -> str:
        """The media type without parameters."""
        return self.type.partition(";")[0].strip().lower()

    @property
    def is_ndjson(self) -> bool:
        """Whether it is one JSON object per line."""
        return self.media_type == NDJSON


class Items(NamedTuple):
    """The items of a request, and whether it was a single one rather than a list."""

    items: Sequence[Any]
    single: bool


def pairs_of(body: Body, limits: Limits) -> Items:
    """Return the sentence pairs of a body: one, a list, or one per line."""
    seen: set[str] = set()

    def pair(row: Row) -> InputPair:
        found = pair_of(row.record(), row)
        if found.id in seen:
            raise FormatError(
                f"pair {found.id}: this id is already in the request, expected each id once"
            )
        seen.add(found.id)
        for key, sentence in (("sentence1", found.sentence1), ("sentence2", found.sentence2)):
            _limit(key, sentence, limits)
        return found

    return _items(body, limits, pair)


def sentences_of(body: Body, limits: Limits) -> Items:
    """Return the sentences of a body: one, a list, or one per line."""

    def sentence(row: Row) -> InputLine:
        found = sentence_of(row.record())
        _limit("sentence", found, limits)
        return InputLine(found, row.line, row.file)

    return _items(body, limits, sentence)


def _limit(key: str, sentence: InputSentence, limits: Limits) -> None:
    length = len(str(sentence))
    if length > limits.characters:
        raise FormatError(f"'{key}' has {length} characters, expected at most {limits.characters}")


def _items(body: Body, limits: Limits, read: Callable[[Row], Any]) -> Items:
    rows, single = _rows(body)
    items: list[Any] = []
    for row in rows:
        if len(items) == limits.pairs:
            raise AnswerError(
                413, f"more than {limits.pairs} items in a request, send several requests"
            )
        try:
            items.append(read(row))
        except FormatError as error:
            if body.is_ndjson:  # a line with an error gets an answer of its own
                items.append(row.rejected(error))
                continue
            raise AnswerError(
                422, error.reason if single else str(row.rejected(error).error)
            ) from None
    return Items(items, single)


def _rows(body: Body) -> tuple[Iterator[Row], bool]:
    if body.is_ndjson:
        lines = enumerate(body.content.split(b"\n"), start=1)
        return (Row("line", number, line) for number, line in lines if line.strip()), False
    if body.media_type != JSON:
        raise AnswerError(415, f"the content type is not {JSON} or {NDJSON}")
    content = parsed(body.content)
    if not isinstance(content, list):
        content, single = [content], True
    else:
        single = False
    for number, record in enumerate(content, start=1):
        if not isinstance(record, dict):
            raise AnswerError(422, f"item {number} is not a JSON object")
    name = "" if single else "item"
    return (Row(name, number, record) for number, record in enumerate(content, start=1)), single


def parsed(content: bytes) -> Any:
    """Parse JSON; raise an `AnswerError` if it is invalid."""
    try:
        return json.loads(content, parse_constant=_reject_constant)
    except RecursionError:
        raise AnswerError(400, "invalid JSON: nested too deeply") from None
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "not UTF-8, or a number"
        raise AnswerError(400, f"invalid JSON: {reason[:80]}") from None


def _reject_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


class Part(NamedTuple):
    """A file of a multipart body."""

    name: str
    file: str
    content: bytes


def parts_of(body: Body) -> list[Part] | None:
    """Return the files of a multipart body, which stay in memory; None for other bodies."""
    if body.media_type != _MULTIPART:
        return None
    head = Message()
    head["Content-Type"] = body.type
    boundary = head.get_param("boundary")
    if not isinstance(boundary, str) or not boundary:
        raise AnswerError(400, "the multipart body has no boundary")
    pieces = (b"\r\n" + body.content).split(b"\r\n--" + boundary.encode())
    if len(pieces) < 3 or not pieces[-1].startswith(b"--"):
        raise AnswerError(400, "the multipart body is not complete")
    return [_part(piece) for piece in pieces[1:-1]]


def _part(piece: bytes) -> Part:
    headers, separator, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    fields = Message()
    for line in headers.decode("utf-8", "replace").split("\r\n"):
        key, _, value = line.partition(":")
        if key.strip().lower() == "content-disposition":
            fields["Content-Disposition"] = value.strip()
    name = fields.get_param("name", header="content-disposition")
    if not separator or not isinstance(name, str):
        raise AnswerError(400, "a part of the multipart body has no name")
    return Part(name, fields.get_filename() or name, content)
