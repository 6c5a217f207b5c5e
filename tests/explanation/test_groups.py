"""Chunks with gaps (2016 edition) in pictures and in the terminal: each contiguous part apart."""

import re
from dataclasses import replace

import click
import pytest
from hypothesis import given

import ists
from ists.explanation import explain, render
from ists.explanation.boxes import boxes_of
from ists.explanation.layout import Layout, PlacedBox, lay_out
from ists.explanation.records import picture_record
from ists.explanation.terminal import show
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair
from tests.explanation.test_picture import touching
from tests.samples import CAT_PAIR, pairs

GROUP_PAIR = SentencePair(
    "1",
    Sentence.of(["The", "lamp", "is", "now", "wired", "to", "the", "switch", "."]),
    Sentence.of(["The", "lamp", "got", "its", "wires", "and", "so", "did", "the", "switch"]),
    (
        Alignment(Chunk((1, 2, 6, 7, 8)), Chunk((1, 2, 6, 9, 10)), Relation.EQUI, 5.0),
        Alignment(Chunk((3, 5)), Chunk((3, 4, 5)), Relation.SIMI, 3.0),
        Alignment(Chunk((4,)), None, Relation.NOALI),
        Alignment(Chunk((9,)), None, Relation.NOALI),
        Alignment(None, Chunk((7, 8)), Relation.NOALI),
    ),
)


def texts(pair: SentencePair, side: int) -> list[str]:
    return [box.text for box in boxes_of(explain(pair), side)]


def missed(layout: Layout) -> list[tuple[int, PlacedBox]]:
    """Links and boxes of theirs that no end of the link's path touches."""
    return [
        (link.number, placed)
        for link in layout.links
        for placed in layout.boxes
        if link.number in placed.links
        and not any(touches(placed, x, y) for x, y in ends(link.path))
    ]


def ends(path: str) -> list[tuple[float, float]]:
    """The first and the last point of every curve of a path."""
    curves = [re.findall(r"-?\d+", curve) for curve in path.split("M")[1:]]
    points = [(curve[:2], curve[-2:]) for curve in curves]
    return [(float(x), float(y)) for both in points for x, y in both]


def touches(placed: PlacedBox, x: float, y: float) -> bool:
    edge = placed.y + placed.height if placed.box.side == 1 else placed.y
    return placed.x - 1 <= x <= placed.right + 1 and abs(edge - y) <= 1


def test_every_part_of_a_group_is_a_box_in_its_place():
    assert texts(GROUP_PAIR, 1) == ["The lamp", "is", "now", "wired", "to the switch", "."]
    assert texts(GROUP_PAIR, 2) == ["The lamp", "got its wires", "and", "so did", "the switch"]


def test_the_parts_show_the_number_of_their_link_and_whole_chunks_none():
    layout = lay_out(explain(GROUP_PAIR), 960)
    assert [placed.tag for placed in layout.boxes] == [
        *("1", "2", "NOALI", "2", "1", "NOALI"),
        *("1", "", "1", "NOALI", "1"),
    ]
    assert [link.number for link in layout.links].count(1) == 1


@pytest.mark.parametrize("width", [200, 340, 960])
def test_one_link_touches_all_its_parts(width):
    layout = lay_out(explain(GROUP_PAIR), width)
    assert not missed(layout)
    assert not touching(layout)
    by_number = {link.number: link for link in layout.links}
    assert by_number[1].path.count("M") == 5  # two parts and three
    assert by_number[2].path.count("M") == 3
    label = round(by_number[1].x), round(by_number[1].y)
    assert ends(by_number[1].path).count(label) == 5


def test_a_link_without_gaps_is_one_curve():
    assert [link.path.count("M") for link in lay_out(explain(CAT_PAIR), 960).links] == [1, 1]


@given(pairs())
def test_every_link_of_any_pair_touches_all_its_boxes(pair):
    assert not missed(lay_out(explain(pair), 340))


def test_a_part_that_is_another_link_s_chunk_is_one_box_with_both_numbers():
    shared = Alignment(Chunk((1, 2)), Chunk((3, 4, 5)), Relation.REL, 1.0)
    pair = replace(GROUP_PAIR, alignments=(shared, *GROUP_PAIR.alignments))
    boxes = [placed for placed in lay_out(explain(pair), 960).boxes if placed.box.side == 1]
    assert [placed.box.text for placed in boxes].count("The lamp") == 1
    assert [placed.tag for placed in boxes] == ["1, 2", "3", "NOALI", "3", "2", "NOALI"]
    record = picture_record(explain(pair), (960,))
    assert record["boxes"][0] == [1, [0, 1], "The lamp"]


def test_an_unaligned_chunk_with_a_gap_is_marked_at_each_part():
    pair = replace(GROUP_PAIR, alignments=(Alignment(Chunk((1, 2, 9)), None, Relation.NOALI),))
    boxes = lay_out(explain(pair), 960).boxes
    assert [(placed.box.text, placed.tag) for placed in boxes if placed.box.alignments] == [
        *(("The lamp", "NOALI"), (".", "NOALI"))
    ]


def test_a_group_without_its_words_stays_one_box():
    nameless = replace(GROUP_PAIR, sentence1=Sentence(), alignments=GROUP_PAIR.alignments[:1])
    assert texts(nameless, 1) == ["1 2 6 7 8"]
    cut = replace(GROUP_PAIR, sentence1=Sentence.of(["The", "lamp"]))
    assert texts(replace(cut, alignments=cut.alignments[:1]), 1) == ["The lamp"]


def test_the_record_has_the_text_of_each_part():
    record = picture_record(explain(GROUP_PAIR), (960, 340))
    assert record["boxes"][:3] == [[1, [0], "The lamp"], [1, [1], "is"], [1, [2]]]
    assert record["lines"][0][0] == "The lamp … to the switch"


@pytest.mark.parametrize("form", ["svg", "fragment"])
def test_pictures_without_a_script_show_the_parts(form):
    shown = render(GROUP_PAIR, "svg") if form == "svg" else render(GROUP_PAIR, page=False)
    assert re.search(r"<text [^>]*>to the switch</text>", shown)
    assert not re.search(r"<text [^>]*>[^<]*…", shown)


def test_the_terminal_shows_the_parts_with_the_same_number():
    assert click.unstyle(show(explain(GROUP_PAIR))).startswith(
        "1 [The lamp]1 [is]2 [now] [wired]2 [to the switch]1 [.]\n"
        "2 [The lamp]1 [got its wires]2 [and]1 [so did] [the switch]1\n"
        "\n"
        " 1 The lamp … to the switch  ===  The lamp … and … the switch  EQUI   5/5\n"
    )


def test_nothing_overlaps_in_the_groups_of_the_task(shared):
    file = shared / "ists2016" / "train" / "STSint.input.answers-students.wa"
    if not file.exists():
        pytest.skip("the training data of 2016 are not here")
    groups = [
        explain(pair)
        for pair in ists.read(file, edition="2016")
        if not all(chunk.contiguous for chunk in (*pair.chunks1, *pair.chunks2))
    ]
    assert len(groups) > 50
    for width in (340, 960):
        layouts = [lay_out(explanation, width) for explanation in groups]
        assert all(layout.width <= width for layout in layouts)
        assert not [found for layout in layouts for found in (*touching(layout), *missed(layout))]
