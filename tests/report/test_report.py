import json
import re
from dataclasses import replace

import pytest

import ists
import scorer
from ists.pairs import Alignment, Chunk, Evidence, Relation, Sentence, SentencePair
from ists.report import compile_report, render
from ists.report.charts import length_charts
from ists.spool import Spool
from scorer.calibration import Reliability, link_decisions
from scorer.report import Totals
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
    assert contents.signature in page


def test_the_length_classes_hold_every_pair_once_and_judge_by_the_same_counts(contents):
    assert sum(length.pairs for length in contents.lengths) == 8
    longest = contents.lengths[-1]
    assert longest.name == "9 to 12 tokens"
    assert longest.totals[0] == Totals.of(scorer.score(GOLD, SYSTEM).pairs[:1])


def test_every_pair_is_there_with_marks_on_both_sides(page):
    data = data_of(page)
    assert [pair["id"] for pair in data["pairs"]] == [str(n) for n in range(1, 9)]
    third = data["pairs"][2]
    assert third["gold"]["lines"][1][:5] == ["climb", "tumble", "OPPO", "4", 2]
    assert third["systems"][0]["picture"]["lines"][1][:5] == ["climb", "tumble", "SIMI", "3", 2]
    assert "opposite" in third["gold"]["lines"][1][5]
    assert third["systems"][1]["same"]
    assert third["systems"][1]["picture"] is None
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
    assert found[0]["systems"][0]["picture"] is None
    assert not found[0]["systems"][0]["same"]
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
    (line,) = found["systems"][0]["picture"]["lines"]
    assert line[:5] == ["climb", "tumble", "SIMI", "3", 1]


def test_odd_lines_count_as_the_scorer_counts_them(tmp_path):
    odd = tmp_path / "odd.wa"
    odd.write_bytes(SYSTEM.read_bytes().replace(b"SIMI // 3 // climb", b"NONS\xe9 // 3 // climb"))
    contents = compile_report(GOLD, [odd], bootstrap=10)
    assert contents.reports[0].f1 == scorer.score(GOLD, odd).f1
    page = render(contents)
    assert "NONS" in page
    page.encode()
    assert "NONS\ufffd" in page  # the invalid byte


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
        assert outside not in page.replace("http://www.w3.org/2000/svg", "")


def test_systems_of_one_name_are_told_apart_by_their_paths(tmp_path):
    twin = tmp_path / "system.wa"
    twin.write_bytes(SYSTEM.read_bytes())
    assert compile_report(GOLD, [SYSTEM, twin], bootstrap=10, trials=10).names == (
        str(SYSTEM),
        str(twin),
    )


def renumbered(file, target, order):
    """The pairs of a file in another order."""
    pairs = list(ists.read(file))
    ists.write([pairs[place] for place in order], target)
    return target


def test_the_worst_pairs_are_shown_and_the_figures_cover_all(contents):
    few = compile_report(GOLD, [SYSTEM, GOLD], bootstrap=50, trials=50, most=3)
    assert few.reports == contents.reports
    assert few.intervals == contents.intervals
    assert few.comparisons == contents.comparisons
    assert few.lengths == contents.lengths
    assert few.agreements == contents.agreements
    assert few.signature == contents.signature
    figures = {pair.id: pair.f1.type_score for pair in scorer.score(GOLD, SYSTEM).pairs if pair.f1}
    worst = sorted(figures, key=figures.get)[:3]
    page = render(few)
    assert [pair["id"] for pair in data_of(page)["pairs"]] == sorted(worst, key=int)
    assert (few.pairs, few.left_out, data_of(page)["left_out"]) == (8, 5, 5)
    assert (
        "Shown are the 3 pairs with the lowest Typ+Sco of any system; 5 of 8 are left out" in page
    )
    assert "Every pair" not in page


def test_nothing_is_said_to_be_left_out_where_all_is_shown(contents, page):
    assert contents.left_out == data_of(page)["left_out"] == 0
    assert "are left out (" not in page
    assert data_of(render(compile_report(GOLD, [SYSTEM], bootstrap=5, most=0)))["pairs"] == []


def test_all_pairs_can_wait_in_a_file(contents, page):
    with Spool() as spool:
        spooled = compile_report(
            GOLD, [SYSTEM, GOLD], bootstrap=50, trials=50, most=None, records=spool
        )
        assert render(spooled) == page


