import json
import re

import pytest

from tests.conftest import EXAMPLES

GOLD = EXAMPLES / "gold.wa"


def test_two_sentences_are_aligned_and_explained(ists):
    outcome = ists("explain", "Shares climb in Lisbon", "Shares tumble in Lisbon")
    assert outcome.code == 0
    assert "[climb]" in outcome.out
    assert "“climb” and “tumble” say the opposite of each other (OPPO" in outcome.out
    assert re.search(r"Overall similarity: [0-5]\.\d of 5\.$", outcome.out.rstrip())


def test_a_pair_of_a_file_is_explained_as_it_is(ists):
    outcome = ists("explain", GOLD, "--pair", "2")
    assert outcome.code == 0
    assert outcome.out.startswith("Pair 2\n1 [Harbour ferry]1 [sinks]2")
    assert "“14” is another number than “11”" in " ".join(outcome.out.split())
    assert "\x1b" not in outcome.out


@pytest.mark.parametrize("format_", ["jsonl", "xml"])
def test_other_formats_are_explained(ists, tmp_path, format_):
    file = tmp_path / f"gold.{format_}"
    ists("convert", GOLD, file)
    assert ists("explain", file).out == ists("explain", GOLD).out


def test_json_is_one_object_per_pair(ists):
    outcome = ists("explain", GOLD, "--pair", "2", "--pair", "3", "--format", "json")
    records = [json.loads(line) for line in outcome.out.splitlines()]
    assert [record["id"] for record in records] == ["2", "3"]
    assert records[1]["alignments"][1]["evidence"][0]["kind"] == "opposite"


def test_the_pairs_of_a_file_get_a_similarity_when_asked_for(ists):
    arguments = ("explain", GOLD, "--pair", "2", "--format", "json")
    assert "similarity" not in json.loads(ists(*arguments).out)
    assert 0 <= json.loads(ists(*arguments, "--similarity").out)["similarity"] <= 5


def test_colour_can_be_requested(ists):
    assert "\x1b[34m" in ists("explain", GOLD, "--pair", "2", "--color").out


def test_no_color_is_honoured_on_a_terminal(ists, monkeypatch):
    monkeypatch.setattr("ists.cli.explain._on_terminal", lambda: True)
    assert "\x1b[34m" in ists("explain", GOLD, "--pair", "2").out
    assert "\x1b" not in ists("explain", GOLD, "--pair", "2", "--no-color").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in ists("explain", GOLD, "--pair", "2").out


def test_characters_outside_the_terminals_encoding_are_escaped(ists, tmp_path):
    file = tmp_path / "escape.jsonl"
    word = "\x1b[31mred"
    record = {"id": "1", "tokens1": [word], "tokens2": ["red"], "sentence1": word}
    lines = [{"tokens1": [1], "tokens2": [1], "relation": "SIMI", "score": 3}]
    file.write_text(json.dumps({**record, "alignments": lines}) + "\n")
    assert "[\\x1b[31mred]1" in ists("explain", file).out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([GOLD, "--pair", "99"], 1, "gold.wa: no pair 99"),
        (["no.wa"], 1, "no.wa: no such file"),
        (["A cat .", "A dog .", "--pair", "1"], 2, "--pair and --from require a FILE"),
        ([GOLD, GOLD], 2, "two files: expected two sentences"),
        ([GOLD, "A cat"], 2, "gold.wa' is a file: expected two sentences, or one file of"),
        (["A cat", GOLD], 2, "gold.wa' is a file: expected two sentences"),
        (["missing.wa", "A cat"], 2, "'missing.wa' is a file: expected two sentences"),
        (["pairs.csv"], 2, "'pairs.csv' holds pairs that are not aligned, expected .wa, .jsonl"),
        (["word " * 600, "A cat ."], 1, "word pieces, the model reads at most 512"),
        (["-"], 2, "name its format with --from"),
        (["A cat sleeps."], 2, "one sentence: expected two"),
        (["cat.png"], 1, "cat.png: unknown format"),
        (["cat.txt"], 1, "cat.txt: '.txt' is not an extension of aligned pairs, expected .jsonl"),
    ],
)
def test_wrong_usage_and_invalid_files_give_a_one_line_error(ists, arguments, code, message):
    outcome = ists("explain", *arguments)
    assert outcome.code == code
    assert message in outcome.err
    assert not outcome.out
