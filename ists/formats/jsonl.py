"""JSONL: one sentence pair per line.

    {"id": "6", "status": "",
     "sentence1": "A woman rides", "tokens1": ["A", "woman", "rides"],
     "sentence2": "A girl rides", "tokens2": ["A", "girl", "rides"],
     "alignments": [{"tokens1": [1, 2], "tokens2": [1, 2], "relation": "SIMI", "flags": [],
                     "score": 4, "comment": "A woman <==> A girl"}]}

The original text and the character offsets of its tokens are ``text1`` and ``offsets1`` (and
``text2``, ``offsets2``), if they are known, e.g. ``"offsets1": [[0, 1], [2, 7], [8, 13]]``.
Offsets are written but not read, since the text and the tokens determine them.

An unaligned side is an empty list, NIL is ``null``; a missing text, token list or comment is
``null`` or left out. A system adds ``"confidence": {"link": 0.9, "label": 0.7}`` (numbers from 0 to
1; ``link`` is ``null`` for an unaligned chunk) and ``why``, a list of strings, to its alignments; a
confidence of any other form is ignored. The ``matrix`` of a pair is written but not read; other
keys are ignored.
"""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NoReturn, TypeGuard

from ists.errors import FormatError
from ists.formats.problems import Problem, Scanned
from ists.formats.text import decode, numbered_lines, reject_endless, shown, shown_value
from ists.pairs import Alignment, Chunk, Evidence, Flag, Origin, Relation, Sentence, SentencePair

_TOO_MANY_TOKENS = 10**9
_KINDS: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}


def scan(stream: BinaryIO, name: str) -> Iterator[Scanned]:
    """Yield the pairs of a file, each with its problems."""
    found_any = False
    for number, line in numbered_lines(stream):
        if not line.strip():
            continue
        found_any = True
        yield _scan_line(line, name, number)
    if not found_any:
        raise FormatError("no sentence pair found, expected one JSON object per line", name)


def _scan_line(line: bytes, name: str, number: int) -> Scanned:
    pair_id = None
    try:
        text = decode(reject_endless(line)).removeprefix("\ufeff")
        record = _object(_parse(text), "the line")
        pair_id = _take(record, "id", str)
        return Scanned(from_record(record, Origin(name, number)))
    except FormatError as error:
        problem = Problem(name, number, pair_id, error.reason)
        return Scanned(None, (problem,))


def _parse(line: str) -> object:
    try:
        return json.loads(line, parse_constant=_reject_constant)
    except RecursionError:
        raise FormatError("JSON nested too deeply") from None
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise FormatError(f"not a JSON object: {reason[:80]}") from None


def _reject_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def from_record(record: dict[str, Any], origin: Origin | None = None) -> SentencePair:
    """Convert a decoded line to a sentence pair."""
    alignments = tuple(
        _alignment(_object(item, "each of 'alignments'"))
        for item in _take(record, "alignments", list)
    )
    if origin is not None:
        origin = Origin(origin.file, origin.line, (origin.line,) * len(alignments))
    return SentencePair(
        _take(record, "id", str),
        _sentence(record, "1"),
        _sentence(record, "2"),
        alignments,
        _take(record, "status", str) if record.get("status") is not None else "",
        origin,
    )


def _sentence(record: dict[str, Any], side: str) -> Sentence:
    text, source = (
        _take(record, key, str) if record.get(key) is not None else None
        for key in (f"sentence{side}", f"text{side}")
    )
    tokens, tokens_key = None, f"tokens{side}"
    if record.get(tokens_key) is not None:
        tokens = tuple(_take(record, tokens_key, list))
        if not all(isinstance(token, str) for token in tokens):
            raise FormatError(f"'{tokens_key}' has items that are not strings")
    return Sentence(text, tokens, source)


def _alignment(record: dict[str, Any]) -> Alignment:
    relation = _take(record, "relation", str)
    if relation not in Relation.__members__:
        raise FormatError(f"relation {shown(relation)}, expected one of {', '.join(Relation)}")
    flags = _take(record, "flags", list) if record.get("flags") is not None else []
    for flag in flags:
        if not isinstance(flag, str) or flag not in Flag.__members__:
            raise FormatError(f"'flags' has {shown_value(flag)}, expected any of {', '.join(Flag)}")
    return Alignment(
        _chunk(record, "tokens1"),
        _chunk(record, "tokens2"),
        Relation[relation],
        _score(record.get("score")),
        frozenset(Flag[flag] for flag in flags),
        _take(record, "comment", str) if record.get("comment") is not None else None,
        _evidence(record),
    )


