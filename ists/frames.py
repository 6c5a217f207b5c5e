"""Alignment of data frames of sentence pairs.

One function for pandas and for engines that work on pandas frames:

>>> from ists.frames import SPARK_SCHEMA, align_frame
>>> align_frame(frame)                                            # pandas
>>> spark_frame.mapInPandas(lambda frames: map(align_frame, frames), SPARK_SCHEMA)
>>> dask_frame.map_partitions(align_frame, meta=empty_frame())

A frame has the columns ``sentence1`` and ``sentence2``, or ``tokens1``/``tokens2`` or
``chunks1``/``chunks2`` as lists, and preferably an ``id``: without one, the rows of each frame are
numbered from 1. The model is loaded once per process.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ists.chunker.tokens import Tokenization
from ists.errors import FormatError
from ists.formats.jsonl import to_record
from ists.formats.rows import RejectedItem, Row
from ists.formats.sentences import PAIR_COLUMNS, InputPair, pair_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from ists.pipeline import Aligner

COLUMNS = (
    "id",
    "sentence1",
    "sentence2",
    "tokens1",
    "tokens2",
    "text1",
    "text2",
    "offsets1",
    "offsets2",
    "alignments",
    "error",
)

SPARK_SCHEMA = (
    "id string, sentence1 string, sentence2 string, tokens1 array<string>, tokens2 array<string>, "
    "text1 string, text2 string, "
    "offsets1 array<array<bigint>>, offsets2 array<array<bigint>>, "
    "alignments array<struct<tokens1: array<bigint>, tokens2: array<bigint>, relation: string, "
    "flags: array<string>, score: double, comment: string, "
    "confidence: struct<link: double, label: double>, why: array<string>>>, error string"
)


def arrow_schema() -> "pa.Schema":
    """Return the Arrow schema of an aligned frame."""
    import pyarrow as pa

    words, numbers = pa.list_(pa.string()), pa.list_(pa.int64())
    confidence = pa.struct([("link", pa.float64()), ("label", pa.float64())])
    alignment = pa.struct(
        [
            ("tokens1", numbers),
            ("tokens2", numbers),
            ("relation", pa.string()),
            ("flags", words),
            ("score", pa.float64()),
            ("comment", pa.string()),
            ("confidence", confidence),
            ("why", words),
        ]
    )
    text, offsets = pa.string(), pa.list_(numbers)
    types = {
        **dict.fromkeys(("id", "sentence1", "sentence2", "text1", "text2", "error"), text),
        **dict.fromkeys(("tokens1", "tokens2"), words),
        **dict.fromkeys(("offsets1", "offsets2"), offsets),
        "alignments": pa.list_(alignment),
    }
    return pa.schema([(name, types[name]) for name in COLUMNS])


def align_frame(
    frame: "pd.DataFrame",
    model: str = "default",
    threshold: float | None = None,
    tokens: Tokenization = "auto",
    why: bool = False,
    on_error: Literal["stop", "skip"] = "stop",
    batch_size: int = 32,
) -> "pd.DataFrame":
    """Align the pairs of a frame; the rows keep their order and their index.

    A row that cannot be aligned raises a `FormatError`; with ``on_error="skip"`` it is kept
    without alignments, and its column ``error`` holds the reason.
    """
    import pandas as pd

    aligner = _aligner(model, threshold)
    rows = []
    for outcome in aligner.align_each(_pairs(frame), batch_size=batch_size, tokens=tokens, why=why):
        if isinstance(outcome, RejectedItem):
            if on_error == "stop":
                raise outcome.error
            rows.append({"id": None, "error": outcome.error.reason})
        else:
            rows.append(to_record(outcome))
    aligned = pd.DataFrame(rows, index=frame.index, columns=list(COLUMNS), dtype=object)
    return aligned.where(aligned.notna(), None)


def empty_frame() -> "pd.DataFrame":
    """Return a frame with the columns of the result and no rows, as Dask's ``meta``."""
    import pandas as pd

    return pd.DataFrame({name: pd.Series(dtype=object) for name in COLUMNS})


@lru_cache(maxsize=2)
def _aligner(model: str, threshold: float | None) -> "Aligner":
    from ists.pipeline import Aligner

    return Aligner.load(model, threshold=threshold)


def _pairs(frame: "pd.DataFrame") -> Iterator[InputPair | RejectedItem]:
    names = [name for name in PAIR_COLUMNS if name in frame.columns]
    columns = [frame[name] for name in names]
    for number in range(len(frame)):
        values = (_plain(column.iloc[number]) for column in columns)
        row = Row("frame", number + 1, dict(zip(names, values, strict=True)))
        try:
            yield pair_of(row.record(), row)
        except FormatError as error:
            yield row.rejected(error)


def _plain(value: Any) -> Any:
    """Convert a cell to plain Python: lists for arrays, plain numbers, None for missing values."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    is_missing = value is None or value != value or type(value).__name__ in ("NAType", "NaTType")
    return None if is_missing else value
