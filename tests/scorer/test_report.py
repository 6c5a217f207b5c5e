import pytest

import scorer
from scorer import resampling, tables
from scorer.confusion import NONE
from tests.conftest import EXAMPLES


@pytest.fixture(scope="module")
def report():
    return scorer.score(EXAMPLES / "gold.wa", EXAMPLES / "system.wa")


@pytest.fixture(scope="module")
def perfect():
    return scorer.score(EXAMPLES / "gold.wa", EXAMPLES / "gold.wa")


def test_the_dictionary_has_the_documented_shape(report):
    record = report.to_dict()
    assert list(record) == ["file", "f1", "precision", "recall", "pairs"]
    assert list(record["f1"]) == ["ali", "type", "score", "type_score"]
    assert record["pairs"] == 8


def test_the_confusion_counts_every_gold_link_once(report):
    rows = {label: sum(row.values()) for label, row in report.confusion().items() if label != NONE}
    table = report.by_label()
    assert rows == pytest.approx({label: table[label]["gold"] for label in table})


def test_links_found_by_one_file_only_stand_under_none(report):
    confusion = report.confusion()
    assert confusion["REL"][NONE] == 1
    assert confusion["ALIC"]["NOALI"] == 4


def test_each_relation_has_its_own_figures(report):
    simi = report.by_label()["SIMI"]
    assert simi["recall"] == pytest.approx(5 / 8)
    assert simi["precision"] == pytest.approx(5 / 10)


def test_intervals_hold_the_figure_and_depend_on_the_seed_alone(report):
    intervals = resampling.bootstrap(report, 500, seed=1)
    assert all(low <= f <= high for (low, high), f in zip(intervals, report.f1, strict=True))
    assert intervals == resampling.bootstrap(report, 500, seed=1)
    assert intervals != resampling.bootstrap(report, 500, seed=2)


def test_intervals_of_a_perfect_system_have_no_width(perfect):
    # A sample may consist of the pairs without a link alone; with eight pairs it hardly ever does.
    assert resampling.bootstrap(perfect, 200, seed=1) == [(1, 1)] * 4


def test_a_system_does_not_differ_from_itself(report):
    result = resampling.compare(report, report, trials=100)
    assert result.difference == (0, 0, 0, 0)
    assert result.p == (1, 1, 1, 1)


def test_a_clear_difference_has_a_small_p(report, perfect):
    result = resampling.compare(report, perfect, trials=2000, seed=3)
    assert result.difference.type == pytest.approx(1 - report.f1.type)
    assert result.p.type < 0.05
    assert result.p.ali > 0.05  # the systems align all but one link alike
    assert result == resampling.compare(report, perfect, trials=2000, seed=3)


def test_p_values_match_the_exact_test_on_few_pairs():
    """With three pairs there are eight ways to swap; the p-value must be near the exact share."""
    from tests.scorer.test_measures import pair

    gold = [pair(([1], [1], "EQUI", 5), id_=str(n)) for n in range(3)]
    wrong = [pair(([1], [1], "OPPO", 5), id_=str(n)) for n in range(3)]
    a, b = scorer.score(gold, wrong), scorer.score(gold, gold)
    result = resampling.compare(a, b, trials=20_000, seed=1)
    assert result.p.type == pytest.approx(2 / 8, abs=0.01)


def test_work_is_done_in_batches_of_bounded_size(report, perfect, monkeypatch):
    whole = resampling.compare(report, perfect, trials=500)
    monkeypatch.setattr(resampling, "_CELLS_AT_ONCE", 16)
    parts = resampling.compare(report, perfect, trials=500)
    assert parts.difference == whole.difference
    assert parts.p == pytest.approx(whole.p, abs=0.05)
    assert sum(resampling._batches(51, 8)) == 51
    assert max(resampling._batches(51, 8)) == 2


def test_latex_cells_are_escaped(report):
    assert r"\_" in tables.as_latex(tables.Table("", ("a_b", "c"), [("d&e", "1")]))
    assert r"d\&e" in tables.as_latex(tables.Table("", ("a_b", "c"), [("d&e", "1")]))
    assert r"\{x\}\textasciicircum{}" in tables.as_latex(tables.Table("", ("{x}^",), []))


def test_cells_never_break_a_table():
    table = tables.Table("", ("id", "F1"), [("a\tb\n\x1b[31m\udce9", "1")])
    assert tables.as_tsv(table).splitlines()[1] == "a\\tb\\n\\x1b[31m\\udce9\t1"


def test_a_notebook_shows_the_measures_and_the_labels(report, tmp_path):
    shown = report._repr_html_()
    assert f'<th scope="row">F1</th><td>{report.f1.ali:.4f}</td>' in shown
    assert f'<th scope="row">recall</th><td>{report.recall.ali:.4f}</td>' in shown
    assert '<th scope="row">SPE1</th>' in shown
    hostile = tmp_path / "<b>.wa"
    hostile.write_bytes((EXAMPLES / "system.wa").read_bytes())
    assert "<b>" not in scorer.score(EXAMPLES / "gold.wa", hostile)._repr_html_()
