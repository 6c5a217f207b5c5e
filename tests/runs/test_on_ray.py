import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from ists.errors import FormatError, IstsError
from ists.formats import jsonl
from ists.runs import on_ray
from ists.runs.on_ray import Cluster, SliceWorker, carry_out_on_ray
from ists.runs.run import carry_out
from ists.runs.sources import Pairs
from ists.runs.tasks import AlignTask
from tests.golden import outputs
from tests.runs.tasks import DeadlyAlign, Silent

# Ray's own warnings: open files, deprecated calls.
pytestmark = pytest.mark.filterwarnings("ignore")

TASK = AlignTask("jsonl")
GOLDEN = [line.split("\t") for line in outputs.PAIRS.read_text().splitlines()][:24]


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "pairs.parquet"
    columns = zip(("sentence1", "sentence2"), zip(*GOLDEN, strict=True), strict=True)
    parquet.write_table(pa.table(dict(columns)), file, row_group_size=10)
    return file


@pytest.fixture
def local(table, tmp_path):
    out = tmp_path / "local.jsonl"
    carry_out(TASK, Pairs.of(str(table), None, None, None), str(out), Silent())
    return out.read_bytes()


@pytest.fixture
def without_ray(monkeypatch):
    """Run the actors' work in this process, slice by slice."""

    def work(maker, slices, cluster):
        worker = SliceWorker(maker)
        for one in slices:
            answer = worker({"slice": [json.dumps(vars(one))]})
            if answer["rejected"][0]:
                raise on_ray._as_error(json.loads(answer["rejected"][0]))
            yield answer["rows"][0]

    monkeypatch.setattr(on_ray, "_work", work)


def run(table, folder, shards="jsonl", task=TASK, **options):
    watcher = Silent()
    options = {"rows_at_once": 4} | options
    return carry_out_on_ray(task, str(table), str(folder), shards, watcher, **options), watcher


def joined(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("part-*.jsonl")))


def test_a_killed_worker_is_replaced_and_the_rows_are_those_of_a_local_run(
    table, local, tmp_path, monkeypatch
):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    trace, folder = tmp_path / "trace", tmp_path / "aligned"
    task = DeadlyAlign("jsonl", trace=str(trace))
    summary, watcher = run(table, folder, task=task, cluster=Cluster(workers=2))
    assert trace.exists()
    assert joined(folder) == local
    assert (summary.items, summary.rejected, watcher.counted) == (24, 0, 24)
    assert len(list(folder.iterdir())) == 7  # row groups of 10, 10 and 4 rows
    assert not Path(f"{folder}.part").exists()


def test_parquet_shards_hold_the_same_rows(table, local, tmp_path, without_ray):
    folder = tmp_path / "aligned"
    run(table, folder, "parquet")
    rows = parquet.read_table(folder).to_pylist()
    for row, line in zip(rows, local.splitlines(), strict=True):
        expected = json.loads(line)
        for alignment in expected["alignments"]:
            alignment.setdefault("why", None)
        del expected["status"]
        assert row == expected


def test_a_folder_of_tables_is_numbered_through(table, local, tmp_path, without_ray):
    source = tmp_path / "source"
    source.mkdir()
    whole = parquet.read_table(table)
    parquet.write_table(whole.slice(0, 9), source / "a.parquet")
    parquet.write_table(whole.slice(9), source / "b.parquet")
    run(source, tmp_path / "aligned")
    assert joined(tmp_path / "aligned") == local


def test_a_stopped_run_is_resumed(table, local, tmp_path, without_ray, monkeypatch):
    folder = tmp_path / "aligned"
    usual = on_ray._work

    def stopping(maker, slices, cluster):
        yield from usual(maker, slices[:2], cluster)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(on_ray, "_work", stopping)
        with pytest.raises(KeyboardInterrupt):
            run(table, folder)
    with pytest.raises(IstsError, match="cannot be resumed: --tokens was"):
        run(table, folder, task=replace(TASK, tokens="spacy"))
    _, watcher = run(table, folder)
    assert watcher.begun == [(8, 24)]
    assert joined(folder) == local


def test_invalid_rows_stop_the_run_or_are_listed(tmp_path, without_ray):
    file, folder = tmp_path / "pairs.parquet", tmp_path / "aligned"
    rows = [*GOLDEN[:6], (None, "A dog"), ("word " * 600, "word")]
    columns = dict(zip(("sentence1", "sentence2"), zip(*rows, strict=True), strict=True))
    parquet.write_table(pa.table(columns), file)
    with pytest.raises(FormatError, match=r"pairs\.parquet:7: 'sentence1' is null"):
        run(file, folder)
    assert not folder.exists()
    summary, _ = run(file, folder, on_error="skip", restart=True)
    assert (summary.items, summary.rejected) == (8, 2)
    (listed,) = folder.glob("*.errors.jsonl")
    assert [json.loads(line)["line"] for line in listed.read_text().splitlines()] == [7, 8]


def test_a_damaged_table_is_named(table, tmp_path, without_ray):
    group = parquet.read_metadata(table).row_group(1)
    begin = group.column(0).dictionary_page_offset or group.column(0).data_page_offset
    data = bytearray(table.read_bytes())
    data[begin : begin + 20] = b"\xff" * 20
    table.write_bytes(data)
    with pytest.raises(FormatError, match=r"pairs\.parquet:11: the table is damaged"):
        run(table, tmp_path / "aligned")


def test_a_run_that_stops_in_its_first_slice_leaves_nothing(tmp_path, without_ray):
    file = tmp_path / "other.parquet"
    parquet.write_table(pa.table({"words": ["A cat ."]}), file)
    with pytest.raises(FormatError, match="no 'sentence1'"):
        run(file, tmp_path / "out")
    assert list(tmp_path.iterdir()) == [file]


