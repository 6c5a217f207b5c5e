"""Quantifiers on a scale from none to all."""

import pytest

from ists.lexicon import quantified_share


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("no visitors", "hardly any visitors"),
        ("hardly any visitors", "few visitors"),
        ("few visitors", "a few visitors"),
        ("some of the bread", "half of the bread"),
        ("several shops", "many shops"),
        ("a lot of rain", "most of the rain"),
        ("most trains", "nearly all trains"),
        ("nearly all trains", "every train"),
        ("never", "seldom"),
        ("now and then", "often"),
        ("usually", "always"),
    ],
)
def test_quantifiers_are_ordered(weaker: str, stronger: str) -> None:
    shares = [quantified_share(text.split()) for text in (weaker, stronger)]
    assert None not in shares
    assert shares == sorted(shares)
    assert shares[0] != shares[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("All guests", "every guest"),
        ("Lots of people", "many people"),
        ("every now and then", "sometimes"),
        ("a few coins", "some coins"),
        ("nobody", "no one"),
    ],
)
def test_words_of_one_step_have_the_same_share(one: str, other: str) -> None:
    assert quantified_share(one.split()) == quantified_share(other.split()) is not None


@pytest.mark.parametrize(
    "text",
    ["the red car", "", "the most expensive room", "much cheaper", "a little warmer", "three dogs"],
)
def test_other_chunks_have_no_quantifier(text: str) -> None:
    assert quantified_share(text.split()) is None
