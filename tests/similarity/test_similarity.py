"""Similarity of aligned pairs: sums, bounds, independence of the order of sentences."""

from dataclasses import replace
from itertools import pairwise
from math import fsum, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists.errors import ModelError
from ists.models import Model
from ists.pairs import LINKING, Alignment, Chunk, Relation, Sentence, SentencePair
from ists.similarity import SCALES, Points, Similarity, WordVectors, similarity

POINTS = Points(
    3.0,
    {
        "OPPO": (2.0, 2.0, 1.5, 1.5, 1.5),
        "SPE": (0.8, 0.6, 0.4, 0.2, 0.0),
        "SIMI": (1.2, 1.0, 0.8, 0.6, 0.4),
        "REL": (1.5, 1.4, 1.3, 1.2, 1.1),
        "ALIC": (0.5,),
        "NOALI": (1.0,),
    },
)
WORDS = ("cat", "roof", "sleeps", ",", "a", "snow", "42", "!")


@st.composite
def _chunks(draw, tokens):
    """Split a sentence into chunks of token numbers from 1."""
    edges = sorted({0, tokens, *draw(st.sets(st.integers(0, tokens), max_size=3))})
    return [Chunk(tuple(range(a + 1, b + 1))) for a, b in pairwise(edges)]


@st.composite
def _pairs(draw, words1, words2):
    """Two sentences with random alignments: some chunks linked one to one, others unaligned."""
    chunks1, chunks2 = draw(_chunks(len(words1))), draw(_chunks(len(words2)))
    links = draw(st.integers(0, min(len(chunks1), len(chunks2))))
    labels = st.sampled_from(LINKING), st.integers(1, 5)
    alignments = [
        Alignment(one, two, draw(labels[0]), draw(labels[1]))
        for one, two in zip(chunks1[:links], chunks2[:links], strict=True)
    ]
    alone = st.sampled_from([Relation.ALIC, Relation.NOALI])
    alignments += [Alignment(chunk, None, draw(alone)) for chunk in chunks1[links:]]
    alignments += [Alignment(None, chunk, draw(alone)) for chunk in chunks2[links:]]
    return SentencePair("1", Sentence.of(words1), Sentence.of(words2), tuple(alignments))


@st.composite
def _cases(draw):
    words1, words2 = (draw(st.lists(st.sampled_from(WORDS), max_size=6)) for _ in range(2))
    seed = draw(st.integers(0, 999))
    rng = np.random.default_rng(seed)
    vectors = tuple(
        WordVectors(rng.normal(draw(st.sampled_from([0.0, 0.5])), 1, (len(words), 5)))
        for words in (words1, words2)
    )
    return draw(_pairs(words1, words2)), vectors


@given(_cases())
def test_contributions_add_up_to_the_score(case):
    pair, vectors = case
    found = similarity(pair, vectors, POINTS)
    assert 0 <= found.score <= 5
    assert len(found.contributions) == len(found.shares) == len(pair.alignments)
    assert isclose(fsum(found.contributions), found.score, abs_tol=1e-9)
    if pair.sentence1.words and pair.sentence2.words:
        assert isclose(fsum(found.shares), 5)


@given(_cases())
def test_every_contribution_has_its_minimum(case):
    pair, vectors = case
    found = similarity(pair, vectors, POINTS)
    for alignment, part, share in zip(
        pair.alignments, found.contributions, found.shares, strict=True
    ):
        assert part >= 0.02 * (alignment.score or 0) * share - 1e-9


def test_the_minimum_of_one_link_is_taken_from_the_others_and_not_added():
    pair = aligned(Relation.OPPO, 1)
    one, two = vectors_of((1, 0), (1, 0), (1, 0)), vectors_of((1, 0), (1, 0), (-1, 0))
    found = similarity(pair, (one, two), replace(POINTS, contradiction=1.0))
    by_angle = similarity(pair, (one, two), replace(POINTS, contradiction=0.0))
    assert found.score == pytest.approx(by_angle.score - 1)
    least = 0.02 * 5 / 3
    assert found.contributions == pytest.approx((found.score - least, least))


@given(_cases(), st.sampled_from(sorted(SCALES)))
def test_rounded_contributions_add_up_to_the_rounded_score(case, scale):
    pair, vectors = case
    found = similarity(pair, vectors, POINTS)
    rounded = found.contributions_on(scale)
    assert abs(fsum(rounded) - found.on(scale)) < 1e-9
    exact = [part * SCALES[scale] / 5 for part in found.contributions]
    assert all(abs(one - two) <= 1.01e-4 for one, two in zip(rounded, exact, strict=True))
    assert 0 <= found.on(scale) <= SCALES[scale]


