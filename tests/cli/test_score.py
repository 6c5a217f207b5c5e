import json
import subprocess
import sys

import pytest

from tests.conftest import EXAMPLES
from tests.samples import CAT_WA

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
VIEWS = ("--bootstrap", 50, "--compare", "--trials", 50, "--by-label", "--confusion", "--per-pair")


def test_one_system_gets_the_official_four_lines_and_a_signature(ists):
    outcome = ists("score", GOLD, SYSTEM)
    *lines, signature = outcome.out.splitlines()
    assert lines == [
        "F1 Ali     0.9846",
        "F1 Type    0.5692",
        "F1 Score   0.9108",
        "F1 Typ+Sco 0.5569",
    ]
    assert signature.startswith("ists|data:gold.wa#")
    assert (outcome.code, outcome.err) == (0, "")


def test_several_systems_get_one_table(ists):
    outcome = ists("score", GOLD, SYSTEM, GOLD)
    assert len(outcome.out.splitlines()) == 4
    assert "1.0000" in outcome.out


@pytest.mark.parametrize("systems", [[SYSTEM], [SYSTEM, GOLD]])
def test_json_has_the_same_structure_for_one_system_and_several(ists, systems):
    document = json.loads(ists("score", GOLD, *systems, "--format", "json").out)
    assert list(document) == ["signature", "systems", "warnings"]
    assert document["warnings"] == []
    assert [system["file"] for system in document["systems"]] == [str(s) for s in systems]
    first = document["systems"][0]
    assert first["f1"]["type_score"] == pytest.approx(0.556923, abs=1e-6)
    assert first["pairs"] == 8


def test_json_holds_every_view_that_is_asked_for(ists):
    document = json.loads(ists("score", GOLD, SYSTEM, GOLD, "--format", "json", *VIEWS).out)
    system = document["systems"][0]
    assert len(system["per_pair"]) == 8
    assert system["per_pair"][7]["f1"] is None
    assert system["confusion"]["ALIC"]["NOALI"] == 4
    assert system["by_label"]["EQUI"]["f1"] > 0
    low, high = system["interval95"]["ali"]
    assert low <= system["f1"]["ali"] <= high
    assert document["comparisons"][0]["second"] == str(GOLD)
    assert "bootstrap:50|trials:50|seed:2015" in document["signature"]


@pytest.mark.parametrize("format_", ["text", "tsv", "latex"])
def test_every_view_can_be_printed(ists, format_):
    outcome = ists("score", GOLD, SYSTEM, GOLD, "--format", format_, *VIEWS)
    assert outcome.code == 0
    assert "Confusion" in outcome.out
    assert "0.9846" in outcome.out


def test_lenient_matching_is_an_option(ists):
    figures = [
        json.loads(ists("score", GOLD, SYSTEM, "--match", match, "--format", "json").out)
        for match in ("strict", "lenient")
    ]
    strict, lenient = (document["systems"][0]["f1"] for document in figures)
    assert lenient["type_score"] > strict["type_score"]
    assert lenient["type"] == strict["type"]


def test_the_first_five_problems_are_shown_and_all_are_counted(ists, tmp_path):
    odd = tmp_path / "odd.wa"
    odd.write_text(SYSTEM.read_text().replace("EQUI", "SAME"))
    outcome = ists("score", GOLD, odd)
    warnings = outcome.err.splitlines()
    assert outcome.code == 0
    assert len(warnings) == 6
    assert all(line.startswith(f"warning: {odd}:") for line in warnings[:5])
    assert warnings[5] == "warning: 9 such problems in all"


def test_ill_formed_files_can_be_rejected(ists, tmp_path):
    odd = tmp_path / "odd.wa"
    odd.write_text(SYSTEM.read_text().replace("SPE1 // 4", "SPE1 // NIL"))
    outcome = ists("score", GOLD, odd, "--require-wellformed")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1] == f"{odd}: not well-formed by the rules of 2015"
    assert ists("score", GOLD, SYSTEM, "--require-wellformed").code == 0


def test_a_pipe_can_be_required_to_be_well_formed():
    command = [sys.executable, "-m", "ists", "score", str(GOLD), "-", "--require-wellformed"]
    done = subprocess.run(command, input=SYSTEM.read_bytes(), capture_output=True, check=True)
    assert b"F1 Ali     0.9846" in done.stdout


def test_missing_and_unknown_pairs_are_named_and_can_be_rejected(ists, tmp_path):
    other = tmp_path / "other.wa"
    other.write_text(SYSTEM.read_text().replace('id="8"', 'id="88"'))
    outcome = ists("score", GOLD, other)
    assert outcome.code == 0
    assert "lacks 1 of the gold's pairs, counted as unaligned: 8" in outcome.err
    assert "has 1 pairs that the gold lacks, counted as wrong: 88" in outcome.err
    assert ists("score", GOLD, other, "--require-all").code == 1


