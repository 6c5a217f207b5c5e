"""A folder of batches: who gets which pairs, and what comes out of it."""

import json
import re
from contextlib import closing
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="the page's packages are not installed")

from starlette.testclient import TestClient

from ists.annotate.assigned_app import annotator_app, coordinator_app
from ists.annotate.assignment import (
    Assignment,
    annotator_names,
    batches,
    create,
    export,
    plan,
    table,
)
from ists.annotate.guard import Guard
from ists.annotate.source import two_files
from ists.errors import FormatError
from ists.formats import read
from tests.annotate.drafts import DONE

HOME = "http://127.0.0.1:8765"


@pytest.fixture
def folder(tmp_path):
    one, two = tmp_path / "s1.txt", tmp_path / "s2.txt"
    one.write_text("A tabby cat sleeps .\n" * 10)
    two.write_text("A cat is sleeping .\n" * 10)
    made = tmp_path / "work"
    create(made, two_files(one, two), plan(10, ("anna", "ben"), 3, 0.2))
    return made


@given(
    st.integers(1, 60),
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True),
    st.integers(1, 20),
    st.floats(0, 1),
)
def test_every_pair_is_given_out_and_shared_ones_to_all(count, names, size, overlap):
    plans = plan(count, names, size, overlap)
    assert sorted(chain.from_iterable(one.places for one in plans)) == list(range(count))
    assert all(len(one.places) <= size for one in plans)
    for one in plans:
        assert len(one.annotators) == (len(names) if one.name.startswith("shared") else 1)
    shared = sum(len(one.places) for one in plans if one.name.startswith("shared"))
    assert shared == (round(count * overlap) if len(names) > 1 else 0)


def test_the_folder_has_plain_files(folder):
    assert sorted(path.name for path in folder.iterdir()) == ["anna", "assignment.tsv", "ben"]
    rows = table(folder)
    assert len(rows) == 12
    assert {row.annotator for row in rows if row.pair == "1"} == {"anna", "ben"}
    assert batches(folder)[0].name == "shared-1"
    assert len(list(read(folder / "anna" / "shared-1.wa"))) == 2


def test_a_folder_is_not_made_twice(folder, tmp_path):
    source = two_files(tmp_path / "s1.txt", tmp_path / "s2.txt")
    with pytest.raises(FormatError, match="already exists"):
        create(folder, source, plan(10, ("anna",), 3, 0))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1\tshared-1\tanna", "3 columns, expected 4"),
        ("1\tshared-1\tanna\t../../else.wa", "is not a file of the folder"),
        ("1\tshared-1\tanna\t/etc/passwd", "is not a file of the folder"),
        ("1\tshared-1\t../x\tx.wa", "is not a file of the folder"),
    ],
)
def test_a_bad_line_of_the_table_is_named(folder, line, reason):
    with (folder / "assignment.tsv").open("a") as stream:
        stream.write(f"{line}\n")
    with pytest.raises(FormatError, match=rf"assignment.tsv:14: .*{reason}"):
        Assignment(folder)


def test_names_become_folders():
    assert annotator_names("anna, ben") == ("anna", "ben")
    for text in ("anna,../x", "anna,", "a,A", "a b"):
        with pytest.raises(ValueError, match=r"is not a name|twice"):
            annotator_names(text)


def finish(folder, annotator: str, note: str) -> None:
    with closing(Assignment(folder)) as assignment:
        book = assignment.of(annotator)[0].book
        for action in DONE:
            book.act(0, book[0].version, action)
        book.note(0, book[0].version, note)


def test_everything_is_exported_with_its_provenance(folder, tmp_path):
    finish(folder, "ben", "a cat nap?")
    out = tmp_path / "out"
    assert export(folder, out) == {"anna": 0, "ben": 1}
    ids = [[pair.id for pair in read(out / f"{name}.wa")] for name in ("anna", "ben")]
    assert sorted({*ids[0], *ids[1]}, key=int) == [str(number) for number in range(1, 11)]
    assert len({*ids[0]} & {*ids[1]}) == 2
    rows = [json.loads(line) for line in (out / "provenance.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    [done] = [row for row in rows if row["done"]]
    assert (done["annotator"], done["batch"], done["note"]) == ("ben", "shared-1", "a cat nap?")
    assert done["file"] == "ben/shared-1.wa"


def test_a_batch_that_lacks_a_pair_is_not_exported(folder, tmp_path):
    (folder / "ben" / "shared-1.wa").write_text("")
    with pytest.raises(FormatError, match=r"shared-1\.wa"):
        export(folder, tmp_path / "out")


def test_each_token_opens_the_pages_of_one_person_only(folder):
    with closing(Assignment(folder)) as assignment:
        apps = {
            "all": coordinator_app(assignment),
            "anna-token": annotator_app(assignment, "anna", None, uncertain=False),
            "ben-token": annotator_app(assignment, "ben", None, uncertain=False),
        }
        client = TestClient(Guard(apps, 8765), base_url=HOME)
        progress = client.get("/all/").text
        assert "anna" in progress
        assert "0 of 6 pairs done" in progress
        assert 'href="batches' not in progress
        assert client.get("/all/batches/0/").status_code == 404
        own = client.get("/anna-token/").text
        assert 'href="batches/0/"' in own
        assert "ben" not in own
        assert client.get("/anna-token/batches/0/pairs/0").json()["id"] == "1"
        assert client.get("/anna-token/batches/0/static/page.js").status_code == 200
        for style in re.findall(r'"(static/[^"]*\.css)"', own):
            assert client.get(f"/anna-token/{style}").status_code == 200
        assert client.get("/carla-token/").status_code == 403
        headers = {"Origin": HOME, "Content-Type": "application/json"}
        cut = json.dumps({"do": "cut", "side": 1, "before": 4, "version": 0})
        address = "/ben-token/batches/0/pairs/0"
        assert client.post(address, content=cut, headers=headers).status_code == 200
        assert client.post(address, content=cut).status_code == 403
        assert assignment.of("ben")[0].book[0].version == 1
        assert assignment.of("anna")[0].book[0].version == 0
