"""A UTF-8 byte order mark is not part of the first word in any format."""

import io
import json

import pytest

from ists import read, write
from ists.formats import brackets, conll
from ists.formats.sentences import scan_pairs, scan_sentences, scan_two_files
from ists.formats.text import numbered_lines
from tests.conftest import EXAMPLES
from tests.samples import CAT_WA

MARK = b"\xef\xbb\xbf"


def marked(path, data: bytes):
    path.write_bytes(MARK + data)
    return path


def test_the_mark_of_two_text_files_is_dropped(tmp_path):
    one = marked(tmp_path / "1.txt", b"A cat\n")
    two = marked(tmp_path / "2.txt", b"A dog\n")
    (pair,) = scan_two_files(one, two, bracketed=False)
    assert (pair.sentence1.text, pair.sentence2.text) == ("A cat", "A dog")


def test_bracketed_files_with_a_mark_still_look_bracketed(tmp_path):
    files = [marked(tmp_path / f"{n}.txt", b"[ A cat ] [ sits ]\n") for n in (1, 2)]
    (pair,) = scan_two_files(*files, bracketed=None)
    assert pair.sentence1.chunks == (("A", "cat"), ("sits",))
    with files[0].open("rb") as stream:
        assert list(brackets.read(stream, "x")) == [(("A", "cat"), ("sits",))]


def test_the_mark_of_a_tsv_file_is_dropped(tmp_path):
    (pair,) = scan_pairs(marked(tmp_path / "p.tsv", b"A cat\tA dog\n"), "tsv")
    assert pair.sentence1.text == "A cat"


def test_the_mark_of_a_csv_file_is_dropped(tmp_path):
    file = marked(tmp_path / "p.csv", b'"sentence1",sentence2\nA cat,A dog\n')
    (pair,) = scan_pairs(file, "csv")
    assert pair.sentence1.text == "A cat"


def test_the_mark_of_jsonl_is_dropped(tmp_path):
    record = json.dumps({"sentence1": "A cat", "sentence2": "A dog"}).encode()
    (pair,) = scan_pairs(marked(tmp_path / "p.jsonl", record), "jsonl")
    assert pair.sentence1.text == "A cat"


def test_the_mark_of_single_sentences_is_dropped(tmp_path):
    (item,) = scan_sentences(marked(tmp_path / "s.txt", b"A cat"))
    assert item.sentence.text == "A cat"
    (sentence,) = conll.read(io.BytesIO(MARK + b"A DT B-NP\n"), "x")
    assert sentence.tokens == ("A",)


def test_the_mark_of_a_wa_file_is_kept_when_it_is_written_back(tmp_path):
    file, out = marked(tmp_path / "gold.wa", CAT_WA.encode()), tmp_path / "out.wa"
    write(read(file), out)
    assert out.read_bytes() == file.read_bytes()


@pytest.mark.parametrize("data", [b"", b"\n", b"a", b"a\nb\n"])
def test_lines_are_those_without_the_mark(data):
    assert list(numbered_lines(io.BytesIO(MARK + data))) == list(numbered_lines(io.BytesIO(data)))


def test_only_the_first_line_may_have_a_mark():
    lines = [line for _, line in numbered_lines(io.BytesIO(b"a\n" + MARK + b"b\n"))]
    assert lines == [b"a\n", MARK + b"b\n"]


@pytest.mark.parametrize("length", range(6, 13))
def test_a_line_that_is_too_long_is_rejected_with_a_mark_too(length):
    lines = list(numbered_lines(io.BytesIO(MARK + b"x" * length + b"\ny\n"), longest=8))
    assert lines == list(numbered_lines(io.BytesIO(b"x" * length + b"\ny\n"), longest=8))


def test_a_chunked_file_is_evaluated_equally_with_and_without_a_mark(ists, tmp_path):
    gold = EXAMPLES / "sent1.chunk.txt"
    copy = marked(tmp_path / "mine.chunk.txt", gold.read_bytes())
    assert ists("chunk", "--eval", gold, copy).out == ists("chunk", "--eval", gold, gold).out
