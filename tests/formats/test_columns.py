"""Detection of the columns of sentences: by name, by content, or an error."""

import pytest

from ists import FormatError
from ists.formats.columns import (
    is_header,
    layout_of,
    looks_like_header,
    pair_of_names,
    parse_choice,
)

SENTENCES = [
    ("A cat sits .", "A cat sat ."),
    ("Two dogs run .", "A dog barks ."),
    ("Shares climb .", "Shares fall ."),
    ("Snow falls .", "It snows ."),
    ("A man eats .", "A man is eating ."),
    ("The ferry is late .", "The boat is late ."),
]
LABELS = ["NEUTRAL", "ENTAILMENT", "CONTRADICTION"] * 2
SICK = ["pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment"]


def table(*columns):
    """A row for each pair of sentences; a column is 1, 2 or a function of the row's number."""
    return [
        [pair[column - 1] if column in (1, 2) else str(column(number)) for column in columns]
        for number, pair in enumerate(SENTENCES)
    ]


def number(place):
    return f"{place * 0.7:.1f}"


def label(place):
    return LABELS[place]


def long_label(place):
    return ("not at all similar", "very similar")[place % 2]


def code(place):
    return f"main-news-{place}"


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ((1, 2), (0, 1)),
        ((number, 1, 2), (1, 2)),
        ((1, 2, number), (0, 1)),
        ((1, number, 2), (0, 2)),
        ((label, 1, 2), (1, 2)),
        ((1, 2, long_label), (0, 1)),
        ((number, 1, 2, number, label), (1, 2)),
        ((code, code, number, 1, 2), (3, 4)),
        ((lambda _: "", 1, 2), (1, 2)),
    ],
)
def test_numbers_labels_and_codes_are_not_sentences(columns, found):
    assert layout_of(table(*columns)).columns == found


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (["4.5", "A cat", "A dog"], (1, 2)),
        (["A cat", "A dog", "4,5"], (0, 1)),
        (["3", "cat", "dog"], (1, 2)),
        (["neutral", "A cat", "A dog"], (1, 2)),
        (["14", "11"], (0, 1)),
        (["cat", "4"], (0, 1)),
    ],
)
def test_one_row_may_be_enough(row, found):
    assert layout_of([row]).columns == found


@pytest.mark.parametrize(
    "rows",
    [
        table(1, 2, 1),
        table(1, number),
        table(code, 1, number),
        table(number, number, number),
        [["Hello", "Hi there", "A greeting"]],
        [["A cat", "A dog", "A remark on both"]],
    ],
)
def test_ambiguous_columns_are_an_error_that_shows_how_to_choose(rows):
    with pytest.raises(FormatError, match=r"are the sentences, expected --columns with two of 1 '"):
        layout_of(rows)


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (SICK, (1, 2)),
        (["sp", "sentence1", "sentence2", "mean", "sd"], (1, 2)),
        (["Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"], (3, 4)),
        (["hypothesis", "premise"], (1, 0)),
        (["Sentence 2", "Sentence 1"], (1, 0)),
        (["text_a", "text_b", "label"], (0, 1)),
        (["text1", "sentence1", "sentence2", "text2"], (1, 2)),
    ],
)
def test_a_header_names_the_sentences(header, found):
    layout = layout_of([header, ["x"] * len(header)])
    assert (layout.header, layout.columns) == (True, found)


def test_a_header_may_name_only_what_is_beside_the_sentences():
    rows = [["score", "left", "right"], *table(number, 1, 2)]
    assert layout_of(rows) == (True, (1, 2), None, 3)
    rows = [["left", "right", "remark", "label"], *table(1, 2, long_label, label)]
    assert layout_of(rows).columns == (0, 1)


def test_a_name_above_numbers_makes_a_header():
    assert layout_of([["Wert", "links", "rechts"], *table(number, 1, 2)]).header


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[]],
        [["cat", "dog"]],
        [["A cat sits .", "A dog sits ."]],
        [["label", "A cat"]],
        [["entailment", "A cat", "A dog"]],
        [["no", "A cat", "A dog"]],
        [["type", "A cat is sitting", "A dog"]],
        [["source", "A cat", "A dog"], ["source", "x", "y"]],
        [["4.5", "score", "rating"]],
    ],
)
def test_pairs_are_not_a_header(rows):
    assert not is_header(rows)


