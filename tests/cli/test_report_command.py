import pytest

from tests.conftest import EXAMPLES
from tests.large import many_pairs, memory_of, shown_at_terminal

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
FEW = ("--bootstrap", "20", "--trials", "20")


def test_a_report_is_written(ists, tmp_path):
    target = tmp_path / "report.html"
    assert ists("report", GOLD, SYSTEM, GOLD, "-o", target, "--title", "Two", *FEW).code == 0
    assert "<title>Two</title>" in target.read_text()


def test_missing_pairs_are_named(ists, tmp_path):
    shorter, target = tmp_path / "shorter.wa", tmp_path / "report.html"
    text = SYSTEM.read_text()
    shorter.write_text(text[: text.index('<sentence id="8"')])
    outcome = ists("report", GOLD, shorter, "-o", target, *FEW)
    assert outcome.code == 0
    assert outcome.err == ists("score", GOLD, shorter).err
    assert "lacks 1 of the gold's pairs, counted as unaligned: 8" in outcome.err


def test_other_pairs_and_other_tokens_are_named_as_the_scorer_names_them(ists, tmp_path):
    other = tmp_path / "other.wa"
    text = SYSTEM.read_text().replace('id="8"', 'id="88"').replace('id="3"', 'id="x"')
    other.write_text(text.replace('id="2"', 'id="3"').replace('id="x"', 'id="2"'))
    outcome = ists("report", GOLD, other, "-o", tmp_path / "report.html", *FEW)
    assert outcome.code == 0
    assert outcome.err == ists("score", GOLD, other).err
    assert "pair 3: the tokens are not those of" in outcome.err
    assert len(outcome.err.splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([GOLD, "no.wa"], 1, "no.wa: no such file"),
        (["-", "-"], 2, "only one of the files can be standard input"),
        ([GOLD], 2, "Missing argument"),
    ],
)
def test_bad_input_leaves_no_report(ists, tmp_path, arguments, code, message):
    target = tmp_path / "report.html"
    outcome = ists("report", *arguments, "-o", target)
    assert outcome.code == code
    assert message in outcome.err
    assert not target.exists()


def test_an_ending_that_is_not_written_is_rejected(ists, tmp_path):
    outcome = ists("report", GOLD, SYSTEM, "-o", tmp_path / "report.pdf")
    assert outcome.code == 2
    assert "ends in '.pdf', expected .html" in outcome.err
    assert not list(tmp_path.iterdir())


def test_odd_lines_are_reported_as_the_scorer_reports_them(ists, tmp_path):
    odd = tmp_path / "odd.wa"
    odd.write_text(SYSTEM.read_text().replace("<==>", "<=>", 1))
    for files in ((GOLD, odd), (odd, GOLD)):
        outcome = ists("report", *files, "-o", tmp_path / "report.html", *FEW)
        assert outcome.code == 0
        (line,) = outcome.err.splitlines()
        assert line.startswith(f"warning: {odd}:")
        assert "is not an alignment" in line


@pytest.mark.parametrize(
    ("given", "shown"), [((), 8), (("--pairs", "3"), 3), (("--pairs", "all"), 8)]
)
def test_so_many_pairs_are_shown(ists, tmp_path, given, shown):
    target = tmp_path / "report.html"
    assert ists("report", GOLD, SYSTEM, "-o", target, *FEW, *given).code == 0
    assert target.read_text().count('"gold_marks"') == shown


@pytest.mark.parametrize("given", ["-1", "many", "", "1.5"])
def test_a_number_of_pairs_is_a_number(ists, tmp_path, given):
    outcome = ists("report", GOLD, SYSTEM, "-o", tmp_path / "r.html", "--pairs", given)
    assert outcome.code == 2
    assert "is no number, expected one or 'all'" in outcome.err


def test_a_thousand_pairs_are_shown_unless_more_are_asked_for(ists, tmp_path):
    files, target = many_pairs(tmp_path, 1100), tmp_path / "report.html"
    assert ists("report", *files, "-o", target, *FEW).code == 0
    page = target.read_text()
    assert page.count('"gold_marks"') == 1000
    assert "100 of 1100 are left out" in page
    assert ists("report", *files, "-o", target, *FEW, "--pairs", "all").code == 0
    assert target.read_text().count('"gold_marks"') == 1100


def test_memory_does_not_grow_with_the_files(tmp_path):
    target = tmp_path / "report.html"
    for shown in ("100", "all"):
        small, large = (
            memory_of("report", *many_pairs(tmp_path, n), "-o", target, *FEW, "--pairs", shown)
            for n in (400, 4000)
        )
        assert large - small < 20_000


def test_a_person_at_a_terminal_sees_how_far_it_has_come(tmp_path):
    files, target = many_pairs(tmp_path, 600), tmp_path / "report.html"
    assert "report: 500 of 600, " in shown_at_terminal("report", *files, "-o", target, *FEW)


def test_many_odd_lines_are_counted(ists, tmp_path):
    odd, target = tmp_path / "odd.wa", tmp_path / "report.html"
    odd.write_text(SYSTEM.read_text().replace("// EQUI //", "// ODD //"))
    total = SYSTEM.read_text().count("// EQUI //")
    outcome = ists("report", GOLD, odd, "-o", target, *FEW)
    assert outcome.err.splitlines()[-1] == f"warning: {total} such problems in all"
