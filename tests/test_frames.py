import pandas as pd
import pyarrow as pa
import pytest

from ists import FormatError
from ists.formats import jsonl
from ists.frames import COLUMNS, SPARK_SCHEMA, align_frame, arrow_schema, empty_frame
from ists.pipeline import Aligner

FRAME = pd.DataFrame(
    {
        "id": ["a", "b", None],
        "sentence1": ["A cat sleeps .", "Shares climb", "A dog barks ."],
        "sentence2": ["A cat is sleeping .", "Shares tumble", "Rain"],
        "other": [1, 2, 3],
    },
    index=[7, 5, 9],
)


def test_a_frame_has_the_aligners_output():
    aligned = align_frame(FRAME)
    assert list(aligned.columns) == list(COLUMNS)
    assert list(aligned.index) == [7, 5, 9]
    assert list(aligned["id"]) == ["a", "b", "3"]
    assert set(aligned["error"]) == {None}
    pairs = Aligner.load().align_many(zip(FRAME.sentence1, FRAME.sentence2, strict=True))
    for row, pair in zip(aligned.to_dict("records"), pairs, strict=True):
        expected = jsonl.to_record(pair)
        assert row["alignments"] == expected["alignments"]
        assert row["tokens2"] == expected["tokens2"]


def test_a_frame_goes_through_arrow_and_back():
    aligned = align_frame(FRAME, why=True)
    table = pa.Table.from_pandas(aligned, schema=arrow_schema(), preserve_index=False)
    again = align_frame(table.to_pandas().assign(sentence1=None))
    assert again["alignments"].iloc[0] == align_frame(FRAME)["alignments"].iloc[0]


def test_chunks_may_be_given_as_arrays():
    table = pa.table({"chunks1": [[["A", "cat"], ["sleeps"]]], "chunks2": [[["A", "cat"]]]})
    (alignments,) = align_frame(table.to_pandas())["alignments"]
    assert (alignments[0]["tokens1"], alignments[0]["tokens2"]) == ([1, 2], [1, 2])


def test_an_invalid_row_raises_or_is_kept_with_its_error():
    frame = pd.DataFrame({"sentence1": ["A cat", None], "sentence2": ["A cat", "A dog"]})
    with pytest.raises(FormatError, match="frame:2: 'sentence1' is null"):
        align_frame(frame)
    aligned = align_frame(frame, on_error="skip")
    assert list(aligned["error"]) == [None, "'sentence1' is null, expected a string"]
    assert aligned["alignments"][1] is None


def test_an_empty_frame_has_the_same_columns():
    assert list(empty_frame().columns) == list(COLUMNS)
    assert list(align_frame(FRAME.iloc[:0]).columns) == list(COLUMNS)


def test_the_schema_for_spark_names_the_same_columns():
    depth, names, start = 0, [], 0
    for place, sign in enumerate(SPARK_SCHEMA + ","):
        depth += (sign == "<") - (sign == ">")
        if sign == "," and not depth:
            names.append(SPARK_SCHEMA[start:place].split()[0])
            start = place + 1
    assert names == list(COLUMNS)


def test_spark_maps_frames():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    spark = sql.SparkSession.builder.master("local[1]").getOrCreate()
    rows = spark.createDataFrame(FRAME[["id", "sentence1", "sentence2"]])
    aligned = rows.mapInPandas(lambda frames: map(align_frame, frames), SPARK_SCHEMA).toPandas()
    assert list(aligned["id"])[:2] == ["a", "b"]


def test_dask_maps_partitions():
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    frame = dask.from_pandas(FRAME, npartitions=2, sort=False)
    aligned = frame.map_partitions(align_frame, meta=empty_frame()).compute()
    assert list(aligned["id"])[:2] == ["a", "b"]
