import io

import numpy as np
import pytest

from ists.errors import ModelError
from ists.labeler.committee import Committee, Linear
from ists.labeler.trees import LEAF, Boosting, Forest, Trees


def stump(threshold: float = 0.5) -> Trees:
    """One question: is feature 1 greater?"""
    return Trees(
        feature=np.array([1, LEAF, LEAF], np.int16),
        threshold=np.array([threshold], np.float32),
        right=np.array([2], np.uint16),
        sizes=np.array([3], np.int32),
    )


def test_a_row_goes_left_when_its_feature_is_not_greater():
    rows = np.array([[9, 0.5], [9, 0.6]], np.float32)
    assert stump().leaf_of(rows).tolist() == [[0], [1]]


def test_a_tree_may_be_a_single_leaf():
    trees = Trees(
        np.array([LEAF], np.int16),
        np.zeros(0, np.float32),
        np.zeros(0, np.uint16),
        np.array([1], np.int32),
    )
    assert trees.leaf_of(np.zeros((2, 1), np.float32)).tolist() == [[0], [0]]


def test_a_forest_answers_with_the_mean_of_its_trees():
    forest = Forest(stump(), np.array([[1, 0], [0.25, 0.75]], np.float16))
    answers = forest.probabilities(np.array([[0, 0], [0, 1]], np.float32))
    assert answers.tolist() == [[1, 0], [0.25, 0.75]]


@pytest.mark.parametrize(
    "damage",
    [
        {"feature": np.array([7, LEAF, LEAF], np.int16)},
        {"right": np.array([9], np.uint16)},
        {"right": np.array([0], np.uint16)},
        {"sizes": np.array([2], np.int32)},
        {"threshold": np.zeros(2, np.float32)},
    ],
)
def test_tables_that_lead_astray_are_refused(damage):
    with pytest.raises(ModelError, match="damaged"):
        Trees.from_arrays({**stump().arrays(), **damage}, features=2)


def test_a_committee_survives_being_stored():
    linear = Linear(
        np.array([[1, 0], [0, 1]], np.float32),
        np.zeros(2, np.float32),
        np.zeros(2, np.float32),
        np.ones(2, np.float32),
    )
    forest = Forest(stump(), np.array([[1, 0], [0.25, 0.75]], np.float16))
    committee = Committee({"forest": forest, "linear": linear})
    stream = io.BytesIO()
    np.savez(stream, **committee.arrays())
    stream.seek(0)
    again = Committee.from_arrays(dict(np.load(stream, allow_pickle=False)), features=2)
    rows = np.random.default_rng(0).random((8, 2), np.float32)
    np.testing.assert_array_equal(committee.probabilities(rows), again.probabilities(rows))


def test_an_unknown_kind_of_classifier_is_refused():
    with pytest.raises(ModelError, match="oracle"):
        Committee.from_arrays({"oracle/weights": np.zeros(1)}, features=2)


def test_the_numpy_trees_answer_as_scikit_learn_does():
    ensemble = pytest.importorskip("sklearn.ensemble")
    training = pytest.importorskip("ists.train.labeler")
    random = np.random.default_rng(1)
    rows = np.round(random.normal(size=(400, 6)), 1).astype(np.float32)
    targets = (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0).astype(int) + (rows[:, 3] > 0.7)
    fitted = ensemble.ExtraTreesClassifier(20, min_samples_leaf=2, random_state=0)
    forest = training.forest_of(fitted.fit(rows, targets), 3)
    np.testing.assert_allclose(
        forest.probabilities(rows), fitted.predict_proba(rows), atol=5e-4
    )  # the leaves are stored with 16 bits
    boosted = ensemble.HistGradientBoostingClassifier(max_iter=15, random_state=0)
    with training.threadpool_limits(1):
        boosted.fit(rows, targets)
    boosting = training.boosting_of(boosted, 3)
    assert isinstance(boosting, Boosting)
    np.testing.assert_allclose(boosting.probabilities(rows), boosted.predict_proba(rows), atol=1e-5)


def test_a_batch_answers_as_its_rows_one_by_one():
    random = np.random.default_rng(2)
    rows = random.random((16, 2), np.float32)
    linear = Linear(
        weights=random.random((2, 3), np.float32),
        bias=random.random(3, np.float32),
        centre=np.zeros(2, np.float32),
        scale=np.ones(2, np.float32),
    )
    alone = np.concatenate([linear.probabilities(rows[at : at + 1]) for at in range(len(rows))])
    np.testing.assert_array_equal(linear.probabilities(rows), alone)
