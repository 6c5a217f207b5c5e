"""Chunks compared as wholes."""

import pytest

from ists.labeler.comparisons import MUTUAL_COMPARISONS, ONE_WAY_COMPARISONS, Comparisons
from ists.labeler.features import MIRROR, feature_matrix
from ists.labeler.meaning import MEANING
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.scored_pair import PairScores

ONE_WAY = [name for name, _ in (*ONE_WAY_COMPARISONS, *MEANING)]
NAMES = [
    *(f"{name} 1" for name in ONE_WAY),
    *(f"{name} 2" for name in ONE_WAY),
    *(name for name, _ in MUTUAL_COMPARISONS),
]


@pytest.fixture(scope="module")
def reader() -> PhraseReader:
    return PhraseReader(WordKnowledge(Lexicon.load()))


def view_of(reader: PhraseReader, one: str, two: str) -> PairView:
    sides = []
    for text in (one, two):
        tokens, chunks = [], []
        for chunk in text.split(" / "):
            words = chunk.split()
            chunks.append(tuple(range(len(tokens), len(tokens) + len(words))))
            tokens += words
        sides += [tokens, chunks]
    return PairView.read(*sides, reader)


def compared(reader: PhraseReader, one: str, two: str, i: int = 0, j: int = 0) -> dict[str, float]:
    return dict(zip(NAMES, Comparisons(view_of(reader, one, two)).features(i, j), strict=True))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("won", "lost"),
        ("rose", "fell"),
        ("too hot", "too cold"),
        ("has been fixed", "broke"),
        ("late", "on time"),
        ("accepted", "turned down"),
        ("in stock", "sold out"),
        ("up to 12 guests", "more than 12 guests"),
        ("by nine o'clock", "after nine o'clock"),
        ("until Friday", "from Friday"),
        ("upheld", "was overturned"),
    ],
)
def test_opposed_chunks_are_turned_round(reader, one, two):
    found = compared(reader, one, two)
    assert found["opposed"] > 0.5
    assert found["turned round"]
    assert not found["cancelled"]


@pytest.mark.parametrize(
    ("one", "two"),
    [("are not", "are"), ("wo n't connect", "connects"), ("have n't fixed", "has been fixed")],
)
def test_a_denied_chunk_is_turned_round(reader, one, two):
    found = compared(reader, one, two)
    assert found["denial differs"]
    assert found["turned round"]


def test_a_denied_opposite_is_not_turned_round(reader):
    assert not compared(reader, "did not win", "lost")["turned round"]


def test_two_oppositions_cancel_each_other(reader):
    found = compared(reader, "is n't / open", "is / closed")
    assert found["turned round"]
    assert found["cancelled"]


@pytest.mark.parametrize(
    ("one", "two", "name"),
    [
        ("$ 3.2m", "of $ 3.2 million", "amounts equal"),
        ("eight percent", "8 %", "amounts equal"),
        ("14 people", "11 people", "amounts differ"),
        ("17 people", "at least 14 people", "amount inside 1"),
        ("The World Health Organization", "The WHO", "names acronym"),
        ("Angela Merkel", "Merkel", "names surname"),
        ("Putin and Obama", "Obama", "names more 1"),
        ("will leave", "left", "certainty differs"),
        ("was great", "was awful", "opinions opposed"),
        ("bought", "sold", "converse"),
    ],
)
def test_a_comparison_is_found(reader, one, two, name):
    assert compared(reader, one, two)[name]


def test_exchanging_the_sentences_permutes_the_features(reader):
    view = view_of(reader, "Putin and Obama / did not agree", "Obama / may agree / on 3 points")
    signals = PairScores.empty(2, 3)
    rows = feature_matrix(view, signals, [(0, 0), (1, 1)])
    back = feature_matrix(view.swapped, signals.swapped, [(0, 0), (1, 1)])
    assert (rows[:, list(MIRROR)] == back).all()


def test_quantifiers_are_compared(reader):
    found = compared(reader, "all seats", "some seats")
    assert found["quantified share 1"] > found["quantified share 2"] > 0
    assert found["quantifiers differ"] == found["quantified share 1"] - found["quantified share 2"]
    assert compared(reader, "all seats", "every seat")["quantifiers differ"] == 0
    assert compared(reader, "all seats", "the seats")["quantified share 2"] == -1


@pytest.mark.parametrize(
    ("one", "two", "differ"),
    [
        ("Mr Farrow", "Mrs Farrow", 1),
        ("about him", "about her", 1),
        ("the waiter", "our waitress", 1),
        ("his coat", "the man", 0),
        ("her coat", "my coat", 0),
        ("a man and a woman", "a woman", 0),
    ],
)
def test_genders_are_compared(reader, one, two, differ):
    assert compared(reader, one, two)["genders differ"] == differ


@pytest.mark.parametrize(
    ("one", "two", "differ"),
    [
        ("until noon", "at noon", 1),
        ("by June", "until June", 1),
        ("after 5 pm", "before 5 pm", 1),
        ("on Monday", "in May", 0),
        ("at the harbour", "by the harbour", 0),
        ("noon", "at noon", 0),
    ],
)
def test_limits_of_times_are_compared(reader, one, two, differ):
    assert compared(reader, one, two)["limits differ"] == differ


@pytest.mark.parametrize(
    ("one", "two", "differ"),
    [
        ("my keys", "her keys", 1),
        ("you", "they", 1),
        ("I", "my brother", 0),
        ("my keys", "the keys", 0),
    ],
)
def test_persons_of_pronouns_are_compared(reader, one, two, differ):
    assert compared(reader, one, two)["persons differ"] == differ


def test_opposite_conditions_are_opposed(reader):
    assert compared(reader, "unless it rains", "If it rains")["opposed"] == 1
    assert compared(reader, "if it rains", "If it pours")["opposed"] == 0


def test_opposite_amounts_elsewhere_cancel_an_opposition(reader):
    found = compared(reader, "is closed / to more than 12 guests", "is open / to up to 12 guests")
    assert found["turned round"]
    assert found["cancelled"]


def test_opposite_limits_hold_of_times_only(reader):
    assert compared(reader, "by the bridge", "after the bridge")["opposed"] == 0


@pytest.mark.parametrize(
    ("one", "two", "differ"),
    [
        ("behind the station", "near the station", 1),
        ("in the car", "under the car", 1),
        ("in the car", "inside the car", 0),
        ("in May", "around May", 0),
        ("the station", "near the station", 0),
    ],
)
def test_positions_are_compared(reader, one, two, differ):
    assert compared(reader, one, two)["positions differ"] == differ
