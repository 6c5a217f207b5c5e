"""Polarity of chunks."""

import pytest

from ists.lexicon import NegationPlace, polarity, polarity_differs

VERB, DETERMINER, ADVERB, PREPOSITION, PLAIN, NONE = (
    NegationPlace.VERB,
    NegationPlace.DETERMINER,
    NegationPlace.ADVERB,
    NegationPlace.PREPOSITION,
    NegationPlace.PLAIN,
    NegationPlace.NONE,
)


@pytest.mark.parametrize(
    ("chunk", "negators", "weak", "implicit", "place"),
    [
        ("did n't win", 1, 0, 0, VERB),
        ("does not open", 1, 0, 0, VERB),
        ("is n't", 1, 0, 0, VERB),
        ("anything but boring", 1, 0, 0, PLAIN),
        ("anything", 0, 0, 0, NONE),
        ("don’t know", 1, 0, 0, VERB),
        ("dont like", 1, 0, 0, VERB),
        ("wont work", 1, 0, 0, VERB),
        ("cant find", 1, 0, 0, VERB),
        ("isnt ready", 1, 0, 0, VERB),
        ("doesnt matter", 1, 0, 0, VERB),
        ("didnt come", 1, 0, 0, VERB),
        ("cannot", 1, 0, 0, VERB),
        ("Not to go", 1, 0, 0, VERB),
        ("no dogs", 1, 0, 0, DETERMINER),
        ("none of the guests", 1, 0, 0, DETERMINER),
        ("nobody", 1, 0, 0, DETERMINER),
        ("No one", 1, 0, 0, DETERMINER),
        ("neither candidate", 1, 0, 0, DETERMINER),
        ("never", 1, 0, 0, ADVERB),
        ("no longer works", 1, 0, 0, ADVERB),
        ("without a permit", 1, 0, 0, PREPOSITION),
        ("not a doctor", 1, 0, 0, PLAIN),
        ("non-members", 1, 0, 0, PLAIN),
        ("not without hope", 2, 0, 0, PLAIN),
        ("hardly", 0, 1, 0, NONE),
        ("few people", 0, 1, 0, NONE),
        ("little hope", 0, 1, 0, NONE),
        ("barely breathes", 0, 1, 0, NONE),
        ("a few people", 0, 0, 0, NONE),
        ("the last few days", 0, 0, 0, NONE),
        ("a little dog", 0, 0, 0, NONE),
        ("failed to agree", 0, 0, 1, NONE),
        ("refuses to sign", 0, 0, 1, NONE),
        ("lacks experience", 0, 0, 1, NONE),
        ("avoided", 0, 0, 1, NONE),
        ("forgot to lock", 0, 0, 1, NONE),
        ("stopped smoking", 0, 0, 1, NONE),
        ("stopped the car", 0, 0, 0, NONE),
        ("failed", 0, 0, 0, NONE),
        ("did not fail to agree", 1, 0, 1, VERB),
        ("no doubt", 0, 0, 0, NONE),
        ("not only the poor", 0, 0, 0, NONE),
        ("no fewer than ten", 0, 0, 0, NONE),
        ("knows", 0, 0, 0, NONE),
        ("a note", 0, 0, 0, NONE),
        ("", 0, 0, 0, NONE),
    ],
)
def test_a_chunk_is_negated(
    chunk: str, negators: int, weak: int, implicit: int, place: NegationPlace
) -> None:
    found = polarity(chunk.split())
    assert (found.negators, found.weak, found.implicit, found.place) == (
        negators,
        weak,
        implicit,
        place,
    )


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ("is open", "is n't open", True),
        ("all dogs", "no dogs", True),
        ("agreed", "failed to agree", True),
        ("did n't fail to pay", "paid", False),
        ("never smokes", "does not smoke", False),
        ("with sugar", "without sugar", True),
        ("hardly moves", "moves", False),
    ],
)
def test_one_side_is_negated(one: str, other: str, differs: bool) -> None:
    assert polarity_differs(one.split(), other.split()) is differs
    assert polarity_differs(other.split(), one.split()) is differs


def test_the_sign_weakens() -> None:
    assert polarity(["open"]).sign == 1.0
    assert polarity(["never"]).sign == -1.0
    assert polarity(["hardly"]).sign == -0.5
    assert polarity(["never", "hardly"]).sign == 0.5
    assert polarity(["not", "without", "hope"]).sign == 1.0
