from io import BytesIO

import pytest

from ists.chunker.adaptation import adapt_tree
from ists.errors import FormatError

pytest.importorskip("nltk", reason="the extra 'nltk' is not installed")

from ists.chunker.trees import read_trees

IOB2 = b"The DT B-NP\ncat NN I-NP\nsits VBZ B-VP\n. . O\n\nIt PRP B-NP\n"


def test_columns_become_trees_of_chunks():
    first, second = read_trees(BytesIO(IOB2), "x.txt")
    assert [chunk.label() for chunk in first.subtrees()] == ["S", "NP", "VP"]
    assert first.leaves() == [("The", "DT"), ("cat", "NN"), ("sits", "VBZ"), (".", ".")]
    assert adapt_tree(second).chunks == (("It",),)


def test_a_chunk_may_begin_with_an_inside_tag():
    iob1 = IOB2.replace(b"B-", b"I-")
    assert list(read_trees(BytesIO(iob1), "x")) == list(read_trees(BytesIO(IOB2), "x"))


@pytest.mark.parametrize("tag", [b"B", b"E-NP", b"NP", b"B-", b"o"])
def test_a_tag_of_another_scheme_is_named_with_its_line(tag):
    text = IOB2.replace(b"B-VP", tag)
    with pytest.raises(FormatError, match=r"^x\.txt:3: .* is not a chunk tag, expected O, B-TYPE"):
        list(read_trees(BytesIO(text), "x.txt"))


def test_no_token_is_lost_and_chunks_are_those_of_the_tags(shared):
    with (shared / "conll2000" / "test.txt").open("rb") as stream:
        sentences = [adapt_tree(tree) for tree in read_trees(stream, "test.txt")]
    assert len(sentences) == 2012
    for sentence in sentences:
        assert tuple(t for chunk in sentence.chunks for t in chunk) == sentence.tokens
        assert len(sentence.types) == len(sentence.chunks)
