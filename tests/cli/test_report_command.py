import pytest

from tests.conftest import EXAMPLES

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
    assert "shorter.wa: lacks pairs 8" in outcome.err


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


def test_an_ending_that_is_not_written_is_refused(ists, tmp_path):
    outcome = ists("report", GOLD, SYSTEM, "-o", tmp_path / "report.pdf")
    assert outcome.code == 2
    assert "ends in '.pdf', expected .html" in outcome.err
    assert not list(tmp_path.iterdir())


def test_odd_lines_are_told_as_the_scorer_tells_them(ists, tmp_path):
    odd = tmp_path / "odd.wa"
    odd.write_text(SYSTEM.read_text().replace("<==>", "<=>", 1))
    for files in ((GOLD, odd), (odd, GOLD)):
        outcome = ists("report", *files, "-o", tmp_path / "report.html", *FEW)
        assert outcome.code == 0
        (line,) = outcome.err.splitlines()
        assert line.startswith(f"warning: {odd}:")
        assert "is no alignment" in line
