import random
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ists
from ists.errors import FormatError
from scorer.entries import Entries, pack_pair, unpack_pair
from scorer.joining import Source, joined
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR


@dataclass(frozen=True)
class Item:
    id: str
    value: str


def source(ids, name="file"):
    return Source(
        name,
        [Item(one, f"{name} {one}") for one in ids],
        lambda item: f"{item.id}\n{item.value}".encode("utf-8", "surrogatepass"),
        lambda data: Item(*data.decode("utf-8", "surrogatepass").split("\n")),
        lambda item: 7,
    )


def joined_ids(*files):
    sources = [source(ids, f"file{number}") for number, ids in enumerate(files)]
    return list(joined(sources))


def test_files_in_the_same_order_are_joined_immediately():
    met = joined_ids("abc", "abc")
    assert [one.id for one in met] == ["a", "b", "c"]
    assert [one.places for one in met] == [(0, 0), (1, 1), (2, 2)]
    assert [item.value for item in met[1].items] == ["file0 b", "file1 b"]


def test_nothing_is_stored_if_the_order_is_the_same():
    def pack(item):
        raise AssertionError("put aside")

    one, two = (source("abcdef")._replace(pack=pack) for _ in range(2))
    assert len(list(joined([one, two]))) == 6


def test_one_pair_of_each_file_is_read_at_a_time():
    read = []

    def items():
        for one in "abcdef":
            read.append(one)
            yield Item(one, one)

    stream = joined([source("")._replace(items=items()), source("abcdef")])
    assert next(stream).id == "a"
    assert read == ["a"]
    stream.close()


files_of_ids = st.lists(
    st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10), min_size=1, max_size=4
)


@given(files_of_ids)
def test_every_id_is_joined_once_in_any_order(files):
    met = joined_ids(*files)
    assert sorted(one.id for one in met) == sorted({one for ids in files for one in ids})
    for one in met:
        for side, ids in enumerate(files):
            place = ids.index(one.id) if one.id in ids else None
            assert one.places[side] == place
            expected = None if place is None else Item(one.id, f"file{side} {one.id}")
            assert one.items[side] == expected


def test_ids_may_be_invalid_utf8():
    met = joined_ids(["\udce9", "x"], ["x", "\udce9"])
    assert {one.id for one in met} == {"\udce9", "x"}


def test_a_repeated_id_is_rejected_with_its_line():
    with pytest.raises(FormatError, match=r"^file1:7: pair a: this id is already in the file"):
        joined_ids("abc", "aba")


def test_a_pair_survives_packing_and_unpacking():
    assert unpack_pair(pack_pair(CAT_PAIR), "x") == CAT_PAIR
    (first, *_) = ists.read(EXAMPLES / "gold.wa")
    again = unpack_pair(pack_pair(first), "gold.wa")
    assert again == first
    assert again.line_of(None) == first.line_of(None)


@pytest.mark.parametrize("name", ["gold.wa", "gold.jsonl", "gold.xml"])
def test_an_entry_survives_packing_and_unpacking(tmp_path, name):
    file = tmp_path / name
    ists.write(ists.read(EXAMPLES / "gold.wa"), file)
    entries = Entries(file, as_gold=True)
    for entry in entries:
        again = entries.unpack(entry.pack())
        assert again[:4] == entry[:4]
        assert again.pair.line_of(None) == entry.pair.line_of(None)


def test_problems_survive_packing_and_unpacking(tmp_path):
    file = tmp_path / "odd.wa"
    text = (EXAMPLES / "gold.wa").read_text().replace("EQUI", "NONSENSE").replace("// 3", "// 9")
    file.write_text(f"\n\n{text}")
    entries = Entries(file, as_gold=False)
    found = [entry.problems for entry in entries]
    assert any(found)
    assert [entries.unpack(entry.pack()).problems for entry in entries] == found


def test_shuffled_files_are_joined_from_disk(tmp_path):
    """More pairs than the database keeps in memory."""
    ids = [str(number) for number in range(20_000)]
    other = random.Random(1).sample(ids, len(ids))
    met = list(joined([source(ids), source(other)]))
    assert len(met) == len(ids)
    assert all(None not in one.places for one in met)
