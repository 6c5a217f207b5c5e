from hypothesis import given
from hypothesis import strategies as st

from ists.formats.ids import SeenIds, repeated


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=2)))
def test_a_repeated_id_is_found_by_both_methods(ids):
    with SeenIds() as seen:
        expected = [(place, one) for place, one in enumerate(ids) if not seen.is_new(one)]
    assert list(repeated(lambda: iter(ids), len(ids))) == expected


def test_ids_of_the_same_hash_are_not_the_same_id(monkeypatch):
    monkeypatch.setattr("ists.formats.ids.hash", lambda _: 7, raising=False)
    assert list(repeated(lambda: iter(["a", "b", "a"]), 3)) == [(2, "a")]
