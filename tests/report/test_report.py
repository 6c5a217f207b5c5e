import json
import re

import pytest

import ists
import scorer
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair
from ists.report import compile_report, render
from tests.conftest import EXAMPLES

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def contents():
    return compile_report(GOLD, [SYSTEM, GOLD], bootstrap=50, trials=50)


@pytest.fixture(scope="module")
def page(contents):
    return render(contents)


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def test_the_figures_are_those_of_the_scorer(contents, page):
    assert contents.reports[0].f1 == scorer.score(GOLD, SYSTEM).f1
    assert "0.985" in page
    assert contents.summary.signature in page


def test_the_length_classes_hold_every_pair_once_and_judge_by_the_same_counts(contents):
    assert sum(length.pairs for length in contents.lengths) == 8
    longest = contents.lengths[-1]
    assert longest.name == "9 to 12 tokens"
    assert longest.reports[0].pairs == contents.reports[0].pairs[:1]


def test_every_pair_is_there_with_marks_on_both_sides(page):
    data = data_of(page)
    assert [pair["id"] for pair in data["pairs"]] == [str(n) for n in range(1, 9)]
    third = data["pairs"][2]
    assert third["gold"][1] == ["climb", "tumble", "OPPO", "4"]
    assert third["systems"][0]["lines"][1] == ["climb", "tumble", "SIMI", "3"]
    assert third["systems"][0]["marks"][1] == third["systems"][0]["gold_marks"][1] == "near"
    assert set(third["systems"][1]["marks"]) == {"hit"}
    assert ["OPPO", "SIMI"] in third["systems"][0]["cells"]


def test_a_pair_that_neither_file_aligns_has_no_f1(page):
    assert data_of(page)["pairs"][7]["systems"][0]["f1"] is None


def test_a_pair_the_system_lacks_or_has_alone_is_shown(tmp_path):
    pairs = list(ists.read(SYSTEM))
    other = tmp_path / "other.wa"
    stranger = SentencePair("extra", pairs[0].sentence1, pairs[0].sentence2, pairs[0].alignments)
    ists.write([*pairs[1:], stranger], other)
    found = data_of(render(compile_report(GOLD, [other], bootstrap=10)))["pairs"]
    assert found[0]["systems"][0]["lines"] is None
    assert set(found[0]["systems"][0]["gold_marks"]) == {"miss"}
    assert found[-1]["id"] == "extra"
    assert found[-1]["gold"] is None


def test_a_system_file_without_sentences_is_shown_in_the_gold_s_words(tmp_path):
    bare = tmp_path / "bare.wa"
    bare.write_text(
        '<sentence id="3" status="">\n<alignment>\n'
        "2 <==> 2 // SIMI // 3 // x\n</alignment>\n</sentence>\n"
    )
    found = data_of(render(compile_report(GOLD, [bare], bootstrap=10)))["pairs"][2]
    assert found["systems"][0]["lines"] == [["climb", "tumble", "SIMI", "3"]]


def test_odd_lines_count_as_the_scorer_counts_them(tmp_path):
    odd = tmp_path / "odd.wa"
    odd.write_bytes(SYSTEM.read_bytes().replace(b"SIMI // 3 // climb", b"NONS\xe9 // 3 // climb"))
    contents = compile_report(GOLD, [odd], bootstrap=10)
    assert contents.reports[0].f1 == scorer.score(GOLD, odd).f1
    page = render(contents)
    assert "NONS" in page
    page.encode()  # the broken byte is shown as an escape


def hostile_file(folder):
    file = folder / "hostile.jsonl"
    sentence = Sentence.of(HOSTILE.split())
    chunk = Chunk(tuple(range(1, len(sentence.words) + 1)))
    pair = SentencePair(
        "<b>1</b>", sentence, sentence, (Alignment(chunk, chunk, Relation.EQUI, 5.0),)
    )
    ists.write([pair], file)
    return file


def test_whatever_a_file_holds_stays_data(tmp_path):
    file = hostile_file(tmp_path)
    page = render(compile_report(file, [file], bootstrap=10), title=HOSTILE)
    assert "<img" not in page
    assert "<b>1" not in page
    assert page.count("</script>") == 2
    assert data_of(page)["pairs"][0]["sentences"][0] == HOSTILE


def test_the_page_is_one_file_and_the_same_every_time(contents, page):
    assert render(contents) == page
    for outside in ("http://", "https://", "@import", " src=", "url("):
        assert outside not in page


def test_systems_of_one_name_are_told_apart_by_their_paths(tmp_path):
    twin = tmp_path / "system.wa"
    twin.write_bytes(SYSTEM.read_bytes())
    assert compile_report(GOLD, [SYSTEM, twin], bootstrap=10, trials=10).names == (
        str(SYSTEM),
        str(twin),
    )
