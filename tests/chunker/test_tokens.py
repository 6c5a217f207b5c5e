import subprocess
import sys

import pytest

from ists.chunker.simple_words import plain_tokens
from ists.chunker.tokens import _spacy_tokenizer, is_prose, tokenize


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


_PLAIN_LINES = [
    "A dog runs in the park.",
    "Yes, it does: the minister's aide knows!",
    "In 1990, 14 ships left;  who knows why?",
    "NATO, the EU and Spain's king agree.",
]


@pytest.mark.parametrize("line", _PLAIN_LINES)
def test_plain_words_are_split_as_by_spacy_without_importing_it(line):
    found = plain_tokens(line)
    assert found is not None
    assert found == tuple(line[begin:end] for begin, end in _spacy_cuts(line))


@pytest.mark.parametrize(
    "line", ["Mr. Hill left.", "I dont know.", "He left, i.e. went.", "U.S.", "It’s late.", "a-b"]
)
def test_lines_with_anything_else_are_left_to_spacy(line):
    assert plain_tokens(line) is None


def test_every_plain_exception_of_spacy_is_listed():
    import spacy

    rules = spacy.blank("en").tokenizer.rules
    split = [word for word in rules if word.strip() and plain_tokens(word) is not None]
    assert split == []


def test_every_ending_of_a_plain_word_is_split_as_by_spacy():
    for word in ("a", "I", "id", "US", "NATO", "hello", "Wed", "9", "2010", "gen", "co", "mph"):
        for ending in ("", *",;:?!.", "'s"):
            line = f"so {word}{ending} then"
            cuts = tuple(line[begin:end] for begin, end in _spacy_cuts(line))
            assert plain_tokens(line) in (None, cuts)


def test_a_line_of_plain_words_does_not_import_spacy():
    script = (
        "import sys; from ists.chunker.tokens import tokenize; "
        "tokenize('A dog runs, the cat sleeps.'); assert 'spacy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def _spacy_cuts(line):
    return [cut for cut in _spacy_tokenizer()(line) if not line[slice(*cut)].isspace()]
