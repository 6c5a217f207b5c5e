import random

import numpy as np
import pytest

from ists.errors import FormatError
from ists.pipeline import Aligner
from ists.similarity import SentenceEncoder

TEXTS = [
    "A tabby cat sleeps on the warm roof .",
    "A cat is sleeping on a roof",
    "Orchestra tours Japan in spring",
    "",
    ", . !",
    "caf\udce9 opens",
]


@pytest.fixture(scope="module")
def encoder():
    return SentenceEncoder.load(threads=1)


@pytest.fixture(scope="module")
def aligner():
    return Aligner.load(threads=1)


def test_vectors_have_length_one_and_similar_words_are_near(encoder):
    vectors = encoder.vectors(TEXTS)
    assert np.sqrt((vectors**2).sum(1)) == pytest.approx([1, 1, 1, 0, 1, 1])
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > 0.6 > far


def test_a_sentence_has_the_same_vector_in_any_batch(encoder):
    together = encoder.vectors(TEXTS, batch_size=4)
    alone = np.concatenate([encoder.vectors([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_shares_of_the_cosine_add_up_and_punctuation_has_none(encoder):
    one, two = encoder.read(
        [
            ["The", "ferry", ",", "which", "was", "late", ",", "sank", "."],
            ["A", "late", "ferry", "goes", "down"],
        ]
    )
    cosine = one.sentence @ two.sentence
    assert one.shares(two).sum() == pytest.approx(cosine)
    assert two.shares(one).sum() == pytest.approx(cosine)
    assert one.shares(two)[[2, 6, 8]].tolist() == [0, 0, 0]


def test_a_sentence_that_is_too_long_is_rejected(encoder):
    with pytest.raises(FormatError, match="a sentence of 702 word pieces"):
        encoder.vectors(["cat " * 700])


def test_similarities_are_the_same_in_any_order_and_batch(aligner):
    pairs = [(one, two) for one in TEXTS for two in TEXTS[:3]]
    expected = [found.score for found in aligner.similarity_many(pairs)]
    order = list(range(len(pairs)))
    random.Random(1).shuffle(order)
    found = aligner.similarity_many((pairs[i] for i in order), batch_size=3)
    assert {i: one.score for i, one in zip(order, found, strict=True)} == dict(enumerate(expected))
    assert aligner.similarity(*pairs[0]).score == expected[0]


def test_a_pair_that_is_too_long_is_rejected_in_order(aligner):
    long = "cat " * 600
    with pytest.raises(FormatError, match="pair 2: the two sentences have"):
        list(aligner.similarity_many([("A cat", "A dog"), (long, long)]))
