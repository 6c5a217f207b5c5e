import pytest

from tests.conftest import EXAMPLES

GOLD = EXAMPLES / "gold.wa"


def test_a_file_becomes_a_page_and_a_pair_an_svg(ists, tmp_path):
    page, svg = tmp_path / "gold.html", tmp_path / "gold.svg"
    assert ists("render", GOLD, "-o", page).code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().count("<section>") == 8
    assert ists("render", GOLD, "--pair", "2", "-o", svg).code == 0
    assert svg.read_text().startswith("<svg")


def test_the_format_can_be_named_and_the_output_piped(ists):
    assert ists("render", GOLD, "--format", "svg").out.startswith("<svg")
    assert ists("render", GOLD).out.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([GOLD, "--pair", "99"], 1, "there is no pair 99"),
        (["no.wa"], 1, "no.wa: no such file"),
        (["-"], 2, "name its format with --from"),
    ],
)
def test_bad_input_leaves_no_picture(ists, tmp_path, arguments, code, message):
    target = tmp_path / "out.html"
    outcome = ists("render", *arguments, "-o", target)
    assert outcome.code == code
    assert message in outcome.err
    assert not target.exists()
