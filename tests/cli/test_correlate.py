import json

import pytest

GOLD = "1\n2\n3\n4\n5\n"
SYSTEM = "1.5\n1\n3\n5\n4\n"


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        file = tmp_path / name
        file.write_bytes(text.encode())
        return file

    return write


def test_one_system_gets_both_coefficients(ists, write):
    outcome = ists("correlate", write("gold.txt", GOLD), write("a.txt", SYSTEM))
    assert outcome.code == 0
    assert "5 pairs" in outcome.out
    assert "0.8" in outcome.out
    assert "Steiger" not in outcome.out


def test_two_systems_are_compared(ists, write):
    files = write("gold.txt", GOLD), write("a.txt", SYSTEM), write("b.txt", "3\n1\n2\n4\n3.5\n")
    document = json.loads(ists("correlate", *files, "--format", "json").out)
    assert document["pairs"] == 5
    assert [system["file"] for system in document["systems"]] == [str(file) for file in files[1:]]
    assert document["systems"][0]["pearson"]["r"] > document["systems"][1]["pearson"]["r"]
    assert document["tests"]["steiger"]["z"] > 0
    assert -1 < document["between"]["r"] < 1


def test_every_test_is_an_option(ists, write):
    raters, others = write("raters.txt", ".8\n.7\n.75\n"), write("others.txt", ".6\n.5\n.7\n")
    outcome = ists(
        *("correlate", write("gold.txt", GOLD), write("a.txt", SYSTEM)),
        *("--other", ".5", "40", "--raters", raters, "--other-raters", others),
    )
    assert outcome.code == 0
    for name in ("Fisher's r-to-z", "one-sample t", "two-sample t"):
        assert name in outcome.out


def test_the_examples_of_the_appendix_are_computed(ists):
    outcome = ists("correlate", "--triangle", ".636", ".693", ".52", "--pairs", "64")
    assert "-0.677" in outcome.out
    assert "0.7507" in outcome.out


def test_jsonl_confidences_and_a_mark_at_the_beginning_are_read(ists, write):
    gold = write("gold.txt", "\ufeff" + GOLD.replace("\n", "\r\n"))
    lines = ['{"id": "1", "similarity": 1.5}', "1\t80", "3", '{"score": 5}', "4", "", ""]
    system = write("a.jsonl", "\n".join(lines))
    plain = write("a.txt", SYSTEM)
    figures = [ists("correlate", gold, file).out.split()[-4:] for file in (system, plain)]
    assert figures[0] == figures[1]


def test_pairs_without_a_gold_score_are_left_out(ists, write):
    gold = write("gold.txt", "1\n\n2\n3\n4\n5\n\n")
    system = write("a.txt", "1.5\n9\n1\n3\n5\n4\n9\n")
    outcome = ists("correlate", gold, system)
    assert outcome.code == 0
    assert "5 pairs" in outcome.out
    assert "2 pairs without a score are left out" in outcome.err


@pytest.mark.parametrize(
    ("gold", "system", "words"),
    [
        (GOLD, "1\n2\n3\n4\n", "has 5 lines and"),
        (GOLD, "1\n2\nthree\n4\n5\n", "a.txt:3: score 'three', expected a number"),
        (GOLD, "1\n2\nnan\n4\n5\n", "a.txt:3: score 'nan' is not finite"),
        (GOLD, "1\n-inf\n3\n4\n5\n", "a.txt:2: score '-inf' is not finite"),
        (GOLD, "1\n\n3\n4\n5\n6\n", "a.txt:2: a blank line"),
        (GOLD, "1\t2\t3\n2\n3\n4\n5\n", "a.txt:1: "),
        (
            GOLD,
            '{"id": 1}\n2\n3\n4\n5\n',
            "a.txt:1: no number under the key",
        ),
        (
            GOLD,
            '{"score": true}\n2\n3\n4\n5\n',
            "a.txt:1: no number under the key",
        ),
        (GOLD, '{"score": 1e999}\n2\n3\n4\n5\n', "a.txt:1: score 'inf' is not finite"),
        (GOLD, "{\n2\n3\n4\n5\n", "a.txt:1: invalid JSON"),
        (GOLD, "2\n2\n2\n2\n2\n", "all system scores are 2: the correlation is undefined"),
        ("2\n2\n2\n2\n2\n", GOLD, "all gold scores are 2: the correlation is undefined"),
        ("1\n2\n3\n", "1\n3\n2\n", "3 pairs, expected at least 4 for a test"),
        ("", GOLD, "gold.txt: no score found"),
        (GOLD, "\n\n", "a.txt: no score found"),
    ],
)
def test_invalid_scores_give_a_one_line_error(ists, write, gold, system, words):
    outcome = ists("correlate", write("gold.txt", gold), write("a.txt", system))
    assert outcome.code == 1
    assert not outcome.out
    (line,) = outcome.err.splitlines()
    assert words in line


def test_a_rater_above_1_is_rejected(ists, write):
    files = write("gold.txt", GOLD), write("a.txt", SYSTEM)
    outcome = ists("correlate", *files, "--raters", write("raters.txt", ".8\n7\n"))
    assert outcome.code == 1
    assert "raters.txt:2: 7, expected a correlation" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["gold.txt"],
        ["a", "b", "c", "d"],
        ["--triangle", ".1", ".2", ".3"],
        ["a", "b", "--triangle", ".1", ".2", ".3", "--pairs", "64"],
        ["a", "b", "--other-raters", "c"],
        ["--raters", "c"],
        ["-", "-"],
    ],
)
def test_wrong_usage_exits_with_2(ists, arguments):
    assert ists("correlate", *arguments).code == 2
