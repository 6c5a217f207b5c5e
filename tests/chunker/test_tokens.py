import pytest

from ists.chunker.tokens import is_prose, tokenize


@pytest.mark.parametrize(
    "line",
    [
        "A cat sleeps on the roof .",
        "Ferry sinks off Lisbon , 14 rescued",
        "The minister 's aide did n't resign",
        "U.S. and EU agree on anti-dumping rules",
        "Gov. Hill meets J. Doe in St. Ives",
        "Talks held in the U.S.",
        "Bank sues Acme Inc.",
        "12,000 march against 3.5 % rise",
        "`` Too late '' : minister quits",
        "'' Never again '' - king",
        "",
    ],
)
def test_tokenised_lines_are_split_at_white_space(line):
    assert not is_prose(line)
    assert tokenize(line) == tuple(line.split())


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("A cat sleeps.", "A cat sleeps ."),
        ("Yes, it does", "Yes , it does"),
        ("It doesn't matter", "It does n't matter"),
        ("the minister's aide", "the minister 's aide"),
        ('He said "no" twice', 'He said " no " twice'),
        ("a cat (black) sleeps", "a cat ( black ) sleeps"),
        ("Really?", "Really ?"),
    ],
)
def test_prose_is_split_by_spacy(line, tokens):
    assert is_prose(line)
    assert tokenize(line) == tuple(tokens.split())


def test_the_tokenisation_can_be_chosen():
    assert tokenize("A cat sleeps.", "whitespace") == ("A", "cat", "sleeps.")
    assert tokenize("A cat, sleeps .", "spacy") == ("A", "cat", ",", "sleeps", ".")


def test_invalid_utf8_is_preserved():
    assert tokenize("The caf\udce9 closes.") == ("The", "caf\udce9", "closes", ".")


def test_spacy_never_gives_a_token_of_white_space():
    assert tokenize("A  cat\tsleeps.  ", "spacy") == ("A", "cat", "sleeps", ".")


def test_every_line_of_the_pilot_is_split_at_white_space(shared):
    files = sorted(shared.glob("ists2015/**/*sent[12].txt"))
    assert files
    for file in files:
        for line in file.read_bytes().decode("utf-8", "surrogateescape").split("\n"):
            assert tokenize(line) == tuple(line.split())
