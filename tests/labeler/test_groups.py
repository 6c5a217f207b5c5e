import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists.labeler import Labeler, LabelModel
from ists.labeler.features import FEATURES
from ists.labeler.groups import (
    GROUP_FEATURES,
    Joining,
    candidates_to_join,
    group_rows,
    groups_of,
    join,
)
from ists.labeler.label_model import Columns, _all_names
from ists.labeler.linking import LINK_FEATURES
from ists.labeler.lone import LONE_FEATURES
from ists.labeler.merging import Merging
from ists.pairs import Relation
from ists.scored_pair import Group, PairScores, ScoredPair
from tests.labeler.conftest import cut, named
from tests.labeler.test_labeler import linear

NAMES = [feature.name for feature in GROUP_FEATURES]
ONE = "[ The lamp ] [ is ] [ now ] [ wired ] [ to the switch ] [ . ]"
TWO = "[ The lamp and the switch ] [ are wired ] [ . ]"
LINKS = [(0, 0), (3, 1)]


def pair_of(one: str = ONE, two: str = TWO) -> ScoredPair:
    tokens1, chunks1 = cut(one)
    tokens2, chunks2 = cut(two)
    scores = PairScores.empty(len(chunks1), len(chunks2))
    scores.link[:] = 0.3
    return ScoredPair(
        tokens1, tuple(map(tuple, chunks1)), tokens2, tuple(map(tuple, chunks2)), scores
    )


@pytest.fixture(scope="module")
def model() -> LabelModel:
    """A model by which a chunk joins a link that says all its words."""
    answered, new = NAMES.index("answered"), NAMES.index("new words")
    return LabelModel(
        link=linear(len(LINK_FEATURES), 2, {}),
        relation=linear(len(FEATURES), 6, {}),
        score=linear(len(FEATURES), 4, {}),
        lone=linear(len(LONE_FEATURES), 2, {(0, 1): 5.0}),
        columns=Columns.of(_all_names()),
        group=linear(len(GROUP_FEATURES), 2, {(answered, 1): 2.0, (new, 1): 1.0}),
        group_from=0.7,
    )


def grouped(model: LabelModel, pair: ScoredPair, links=LINKS):
    labeler = Labeler(model)
    return labeler.group(labeler.score_links([pair]), [links])


def test_a_chunk_left_alone_joins_the_link_that_says_it_with_a_gap(model):
    [scored], [links] = grouped(model, pair_of())
    chunks = [(scored.pair.chunks1[i], scored.pair.chunks2[j]) for i, j in links]
    assert chunks == [((0, 1, 5, 6, 7), (0, 1, 2, 3, 4)), ((4,), (5, 6))]
    assert (2,) in scored.pair.chunks1
    assert (3,) in scored.pair.chunks1


def test_exchanging_the_sentences_exchanges_the_groups(model):
    [there], [links] = grouped(model, pair_of())
    [back], [turned] = grouped(model, pair_of(TWO, ONE), [(j, i) for i, j in LINKS])
    assert (there.pair.chunks1, there.pair.chunks2) == (back.pair.chunks2, back.pair.chunks1)
    assert sorted((j, i) for i, j in turned) == links


def test_a_model_without_the_classifier_makes_no_groups(model):
    one_to_one = replace(model, group=None)
    [scored], [links] = grouped(one_to_one, pair_of())
    assert links == LINKS
    assert scored.pair.chunks1 == pair_of().chunks1


def test_punctuation_and_unlikely_chunks_are_no_candidates(view):
    scores = PairScores.empty(6, 3)
    scores.link[4, 0] = scores.link[5, 0] = 0.3
    found = candidates_to_join(view(ONE, TWO), scores, groups_of(LINKS))
    assert found == [Joining(1, 4, 0)]


def test_the_features_say_what_the_chunk_adds(view):
    scores = PairScores.empty(6, 3)
    scores.link[4, 0] = 0.3
    groups = groups_of(LINKS)
    [row] = group_rows(view(ONE, TWO), scores, scores.link, groups, [Joining(1, 4, 0)])
    found = named(NAMES, row)
    assert (found["covers before"], found["covers after"]) == (0.5, 1.0)
    assert (found["answered"], found["new words"]) == (1.0, 1)
    assert (found["distance"], found["after"]) == (3, True)
    assert found["network link"] == pytest.approx(0.3)
    assert found["other coordinated"]
    assert len(set(NAMES)) == len(row)


