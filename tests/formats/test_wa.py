import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import FormatError, read, write
from ists.formats import scan, wa
from ists.formats.problems import valid_pairs
from ists.pairs import Alignment, Chunk, Relation
from tests.samples import CAT_PAIR, CAT_WA


def read_text(text: str | bytes, edition="2015"):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return list(valid_pairs(wa.scan(io.BytesIO(data), "x.wa"), edition))


def written(pairs) -> bytes:
    stream = io.BytesIO()
    wa.write(pairs, stream)
    return stream.getvalue()


def test_a_pair_is_read():
    assert read_text(CAT_WA) == [CAT_PAIR]


def test_a_pair_is_written_in_the_official_layout():
    assert written([CAT_PAIR]) == CAT_WA.encode()


@pytest.mark.parametrize(
    "layout",
    [
        CAT_WA.replace("\n", "\r\n"),
        "\n\n" + CAT_WA,
        CAT_WA.rstrip(),
        CAT_WA.replace("EQUI // 5 //", "  EQUI\t //  5.0 //"),
        CAT_WA.replace("is sleeping \n", "is // sleeping <==> x\n"),
        "\ufeff" + CAT_WA,
    ],
    ids=["crlf", "blank lines before", "no end of line", "tabs", "signs in comments", "bom"],
)
def test_unusual_layout_is_read_and_written_back_byte_by_byte(layout):
    assert written(read_text(layout)) == layout.encode()


def test_invalid_utf8_is_preserved():
    data = CAT_WA.encode().replace(b"tabby", b"t\xe2bby")
    assert written(read_text(data)) == data


def test_a_changed_pair_is_not_written_with_its_old_lines():
    (pair,) = read_text(CAT_WA)
    changed = replace(pair, alignments=pair.alignments[:1])
    assert b"EQUI" not in written([changed])
    assert b"SPE1" in written([changed])


def test_only_the_id_and_the_alignments_are_needed():
    (pair,) = read_text('<sentence id="7">\n<alignment>\n1 <==> 2 // REL // 2\n</alignment>\n')
    assert pair.id == "7"
    assert pair.sentence1.tokens is None
    assert pair.alignments == (Alignment(Chunk((1,)), Chunk((2,)), Relation.REL, 2.0),)


def test_a_sentence_may_contain_the_formats_tags():
    text = CAT_WA.replace("// A tabby", '// <alignment> <sentence id="2"> A tabby')
    assert len(read_text(text)) == 1


def test_gaps_and_many_to_many_are_read():
    text = CAT_WA.replace("1 2 3 <==> 1 2", "1 3 <==> 1 2 3")
    assert read_text(text)[0].alignments[0].chunk1 == Chunk((1, 3))


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("SPE1", "WRONG", 19, "label 'WRONG'"),
        ("SPE1", "equi", 19, "label 'equi'"),
        ("SPE1", "EQUI_SIMI", 19, "exactly one"),
        ("SPE1", "FACT", 19, "exactly one"),
        ("SPE1 // 4", "SPE1 // 7", 19, "score 7"),
        ("SPE1 // 4", "SPE1 // good", 19, "score 'good'"),
        ("SPE1 // 4", "SPE1 // nan", 19, "score 'nan'"),
        ("SPE1 // 4", "SPE1 // NIL", 19, "NIL as the score"),
        ("1 2 3 <==>", "0 2 3 <==>", 19, "token 0 inside a chunk"),
        ("1 2 3 <==>", "1 2 99 <==>", 19, "token 99 is past the end of sentence 1"),
        ("1 2 3 <==>", "x <==>", 19, "token 'x' is not a number"),
        ("1 2 3 <==>", "-1 <==>", 19, "token '-1' is not a number"),
        ("1 2 3 <==>", "<==>", 19, "no token on one side"),
        ("<==> 1 2 //", "1 2 //", 19, "is not an alignment"),
        ("// NOALI // NIL // .", "// SIMI // 3 // .", 21, "SIMI on an unaligned chunk"),
        ("3 cat : ", "4 cat : ", 7, "token number 4, expected 3"),
        ("3 cat : ", "cat", 7, "is not a token line"),
        ("<source>", "<sauce>", 4, "unexpected line '<sauce>'"),
        ('<sentence id="1"', "<sentence ", 1, "expected <sentence id="),
    ],
)
def test_an_invalid_line_is_named(old, new, line, words):
    with pytest.raises(FormatError) as error:
        read_text(CAT_WA.replace(old, new, 1))
    assert error.value.line == line
    assert words in str(error.value)
    assert str(error.value).startswith(f"x.wa:{line}: ")


