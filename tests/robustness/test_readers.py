"""No file, however corrupted, raises another exception than an `IstsError`."""

import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ists.errors import FormatError
from ists.formats.rows import raise_rejected
from ists.formats.sentences import scan_pairs
from tests.robustness.inputs import NASTY, corrupt
from tests.robustness.readers import READERS, read_anything, valid_files


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("hardness") / "input"


@pytest.mark.parametrize("name", READERS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=120)
def test_corrupted_files_are_read_or_rejected(name, file, seed):
    kind, reader = READERS[name]
    chance = random.Random(seed)
    message = read_anything(reader, file, corrupt(chance.choice(valid_files(kind)), chance))
    assert "\n" not in (message or "")


@pytest.mark.parametrize("name", READERS)
@given(data=st.binary(max_size=300))
@example(b"")
@example(b"\n")
@example(b"\xef\xbb\xbf")
@settings(max_examples=40)
def test_noise_is_read_or_rejected(name, file, data):
    read_anything(READERS[name][1], file, data)


@pytest.mark.parametrize("name", READERS)
def test_critical_bytes_are_read_or_rejected_at_any_position(name, file):
    kind, reader = READERS[name]
    valid = valid_files(kind)[0]
    for piece in NASTY:
        for place in (0, len(valid) // 2, len(valid)):
            read_anything(reader, file, valid[:place] + piece + valid[place:])


@pytest.mark.parametrize(
    "name",
    [
        "pairs in .wa",
        "pairs in JSONL",
        "pairs in XML",
        "brackets",
        "columns",
        "two files",
        "are they bracketed",
        "pairs to align, TSV",
        "pairs to align, CSV",
        "pairs to align, JSONL",
        "scores",
    ],
)
def test_a_very_long_line_is_not_read_into_memory(name, file):
    """A hundred megabytes without an end of line."""
    kind, reader = READERS[name]
    with file.open("wb") as stream:
        stream.write(valid_files(kind)[0])
        for _ in range(100):
            stream.write(b"cat " * (1 << 18))
    tracemalloc.start()
    try:
        reader(file)
    except FormatError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        file.write_bytes(b"")
    assert peak < 150 << 20


def test_an_xml_bomb_is_rejected_before_it_grows(file):
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE ists [<!ENTITY a0 "ha">{entities}]><ists><pair id="&a11;"/></ists>'
    file.write_text(bomb)
    with pytest.raises(FormatError, match=r"DOCTYPE|entity|XML"):
        READERS["pairs in XML"][1](file)


def test_xml_nested_a_million_deep_is_rejected(file):
    file.write_text("<ists>" + "<pair>" * 1_000_000)
    with pytest.raises(FormatError):
        READERS["pairs in XML"][1](file)


def test_brackets_nested_deeply_are_rejected(file):
    file.write_text("[ " * 400_000 + "\n")
    with pytest.raises(FormatError, match="opens inside a chunk"):
        READERS["brackets"][1](file)


def test_an_unclosed_quote_is_not_read_into_memory(file):
    """Ten megabytes of lines after an opening quote."""
    with file.open("wb") as stream:
        stream.write(b'sentence1,sentence2\nA cat,"A dog\n')
        stream.write((b"cat " * 250 + b", \n") * 10_000)
    tracemalloc.start()
    try:
        items = scan_pairs(file, "csv")
        assert "is a quote not closed?" in str(next(items).error)
        for _ in items:
            pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        file.write_bytes(b"")
    assert peak < 8 << 20


def test_columns_of_very_long_cells_are_decided_in_time(file):
    file.write_bytes(b"\t".join([b"a" * (1 << 18)] * 3) + b"\n")
    with pytest.raises(FormatError, match="cannot decide which"):
        list(scan_pairs(file, "tsv"))


def test_json_nested_deeply_is_rejected(file):
    file.write_text("[" * 400_000 + "\n")
    with pytest.raises(FormatError, match="nested too deeply"):
        list(raise_rejected(scan_pairs(file, "jsonl")))
