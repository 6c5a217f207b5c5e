import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import FormatError
from ists.formats import brackets
from tests.samples import CAT_PAIR


def test_chunks_are_read():
    assert brackets.parse("[ A cat ] [ sits ] [ . ]\n") == (("A", "cat"), ("sits",), (".",))


def test_an_empty_line_is_a_sentence_without_chunks():
    assert brackets.parse("\n") == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[ A [ cat ] ]", "opens inside a chunk"),
        ("[ A cat", "not closed"),
        ("A cat ]", "'A' is outside any chunk"),
        ("[ A cat ] ]", "closes but none is open"),
        ("[ ]", "an empty chunk"),
        ("[A cat]", "'[A' is outside any chunk"),
    ],
)
def test_unbalanced_brackets_are_named_with_their_line(line, words):
    stream = io.BytesIO(f"[ fine ]\n{line}\n".encode())
    with pytest.raises(FormatError) as error:
        list(brackets.read(stream, "x.txt"))
    assert str(error.value).startswith("x.txt:2: ")
    assert words in str(error.value)


words = st.text(min_size=1).filter(lambda text: text.split() == [text])
sentences = st.lists(st.lists(words, min_size=1).map(tuple)).map(tuple)


@given(sentences)
def test_any_chunks_come_back_as_they_were(chunks):
    assert brackets.parse(brackets.render(chunks)) == chunks


@given(st.sampled_from(["[", "]", "\\[", "\\\\]", "[[", "\\", "]/NP", "\\]/x", "]/"]))
def test_tokens_that_are_brackets_come_back(token):
    assert brackets.parse(brackets.render([(token,)])) == ((token,),)


def test_types_may_follow_a_chunk_and_are_ignored():
    line = brackets.render([("A", "cat"), ("sits",)], ["NP", "VP"])
    assert line == "[ A cat ]/NP [ sits ]/VP"
    assert brackets.parse(line) == (("A", "cat"), ("sits",))
    assert brackets.is_bracketed(line)


@pytest.mark.parametrize("line", ["A cat sits", "[1] A cat", "", "[A cat] [sits]"])
def test_other_lines_do_not_look_bracketed(line):
    assert not brackets.is_bracketed(line)


def test_a_pair_gives_its_chunks():
    assert brackets.render(brackets.chunks_of(CAT_PAIR, 2)) == "[ A cat ] [ is sleeping ] [ . ]"


def test_two_chunked_sentences_make_a_pair_with_nothing_aligned():
    pair = brackets.unaligned_pair("5", (("A", "cat"), (".",)), (("Dogs",),))
    assert [a.label for a in pair.alignments] == ["NOALI"] * 3
    assert not list(pair.violations())
    assert not list(pair.problems("2015"))


@pytest.mark.parametrize(
    ("line", "chunks", "fault"),
    [
        ("[ A cat ] [is ] [ here ]", "[ A cat ] [ is ] [ here ]", "'[is' is outside any chunk"),
        ("[ A cat ] [ is] [ here ]", "[ A cat ] [ is ] [ here ]", "opens inside a chunk"),
        ("[A cat] [is]", "[ A cat ] [ is ]", "'[A' is outside any chunk"),
        ("[ A cat][is ] x", "[ A cat ] [ is ] [ x ]", "'x' is outside any chunk"),
        ("[ A cat ]/NP [is]/VP", "[ A cat ] [ is ]", "'[is]/VP' is outside any chunk"),
        ("[ is ] [ in [ a path ]", "[ is ] [ in ] [ a path ]", "opens inside a chunk"),
        ("[ A cat ] sits there [ . ]", "[ A cat ] [ sits there ] [ . ]", "'sits' is outside"),
        ("A cat ] [ sits ]", "[ A cat ] [ sits ]", "'A' is outside any chunk"),
        ("[ A cat ] ] [ sits ]", "[ A cat ] [ sits ]", "closes but none is open"),
        ("[ A cat ] [ ] [ sits ]", "[ A cat ] [ sits ]", "an empty chunk"),
        ("[ see [1] ] now", "[ see [1] ] [ now ]", "'now' is outside any chunk"),
        ("[ \\[ ] now", "[ \\[ ] [ now ]", "'now' is outside any chunk"),
        ("", "", "an empty line"),
        (" ]", "", "closes but none is open"),
    ],
)
def test_slightly_malformed_lines_are_repaired_and_reported(line, chunks, fault):
    found = brackets.repair(line)
    assert brackets.render(found.chunks) == chunks
    assert fault in found.fault
    assert "expected '[ A cat ] [ sits ]'" in found.fault
    assert not chunks or found.warning.endswith(f"; read as {chunks!r}")


@pytest.mark.parametrize("line", ["[ A cat ] [ sits", "A cat [sits", "[ [ ["])
def test_a_line_that_ends_inside_a_chunk_is_not_repaired(line):
    with pytest.raises(FormatError, match="not closed at the end of the line"):
        brackets.repair(line)


@given(sentences.filter(bool))
def test_well_formed_lines_are_not_repaired(chunks):
    assert brackets.repair(brackets.render(chunks)) == (chunks, None)


@given(st.text(alphabet="ab[]\\ ", max_size=30))
def test_repairing_keeps_every_letter(line):
    try:
        found = brackets.repair(line)
    except FormatError:
        return
    letters = [sign for sign in line if sign in "ab"]
    assert [s for chunk in found.chunks for token in chunk for s in token if s in "ab"] == letters


def test_a_reader_continues_after_a_warning():
    stream = io.BytesIO(b"[ A cat ]\n[is ]\n\n[ . ]\n")
    warnings = []
    assert list(brackets.read(stream, "x.txt", warnings.append)) == [
        (("A", "cat"),),
        (("is",),),
        (),
        ((".",),),
    ]
    assert [(warning.file, warning.line) for warning in warnings] == [("x.txt", 2), ("x.txt", 3)]
    stream.seek(0)
    assert [fault.line for fault in brackets.faults(stream, "x.txt")] == [2, 3]


def look_at(*lines):
    look = brackets.BracketCounter()
    for number, line in enumerate(lines, start=1):
        look.take(number, line)
    return look


RIGHT = "[ A cat ] [ sits ]"


@pytest.mark.parametrize(
    ("lines", "bracketed"),
    [
        ([], False),
        (["", "A cat sits"], False),
        (["A cat [1] sits", "[sic] he said"], False),
        (["", RIGHT], True),
        ([RIGHT, "[is ] [ here ]"], True),
        (["A cat [ sits ]", RIGHT], True),
        ([RIGHT] * 9 + ["A cat sits"], True),
        ([RIGHT] * 8 + ["A cat sits"], None),
        ([RIGHT, "A cat sits"], None),
        ([RIGHT, "see [1]", "see [2]"], None),
    ],
)
def test_a_file_with_few_malformed_lines_is_bracketed(lines, bracketed):
    assert look_at(*lines).bracketed is bracketed


def test_the_first_different_line_is_named():
    with pytest.raises(FormatError, match=r"^x:2: is not bracketed, unlike the lines before"):
        look_at(RIGHT, "A cat", RIGHT).verdict("x")
    with pytest.raises(FormatError, match=r"^x:3: is bracketed, unlike the lines before"):
        look_at("A cat", "A dog", RIGHT).verdict("x")
