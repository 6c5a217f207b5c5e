"""The table's file: any damage gives a one-line error with the file's name."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ists.compiled import kernels
from ists.errors import ModelError
from ists.lexicon import Lexicon
from ists.lexicon.table import MAGIC, WordList, place_of, read_table, write_table
from ists.resources import data_path


def _resign(body: bytes) -> bytes:
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def test_a_table_comes_back_as_it_was_written(tiny_table: Path, tmp_path: Path) -> None:
    table = read_table(tiny_table)
    write_table(table, tmp_path / "again.table")
    assert read_table(tmp_path / "again.table") == table
    assert (tmp_path / "again.table").read_bytes() == tiny_table.read_bytes()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.table: .* no such file"):
        read_table(tmp_path / "none.table")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"ists-wordnet 1\n", b"\x00" * 100])
def test_a_foreign_file_is_rejected(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.table"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"foreign\.table: not a word table"):
        read_table(path)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(cut=st.floats(0, 1, exclude_max=True))
def test_a_truncated_file_is_always_detected(tiny_table: Path, cut: float) -> None:
    content = tiny_table.read_bytes()
    path = tiny_table.with_name("cut.table")
    path.write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(ModelError, match=r"cut\.table: "):
        read_table(path)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_a_changed_byte_is_always_detected(tiny_table: Path, place: float, flip: int) -> None:
    content = bytearray(tiny_table.read_bytes())
    content[int(len(content) * place)] ^= flip
    path = tiny_table.with_name("flipped.table")
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"flipped\.table: "):
        read_table(path)


@pytest.mark.parametrize("body", [b"", b"not json\n", b"{}\n", b"[]\n", b'{"columns":[]}\n'])
def test_a_file_with_a_valid_hash_and_invalid_content_is_malformed(
    tmp_path: Path, body: bytes
) -> None:
    path = tmp_path / "odd.table"
    path.write_bytes(_resign(body))
    with pytest.raises(ModelError, match=r"odd\.table: the word table is malformed"):
        read_table(path)


@pytest.mark.parametrize("size", [1 << 40, -1])
def test_a_column_larger_than_the_file_is_rejected(tiny_table: Path, size: int) -> None:
    body = tiny_table.read_bytes()[len(MAGIC) + 65 :]
    line, _, payload = body.partition(b"\n")
    header = json.loads(line)
    header["columns"][0]["size"] = size
    tiny_table.write_bytes(_resign(json.dumps(header).encode() + b"\n" + payload))
    with pytest.raises(ModelError, match="truncated"):
        read_table(tiny_table)


def test_an_edge_that_points_outside_is_rejected(tiny_table: Path) -> None:
    table = read_table(tiny_table)
    table.synset_edge_target[0] = 10**6
    write_table(table, tiny_table)
    with pytest.raises(ModelError, match="points outside"):
        read_table(tiny_table)


def test_offsets_that_do_not_ascend_are_rejected(tiny_table: Path) -> None:
    table = read_table(tiny_table)
    table.sense_edge_start[1] = table.sense_edge_start[-1] + 1
    write_table(table, tiny_table)
    with pytest.raises(ModelError, match="column sense_edge_start does not ascend"):
        read_table(tiny_table)


def test_a_damaged_table_is_reported_on_first_use(tmp_path: Path) -> None:
    (tmp_path / "wordnet.table").write_bytes(b"nonsense")
    lexicon = Lexicon(tmp_path)
    with pytest.raises(ModelError, match=r"wordnet\.table: not a word table"):
        lexicon.lemma("dogs")


def test_the_shipped_table_is_small_and_has_its_licence_beside_it() -> None:
    assert data_path("lexicon", "wordnet.table").stat().st_size < 8_000_000
    assert "Princeton" in data_path("lexicon", "LICENSE-WordNet").read_text()


few_letters = st.text("ab é😀\udce9", max_size=4)


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
@given(st.sets(few_letters.filter(str.isprintable), min_size=1), few_letters)
def test_a_word_list_is_a_list_of_words(words, other):
    words = sorted(words)
    stored = WordList(memoryview("\n".join(words).encode()))
    assert list(stored) == [stored[at] for at in range(len(stored))] == stored[:] == words
    for word in (*words, other):
        assert place_of(stored, word) == place_of(words, word)
        assert (place_of(stored, word) >= 0) == (word in words)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ists.lexicon.table.kernels", None)
            assert place_of(stored, word) == place_of(words, word)


def test_a_word_list_equals_a_list_of_the_same_words():
    stored = WordList(memoryview(b"a\nb"))
    assert stored == ["a", "b"] == stored == ("a", "b")
    assert stored == WordList(memoryview(b"a\nb"))
    for other in (["a"], ["a", "c"], ["a", "b", "c"], "ab", {"a", "b"}, WordList(memoryview(b"a"))):
        assert stored != other
