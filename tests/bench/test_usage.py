"""Options of ``ists bench`` that cannot be combined."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("sts", "data", "--baseline-only"), "--baseline-only"),
        (("sts", "data", "--outputs", "."), "--outputs"),
        (("stss131", "x.tsv", "--ratings", "mine.txt"), "--ratings"),
        (("str2021", "x.csv", "--baseline-only"), "--baseline-only"),
        (("str2021", "x.csv", "--scores", "mine.txt"), "--scores"),
        (("all", "data", "--baseline-only"), "--baseline-only"),
    ],
)
def test_a_model_is_rejected_where_none_is_run(ists, arguments, option):
    outcome = ists("bench", *arguments, "--model", "pilot")
    assert outcome.code == 2
    assert outcome.err.endswith(f"Error: {option} cannot be combined with --model\n")