def test_the_2016_edition_ignores_the_sentence_length():
    text = CAT_WA.replace("1 2 3 <==>", "1 2 99 <==>")
    assert read_text(text, edition="2016")[0].alignments[0].chunk1 == Chunk((1, 2, 99))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no sentence pair found"),
        ("\n\n", "no sentence pair found"),
        ("hello\n" + CAT_WA, "x.wa:1: expected <sentence id="),
        ("\n1 <==> 1 // EQUI // 5 // a <==> a\n" + CAT_WA, "x.wa:2: an alignment before any"),
        (CAT_WA[: CAT_WA.index("</alignment>")], "x.wa:1: pair 1: no </alignment>"),
        (CAT_WA[: CAT_WA.index("<alignment>")], "x.wa:1: pair 1: no <alignment> section"),
        (CAT_WA + CAT_WA, "x.wa:27: pair 1: this id is already in the file"),
    ],
    ids=["empty", "blank", "prose", "orphan", "truncated", "cut early", "repeated id"],
)
def test_a_broken_file_is_rejected(text, words):
    with pytest.raises(FormatError) as error:
        read_text(text)
    assert words in str(error.value)


def test_blocks_are_independent_of_the_read_size(monkeypatch):
    text = "".join(CAT_WA.replace('id="1"', f'id="{n}"') for n in range(1, 6))
    whole = read_text(text)
    for size in (1, 2, 7, 64, 333):
        monkeypatch.setattr(wa, "_READ_SIZE", size)
        assert read_text(text) == whole
        assert written(read_text(text)) == text.encode()


def test_endless_text_without_a_pair_is_rejected_early(monkeypatch):
    monkeypatch.setattr(wa, "_LARGEST_BLOCK", 1000)
    monkeypatch.setattr(wa, "_READ_SIZE", 100)
    with pytest.raises(FormatError, match="this is no"):
        read_text(" " * 5000)


@pytest.mark.parametrize("token", ["", "a b", "a\tb", "a\nb"])
def test_tokens_the_format_cannot_hold_are_rejected(token):
    sentence = replace(CAT_PAIR.sentence1, tokens=(token,))
    with pytest.raises(FormatError, match="cannot hold the token"):
        written([replace(CAT_PAIR, sentence1=sentence)])


def test_text_the_format_cannot_hold_is_rejected():
    with pytest.raises(FormatError, match="cannot hold the id"):
        written([replace(CAT_PAIR, id='say "hi"')])


def test_every_official_file_is_written_back_byte_by_byte(shared, tmp_path):
    files = sorted(shared.glob("ists201*/train/*.wa"))
    assert len(files) == 3
    for file in files:
        write(read(file), tmp_path / "back.wa")
        assert (tmp_path / "back.wa").read_bytes() == file.read_bytes()


def test_every_official_file_keeps_its_values_in_every_format(shared, tmp_path):
    for file in sorted(shared.glob("ists201*/train/*.wa")):
        pairs = list(read(file))
        for format_ in ("jsonl", "xml"):
            there, back = tmp_path / f"there.{format_}", tmp_path / "back.wa"
            write(pairs, there)
            write(read(there), back)
            assert list(read(back)) == pairs


