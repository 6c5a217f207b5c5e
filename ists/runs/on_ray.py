"""Distributed runs: a task on a Ray cluster, one actor per worker, one shard per input slice.

The input is one Parquet file or a folder of them. It is divided into slices of rows. Each actor
loads the model once; for each slice it reads the rows, processes them as a local run would, and
writes one shard atomically. If an actor is killed, another one processes its slice again. Until
the run is complete, the shards are in DIR.part, from which a stopped run is resumed.
"""

import json
import logging
import os
import shutil
from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from ists.errors import FormatError, IstsError
from ists.files import atomic_output
from ists.formats.columns import Choice
from ists.formats.ids import repeated
from ists.formats.jsonl import line_of
from ists.formats.problems import REPEATED_ID
from ists.formats.rows import PARQUET, RejectedItem, Row, column, damaged, open_parquet
from ists.formats.sentences import PAIR_COLUMNS, InputPair, pair_of, record_keys, wanted_columns
from ists.runs.journal import add_suffix, differences, rejected_record
from ists.runs.run import OnError, Summary, Watcher, identity_of
from ists.runs.tasks import Task

_ROWS_AT_ONCE = 512
_MOST_SLICES = 10_000
"""Limits Ray's bookkeeping; with a billion rows, a slice takes a few minutes."""
_JOURNAL = "journal.json"
_SUMMARIES = "summary-"


@dataclass(frozen=True)
class Slice:
    """Consecutive rows of one row group of a Parquet file."""

    number: int
    file: str
    group: int
    begin: int
    """First row, counted from 0 within the row group."""
    count: int
    first: int
    """Number of the first row, counted from 1 over all files."""
    line: int
    """Number of the first row, counted from 1 within the file."""
    repeated: tuple[int, ...] = ()
    """Rows, counted from 0 within the slice, whose id occurs in an earlier row of any slice."""


@dataclass(frozen=True)
class Cluster:
    """Address of the Ray cluster (None: this machine) and number of workers (None: all CPUs)."""

    address: str | None = None
    workers: int | None = None


def carry_out_on_ray(
    task: Task,
    source: str,
    folder: str,
    shards: str,
    watcher: Watcher,
    cluster: Cluster = Cluster(),  # noqa: B008 (a frozen value)
    on_error: OnError = "stop",
    restart: bool = False,
    bracketed: bool | None = None,
    rows_at_once: int = _ROWS_AT_ONCE,
    columns: Choice | None = None,
) -> Summary:
    """Process Parquet files on Ray and write a folder of shards.

    `task` must produce lines of JSONL; `shards` is the format in which they are written. `columns`
    are the two columns of the sentences.
    """
    files = _files(source)
    keys = _keys(files, columns)
    slices = list(_slices(files, rows_at_once))
    identity = {
        **{f"input {file.name}": [file.stat().st_size, file.stat().st_mtime_ns] for file in files},
        **identity_of(task),
        "--chunks": bracketed,
        **({} if columns is None else {"--columns": ",".join(columns)}),
        "shards": [shards, len(slices)],
    }
    under_way = _begin(Path(folder), identity, restart)
    total = sum(one.count for one in slices)
    done = {int(path.stem.removeprefix(_SUMMARIES)) for path in under_way.glob(f"{_SUMMARIES}*")}
    waiting = [one for one in slices if one.number not in done]
    watcher.begin(total - sum(one.count for one in waiting), total)
    try:
        maker = Maker(task, str(under_way), shards, on_error, bracketed, keys)
        for finished in _work(maker, _add_repeated_ids(waiting, slices, on_error), cluster):
            watcher.advance(finished)
    except BaseException:
        if any(under_way.glob(f"{_SUMMARIES}*")):
            watcher.say(f"finished shards are kept in {under_way}: repeat the command to resume")
        else:
            shutil.rmtree(under_way, ignore_errors=True)
        raise
    return _finish(under_way, Path(folder), total)


def _files(source: str) -> list[Path]:
    path = Path(source)
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.parquet"))
    if not files:
        raise FormatError("no .parquet file in this folder", source)
    return files


def _keys(files: list[Path], columns: Choice | None) -> Choice | None:
    """Determine the columns of the sentences, which must be the same in all files."""
    found = [record_keys(file, PARQUET, columns) for file in files]
    for file, keys in zip(files, found, strict=True):
        if keys != found[0]:
            names, others = (", ".join(one or PAIR_COLUMNS[1:]) for one in (keys, found[0]))
            reason = f"the sentences are in the columns {names}, but in {files[0]} in {others}"
            raise FormatError(f"{reason}: expected the same columns in all files", str(file))
    return found[0]