@pytest.mark.parametrize(
    "header", [("Question", "Answer"), ("original", "paraphrase"), ("Satz 1", "Satz 2")]
)
def test_unknown_names_above_sentences_look_like_a_header(header):
    rows = [list(header), ["A cat sits .", "A cat sat ."], ["Two dogs run .", "A dog barks ."]]
    assert not layout_of(rows).header
    assert looks_like_header(rows, (0, 1))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[]],
        [["Hello", "Hi"]],
        [["Hello", "Hi"], ["How are you ?", "How do you do ?"]],
        [["cat", "dog"], *table(1, 2), ["bird", "A red hen"]],
        [["Hello!", "Hi there"], *table(1, 2)],
        [["Hello", "hi"], *table(1, 2)],
        [["Hello", "Hello"], *table(1, 2)],
        [["A cat sits", "A cat sat"], *table(1, 2)],
        [["cat"], *table(1, 2)],
        table(1, 2),
    ],
)
def test_ordinary_pairs_do_not_look_like_a_header(rows):
    assert not looks_like_header(rows, (0, 1))


def test_an_id_is_kept_where_the_header_names_one():
    assert layout_of([SICK]).id == 0
    assert layout_of([["sentence1", "sentence2"]]).id is None


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (("sentence_B", "sentence_A"), (2, 1)),
        (("SENTENCE_a", "3"), (1, 2)),
        (("2", "3"), (1, 2)),
        (("5", "4"), (4, 3)),
    ],
)
def test_a_choice_is_by_name_or_number(choice, found):
    assert layout_of([SICK, ["1", "a", "b", "2", "c"]], choice) == (True, found, 0, 5)


def test_a_choice_by_number_needs_no_header():
    layout = layout_of(table(1, 2, 1), ("3", "2"))
    assert layout == (False, (2, 1), None, None)
    assert layout.sentences(["a", "b", "c", "more"]) == ("c", "b")
    with pytest.raises(FormatError, match="2 columns, expected a column 3"):
        layout.sentences(["a", "b"])


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (("sentence1", "2"), "no column 'sentence1', expected one of 1 'pair_ID', 2 'sentence_A'"),
        (("2", "9"), "no column '9', expected one of 1 'pair_ID'"),
        (("2", "sentence_a"), "'2' and 'sentence_a' are the same column, expected two"),
    ],
)
def test_a_missing_choice_is_named(choice, words):
    with pytest.raises(FormatError, match=words):
        layout_of([SICK], choice)


def test_rows_of_another_width_are_rejected():
    layout = layout_of([["A cat", "A dog"]])
    with pytest.raises(FormatError, match="3 columns, expected 2 as in the other rows"):
        layout.sentences(["4", "A cat", "A dog"])
    with pytest.raises(FormatError, match="4 columns, expected 5 as in the header"):
        layout_of([SICK]).sentences(["1", "A cat", "A dog", "4"])


def test_the_usual_width_decides():
    rows = [["no tab"], ["A cat", "A dog", "more"], *table(1, 2)]
    assert layout_of(rows).width == 2


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("2,3", ("2", "3")),
        ("premise, hypothesis", ("premise", "hypothesis")),
        ('"a,b",c', ("a,b", "c")),
    ],
)
def test_choices_are_written_with_a_comma(text, choice):
    assert parse_choice(text) == choice


@pytest.mark.parametrize("text", ["", "a", "a,b,c", "a,", "a,a", "0,1", '"a,b'])
def test_other_choices_are_rejected(text):
    with pytest.raises(ValueError, match="expected"):
        parse_choice(text)


def test_named_columns_are_found_or_chosen():
    names = ["id", "premise", "hypothesis", "label"]
    assert pair_of_names(names, None) == ("premise", "hypothesis")
    assert pair_of_names(names, ("3", "label")) == ("hypothesis", "label")
    assert pair_of_names(["id", "left", "right"], None) is None
    assert pair_of_names([*names, "text1", "text2"], None) is None
