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
        ("A cat ]", "'A' stands outside any chunk"),
        ("[ A cat ] ]", "closes but none is open"),
        ("[ ]", "an empty chunk"),
        ("[A cat]", "'[A' stands outside any chunk"),
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


def test_types_may_follow_a_chunk_and_are_passed_over():
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
