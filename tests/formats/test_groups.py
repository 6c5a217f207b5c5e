"""Groups of the 2016 edition: several chunks in one link, with gaps, in every format."""

import pytest

from ists import explain, read, render, write
from ists.formats import brackets
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair
from scorer import score


@pytest.fixture
def group() -> SentencePair:
    one = Sentence.of(["The", "lamp", "is", "wired", "to", "the", "switch", "."])
    two = Sentence.of(["Wired", "are", "the", "lamp", "and", "the", "switch"])
    return SentencePair(
        "1",
        one,
        two,
        (
            Alignment(Chunk((1, 2, 5, 6, 7)), Chunk((3, 4, 5, 6, 7)), Relation.EQUI, 5.0),
            Alignment(Chunk((4,)), Chunk((1, 2)), Relation.EQUI, 5.0),
            Alignment(Chunk((3,)), None, Relation.NOALI),
            Alignment(Chunk((8,)), None, Relation.NOALI),
        ),
    )


@pytest.mark.parametrize("format_", ["wa", "jsonl", "xml"])
def test_a_group_with_a_gap_comes_back_as_it_was(group, tmp_path, format_):
    file = tmp_path / f"pairs.{format_}"
    write([group], file, edition="2016")
    (back,) = read(file, edition="2016")
    assert back.value == group.value


def test_brackets_have_the_parts_of_a_group_in_the_order_of_the_sentence(group):
    shown = brackets.render(brackets.chunks_of(group, 1))
    assert shown == "[ The lamp ] [ is ] [ wired ] [ to the switch ] [ . ]"


def test_a_chunk_has_contiguous_parts():
    parts = Chunk((7, 1, 2, 5, 6)).parts
    assert [part.tokens for part in parts] == [(1, 2), (5, 6, 7)]
    assert Chunk((3, 4)).parts == (Chunk((3, 4)),)


def test_a_group_is_explained_once_and_drawn_in_its_parts(group):
    (first, *_) = explain(group).alignments
    assert first.text1 == "The lamp … to the switch"
    drawn = render(group, "svg")
    assert ">The lamp</text>" in drawn
    assert ">to the switch</text>" in drawn


def test_the_scorer_counts_every_token_pair_of_a_group(group):
    apart = SentencePair(
        "1",
        group.sentence1,
        group.sentence2,
        (
            Alignment(Chunk((1, 2)), Chunk((3, 4, 5, 6, 7)), Relation.EQUI, 5.0),
            *group.alignments[1:3],
            Alignment(Chunk((5, 6, 7)), None, Relation.NOALI),
            *group.alignments[3:],
        ),
    )
    assert score([group], [group]).f1.ali == 1
    report = score([group], [apart])
    assert report.f1.ali < 1