def test_ids_are_kept(tmp_path, without_ray):
    file = tmp_path / "pairs.parquet"
    columns = {"id": ["x", None], "chunks1": [[["A"]], [["B"]]], "tokens2": [["A"], ["B"]]}
    parquet.write_table(pa.table(columns), file)
    run(file, tmp_path / "aligned")
    lines = joined(tmp_path / "aligned").splitlines()
    assert [jsonl.from_record(json.loads(line)).id for line in lines] == ["x", "2"]


def folder_of(tables, folder):
    """Write files of one-word pairs with these ids; without an id column if they are None."""
    folder.mkdir()
    for name, ids in tables.items():
        words = [f"word{number}" for number in range(len(ids))]
        columns = {"sentence1": words, "sentence2": words}
        columns |= {"id": ids} if any(ids) else {}
        parquet.write_table(pa.table(columns), folder / f"{name}.parquet", row_group_size=3)
    return folder


REPEATING = {"a": ["x", "y", "z", "u", "7"], "b": [None, None], "c": ["v", "x", "w", "x"]}


def test_an_id_repeated_anywhere_stops_the_run_before_it_begins(tmp_path, without_ray):
    source = folder_of(REPEATING, tmp_path / "source")
    with pytest.raises(FormatError, match=r"b\.parquet:2: pair 7: this id is already"):
        run(source, tmp_path / "aligned", rows_at_once=2)
    assert list(tmp_path.iterdir()) == [source]


def test_repeated_ids_are_listed_if_invalid_rows_are_skipped(tmp_path, without_ray):
    source, folder = folder_of(REPEATING, tmp_path / "source"), tmp_path / "aligned"
    summary, _ = run(source, folder, "parquet", rows_at_once=2, on_error="skip")
    assert (summary.items, summary.rejected) == (11, 3)
    shards = sorted(folder.glob("*.parquet"))
    ids = [one for shard in shards for one in parquet.read_table(shard)["id"].to_pylist()]
    assert ids == ["x", "y", "z", "u", "7", "6", "v", "w"]
    listed = b"".join(path.read_bytes() for path in sorted(folder.glob("*.errors.jsonl")))
    rejected = [json.loads(line) for line in listed.splitlines()]
    assert [(Path(one["file"]).name, one["line"]) for one in rejected] == [
        ("b.parquet", 2),
        ("c.parquet", 2),
        ("c.parquet", 4),
    ]


@pytest.mark.parametrize("there", ["aligned/x", "aligned", "aligned.part/x"])
def test_an_existing_folder_is_not_changed(table, tmp_path, there, without_ray):
    path = tmp_path / there
    path.parent.mkdir(exist_ok=True)
    path.write_text("precious")
    with pytest.raises(IstsError, match=r"aligned(\.part)?: "):
        run(table, tmp_path / "aligned", restart=True)
    assert path.read_text() == "precious"


def test_a_folder_without_tables_is_rejected(tmp_path):
    with pytest.raises(FormatError, match=r"no \.parquet file"):
        run(tmp_path, tmp_path / "aligned")


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.parquet", "--engine", "ray"],
        ["a.txt", "b.txt", "--engine", "ray", "-o", "x"],
        ["a.parquet", "--engine", "ray", "-o", "x", "--format", "wa"],
        ["a.parquet", "--engine", "ray", "-o", "x", "--matrix"],
        ["a.tsv", "--address", "auto", "-o", "x"],
        ["a.tsv", "-o", "x.parquet"],
    ],
)
def test_wrong_usage_exits_with_2(ists, arguments):
    assert ists("align", *arguments).code == 2


def test_chosen_columns_are_the_same_for_every_slice(local, tmp_path, without_ray):
    file, folder = tmp_path / "other.parquet", tmp_path / "aligned"
    ones, twos = zip(*GOLDEN, strict=True)
    columns = {"label": ["x"] * len(ones), "right": twos, "left": ones}
    parquet.write_table(pa.table(columns), file, row_group_size=10)
    with pytest.raises(FormatError, match="'sentence2', expected these, or --columns with"):
        run(file, folder)
    for number, chosen in enumerate([("left", "right"), ("3", "2")]):
        run(file, tmp_path / f"{number}", columns=chosen)
        assert joined(tmp_path / f"{number}") == local


def test_columns_are_found_by_their_names_in_every_file(table, local, tmp_path, without_ray):
    source = tmp_path / "source"
    source.mkdir()
    whole = parquet.read_table(table).rename_columns(["sentence_A", "sentence_B"])
    parquet.write_table(whole.slice(0, 9), source / "a.parquet")
    parquet.write_table(whole.slice(9), source / "b.parquet")
    run(source, tmp_path / "aligned")
    assert joined(tmp_path / "aligned") == local
    other = whole.slice(9).rename_columns(["text_a", "text_b"])
    parquet.write_table(other, source / "b.parquet")
    with pytest.raises(FormatError, match=r"b\.parquet: the sentences are in the columns text_a"):
        run(source, tmp_path / "again")


def test_a_run_with_other_columns_is_not_resumed(table, tmp_path, without_ray, monkeypatch):
    folder = tmp_path / "aligned"

    def stopping(maker, slices, cluster):
        yield from usual(maker, slices[:2], cluster)
        raise KeyboardInterrupt

    usual = on_ray._work
    with monkeypatch.context() as patch:
        patch.setattr(on_ray, "_work", stopping)
        with pytest.raises(KeyboardInterrupt):
            run(table, folder)
    with pytest.raises(IstsError, match="cannot be resumed: --columns was null"):
        run(table, folder, columns=("sentence2", "sentence1"))
