import click
from hypothesis import given

import ists
from ists.explanation import explain
from ists.explanation.terminal import columns, show
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR, pairs


def test_chunks_links_and_sentences_are_readable_without_colour():
    text = click.unstyle(show(explain(CAT_PAIR)))
    assert text.startswith(
        "1 [A tabby cat]1 [sleeps]2 [.]\n"
        "2 [A cat]1 [is sleeping]2 [.]\n"
        "\n"
        " 1 A tabby cat  -->  A cat        SPE1   4/5\n"
        " 2 sleeps       ===  is sleeping  EQUI   5/5\n"
        " - .                              NOALI\n"
        " -                   .            NOALI\n"
        "\n"
        "“A tabby cat” is more specific than “A cat” (SPE1, 4 of 5):"
    )


def test_every_relation_has_its_colour():
    text = show(explain(CAT_PAIR))
    assert click.style("[A tabby cat]1", fg="blue") in text
    assert click.style("[sleeps]2", fg="green") in text


def test_lines_keep_to_the_width():
    for pair in ists.read(EXAMPLES / "gold.wa"):
        for line in click.unstyle(show(explain(pair), width=50)).splitlines():
            assert columns(line) <= 50


def test_an_ideogram_takes_two_columns_and_an_accent_none():
    assert columns("猫") == 2
    assert columns("e\u0301") == 1


@given(pairs())
def test_no_control_character_of_a_file_reaches_the_terminal(pair):
    text = click.unstyle(show(explain(pair)))
    assert all(sign.isprintable() or sign == "\n" for sign in text)