def test_the_order_of_a_system_file_does_not_matter(tmp_path, contents):
    other = renumbered(SYSTEM, tmp_path / "system.wa", [7, 2, 0, 1, 6, 5, 4, 3])
    found = compile_report(GOLD, [other, GOLD], bootstrap=50, trials=50)
    assert found.reports[0].f1 == pytest.approx(contents.reports[0].f1)
    assert found.intervals == contents.intervals
    assert found.comparisons[0].result.p == contents.comparisons[0].result.p
    assert (found.comparisons[0].better, found.comparisons[0].worse) == (
        contents.comparisons[0].better,
        contents.comparisons[0].worse,
    )
    assert data_of(render(found)) == data_of(render(contents))


def test_intervals_and_tests_are_those_of_the_scorer(contents):
    from scorer import resampling

    reports = [scorer.score(GOLD, file) for file in (SYSTEM, GOLD)]
    assert list(contents.intervals) == [resampling.bootstrap(report, 50) for report in reports]
    assert contents.comparisons[0].result == resampling.compare(*reports, trials=50)


def test_the_agreement_is_that_of_two_annotators(contents):
    from scorer.agreement import agree

    report = agree(ists.read(GOLD), ists.read(SYSTEM))
    assert contents.agreements[0].figures() == report.figures()


def test_missing_and_unknown_pairs_keep_their_figures(tmp_path):
    pairs = list(ists.read(SYSTEM))
    other = tmp_path / "other.wa"
    strangers = [
        SentencePair(f"s{n}", p.sentence1, p.sentence2, p.alignments)
        for n, p in enumerate(pairs[:2])
    ]
    ists.write([strangers[0], *pairs[3:], strangers[1]], other)
    contents = compile_report(GOLD, [other, SYSTEM], bootstrap=50, trials=50)
    report = scorer.score(GOLD, other)
    assert contents.reports[0].f1 == pytest.approx(report.f1)
    assert contents.reports[0].missing == report.missing == ("1", "2", "3")
    assert contents.reports[0].unknown == report.unknown == ("s0", "s1")
    assert contents.pairs == 10


def test_a_file_of_other_pairs_is_rejected(tmp_path):
    pairs = [SentencePair("x", p.sentence1, p.sentence2) for p in list(ists.read(GOLD))[:1]]
    other = tmp_path / "other.wa"
    ists.write(pairs, other)
    with pytest.raises(ists.FormatError, match="none of its 1 pair ids is in"):
        compile_report(GOLD, [other], bootstrap=5)


def test_weights_and_ids_that_are_whole_numbers_have_no_decimal(tmp_path):
    source = tmp_path / "gold.jsonl"
    ists.write([replace(pair, id=f"{pair.id}.0") for pair in ists.read(GOLD)], source)
    page = render(compile_report(source, [source], bootstrap=5))
    assert [pair["id"] for pair in data_of(page)["pairs"]] == [str(n) for n in range(1, 9)]
    assert "weight 10 in the gold" in page
    assert not re.search(r">[0-9]+\.0<", page)


def with_confidences(file, target, link=0.9, label=0.7):
    """The pairs of a file with the same confidence on each link."""
    ists.write(
        [
            replace(
                pair,
                alignments=tuple(
                    replace(one, evidence=Evidence(link if one.is_link else None, label))
                    for one in pair.alignments
                ),
            )
            for pair in ists.read(file)
        ],
        target,
    )
    return target


def test_confidences_are_compared_with_the_gold(tmp_path, contents, page):
    sure = with_confidences(SYSTEM, tmp_path / "sure.jsonl")
    found = compile_report(GOLD, [sure, SYSTEM], bootstrap=5, trials=5)
    pairs = zip(ists.read(GOLD), ists.read(sure), strict=True)
    expected = Reliability.of(one for pair in pairs for one in link_decisions(*pair))
    assert found.calibrations[0].link == expected
    assert found.calibrations[0].link.total.count == 20
    assert not found.calibrations[1]
    report = render(found)
    assert report.count("ECE 0.") == 4  # links and labels, in the caption and for screen readers
    assert "Confidence: link 0.90, label 0.70." in report
    assert not contents.calibrations[0]
    assert 'id="calibration"' not in page


def test_a_chart_for_each_measure_has_a_point_for_each_length_and_system(contents, page):
    charts = length_charts(contents.lengths, contents.names)
    assert [chart.title for chart in charts] == ["F1 Ali", "F1 Type", "F1 Score", "F1 Typ+Sco"]
    assert [name for _, name in charts[0].ticks] == ["≤5", "6–8", "9–12"]
    assert all(len(line) == 3 for chart in charts for line in chart.lines)
    assert page.count("<polyline") == 8
    assert charts[3].lines[0][1].note == "system.wa, 6 to 8 tokens: 0.576 (5 pairs)"


def test_a_notebook_shows_the_four_f1(contents):
    shown = contents._repr_html_()
    assert '<th scope="row">system.wa</th><td>0.9846</td>' in shown