@given(_cases())
def test_the_score_does_not_depend_on_the_order_of_sentences(case):
    pair, (one, two) = case
    exchanged = replace(
        pair,
        sentence1=pair.sentence2,
        sentence2=pair.sentence1,
        alignments=tuple(alignment.exchanged() for alignment in pair.alignments),
    )
    there = similarity(pair, (one, two), POINTS)
    assert similarity(exchanged, (two, one), POINTS).score == there.score


def aligned(relation, score, words1="a cat sleeps", words2="a cat naps"):
    sentences = Sentence.of(words1.split()), Sentence.of(words2.split())
    links = (
        Alignment(Chunk((1, 2)), Chunk((1, 2)), Relation.EQUI, 5),
        Alignment(Chunk((3,)), Chunk((3,)), relation, score),
    )
    return SentencePair("1", *sentences, links)


def vectors_of(*rows):
    return WordVectors(np.array(rows, float))


def test_a_word_loses_by_its_relation_and_by_the_angle():
    same = vectors_of((1, 0), (1, 0), (1, 0))
    pair = aligned(Relation.SIMI, 3)
    found = similarity(pair, (same, same), POINTS)
    assert found.score == pytest.approx(5 - 0.8 / 3)
    assert found.contributions == pytest.approx((10 / 3, 5 / 3 - 0.8 / 3))
    assert found.shares == pytest.approx((10 / 3, 5 / 3))
    other = vectors_of((0, 1), (0, 1), (0, 1))
    assert similarity(pair, (same, other), POINTS).score == pytest.approx(2 - 0.8 / 3)


def test_equivalent_sentences_with_equal_vectors_have_all_points():
    pair = aligned(Relation.EQUI, 5)
    same = vectors_of((1, 2), (3, 4), (0, 1))
    assert similarity(pair, (same, same), POINTS).on("0-5") == 5.0


def test_a_contradiction_costs_more_than_its_words():
    same = vectors_of((1, 0), (1, 0), (1, 0))
    pair = aligned(Relation.OPPO, 4)
    by_words = similarity(pair, (same, same), POINTS)
    found = similarity(pair, (same, same), replace(POINTS, contradiction=1.0))
    assert found.score == pytest.approx(by_words.score - 1)
    assert found.contributions[0] == by_words.contributions[0]
    assert found.contributions[1] == pytest.approx(by_words.contributions[1] - 1)


def test_links_keep_the_score_above_zero():
    pair = aligned(Relation.OPPO, 1)
    one, two = vectors_of((1, 0), (1, 0), (1, 0)), vectors_of((-1, 0), (-1, 0), (-1, 0))
    found = similarity(pair, (one, two), POINTS)
    assert found.score == pytest.approx(0.02 * (5 * 10 / 3 + 1 * 5 / 3))
    assert found.contributions == pytest.approx((0.02 * 5 * 10 / 3, 0.02 * 5 / 3))
    alone = (
        Alignment(Chunk((1, 2, 3)), None, Relation.NOALI),
        Alignment(None, Chunk((1, 2, 3)), Relation.NOALI),
    )
    found = similarity(replace(pair, alignments=alone), (one, two), POINTS)
    assert (found.score, found.contributions) == (0.0, (0.0, 0.0))


def test_punctuation_alone_is_as_similar_as_its_vectors():
    sentence = Sentence.of(["."])
    alone = (
        Alignment(Chunk((1,)), None, Relation.NOALI),
        Alignment(None, Chunk((1,)), Relation.NOALI),
    )
    same = vectors_of((1, 0))
    assert similarity(SentencePair("1", sentence, sentence, alone), (same, same), POINTS).score == 5


def test_the_record_is_that_of_jsonl_with_the_parts():
    pair = aligned(Relation.SIMI, 3)
    found = Similarity(pair, 3.0, (2.0, 1.0), (3.0, 2.0))
    record = found.to_record("0-1")
    assert (record["similarity"], record["scale"]) == (0.6, "0-1")
    parts = [(a["relation"], a["contribution"], a["share"]) for a in record["alignments"]]
    assert parts == [("EQUI", 0.4, 0.6), ("SIMI", 0.2, 0.4)]
    assert replace(found, score=3.2, contributions=(2.1, 1.1)).on("0-4") == 2.56


def test_a_card_without_points_is_rejected(tmp_path):
    for card in ({}, {"points": {"angle": "x", "lost": {}}}, {"points": {"angle": 1, "lost": []}}):
        with pytest.raises(ModelError, match="no points"):
            Points.of(Model(tmp_path, card))
