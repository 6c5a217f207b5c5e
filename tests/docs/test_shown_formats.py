"""Samples of files and messages in the documents are what we read and write."""

import json
import re
from pathlib import Path

import pytest

from ists import SentencePair, read, write
from ists.formats import brackets
from tests.docs import shown

FORMATS = "docs/formats.md"


def sample(document: str, begin: str) -> str:
    """The one block of a document that begins like this."""
    found = shown.blocks(document, shown.text_of(document))
    (text,) = (block.text for block in found if block.text.startswith(begin))
    return text


@pytest.fixture
def wa(tmp_path) -> Path:
    file = tmp_path / "sample.wa"
    file.write_text(sample(FORMATS, "<sentence "), encoding="utf-8")
    return file


@pytest.fixture
def pair(wa) -> SentencePair:
    (pair,) = read(wa)
    return pair


def test_the_wa_sample_is_read_and_written_back(wa, pair, tmp_path):
    write([pair], tmp_path / "again.wa")
    assert (tmp_path / "again.wa").read_text(encoding="utf-8").rstrip() == wa.read_text().rstrip()


def test_the_wa_sample_keeps_the_guidelines(pair):
    assert not list(pair.violations())


def test_the_jsonl_sample_is_the_beginning_of_the_same_pair(pair, tmp_path):
    file = tmp_path / "sample.jsonl"
    file.write_text(" ".join(sample(FORMATS, '{"id"').split("\n")), encoding="utf-8")
    (found,) = read(file)
    assert found.alignments == pair.alignments[:1]
    assert (found.id, found.status) == (pair.id, pair.status)
    assert (found.sentence1, found.sentence2) == (pair.sentence1, pair.sentence2)


def test_the_bracketed_sample_is_read(pair):
    line = re.search(r"## Bracketed chunks\n\n`(.*?)`", shown.text_of(FORMATS))
    assert line is not None
    assert brackets.parse(line[1]) == brackets.chunks_of(pair, 1)


def test_a_rejected_line_is_listed_as_shown(desk, ists):
    break_line(desk / "pairs.tsv", 4)
    assert ists("align", "pairs.tsv", "-o", "out.wa", "--on-error", "skip", "--baseline").code == 1
    listed = (desk / "out.wa.errors.jsonl").read_text(encoding="utf-8")
    expected = sample("docs/scale.md", '{"file"')
    assert shown.agrees(expected.splitlines(), listed), listed
    assert json.loads(expected).keys() == json.loads(listed).keys()


def test_a_run_that_cannot_be_resumed_is_rejected_as_shown(desk, ists):
    pairs = desk / "pairs.tsv"
    command = ("align", pairs.name, "-o", "out.wa", "--baseline", "--batch-size", 1)
    whole = pairs.read_bytes()
    break_line(pairs, 6)
    assert "5 items are done and kept" in ists(*command).err
    pairs.write_bytes(whole)
    rejection = ists(*command).err
    expected = " ".join(sample("docs/scale.md", "out.wa: a run was stopped").split())
    assert shown.agrees([re.sub(r"after \d+", "after 5", expected)], rejection), rejection


def break_line(file: Path, number: int) -> None:
    """Put a line there that is no pair."""
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[: number - 1], "no tab", *lines[number - 1 :], ""]))