def _slices(files: list[Path], rows_at_once: int) -> Iterator[Slice]:
    tables = []
    for file in files:
        with open_parquet(file) as table:
            about = table.metadata
            tables.append([about.row_group(n).num_rows for n in range(about.num_row_groups)])
    rows = sum(sum(groups) for groups in tables)
    size = max(rows_at_once, -(-rows // _MOST_SLICES))
    number, first = 0, 1
    for file, groups in zip(files, tables, strict=True):
        line = 1
        for group, count in enumerate(groups):
            for begin in range(0, count, size):
                some = min(size, count - begin)
                yield Slice(number, str(file.resolve()), group, begin, some, first, line)
                number, first, line = number + 1, first + some, line + some


def _add_repeated_ids(waiting: list[Slice], slices: list[Slice], on_error: OnError) -> list[Slice]:
    """Add the repeated ids to the waiting slices; a worker sees only its own slice."""
    if not waiting or not any(_has_ids(file) for file in {one.file for one in slices}):
        return waiting
    firsts = [one.first for one in slices]
    rows: dict[int, list[int]] = {}
    total = sum(one.count for one in slices)
    for place, pair_id in repeated(lambda: _ids(slices), total):
        one = slices[bisect(firsts, place + 1) - 1]
        row = place + 1 - one.first
        if on_error == "stop":  # fail before any work is done
            raise FormatError(f"pair {pair_id}: {REPEATED_ID}", one.file, one.line + row)
        rows.setdefault(one.number, []).append(row)
    return [replace(one, repeated=tuple(rows.get(one.number, ()))) for one in waiting]


def _has_ids(file: str) -> bool:
    with open_parquet(file) as table:
        return "id" in table.schema_arrow.names


def _ids(slices: list[Slice]) -> Iterator[str]:
    files = dict.fromkeys(one.file for one in slices)
    every = chain.from_iterable(column(file, "id") for file in files)
    return (str(number if one is None else one) for number, one in enumerate(every, start=1))


def _begin(folder: Path, identity: Mapping[str, Any], restart: bool) -> Path:
    """Create the folder of unfinished shards, or reopen that of an earlier run."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise IstsError(f"{folder}: already exists, expected the name of a new folder")
    under_way = add_suffix(folder, ".part")
    journal = under_way / _JOURNAL
    if under_way.exists() and not journal.exists():
        raise IstsError(f"{under_way}: already exists, but is not from a run of ists: remove it")
    if under_way.exists() and restart:
        shutil.rmtree(under_way)
    if under_way.exists():
        try:
            earlier = dict(json.loads(journal.read_bytes()))
        except (ValueError, TypeError):
            raise IstsError(f"{journal}: is damaged: start again with --restart") from None
        changed = differences(earlier, json.loads(json.dumps(identity)))
        if changed:
            raise IstsError(
                f"{folder}: a run was stopped and cannot be resumed: {'; '.join(changed)}. "
                "To continue, restore it, or start again with --restart"
            )
        return under_way.resolve()
    try:
        under_way.mkdir()
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror}", str(folder)) from None
    with atomic_output(journal) as stream:
        stream.write(line_of(dict(identity)))
    return under_way.resolve()


def _work(maker: "Maker", slices: list[Slice], cluster: Cluster) -> Iterator[int]:
    """Process slices on Ray; yield the number of rows of each finished one."""
    if not slices:
        return
    ray = _connect(cluster)
    try:
        workers = cluster.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        finished = ray.data.from_items(
            [{"slice": json.dumps(vars(one))} for one in slices], override_num_blocks=len(slices)
        ).map_batches(
            SliceWorker,
            fn_constructor_args=(maker,),
            batch_size=1,
            batch_format="numpy",
            compute=ray.data.ActorPoolStrategy(size=min(workers, len(slices))),
            num_cpus=1,
        )
        for row in finished.iter_rows():
            if row["rejected"]:
                raise _as_error(json.loads(row["rejected"]))
            yield int(row["rows"])
    finally:
        ray.shutdown()


def _connect(cluster: Cluster) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # errors are raised as exceptions
    try:
        import ray
        import ray.data
    except ImportError:
        raise IstsError("Ray is not installed: pip install 'ists[ray]'") from None
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    if cluster.address is not None:
        try:
            ray.init(address=cluster.address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise IstsError(f"no Ray cluster at {cluster.address}: {reason}") from None
    else:
        ray.init(
            address="local",
            num_cpus=cluster.workers,
            include_dashboard=False,
            logging_level=logging.ERROR,
            log_to_driver=False,
            _node_ip_address="127.0.0.1",
        )
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    return ray


@dataclass(frozen=True)
class Maker:
    """Picklable settings that every actor receives: the task and how to write shards."""

    task: Task
    folder: str
    shards: str
    on_error: OnError
    bracketed: bool | None
    keys: Choice | None = None
    """Columns of the sentences, if they are not those of `PAIR_COLUMNS`."""

    def write(self, one: Slice, lines: list[bytes], rejected: list[RejectedItem]) -> None:
        """Write a shard and its list of rejected rows, then the summary that marks it as done."""
        path = Path(self.folder, f"part-{one.number:06}.{self.shards}")
        with atomic_output(path) as stream:
            if self.shards == PARQUET:
                _write_parquet(lines, stream)
            else:
                stream.writelines(lines)
        if rejected:
            with atomic_output(path.with_suffix(".errors.jsonl")) as stream:
                stream.writelines(line_of(rejected_record(some)) for some in rejected)
        with atomic_output(path.with_name(f"{_SUMMARIES}{one.number:06}.json")) as stream:
            stream.write(line_of({"rows": one.count, "rejected": len(rejected)}))


class SliceWorker:
    """Ray actor that loads the model once and processes slices."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._work = maker.task.load(1)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Process slices; return for each its number of rows and its error, if any, as JSON."""
        answers = [self._shard(Slice(**json.loads(str(text)))) for text in batch["slice"]]
        return {"rows": [rows for rows, _ in answers], "rejected": [bad for _, bad in answers]}

    def _shard(self, one: Slice) -> tuple[int, str]:
        try:
            outcomes = list(self._work(_items(one, self._maker.bracketed, self._maker.keys)))
            rejected = [some for some in outcomes if isinstance(some, RejectedItem)]
            if rejected and self._maker.on_error == "stop":
                raise rejected[0].error
            lines = [line for line in outcomes if not isinstance(line, RejectedItem)]
            self._maker.write(one, lines, rejected)
        except IstsError as error:  # returned, because Ray wraps exceptions in its own classes
            return 0, json.dumps(_as_record(error))
        return one.count, ""


def _items(
    one: Slice, bracketed: bool | None, keys: Choice | None
) -> Iterator[InputPair | RejectedItem]:
    records = _row_group(one.file, one.group, keys).slice(one.begin, one.count).to_pylist()
    seen_before = frozenset(one.repeated)
    for place, record in enumerate(records):
        row = Row(one.file, one.line + place, record)
        if record.get("id") is None:
            record["id"] = one.first + place
        try:
            pair = pair_of(record, row, bracketed, keys)
            if place in seen_before:
                raise FormatError(f"pair {pair.id}: {REPEATED_ID}")
            yield pair
        except FormatError as error:
            yield row.rejected(error)


@lru_cache(maxsize=1)
def _row_group(file: str, group: int, keys: Choice | None) -> Any:
    """Read a row group; cached, because consecutive slices are often of the same one."""
    with open_parquet(file) as table:
        there = [name for name in wanted_columns(keys) if name in table.schema_arrow.names]
        try:
            return table.read_row_group(group, columns=there)
        except (OSError, ValueError) as error:  # pyarrow's own classes are among these
            before = sum(table.metadata.row_group(n).num_rows for n in range(group))
            raise damaged(file, before + 1, error) from None


def _write_parquet(lines: list[bytes], stream: Any) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    from ists.frames import arrow_schema

    schema = arrow_schema()
    schema = schema.remove(schema.get_field_index("error"))  # rejected rows are in the errors file
    records = [json.loads(line) for line in lines]
    parquet.write_table(pa.Table.from_pylist(records, schema=schema), stream)


def _as_record(error: IstsError) -> dict[str, Any]:
    if isinstance(error, FormatError):
        return {"reason": error.reason, "file": error.file, "line": error.line}
    return {"error": str(error)}


def _as_error(record: Mapping[str, Any]) -> IstsError:
    return IstsError(record["error"]) if "error" in record else FormatError(**record)


def _finish(under_way: Path, folder: Path, total: int) -> Summary:
    summaries = sorted(under_way.glob(f"{_SUMMARIES}*"))
    rejected = sum(json.loads(path.read_bytes())["rejected"] for path in summaries)
    for path in (*summaries, under_way / _JOURNAL):
        path.unlink()
    under_way.replace(folder)
    return Summary(total, rejected, f"{folder}/*.errors.jsonl" if rejected else None)