def exchanged_ids(text):
    """Exchange the ids of the first two pairs."""
    first, second = 'id="1"', 'id="2"'
    return text.replace(first, 'id="x"').replace(second, first).replace('id="x"', second)


@pytest.mark.parametrize(
    ("change", "line", "pair", "more"),
    [
        (exchanged_ids, 1, 2, "; 2 such pairs in all"),
        (lambda text: text.replace("1 A : ", "1 The : ", 1), 1, 1, ""),
    ],
)
def test_tokens_that_are_not_the_golds_are_reported_and_can_be_rejected(
    ists, tmp_path, change, line, pair, more
):
    other = tmp_path / "other.wa"
    other.write_text(change(SYSTEM.read_text()))
    reason = f"{other}:{line}: pair {pair}: the tokens are not those of {GOLD}{more}\n"
    outcome = ists("score", GOLD, other)
    assert (outcome.code, outcome.err) == (0, f"warning: {reason}")
    outcome = ists("score", GOLD, other, "--require-all")
    assert (outcome.code, outcome.out, outcome.err) == (1, "", reason)


def test_warnings_are_part_of_json(ists, tmp_path):
    gold, system = tmp_path / "gold.wa", tmp_path / "system.wa"
    gold.write_text(GOLD.read_text().replace("SPE1", "SAME", 1))
    system.write_text(exchanged_ids(SYSTEM.read_text()).replace('id="8"', 'id="88"'))
    outcome = ists("score", gold, system, "--format", "json")
    warnings = json.loads(outcome.out)["warnings"]
    assert [f"warning: {warning}" for warning in warnings] == outcome.err.splitlines()
    assert len(warnings) == 4


def test_problems_are_shown_in_line_order(ists, tmp_path):
    odd = tmp_path / "odd.wa"
    lines = CAT_WA.splitlines(keepends=True)
    numbers = [number for number, line in enumerate(lines) if "<==>" in line]
    lines[numbers[0]] = lines[numbers[0]].replace("// 4", "// 7")
    lines[numbers[1]] = lines[numbers[1]].replace("EQUI", "SAME")
    odd.write_text("".join(lines))
    starts = [f"warning: {odd}:{number + 1}:" for number in numbers[:2]]
    for command in (("score",), ("report", "-o", tmp_path / "report.html")):
        outcome = ists(command[0], odd, odd, *command[1:])
        shown = [line.partition(" pair ")[0] for line in outcome.err.splitlines()]
        assert shown == starts * 2


@pytest.mark.parametrize("command", [["score"], ["report", "-o"]])
def test_a_gold_file_without_a_finished_pair_is_an_error(ists, tmp_path, command):
    gold = tmp_path / "gold.wa"
    gold.write_text(GOLD.read_text().replace('status=""', 'status="unfinished"'))
    name, *options = command
    outcome = ists(name, gold, SYSTEM, *options, *(tmp_path / "x.html" for _ in options))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f'{gold}: has no finished pair: the status of all is "unfinished"\n'
    gold.write_text(GOLD.read_text().replace('status=""', 'status="unfinished"', 7))
    assert ists("score", gold, SYSTEM).err == ""


def test_a_system_that_aligns_nothing_gets_zero_and_a_warning(ists, tmp_path):
    empty = tmp_path / "empty.wa"
    empty.write_text('<sentence id="1" status="">\n<alignment>\n</alignment>\n</sentence>\n')
    outcome = ists("score", GOLD, empty)
    assert outcome.code == 0
    assert "F1 Ali     0.0000" in outcome.out
    assert "aligns nothing, all figures are 0" in outcome.err


def test_files_can_come_through_a_pipe():
    command = [sys.executable, "-m", "ists", "score", str(GOLD), "-"]
    done = subprocess.run(command, input=SYSTEM.read_bytes(), capture_output=True, check=True)
    assert b"F1 Ali     0.9846" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [GOLD],
        [GOLD, SYSTEM, "--compare"],
        [GOLD, SYSTEM, "--match", "loose"],
        [GOLD, SYSTEM, "--bootstrap", "0"],
        ["-", "-"],
        [GOLD, SYSTEM, "--nonsense"],
    ],
)
def test_wrong_usage_exits_with_2(ists, arguments):
    outcome = ists("score", *arguments)
    assert outcome.code == 2
    assert outcome.err


def test_a_repeated_id_is_an_error(ists, tmp_path):
    twice = tmp_path / "twice.wa"
    twice.write_text(CAT_WA + CAT_WA)
    outcome = ists("score", GOLD, twice)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{twice}:27: pair 1: ")
