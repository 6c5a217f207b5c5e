import json
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.chunker import rule_tokens
from ists.chunker.simple_words import plain_tokens
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
        ("The tax rose to 8 %.", "The tax rose to 8 % ."),
        ("Sales, up 5%, reached $2.3m.", "Sales , up 5 % , reached $ 2.3 m ."),
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


_COMMON_LINES = [
    "A dog runs in the park.",
    "Yes, it does: the minister's aide knows!",
    "In 1990, 14 ships left;  who knows why?",
    "NATO, the EU and Spain's king agree.",
    '"I can\'t go," she said (twice), "it\'s late..."',
    "The 40-year-old ex-boxer paid $5.5 in the U.S.",
    "Mr. Hill's sister-in-law won 6-2, i.e. easily; 8% left at 10am.",
    "Don’t “ask”: they’d’ve gone—or stayed—by the 6th.",
    "O'Brien and/or José met at 10:30 [sic].",
    "AT&T paid US$5.5bn (up 1/2 %) for a 20m-long U.S.-led x_y project.",
    "@Anna ran 5km in the mid-1990s, at 12km/h, with 3D glasses and an MP3.",
]


@pytest.mark.parametrize("line", _COMMON_LINES)
def test_common_words_are_split_as_by_spacy_without_importing_it(line):
    assert plain_tokens(line) == _split_by_spacy(line)


@pytest.mark.parametrize("line", ["Well :)", "see www.example.org", "-5 degrees", "日本"])
def test_lines_with_anything_else_need_all_rules(line):
    assert plain_tokens(line) is None


def test_every_special_word_of_spacy_is_split_as_by_spacy():
    words = [word for word in spacy.blank("en").tokenizer.rules if word.strip()]
    found = {word: plain_tokens(word) for word in words}
    assert {word: _split_by_spacy(word) for word in words if found[word] is not None} == {
        word: tokens for word, tokens in found.items() if tokens is not None
    }
    assert sum(tokens is not None for tokens in found.values()) > 1_000


_SIGNS = [*"\"'“‘([$£€#,;:?!”’)].%-–—&/|", "n't", "'s", "’s", "...", "--"]
_WORDS = [
    *("a", "A", "AB", "Ab", "The", "é", "É", "it", "its", "Ill", "cannot", "can't", "I'm", "'em"),
    *("8", "10", "5.5", "1,000", "10:30", "6th", "U2", "F-16", "am", "st", "o'clock", "and/or"),
    *("km", "m", "G", "1990s", "3D", "bn", "S&P", "US$", "@", "_", "in", "km/h"),
    *("Mr.", "Co", "Co.", "vs", "U.", "U.S.", "a.m.", "e.g", "x", "D", "o", "Wed"),
]


@given(st.lists(st.sampled_from(_SIGNS + _WORDS), min_size=1, max_size=5).map("".join))
@settings(max_examples=1_000)
def test_any_word_with_any_punctuation_is_split_as_by_spacy_or_left_to_it(chunk):
    assert plain_tokens(chunk) in (None, _split_by_spacy(chunk))


def test_no_line_imports_spacy():
    script = (
        "import sys; from ists.chunker.tokens import tokenize; "
        "tokenize('A dog runs, the (old) cat does not.'); "
        "tokenize('Well :), see www.example.org!'); assert 'spacy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_table_has_the_rules_of_the_installed_spacy():
    """After an update of spaCy, run `python tests/chunker/spacy_rules.py`."""
    writer = runpy.run_path(str(Path(__file__).with_name("spacy_rules.py")))
    stored, current = json.loads(writer["FILE"].read_text(encoding="utf-8")), writer["rules"]()
    del stored["source"], current["source"]
    assert stored == current


_ODD_LINES = [
    "Well :) - see http://www.example.org/a?b=1, or mail me@example.org...",
    "  two  blanks,\ta tab\nand a line ",
    "C++ costs 5€, isn't it?! :-(( 'Cause I'm (8 :) . :",
    "日本語のテキスト。 «Où ?» 20°C. x.Y a,b p.m.!",
    "",
    " ",
]


@pytest.mark.parametrize("line", _ODD_LINES)
def test_odd_lines_have_the_tokens_of_spacy(line):
    assert rule_tokens.spans(line) == _spans_by_spacy(line)


_ODD_SIGNS = [
    *("<", ">", "{", "}", "§", "°", "\\", " ", "  ", "\t", "\n", "\u00a0", "^", "+", "=", "~", "*"),
    *(
        "http://",
        "www.",
        "a@b.com",
        ".com/x?y=1",
        "😀",
        "日",
        "Ω",
        "½",
        "xY",
        ":)",
        ":-(",
        "8)",
        "…",
    ),
]
_SPECIAL = sorted(spacy.blank("en").tokenizer.rules)


@given(
    st.lists(st.sampled_from(_SIGNS + _WORDS + _ODD_SIGNS + _SPECIAL), max_size=9).map("".join)
    | st.text(max_size=20)
)
@settings(max_examples=1_000, deadline=None)
def test_any_line_has_the_tokens_of_spacy(line):
    line = line.encode("utf-8", "ignore").decode()  # spaCy does not accept lone surrogates
    assert rule_tokens.spans(line) == _spans_by_spacy(line)


def _split_by_spacy(line):
    tokens = (line[begin:end] for begin, end in _spans_by_spacy(line))
    return tuple(token for token in tokens if not token.isspace())


def _spans_by_spacy(line):
    return [(token.idx, token.idx + len(token)) for token in _spacy_tokenizer()(line)]


@cache
def _spacy_tokenizer():
    return spacy.blank("en").tokenizer
