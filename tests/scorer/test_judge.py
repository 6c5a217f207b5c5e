import io
from dataclasses import replace

import pytest

import scorer
from ists import FormatError, read, write
from scorer import annotations
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR, CAT_WA

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"


def as_file(tmp_path, text, name="x.wa"):
    file = tmp_path / name
    file.write_text(text)
    return file


def test_the_official_cases_agree_in_both_modes(shared, expected_cases):
    assert len(expected_cases) == 44
    for case in expected_cases:
        gold, system = (
            shared / "scorer-cases" / f"{case['name']}.{role}.wa" for role in ("gold", "sys")
        )
        for match in scorer.MATCHES:
            figures = [round(figure, 4) for figure in scorer.score(gold, system, match).f1]
            assert figures == (case[match] or [0, 0, 0, 0]), (case["name"], match)


def test_the_example_has_these_figures():
    """Computed by hand from the definition, pair by pair."""
    report = scorer.score(GOLD, SYSTEM)
    assert [round(figure, 4) for figure in report.f1] == [0.9846, 0.5692, 0.9108, 0.5569]


def test_paths_files_and_pairs_give_the_same_report():
    by_path = scorer.score(GOLD, SYSTEM)
    with GOLD.open("rb") as gold, SYSTEM.open() as system:
        by_file = scorer.score(gold, system)
    by_text = scorer.score(io.StringIO(GOLD.read_text()), SYSTEM)
    by_value = scorer.score(read(GOLD), list(read(SYSTEM)))
    assert by_path.f1 == by_file.f1 == by_text.f1 == by_value.f1
    assert by_path.label_counts == by_value.label_counts


def test_a_gold_file_is_loaded_once_for_many_systems():
    gold = scorer.load(GOLD)
    assert scorer.score(gold, SYSTEM).f1 == scorer.score(GOLD, SYSTEM).f1
    assert scorer.score(gold, GOLD).f1 == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("old", "new", "figures", "complaint"),
    [
        ("SPE1 // 4", "BOGUS // 4", (1, 0.5, 1, 0.5), "label 'BOGUS'"),
        ("SPE1 // 4", "spe1 // 4", (1, 1, 1, 1), "label 'spe1'"),
        ("SPE1 // 4", "SPE1 // NIL", (1, 1, 0.6, 0.6), "NIL as the score"),
        ("SPE1 // 4", "SPE1 // 9", (1, 1, 0.5, 0.5), "score 9"),
        ("SPE1 // 4", "SPE1 // 4x", (1, 1, 1, 1), "score '4x'"),
        ("1 2 3 <==> 1 2", "x <==> 1 2", (2 / 3, 2 / 3, 2 / 3, 2 / 3), "token 'x' is not a number"),
    ],
)
def test_irregularities_are_scored_and_reported(tmp_path, old, new, figures, complaint):
    words = CAT_WA.replace("1 2 3 <==> 1 2", "3 <==> 1 2").replace("4 <==> 3 4", "4 <==> 4")
    if "1 2 3" in old:
        old, new = "3 <==> 1 2 //", "x <==> 1 2 //"
    gold = as_file(tmp_path, words, "gold.wa")
    system = as_file(tmp_path, words.replace(old, new))
    report = scorer.score(gold, system)
    assert report.f1 == pytest.approx(figures)
    assert len(report.problems) >= 1
    assert complaint in str(report.problems[0])


def test_an_invalid_alignment_line_is_skipped_and_reported(tmp_path):
    system = as_file(tmp_path, CAT_WA.replace("</alignment>", "what is this\n</alignment>"))
    report = scorer.score([CAT_PAIR], system)
    assert report.f1 == (1, 1, 1, 1)
    assert "is not an alignment" in str(report.problems[0])


@pytest.mark.parametrize(
    "change",
    [
        ("// A tabby", "// <translation> A tabby"),
        ("<source>\n1 A", "<source>\n1 A"),
    ],
    ids=["a tag in the sentence", "as it is"],
)
def test_punctuation_belongs_to_its_own_sentence(tmp_path, change):
    longer = CAT_WA.replace("5 . : \n</source>", "5 . : \n6 ! : \n</source>").replace(*change)
    gold = as_file(tmp_path, longer, "gold.wa")
    assert scorer.load(gold).pairs == scorer.load(read(gold)).pairs