def test_scorer_cases_well_formed_in_2016_keep_their_values(shared, tmp_path, expected_cases):
    sound = [case["name"] for case in expected_cases if case["wellformed2016"]]
    assert len(sound) == 38
    for name in sound:
        for role in ("gold", "sys"):
            file = shared / "scorer-cases" / f"{name}.{role}.wa"
            pairs = list(read(file, edition="2016"))
            # Without their origin, pairs are rendered instead of copied.
            fresh = [replace(pair, origin=None) for pair in pairs]
            write(fresh, tmp_path / "back.wa", edition="2016")
            assert list(read(tmp_path / "back.wa", edition="2016")) == pairs
            write(pairs, tmp_path / "copy.wa", edition="2016")
            assert (tmp_path / "copy.wa").read_bytes() == file.read_bytes()


def test_an_invalid_block_does_not_hide_problems_of_the_next(tmp_path):
    file = tmp_path / "three.wa"
    unclosed = CAT_WA.replace("</alignment>\n", "")
    headless = CAT_WA.replace('<sentence id="1"', "<sentence number=1")
    third = CAT_WA.replace('id="1"', 'id="3"').replace("SPE1", "WRONG")
    file.write_text(unclosed + headless + third)
    reasons = [problem.reason for item in scan(file) for problem in item.problems]
    assert reasons[0] == "no </alignment>, the file may be truncated"
    assert any(reason.startswith("expected <sentence id=") for reason in reasons)
    assert reasons[-1].startswith("label 'WRONG'")


def test_a_repeated_section_is_a_problem():
    twice = CAT_WA.replace("</alignment>\n", "</alignment>\n<alignment>\n</alignment>\n")
    with pytest.raises(FormatError, match="a second <alignment> section"):
        read_text(twice)


def test_text_full_of_tags_is_read_in_linear_time():
    noise = "<sentence " * 100_000
    assert len(read_text(CAT_WA.replace("sleeps .\n", f"{noise}\n", 1))) == 1


def test_a_sentence_2_without_a_sentence_1_is_rejected():
    lonely = replace(CAT_PAIR, sentence1=replace(CAT_PAIR.sentence1, text=None))
    with pytest.raises(FormatError, match="sentence 2 without sentence 1"):
        written([lonely])


def test_scanning_continues_after_a_problem(tmp_path):
    file = tmp_path / "two.wa"
    broken = CAT_WA.replace("SPE1", "WRONG").replace("EQUI // 5", "EQUI // x")
    file.write_text(broken + CAT_WA.replace('id="1"', 'id="2"'))
    first, second = scan(file)
    assert [problem.line for problem in first.problems] == [19, 20]
    assert not second.problems


_ODD = (
    *("", "<", "\n", "\r\n", "//", "<alignment>\n", "\n</source>\n", "\n</alignment>", " ", "x\n"),
    "<alignment>",
)


@given(st.integers(0, len(CAT_WA)), st.sampled_from(_ODD), st.integers(0, 12))
def test_sections_are_the_same_in_one_step_and_one_by_one(at, odd, dropped):
    text = CAT_WA[:at] + odd + CAT_WA[at + dropped :]
    try:
        (block,) = wa.blocks(io.BytesIO(text.encode()), "x.wa")
    except (FormatError, ValueError):  # text before the first block, or two blocks
        return
    plain = block._replace(usual=None)
    assert block.has_one_alignment_section == plain.has_one_alignment_section
    for name in ("source", "translation", "alignment"):
        assert block.section(name) == plain.section(name)


def test_a_header_with_the_name_of_a_section_is_not_the_usual_layout():
    text = CAT_WA.replace('status="', 'status="<alignment>', 1)
    (block,) = wa.blocks(io.BytesIO(text.encode()), "x.wa")
    assert not block.has_one_alignment_section


def test_the_usual_layout_is_recognised():
    (block,) = wa.blocks(io.BytesIO(CAT_WA.encode()), "x.wa")
    assert block.usual is not None