def test_labels_of_2016_have_no_alic(model):
    labeler = Labeler(model)
    scored, links = grouped(model, pair_of())
    [labels] = labeler.label(scored, links)
    assert Relation.ALIC in {one.relation for one in labels.alone1.values()}
    plain = labels.without_alic()
    assert {one.relation for one in plain.alone1.values()} == {Relation.NOALI}
    assert plain.links == labels.links


def test_the_classifier_is_stored_with_the_model(model, tmp_path):
    stored = io.BytesIO()
    model.write(stored)
    (tmp_path / "labeler.npz").write_bytes(stored.getvalue())
    back = LabelModel.read(tmp_path / "labeler.npz")
    rows = np.random.default_rng(1).random((5, len(GROUP_FEATURES)), np.float32)
    np.testing.assert_array_equal(back.joining_of(rows), model.joining_of(rows))
    assert back.group_from == model.group_from


@st.composite
def matched(draw):
    """Two numbers of chunks, links between them, candidates and their probabilities."""
    count1, count2 = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    linked = draw(st.integers(1, min(count1, count2)))
    lefts = draw(st.permutations(range(count1)))[:linked]
    rights = draw(st.permutations(range(count2)))[:linked]
    groups = groups_of(zip(lefts, rights, strict=True))
    candidates = [
        Joining(sentence, chunk, group)
        for sentence, count, taken in ((1, count1, lefts), (2, count2, rights))
        for chunk in range(count)
        if chunk not in taken
        for group in range(linked)
    ]
    shares = draw(st.lists(st.floats(0, 1), min_size=len(candidates), max_size=len(candidates)))
    return (count1, count2), groups, candidates, shares


@given(matched(), st.floats(0, 1))
def test_joining_never_lowers_the_weight_and_uses_no_chunk_twice(case, threshold):
    counts, groups, candidates, shares = case
    joined = join(groups, candidates, shares, threshold)
    gains = dict(zip(candidates, [share - threshold for share in shares], strict=True))
    weight = 0.0
    for at, (before, after) in enumerate(zip(groups, joined, strict=True)):
        for sentence, old, new in ((1, *_sides(before, after, 0)), (2, *_sides(before, after, 1))):
            assert old <= new
            weight += sum(gains[Joining(sentence, chunk, at)] for chunk in new - old)
    assert weight >= 0
    for side, count in enumerate(counts):
        used = [chunk for group in joined for chunk in group[side]]
        assert len(used) == len(set(used))
        assert set(used) <= set(range(count))


def _sides(before: Group, after: Group, side: int) -> tuple[set[int], set[int]]:
    return set(before[side]), set(after[side])


@given(matched(), st.randoms(use_true_random=False))
def test_merging_keeps_every_token_once_and_the_strongest_link(case, random):
    (count1, count2), groups, candidates, shares = case
    joined = join(groups, candidates, shares, 0.2)
    sizes1 = [random.randint(1, 3) for _ in range(count1)]
    sizes2 = [random.randint(1, 3) for _ in range(count2)]
    scores = PairScores.empty(count1, count2)
    scores.link[:] = np.random.default_rng(len(candidates)).random((count1, count2))
    pair = ScoredPair(
        ["a"] * sum(sizes1), _chunks(sizes1), ["b"] * sum(sizes2), _chunks(sizes2), scores
    )
    merging = Merging.of(joined, pair)
    merged = merging.pair(pair)
    for tokens, chunks in ((pair.tokens1, merged.chunks1), (pair.tokens2, merged.chunks2)):
        assert sorted(token for chunk in chunks for token in chunk) == list(range(len(tokens)))
    before = sum(scores.link[i[0], j[0]] for i, j in groups)
    assert sum(merged.scores.link[cell] for cell in merging.links) >= before - 1e-6
    assert len(merging.links) == len(groups)


def _chunks(sizes: list[int]) -> tuple[tuple[int, ...], ...]:
    ends = np.cumsum(sizes).tolist()
    return tuple(tuple(range(end - size, end)) for size, end in zip(sizes, ends, strict=True))
