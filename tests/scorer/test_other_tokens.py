import pytest

import scorer
from ists import SentencePair, read, write
from ists.pairs import Sentence
from scorer.sentences import UNKNOWN, hash_of_pair
from tests.samples import CAT_PAIR, CAT_WA


def as_file(tmp_path, text, name="system.wa"):
    file = tmp_path / name
    file.write_bytes(text.encode())
    return file


@pytest.mark.parametrize(
    "text",
    [
        CAT_WA,
        CAT_WA.replace(" : \n", " :\n"),
        CAT_WA.replace("2 tabby :", "\t2   tabby :"),
        CAT_WA.replace("2 tabby : \n", "2 tabby : \n\n"),
        CAT_WA.replace("\n", "\r\n"),
        CAT_WA.replace("<source>", " <source>"),
        CAT_WA.replace("// A tabby", "// <source> A tabby"),
        "\ufeff" + CAT_WA,
    ],
    ids=["usual", "no blank", "tab", "blank line", "crlf", "indented tag", "tag in text", "mark"],
)
def test_layout_does_not_matter(tmp_path, text):
    system = scorer.load(as_file(tmp_path, text), as_gold=False)
    assert list(system.tokens) == [hash_of_pair(CAT_PAIR)]
    assert not scorer.score([CAT_PAIR], system).other_tokens


@pytest.mark.parametrize("format_", ["jsonl", "xml"])
def test_other_formats_have_the_same_hashes(tmp_path, format_):
    file = as_file(tmp_path, CAT_WA.replace("tabby", "tåbby"))
    write(read(file), tmp_path / f"system.{format_}")
    assert not scorer.score(file, tmp_path / f"system.{format_}").other_tokens


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2 tabby : ", "2 Tabby : "),
        ("4 sleeps : \n5 . : ", "4 sleeps. : "),
        ("4 sleeping : ", "4 asleep : "),
        ("5 . : \n</translation>", "5 . : \n6 . : \n</translation>"),
    ],
)
def test_other_tokens_are_reported(tmp_path, old, new):
    assert old in CAT_WA
    system = as_file(tmp_path, CAT_WA.replace(old, new))
    report = scorer.score([CAT_PAIR], system)
    (problem,) = report.other_tokens
    assert str(problem) == f"{system}:1: pair 1: the tokens are not those of <pairs>"
    assert report.f1 == (1, 1, 1, 1), "the figures are the task's own"


@pytest.mark.parametrize("section", ["source", "translation"])
def test_a_system_needs_no_tokens(tmp_path, section):
    begin, end = CAT_WA.index(f"<{section}>"), CAT_WA.index(f"</{section}>")
    without = CAT_WA[:begin] + CAT_WA[end:].partition("\n")[2]
    system = scorer.load(as_file(tmp_path, without), as_gold=False)
    assert list(system.tokens) == [UNKNOWN]
    assert not scorer.score([CAT_PAIR], system).other_tokens


def test_tokens_that_no_file_can_have_are_not_compared():
    odd = SentencePair("1", Sentence.of(["\ud800"]), Sentence.of(["a"]), ())
    assert hash_of_pair(odd) == UNKNOWN
