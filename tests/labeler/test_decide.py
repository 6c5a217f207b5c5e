import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ists.labeler.decide import EQUI_AT, HALF_SCORES, SURE_EQUI, decide, sharpened
from ists.pairs import LINKING, Alignment, Chunk, Relation

shares = st.lists(st.floats(0.0, 1.0), min_size=6, max_size=6).filter(lambda row: sum(row) > 0.01)
lower = st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4).filter(lambda row: sum(row) > 0.01)


def normalised(row: list[float]) -> np.ndarray:
    values = np.array([row], np.float32)
    return values / values.sum()


@given(shares, lower)
def test_every_decision_keeps_the_guidelines(relations, scores):
    [decision] = decide(normalised(relations), normalised(scores))
    link = Alignment(Chunk((1,)), Chunk((1,)), decision.relation, decision.score)
    assert not [*link.problems(), *link.violations()]
    assert decision.relation is Relation.EQUI or decision.score in HALF_SCORES
    assert 0 <= decision.confidence <= 1


def test_the_likeliest_relation_wins_when_it_is_clear():
    relations = np.full((6, 6), 0.02, np.float32) + 0.88 * np.eye(6, dtype=np.float32)
    scores = np.tile(np.array([0, 0, 0.1, 0.9], np.float32), (6, 1))
    decisions = decide(relations, scores)
    assert [decision.relation for decision in decisions] == list(LINKING)
    assert [decision.score for decision in decisions] == [5, 4, 4, 4, 4, 4]


@given(st.floats(SURE_EQUI, 1.0), shares, lower)
def test_a_sure_equi_needs_no_scores(equi, others, scores):
    others[EQUI_AT] = 0
    assume(sum(others) > 0.01)
    relations = normalised(others) * np.float32(1 - equi)
    relations[0, EQUI_AT] = equi
    [decision] = decide(relations, normalised(scores))
    assert (decision.relation, decision.score) == (Relation.EQUI, 5)
    assert decide(relations, np.zeros((1, 4), np.float32)) == [decision]


def test_a_batch_decides_as_its_rows_one_by_one():
    random = np.random.default_rng(3)
    relations = random.dirichlet(np.ones(6), 40).astype(np.float32)
    scores = random.dirichlet(np.ones(4), 40).astype(np.float32)
    alone = [decide(relations[at : at + 1], scores[at : at + 1])[0] for at in range(40)]
    assert decide(relations, scores) == alone


def test_no_links_no_decisions():
    assert decide(np.zeros((0, 6), np.float32), np.zeros((0, 4), np.float32)) == []


def test_sharpening_keeps_the_order_and_the_sum():
    even = np.array([[0.5, 0.3, 0.2]], np.float32)
    sharp = sharpened(even, 2.0)
    assert sharp.sum() == pytest.approx(1)
    assert sharp[0, 0] > 0.5
    assert list(np.argsort(sharp[0])) == list(np.argsort(even[0]))
