import subprocess
import sys

import pytest

from ists import read
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR, CAT_WA

GOLD = EXAMPLES / "gold.wa"


def test_a_well_formed_file_passes_without_output(ists):
    outcome = ists("check", GOLD, "--guidelines")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


def test_every_problem_of_every_file_is_listed(ists, tmp_path):
    a, b = tmp_path / "a.wa", tmp_path / "b.wa"
    a.write_text(CAT_WA.replace("SPE1", "WRONG").replace("EQUI // 5", "EQUI // 6"))
    b.write_text(CAT_WA.replace("1 2 3 <==>", "1 3 <==>"))
    outcome = ists("check", a, GOLD, b)
    assert outcome.code == 1
    assert [line.split(" expected")[0] for line in outcome.out.splitlines()] == [
        f"{a}:19: pair 1: label 'WRONG',",
        f"{a}:20: pair 1: score 6,",
        f"{b}:19: pair 1: chunk '1 3' is not contiguous",
    ]
    assert outcome.err == "3 problems found\n"
    assert ists("check", "--edition", "2016", b).code == 0


def test_statistics_are_printed(ists):
    outcome = ists("check", "--stats", GOLD)
    assert "8 pairs, 41 alignments" in outcome.out
    assert "NOALI                 19" in outcome.out


@pytest.mark.parametrize("format_", ["jsonl", "xml"])
def test_other_formats_are_checked(ists, tmp_path, format_):
    file = tmp_path / f"x.{format_}"
    assert ists("convert", GOLD, file).code == 0
    assert ists("check", "--guidelines", file).code == 0
    file.write_text(file.read_text().replace("SPE1", "SPEC"))
    outcome = ists("check", file)
    assert outcome.code == 1
    assert f"{file}:" in outcome.out


@pytest.mark.parametrize("format_", ["jsonl", "xml", "wa"])
def test_a_round_trip_preserves_the_file(ists, tmp_path, format_):
    there, back = tmp_path / f"there.{format_}", tmp_path / "back.wa"
    assert ists("convert", GOLD, there).code == 0
    assert ists("convert", there, back).code == 0
    assert back.read_bytes() == GOLD.read_bytes()


def test_chunks_convert_to_brackets_and_back_to_unaligned_pairs(ists, tmp_path):
    sides = [tmp_path / f"sent{side}.chunk.txt" for side in (1, 2)]
    for side, file in enumerate(sides, start=1):
        assert ists("convert", GOLD, file, "--side", side).code == 0
        assert file.read_bytes() == (EXAMPLES / f"sent{side}.chunk.txt").read_bytes()
    todo = tmp_path / "todo.wa"
    assert ists("convert", sides[0], todo, "--second", sides[1]).code == 0
    assert [p.chunks2 for p in read(todo)] == [p.chunks2 for p in read(GOLD)]
    assert ists("check", "--guidelines", todo).code == 0


def test_bracketed_files_of_different_length_are_rejected(ists, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("[ A cat ]\n")
    outcome = ists("convert", short, tmp_path / "x.wa", "--second", EXAMPLES / "sent2.chunk.txt")
    assert outcome.code == 1
    assert outcome.err.startswith(f"{short}: has 1 lines, but ")
    assert not (tmp_path / "x.wa").exists()


def test_formats_can_be_named_for_pipes():
    command = [sys.executable, "-m", "ists", "convert", "-", "-", "--from", "wa", "--to", "jsonl"]
    done = subprocess.run(command, input=CAT_WA.encode(), capture_output=True, check=True)
    assert done.stdout.count(b"\n") == 1
    assert b'"relation": "SPE1"' in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "-", "x.wa"],
        ["convert", GOLD, "-"],
        ["convert", GOLD, "x.txt"],
        ["convert", EXAMPLES / "sent1.chunk.txt", "x.wa"],
        ["convert", GOLD, "x.jsonl", "--side", 1],
        ["convert", GOLD, "x.jsonl", "--second", "y.txt"],
        ["check"],
        ["check", "-"],
        ["bogus"],
    ],
)
def test_wrong_usage_exits_with_2(ists, arguments):
    outcome = ists(*arguments)
    assert outcome.code == 2
    assert outcome.err


def test_a_token_past_the_sentence_is_accepted_only_in_2016(ists, tmp_path):
    far, out = tmp_path / "far.wa", tmp_path / "out.jsonl"
    far.write_text(CAT_WA.replace("1 2 3 <==>", "1 2 99 <==>"))
    assert ists("convert", far, out).code == 1
    assert not out.exists()
    assert ists("convert", far, out, "--edition", "2016").code == 0
    assert next(read(out, edition="2016")).sentence1 == CAT_PAIR.sentence1


FAULTY = "[ A cat ] [ sits ]\n[is ] [ here ]\n\n"


def test_half_a_character_is_reported_with_file_and_pair(ists, tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.wa"
    source.write_text(
        '{"id": "7", "sentence1": "A \\ud83d .", "sentence2": "A cat .", "alignments": []}\n'
    )
    outcome = ists("convert", source, target)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{target}: pair 7: U+D83D is not a character")
    assert not target.exists()


def test_bracketed_files_are_checked_line_by_line(ists, tmp_path):
    file = tmp_path / "x.chunk.txt"
    file.write_text(FAULTY + "[ A dog\n")
    outcome = ists("check", file)
    assert outcome.code == 1
    assert outcome.out.splitlines() == [
        f"{file}:2: '[is' is outside any chunk, expected '[ A cat ] [ sits ]'",
        f"{file}:3: an empty line, expected '[ A cat ] [ sits ]'",
        f"{file}:4: a bracket is not closed at the end of the line, expected '[ A cat ] [ sits ]'",
    ]
    assert outcome.err == "3 problems found\n"
    assert ists("check", EXAMPLES / "sent1.chunk.txt").code == 0
    assert ists("check", EXAMPLES / "sent1.chunk.txt", "--from", "brackets", "--stats").code == 0
    assert "no such file" in ists("check", tmp_path / "missing.txt").out


def test_bracketed_files_are_converted_with_a_warning(ists, tmp_path):
    file, out = tmp_path / "x.chunk.txt", tmp_path / "out.wa"
    file.write_text(FAULTY)
    outcome = ists("convert", file, out, "--second", file)
    assert outcome.code == 0
    assert outcome.err.count(f"warning: {file}:2: '[is' is outside any chunk") == 2
    assert outcome.err.endswith("\n4 lines were read with a warning\n")
    assert [len(pair.chunks1) for pair in read(out)] == [2, 2, 0]