def test_sections_may_come_in_any_order(tmp_path):
    source = CAT_WA[CAT_WA.index("<source>") : CAT_WA.index("<translation>")]
    turned = CAT_WA.replace(source, "").replace("<alignment>", source + "<alignment>")
    gold = as_file(tmp_path, turned.replace("4 sleeps :", "4 , :"), "gold.wa")
    assert scorer.load(gold).pairs["1"].punctuation1 == {4, 5}
    assert scorer.load(gold).pairs["1"].punctuation2 == {5}


@pytest.mark.parametrize("score", ["9999999999", "1e999", "5.", "-3", "+4"])
def test_every_irregular_score_is_reported(tmp_path, score):
    system = as_file(tmp_path, CAT_WA.replace("SPE1 // 4", f"SPE1 // {score}"))
    assert "score" in str(scorer.score([CAT_PAIR], system).problems[0])


def test_a_second_alignment_section_is_reported(tmp_path):
    twice = CAT_WA.replace("</alignment>\n", "</alignment>\n<alignment>\n</alignment>\n")
    report = scorer.score([CAT_PAIR], as_file(tmp_path, twice))
    assert "a second <alignment> section" in str(report.problems[0])


def test_problems_of_given_pairs_are_reported():
    odd = replace(CAT_PAIR, alignments=(replace(CAT_PAIR.alignments[0], score=9.0),))
    assert "score 9" in str(scorer.score([CAT_PAIR], [odd]).problems[0])


def test_an_unknown_way_of_matching_is_rejected():
    with pytest.raises(ValueError, match="'Lenient', expected one of strict, lenient"):
        scorer.score(GOLD, SYSTEM, "Lenient")


@pytest.mark.parametrize("format_", ["jsonl", "xml"])
def test_other_formats_give_the_same_scores(tmp_path, format_):
    write(read(SYSTEM), tmp_path / f"system.{format_}")
    assert scorer.score(GOLD, tmp_path / f"system.{format_}").f1 == scorer.score(GOLD, SYSTEM).f1


def test_a_well_formed_file_has_no_problems():
    assert not scorer.score(GOLD, SYSTEM).problems


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CAT_WA.replace('id="1"', 'id="x"'), "none of its 1 pair ids is in"),
        (CAT_WA + CAT_WA, "pair 1: this id is already in the file"),
        ("", "no sentence pair found"),
        (CAT_WA[:300], "truncated"),
    ],
)
def test_files_that_cannot_be_scored_are_rejected(tmp_path, text, words):
    with pytest.raises(FormatError, match=words):
        scorer.score(as_file(tmp_path, CAT_WA, "gold.wa"), as_file(tmp_path, text))


def test_no_pairs_at_all_are_rejected():
    with pytest.raises(FormatError, match="no sentence pair to score"):
        scorer.score([], [CAT_PAIR])


def test_the_signature_names_data_options_and_version():
    signature = scorer.score(GOLD, SYSTEM, "lenient").signature(seed=7)
    assert signature.startswith("ists|data:gold.wa#")
    assert "|pairs:8|match:lenient|seed:7|version:" in signature


@pytest.mark.parametrize("comment", ["", "//", "// a", "// a // b", "///", "//// SIMI // 3 //"])
def test_lines_are_read_the_same_whatever_was_read_before(tmp_path, monkeypatch, comment):
    monkeypatch.setattr(annotations, "_known", {})
    line = "4 <==> 3 4 // EQUI // 5 // sleeps <==> is sleeping"
    odd = f"4 <==> 3 4 // EQUI // 5 {comment}"
    file = as_file(tmp_path, CAT_WA.replace(line, odd))
    first = scorer.load(file)
    scorer.load(as_file(tmp_path, CAT_WA, "usual.wa"))
    assert scorer.load(file) == first
