import pytest

from ists.corpus.overlap import passages, runs, shared_with, words_of


def test_words_are_the_same_tokenised_or_not():
    assert words_of("He does n't know Tom 's cats .") == words_of("“He doesn’t know Tom's cats!”")


def test_sequences_are_six_words_or_a_whole_short_text():
    assert runs(tuple("abcdefg")) == {tuple("abcdef"), tuple("bcdefg")}
    assert runs(("a", "b")) == {("a", "b")}
    assert runs(()) == set()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "conll2000").mkdir()
    (tmp_path / "conll2000" / "test.txt").write_text(
        "We VB B-VP\nslept VB I-VP\n\n"
        + "".join(f"{word} NN B-NP\n" for word in ["a", "b", "c", "d", "e", "f"])
    )
    (tmp_path / "table.csv").write_text('0,"one two\nthree, four five six seven eight",1\n')
    (tmp_path / "pairs.wa").write_text("// red hot chilli peppers today\n1 red : \n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "x.tsv").write_text("mine alone\tsecond cell\n")
    return tmp_path


def found_in(folder, text, **options):
    found = shared_with([text], passages(folder, **options))
    return sorted(
        (" ".join(one.words), one.whole, one.at.file, one.at.line) for one in found.values()
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So A B C D E F", [("a b c d e f", False, "conll2000/test.txt", 4)]),
        ("We slept .", [("we slept", True, "conll2000/test.txt", 1)]),
        (
            "Three four five six seven eight",
            [("three four five six seven eight", True, "table.csv", 2)],
        ),
        ("Red hot chilli peppers today !", [("red hot chilli peppers today", True, "pairs.wa", 1)]),
        ("Second cell", [("second cell", True, "own/x.tsv", 1)]),
        ("mine alone second cell", []),
    ],
)
def test_every_kind_of_file_is_searched(folder, text, expected):
    assert found_in(folder, text) == expected


def test_folders_can_be_left_out(folder):
    assert found_in(folder, "Second cell", leave_out=["own"]) == []
    assert found_in(folder, "Second cell", patterns=["*.csv"]) == []


def test_a_shared_sentence_is_reported_even_after_its_words(tmp_path):
    (tmp_path / "a.txt").write_text("well one two three four five six\n")
    (tmp_path / "b.txt").write_text("one two three four five six\n")
    assert found_in(tmp_path, "One two three four five six .") == [
        ("one two three four five six", True, "b.txt", 1)
    ]
