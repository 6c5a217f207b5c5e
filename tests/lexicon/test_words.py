"""Acronyms, negation, function words and spelling."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.compiled import kernels
from ists.lexicon import (
    Acronyms,
    FunctionClass,
    are_opposite,
    are_opposite_limits,
    function_class,
    is_implicit_negation,
    is_joined,
    is_likely_slip,
    is_negated,
    is_negated_form,
    is_negation,
    is_one_edit_apart,
    negations,
)
from ists.lexicon.spelling import trigram_overlap, trigram_text


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("EU", "European Union"),
        ("E.U.", "European Union"),
        ("Kenya SC", "Kenya Supreme Court"),
        ("DRC", "Democratic Republic of the Congo"),
        ("BoE", "Bank of England"),
        ("govt", "government"),
        ("Gov.", "governor"),
        ("US govt", "us government"),
        ("PM", "prime minister"),
        ("NATO chief", "North Atlantic Treaty Organization chief"),
        ("tv", "television"),
        ("WHO", "World Health Organization"),
    ],
)
def test_an_abbreviation_matches_its_long_form_both_ways(short: str, long: str) -> None:
    acronyms = Acronyms.load()
    assert acronyms.match(short.split(), long.split())
    assert acronyms.match(long.split(), short.split())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("EU", "United Nations"),
        ("who", "World Health Organization"),
        ("European Union", "European Union"),
        ("dog", "cat"),
        ("IT", "in town"),
        ("Kenya SC", "Kenya court"),
        ("", ""),
        ("EU", ""),
    ],
)
def test_other_words_do_not_match_as_abbreviations(a: str, b: str) -> None:
    assert not Acronyms.load().match(a.split(), b.split())


@pytest.mark.parametrize("word", ["not", "n't", "No", "never", "without", "can't", "don’t"])
def test_a_negation(word: str) -> None:
    assert is_negation(word)


@pytest.mark.parametrize("word", ["note", "know", "", "nothingness", "yes"])
def test_not_a_negation(word: str) -> None:
    assert not is_negation(word)


def test_two_negations_cancel_each_other() -> None:
    assert is_negated(["did", "n't", "agree"])
    assert not is_negated(["not", "without", "hope"])
    assert negations(["not", "without", "hope"]) == (0, 1)
    assert not is_negated([])


def test_some_verbs_negate_their_complement() -> None:
    assert is_implicit_negation("denies")
    assert is_implicit_negation("Refused")
    assert not is_implicit_negation("confirms")


def test_affixes_negate() -> None:
    assert is_negated_form("unhappy", "happy")
    assert is_negated_form("toxic", "non-toxic")
    assert is_negated_form("careful", "careless")
    assert not is_negated_form("careful", "fearless")
    assert not is_negated_form("under", "der")
    assert not is_negated_form("happy", "happy")


def test_function_words_have_classes_and_capitals_make_names() -> None:
    assert function_class("The") is FunctionClass.DETERMINER
    assert function_class("of") is FunctionClass.PREPOSITION
    assert function_class("us") is FunctionClass.PRONOUN
    assert function_class("US") is None
    assert function_class("THE") is FunctionClass.DETERMINER
    assert function_class(",") is FunctionClass.PUNCTUATION
    assert function_class("%") is None
    assert function_class("dog") is None


def test_function_words_can_be_opposite() -> None:
    assert are_opposite("With", "without")
    assert are_opposite("after", "before")
    assert not are_opposite("in", "in")
    assert are_opposite_limits("by", "after")
    assert are_opposite_limits("since", "until")
    assert not are_opposite_limits("by", "until")
    assert not are_opposite_limits("by", "with")


@pytest.mark.parametrize(
    ("a", "b"), [("Rouhani", "Rohani"), ("recieve", "receive"), ("colour", "color")]
)
def test_a_misspelling_is_recognised(a: str, b: str) -> None:
    assert is_likely_slip(a, b)
    assert is_likely_slip(b, a)


@pytest.mark.parametrize(
    ("a", "b"), [("cat", "car"), ("horse", "horses"), ("12345", "12346"), ("night", "light")]
)
def test_another_word_is_not_a_misspelling(a: str, b: str) -> None:
    assert not is_likely_slip(a, b)


def test_joined_words_are_the_same_words() -> None:
    assert is_joined(["acouch"], ["a", "couch"])
    assert is_joined(["re-opens"], ["reopens"])
    assert not is_joined(["a", "couch"], ["a", "couch"])
    assert is_joined(["U.S.-Russia"], ["US-Russia"])
    assert not is_joined([], ["-"])
    assert not is_joined(["1.5"], ["15"])


@settings(deadline=None)
@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_one_edit_apart_follows_the_definition(a: str, b: str) -> None:
    edits = {a[:i] + a[i + 1 :] for i in range(len(a))}
    edits |= {a[:i] + c + a[i:] for i in range(len(a) + 1) for c in "abc"}
    edits |= {a[:i] + c + a[i + 1 :] for i in range(len(a)) for c in "abc"}
    edits |= {a[:i] + a[i + 1] + a[i] + a[i + 2 :] for i in range(len(a) - 1)}
    assert is_one_edit_apart(a, b) == (b in edits - {a})


letters = st.text("ab éα😀", max_size=40)


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
@given(letters, letters)
def test_compiled_and_python_trigrams_overlap_the_same(one: str, other: str) -> None:
    texts = trigram_text(one), trigram_text(other)
    compiled = trigram_overlap(*texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ists.lexicon.spelling.kernels", None)
        assert trigram_overlap(*texts) == compiled


def test_equal_texts_share_all_trigrams() -> None:
    assert trigram_overlap(trigram_text("A  cat"), trigram_text("a cat")) == 1
    assert trigram_overlap(trigram_text(""), trigram_text("cat")) == 0
    long = "abcdefghijklmnopqrstuvwxyz" * 20
    assert trigram_overlap(trigram_text(long), trigram_text(long + "ab")) == 27 / 29
