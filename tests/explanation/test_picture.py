import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from lxml import etree

import ists
from ists.explanation import explain, export, render, show
from ists.explanation import layout as layouts
from ists.explanation.display import displayed
from ists.explanation.layout import LABEL_HEIGHT, Layout, lay_out
from ists.explanation.markup import picture_script
from ists.explanation.picture import fragment_ids
from ists.explanation.relations import RELATION_STYLES
from ists.explanation.widths import text_width, wrapped
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair
from ists.similarity import Similarity
from tests.conftest import EXAMPLES, ROOT
from tests.samples import CAT_PAIR, pairs

HOSTILE = "<img src=x onerror=alert(1)>"
SVG = "{http://www.w3.org/2000/svg}"


def chain(length: int, backwards: bool = False) -> SentencePair:
    """A long pair: every chunk of one sentence linked with one of the other."""
    words = [f"chunk {number}" for number in range(length)]
    sentences = Sentence.of(" ".join(words).split()), Sentence.of(" ".join(words).split())
    chunks = [Chunk((2 * place + 1, 2 * place + 2)) for place in range(length)]
    others = chunks[::-1] if backwards else chunks
    relations = [relation for relation in Relation if relation.links]
    return SentencePair(
        "long",
        *sentences,
        tuple(
            Alignment(one, two, relations[place % len(relations)], 4.0)
            for place, (one, two) in enumerate(zip(chunks, others, strict=True))
        ),
    )


