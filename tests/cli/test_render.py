import sys

import pytest

from tests.conftest import EXAMPLES

GOLD = EXAMPLES / "gold.wa"


def test_a_file_becomes_a_page_and_a_pair_an_svg(ists, tmp_path):
    page, svg = tmp_path / "gold.html", tmp_path / "gold.svg"
    assert ists("render", GOLD, "-o", page).code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().count("<section ") == 8
    assert ists("render", GOLD, "--pair", "2", "-o", svg).code == 0
    assert svg.read_text().startswith("<svg")


def test_the_format_can_be_named_and_the_output_piped(ists):
    assert ists("render", GOLD, "--format", "svg").out.startswith("<svg")
    assert ists("render", GOLD).out.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([GOLD, "--pair", "99"], 1, "no pair 99"),
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


def test_an_ending_that_is_not_written_is_rejected(ists, tmp_path):
    for ending in ("gif", "wa"):
        target = tmp_path / f"out.{ending}"
        outcome = ists("render", GOLD, "-o", target)
        assert outcome.code == 2
        assert (
            f"'{target}' ends in '.{ending}', expected .html or .svg or .png or .pdf" in outcome.err
        )
        assert not target.exists()


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_pair_becomes_an_image(ists, tmp_path, ending, start):
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    target = tmp_path / f"pair.{ending}"
    assert ists("render", GOLD, "--pair", "2", "-o", target).code == 0
    assert target.read_bytes().startswith(start)


def test_an_image_without_the_extra_is_an_error_that_names_it(ists, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    target = tmp_path / "pair.pdf"
    outcome = ists("render", GOLD, "--pair", "2", "-o", target)
    assert outcome.code == 1
    assert "pip install 'ists[pictures]'" in outcome.err
    assert not target.exists()


@pytest.mark.parametrize("name", ["OUT.HTM", "out", "out.svg"])
def test_other_names_are_pages_or_what_the_format_says(ists, tmp_path, name):
    format_ = ("--format", "html") if name.endswith("svg") else ()
    assert ists("render", GOLD, "-o", tmp_path / name, *format_).code == 0
    assert (tmp_path / name).read_text().startswith("<!doctype html>")