def _evidence(record: dict[str, Any]) -> Evidence | None:
    """Return a system's confidences; None if there are none in the form that ists writes."""
    confidence = record.get("confidence")
    if not isinstance(confidence, dict):
        return None
    link, label = confidence.get("link"), confidence.get("label")
    if not _is_probability(label) or not (link is None or _is_probability(link)):
        return None
    why = record.get("why")
    texts = why if isinstance(why, list) and all(isinstance(one, str) for one in why) else ()
    return Evidence(link, label, tuple(texts))


def _is_probability(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _chunk(record: dict[str, Any], key: str) -> Chunk | None:
    tokens = _take(record, key, list)
    if not all(type(token) is int and abs(token) < _TOO_MANY_TOKENS for token in tokens):
        raise FormatError(f"'{key}' of an alignment has items that are not token numbers")
    return Chunk(tuple(tokens)) if tokens else None


def _score(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"score {shown_value(value)}, expected a number from 0 to 5 or null")
    try:
        score = float(value)
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        raise FormatError("a score that is not finite, expected 0 to 5 or null")
    return score


def _take(record: dict[str, Any], key: str, kind: type) -> Any:
    if key not in record:
        raise FormatError(f"no '{key}', expected {_KINDS[kind]}")
    if not isinstance(record[key], kind):
        raise FormatError(f"'{key}' is {shown_value(record[key])}, expected {_KINDS[kind]}")
    return record[key]


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{what} is {shown_value(value)}, expected a JSON object")
    return value


def to_record(pair: SentencePair) -> dict[str, Any]:
    """Convert a sentence pair to the JSON object of its line."""
    return {
        "id": pair.id,
        "status": pair.status,
        "sentence1": pair.sentence1.text,
        "sentence2": pair.sentence2.text,
        "tokens1": _listed(pair.sentence1.tokens),
        "tokens2": _listed(pair.sentence2.tokens),
        **_source_record(pair.sentence1, "1"),
        **_source_record(pair.sentence2, "2"),
        "alignments": [_alignment_record(alignment) for alignment in pair.alignments],
        **({} if pair.matrix is None else {"matrix": [list(row) for row in pair.matrix]}),
    }


def _source_record(sentence: Sentence, side: str) -> dict[str, Any]:
    if sentence.source is None:
        return {}
    offsets = sentence.offsets
    record: dict[str, Any] = {f"text{side}": sentence.source}
    return record | ({} if offsets is None else {f"offsets{side}": [*map(list, offsets)]})


def _alignment_record(alignment: Alignment) -> dict[str, Any]:
    score = alignment.score
    return {
        "tokens1": _listed(alignment.chunk1.tokens) if alignment.chunk1 else [],
        "tokens2": _listed(alignment.chunk2.tokens) if alignment.chunk2 else [],
        "relation": alignment.relation.value,
        "flags": sorted(flag.value for flag in alignment.flags),
        "score": int(score) if score is not None and score == int(score) else score,
        "comment": alignment.comment,
        **_evidence_record(alignment.evidence),
    }


def _evidence_record(evidence: Evidence | None) -> dict[str, Any]:
    if evidence is None:
        return {}
    record: dict[str, Any] = {"confidence": {"link": evidence.link, "label": evidence.label}}
    return record | ({"why": list(evidence.why)} if evidence.why else {})


def _listed(values: tuple[Any, ...] | None) -> list[Any] | None:
    return None if values is None else list(values)


def write(pairs: Iterable[SentencePair], stream: BinaryIO) -> None:
    """Write pairs, one per line, in UTF-8 without escapes where possible."""
    for pair in pairs:
        stream.write(render(pair))


def render(pair: SentencePair) -> bytes:
    """Render a pair as a line."""
    return line_of(to_record(pair))


def line_of(record: dict[str, Any]) -> bytes:
    """Render an object as a line, in UTF-8 without escapes where possible."""
    try:
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        # Bytes that were not UTF-8 are lone surrogates here, which must be escaped.
        return json.dumps(record, ensure_ascii=True).encode() + b"\n"