def touching(layout: Layout) -> list[tuple[object, object]]:
    """Boxes and labels that overlap."""
    areas = [(box, (box.x, box.y, box.right, box.y + box.height)) for box in layout.boxes]
    for link in layout.links:
        x, y = link.x - link.width / 2, link.y - LABEL_HEIGHT / 2
        areas.append((link, (x, y, x + link.width, y + LABEL_HEIGHT)))
    return [
        (one, two)
        for (one, a), (two, b) in combinations(areas, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


@pytest.mark.parametrize("width", [340, 960])
@pytest.mark.parametrize("pair", [CAT_PAIR, chain(3), chain(14), chain(14, backwards=True)])
def test_nothing_overlaps_and_nothing_sticks_out(pair, width):
    layout = lay_out(explain(pair), width)
    assert layout.width <= width
    assert not touching(layout)
    assert all(link.x - link.width / 2 >= 0 for link in layout.links)
    assert all(link.x + link.width / 2 <= layout.width for link in layout.links)


def test_a_long_sentence_goes_on_in_new_rows():
    rows = {box.y for box in lay_out(explain(chain(14)), 340).boxes if box.box.side == 1}
    assert len(rows) > 3


def test_a_word_longer_than_the_picture_is_cut():
    lines = wrapped("x" * 300, 14, 200)
    assert "".join(lines) == "x" * 300
    assert all(text_width(line, 14) <= 200 for line in lines)


def test_every_relation_has_a_colour_and_a_line_of_its_own():
    linking = [look for relation, look in RELATION_STYLES.items() if relation.links]
    assert len({look.dashes for look in linking}) == len(linking)
    assert len({look.light for look in linking}) == len(linking)
    assert len({look.dark for look in linking}) == len(linking)


# How linear RGB looks without one of the three kinds of cones (Machado and others, 2009).
VISIONS = {
    "all cones": np.eye(3),
    "no red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "no blue": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def brightness(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    return float(TO_XYZ[1] @ linear(colour))


def perceived(colour: str, vision: str) -> np.ndarray:
    """CIELAB, in which 10 apart is easily seen."""
    seen = np.clip(np.array(VISIONS[vision]) @ linear(colour), 0, 1)
    x, y, z = np.cbrt(TO_XYZ @ seen / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("vision", VISIONS)
def test_readers_of_every_colour_vision_tell_the_relations_apart(theme, vision):
    colours = [getattr(look, theme) for relation, look in RELATION_STYLES.items() if relation.links]
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(perceived(one, vision) - perceived(other, vision)) > 10


@pytest.mark.parametrize(("theme", "ground"), [("light", "#ffffff"), ("dark", "#12171d")])
def test_every_colour_stands_out_from_the_ground(theme, ground):
    for look in RELATION_STYLES.values():
        one, other = sorted([brightness(getattr(look, theme)), brightness(ground)])
        assert (other + 0.05) / (one + 0.05) >= 3


def test_an_svg_holds_chunks_links_labels_evidence_and_legend():
    root = etree.fromstring(render(CAT_PAIR, "svg").encode())
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    for expected in ("A tabby cat", "is sleeping", "1 SPE1 4", "2 EQUI 5", "NOALI"):
        assert expected in texts
    assert "EQUI: same meaning" in texts
    assert "OPPO: opposite" not in texts
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert any("“tabby cat” is a kind of “cat”" in title for title in titles)


def test_a_page_stands_alone():
    page = render([CAT_PAIR, replace(CAT_PAIR, id="2")], title="Cats")
    assert page.startswith("<!doctype html>")
    assert '<h2><a href="#pair-2">Pair 2</a></h2>' in page
    for outside in ("http://", "https://", "//www", "@import", " src=", "url("):
        assert outside not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_notebook_shows_the_picture_and_the_words():
    shown = CAT_PAIR._repr_html_()
    assert shown.lstrip().startswith("<div")
    assert "A tabby cat" in shown
    assert "is a kind of" in shown
    assert "Similarity" not in shown


def test_a_notebook_shows_the_similarity_and_what_each_link_adds():
    shown = Similarity(CAT_PAIR, 3.96, (1.5, 2.25, 0.1, 0.11), (2.0, 2.5, 0.2, 0.3))._repr_html_()
    for expected in (
        "Similarity 3.96",
        "+2.25",
        "A tabby cat ↔ A cat",
        "Overall similarity: 4.0 of 5",
    ):
        assert expected in shown
    assert "Similarity 2.00" in explain(CAT_PAIR, 2.0)._repr_html_()


def test_a_list_of_pairs_is_a_table():
    table = show([replace(CAT_PAIR, id=str(number)) for number in range(25)])
    shown = table._repr_html_()
    assert shown.count("<details>") == 20
    assert "5 more of 25 pairs" in shown
    assert "1 EQUI, 1 SPE1, 2 NOALI" in shown
    assert "similarity</th>" not in shown
    assert show([explain(CAT_PAIR, 4.25)])._repr_html_().count(">4.25<") == 1
    assert len(show(CAT_PAIR)) == 1
    assert ists.show is show


def test_links_have_the_numbers_of_the_explanation():
    layout = lay_out(explain(chain(4, backwards=True)), 960)
    assert sorted(link.number for link in layout.links) == [1, 2, 3, 4]
    by_number = {link.number: link for link in layout.links}
    assert by_number[1].hint == explain(chain(4, backwards=True)).alignments[0].sentence
    assert [box.links for box in layout.boxes if box.box.side == 1] == [(1,), (2,), (3,), (4,)]


def test_statements_name_their_links():
    pair = replace(
        CAT_PAIR,
        sentence2=Sentence.of(["A", "cat", "soundly", "sleeps", "."]),
        alignments=(CAT_PAIR.alignments[0], replace(CAT_PAIR.alignments[1], chunk2=Chunk((4,)))),
    )
    assert [statement.links for statement in explain(pair).statements] == [(2,), (1,)]


def test_bytes_that_are_no_utf8_are_shown_as_the_replacement_character():
    assert displayed("caf\udce9\u00a0x\ty") == "caf\ufffd x\\ty"
    pair = replace(CAT_PAIR, id="\udcff", sentence1=Sentence.of(["caf\udce9"] * 5))
    for format_ in ("svg", "html"):
        assert "caf\ufffd" in render(pair, format_)
        assert "udce9" not in render(pair, format_)


def test_unaligned_chunks_look_different_by_label():
    alic, noali = RELATION_STYLES[Relation.ALIC], RELATION_STYLES[Relation.NOALI]
    assert alic.dashes != noali.dashes
    for theme in ("light", "dark"):
        for vision in VISIONS:
            one, other = (perceived(getattr(look, theme), vision) for look in (alic, noali))
            assert np.linalg.norm(one - other) > 10


def test_the_script_draws_with_the_measures_of_the_layout():
    measures = f"[{layouts.LINE}, {layouts.TAG_LINE}, {layouts.PADDING}, {layouts.LABEL_HEIGHT}]"
    assert f"labelHeight] = {measures};" in picture_script()
    assert layouts.NO_CHUNK in picture_script()


def test_pairs_of_the_same_id_have_different_fragments():
    assert fragment_ids(["1", "1", "a b"]) == ["pair-1", "pair-1~2", "pair-a%20b"]


@pytest.mark.parametrize(("format_", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_picture_can_be_exported(format_, start):
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    assert export(CAT_PAIR, format_).startswith(start)


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(ists.IstsError, match=r"PNG needs vl-convert-python.*ists\[pictures\]"):
        export(CAT_PAIR, "png")


def test_a_picture_too_high_for_a_page_is_rejected():
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    with pytest.raises(ists.IstsError, match=r"100 pairs make a picture .* choose fewer pairs"):
        export([CAT_PAIR] * 100, "pdf")
    with pytest.raises(ValueError, match="format is 'svg'"):
        export(CAT_PAIR, "svg")


def test_drawing_is_public_and_an_unknown_format_is_an_error():
    assert ists.render is render
    with pytest.raises(ValueError, match="format is 'png'"):
        render(CAT_PAIR, "png")


@pytest.mark.parametrize("format_", ["html", "svg"])
def test_the_bytes_are_the_same_in_every_process(format_):
    file = EXAMPLES / "gold.wa"
    script = "import ists, sys; print(ists.render(ists.read(sys.argv[1]), sys.argv[2]))"
    done = subprocess.run(
        [sys.executable, "-c", script, str(file), format_],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONHASHSEED": "7", "PATH": ""},
    )
    assert done.stdout.rstrip("\n") == render(ists.read(file), format_).rstrip("\n")


def hostile_pair() -> SentencePair:
    one = Sentence.of([HOSTILE, "</title></svg><script>alert(2)</script>"])
    two = Sentence.of(["{{ 7 * 7 }}", "\"&'"])
    return SentencePair(
        HOSTILE,
        one,
        two,
        (
            Alignment(Chunk((1,)), Chunk((1,)), Relation.SIMI, 2.0),
            Alignment(Chunk((2,)), Chunk((2,)), Relation.REL, 1.0),
        ),
    )


def test_whatever_a_sentence_holds_is_shown_as_text():
    page = render(hostile_pair(), title=HOSTILE)
    assert "<img" not in page
    assert page.count("<script") == 2  # the data and the page's own script
    svg = render(hostile_pair(), "svg")
    texts = [text.text for text in etree.fromstring(svg.encode()).iter(f"{SVG}text")]
    assert HOSTILE in texts
    assert "{{ 7 * 7 }}" in texts


@given(pairs())
def test_any_pair_a_file_may_hold_makes_a_well_formed_picture(pair):
    etree.fromstring(render(pair, "svg").encode())
    render(pair).encode()
    assert not touching(lay_out(explain(pair), 340))


@pytest.mark.parametrize("pairs", [None, ["A cat"], 5])
def test_what_is_no_pair_is_not_drawn(pairs):
    with pytest.raises(TypeError, match="expected a SentencePair"):
        render(pairs)
