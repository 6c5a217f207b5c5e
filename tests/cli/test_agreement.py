import json

import pytest

from ists import read
from tests.conftest import EXAMPLES
from tests.large import many_pairs, memory_of, shown_at_terminal

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"


def test_the_figures_and_the_disagreements_are_printed(ists):
    outcome = ists("agreement", GOLD, SYSTEM, "--disagreements", "2")
    assert outcome.code == 0
    assert "relations, Cohen's kappa             0.3793" in outcome.out
    assert "Disagreements, 2 of 13 shown" in outcome.out
    assert "on the warm roof <==> on a roof // EQUI // 5" in outcome.out
    assert "13 of 13 shown" in ists("agreement", GOLD, SYSTEM, "--all").out


def test_json_has_everything_unrounded(ists):
    record = json.loads(ists("agreement", GOLD, SYSTEM, "--format", "json").out)
    assert record["relations"]["kappa"] == pytest.approx(11 / 29)
    assert len(record["disagreements"]) == 13


def test_a_file_may_come_by_pipe_in_another_format(ists, tmp_path):
    converted = tmp_path / "system.jsonl"
    ists("convert", SYSTEM, converted)
    outcome = ists("agreement", GOLD, converted)
    assert outcome.code == 0
    assert "0.3793" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-", "-"], 2, "only one of the files can be standard input"),
        ([GOLD, "no.wa"], 1, "no.wa: no such file"),
    ],
)
def test_wrong_usage_and_bad_files_end_in_one_line(ists, arguments, code, message):
    outcome = ists("agreement", *arguments)
    assert outcome.code == code
    assert message in outcome.err


def test_pairs_in_one_file_only_are_named(ists, tmp_path):
    shorter = tmp_path / "shorter.wa"
    text = GOLD.read_text()
    shorter.write_text(text[: text.index('<sentence id="7"')])
    outcome = ists("agreement", GOLD, shorter)
    assert "warning: 2 pairs are only in" in outcome.err
    assert outcome.err.rstrip().endswith("7, 8")


def test_json_is_the_same_streamed_or_at_once(ists):
    from scorer.agreement import agree

    report = agree(read(GOLD), read(SYSTEM), (str(GOLD), str(SYSTEM)))
    out = ists("agreement", GOLD, SYSTEM, "--format", "json").out
    assert out == json.dumps(report.to_dict(), indent=2) + "\n"
    alike = ists("agreement", GOLD, GOLD, "--format", "json").out
    assert json.loads(alike)["disagreements"] == []


def test_all_disagreements_are_the_same_streamed_or_at_once(ists):
    from scorer.agreement import agree

    report = agree(read(GOLD), read(SYSTEM), (str(GOLD), str(SYSTEM)))
    assert ists("agreement", GOLD, SYSTEM, "--all").out == report.render() + "\n"


def test_memory_does_not_grow_with_the_files(tmp_path):
    """Ten times the pairs: a few megabytes more, for ids and scores."""
    small, large = (memory_of("agreement", *many_pairs(tmp_path, n)) for n in (400, 4000))
    assert large - small < 12_000


def test_a_person_at_a_terminal_sees_how_far_it_has_come(tmp_path):
    shown = shown_at_terminal("agreement", *many_pairs(tmp_path, 600))
    assert "agreement: 500 of 600, " in shown
    assert shown.rstrip().endswith("\x1b[K")


def test_three_files_have_an_alpha_and_are_compared_in_twos(ists):
    outcome = ists("agreement", GOLD, SYSTEM, GOLD)
    assert outcome.code == 0
    assert "Krippendorff's alpha, 3 annotators, 8 pairs" in outcome.out
    record = json.loads(ists("agreement", GOLD, SYSTEM, GOLD, "--format", "json").out)
    assert len(record["pairwise"]) == 3
    assert record["alpha"]["links"]["alpha"] == pytest.approx(record["alpha"]["links"]["alpha"])


def test_a_page_of_disagreements_is_written(ists, tmp_path):
    page = tmp_path / "page.html"
    assert ists("agreement", GOLD, SYSTEM, "--html", page).code == 0
    text = page.read_text()
    assert "13 disagreements" in text
    assert "14 rescued &lt;==&gt; 11 saved // SIMI // 4" in text
    assert "<script" not in text
    assert ists("agreement", GOLD, "--html", page).code == 2
    assert ists("agreement", GOLD, "-", "--html", page).code == 2


def test_unfinished_pairs_are_named(ists, tmp_path):
    begun = tmp_path / "begun.wa"
    begun.write_text(GOLD.read_text().replace('id="3" status=""', 'id="3" status="unfinished"'))
    outcome = ists("agreement", GOLD, begun)
    assert "warning: 1 pairs are not finished in both files: 3" in outcome.err
