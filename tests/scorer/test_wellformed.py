import pytest

from ists.formats import scan
from scorer.wellformed import Statistics, check
from tests.conftest import EXAMPLES
from tests.samples import CAT_WA


def reasons(tmp_path, text, **options):
    file = tmp_path / "x.wa"
    file.write_text(text)
    return [str(problem).removeprefix(f"{file}:") for problem in check(scan(file), **options)]


@pytest.mark.parametrize("edition", ["2015", "2016"])
def test_the_official_cases_agree(shared, expected_cases, edition):
    for case in expected_cases:
        file = shared / "scorer-cases" / f"{case['name']}.sys.wa"
        assert (not list(check(scan(file), edition))) is case[f"wellformed{edition}"], case["name"]


def test_the_official_training_files_are_well_formed(shared):
    for file in sorted(shared.glob("ists2015/train/*.wa")):
        assert not list(check(scan(file), "2015"))
    (students,) = shared.glob("ists2016/train/*.wa")
    assert list(check(scan(students), "2015"))
    assert not list(check(scan(students), "2016"))


def test_every_problem_is_listed_in_the_order_of_lines(tmp_path):
    broken = CAT_WA.replace("SPE1", "SPE3").replace("EQUI // 5", "EQUI // NIL")
    twice = broken + CAT_WA
    assert reasons(tmp_path, twice) == [
        "19: pair 1: label 'SPE3', expected one of EQUI, OPPO, SPE1, SPE2, SIMI, REL, ALIC, NOALI",
        "20: pair 1: NIL as the score of two aligned chunks, expected a number from 0 to 5",
        "27: pair 1: this id is already in the file, expected each id once",
    ]


def test_the_guidelines_are_checked_when_asked(tmp_path):
    text = CAT_WA.replace("EQUI // 5", "EQUI // 4").replace("NOALI // NIL // .", "NOALI // 0 // .")
    text = text.replace("0 <==> 5 // NOALI // NIL // -not aligned- <==> . \n", "")
    assert reasons(tmp_path, text) == []
    assert reasons(tmp_path, text, guidelines=True) == [
        "1: pair 1: token 5 ('.') of sentence 2 is not used",
        "20: pair 1: EQUI has score 4, expected 5",
        "21: pair 1: NOALI has score 0, expected none (NIL)",
    ]


def test_a_problem_is_reported_once(tmp_path):
    text = CAT_WA.replace("5 <==> 0 //", "4 <==> 0 //")
    found = reasons(tmp_path, text, guidelines=True)
    assert found.count("21: pair 1: token 4 of sentence 1 is used twice") == 1


def test_a_truncated_file_ends_with_its_problem(tmp_path):
    text = CAT_WA.replace("SPE1", "SPE3") + CAT_WA.replace('id="1"', 'id="2"')[:200]
    assert [reason[:2] for reason in reasons(tmp_path, text)][:2] == ["19", "27"]


def test_statistics_count_what_was_read():
    statistics = Statistics()
    assert not list(check(scan(EXAMPLES / "gold.wa"), statistics=statistics))
    assert (statistics.pairs, statistics.alignments) == (8, 41)
    assert statistics.labels["OPPO_POL"] == 1
