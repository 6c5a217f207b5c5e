import io

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ists.compiled import kernels
from ists.errors import ModelError
from ists.labeler.committee import Committee, Linear, Member
from ists.labeler.trees import LEAF, Boosting, Forest, Trees


def stump(threshold: float = 0.5) -> Trees:
    """One question: is feature 1 greater?"""
    return Trees(
        feature=np.array([1, LEAF, LEAF], np.int16),
        threshold=np.array([threshold], np.float32),
        right=np.array([2], np.uint16),
        sizes=np.array([3], np.int32),
    )


Grown = None | tuple[int, float, "Grown", "Grown"]
"""A leaf, or a question (feature, threshold) and what follows to the left and to the right."""

few = st.sampled_from([-1.0, -0.0, 0.0, 0.25, 0.5, 1.0])
features = few | st.just(np.nan)
grown: st.SearchStrategy[Grown] = st.recursive(
    st.none(), lambda below: st.tuples(st.integers(0, 2), few, below, below), max_leaves=40
)


def chain(length: int) -> Grown:
    """A tree as deep as it has questions, the last of them far to the right."""
    tree: Grown = None
    for at in range(length):
        tree = (at % 3, at / length - 1, None, tree)
    return tree


def planted(forest: list[Grown]) -> Trees:
    feature: list[int] = []
    threshold: dict[int, float] = {}
    right: dict[int, int] = {}

    def plant(tree: Grown) -> None:
        own = len(feature)
        feature.append(LEAF if tree is None else tree[0])
        if tree is not None:
            plant(tree[2])
            threshold[own], right[own] = tree[1], len(feature) - own
            plant(tree[3])

    sizes = []
    for tree in forest:
        before = len(feature)
        plant(tree)
        sizes.append(len(feature) - before)
    return Trees(
        np.array(feature, np.int16),
        np.array([threshold[own] for own in sorted(threshold)], np.float32),
        np.array([right[own] for own in sorted(right)], np.uint16),
        np.array(sizes, np.int32),
    )


def leaves_of(trees: Trees, rows: np.ndarray) -> list[list[int]]:
    return np.concatenate([*trees.leaves_of(rows)], axis=1).tolist()


def walked(trees: Trees, tree: int, row: np.ndarray) -> int:
    """The leaf that a row reaches step by step."""
    inner = np.flatnonzero(trees.feature != LEAF).tolist()
    node = int(trees.sizes[:tree].sum())
    while trees.feature[node] != LEAF:
        at = inner.index(node)
        node += int(trees.right[at]) if row[trees.feature[node]] > trees.threshold[at] else 1
    return int((trees.feature[:node] == LEAF).sum())


def test_a_row_goes_left_when_its_feature_is_not_greater():
    rows = np.array([[9, 0.5], [9, 0.6]], np.float32)
    assert leaves_of(stump(), rows) == [[0, 1]]


def test_a_tree_may_be_a_single_leaf():
    assert leaves_of(planted([None]), np.zeros((2, 1), np.float32)) == [[0, 0]]


@given(st.lists(grown, min_size=1, max_size=4), st.lists(st.tuples(few, few, few), min_size=1))
@example([chain(30), None], [(0.0, 0.0, 0.0), (-1.0, -1.0, -1.0), (-0.5, 0.0, -0.5)])
def test_every_row_reaches_the_leaf_its_answers_lead_to(forest, values):
    trees, rows = planted(forest), np.array(values, np.float32)
    assert leaves_of(trees, rows) == [
        [walked(trees, tree, row) for row in rows] for tree in range(len(forest))
    ]


@given(st.lists(grown, min_size=1, max_size=9))
def test_trees_survive_being_stored(forest):
    stored = planted(forest).arrays()
    again = Trees.from_arrays(stored, features=3).arrays()
    assert stored.keys() == again.keys()
    for name, array in stored.items():
        assert array.dtype == again[name].dtype
        np.testing.assert_array_equal(array, again[name])


def test_stored_trees_have_the_nodes_they_were_made_of():
    trees = planted([(1, 0.5, (0, 0.25, None, None), None), None])
    assert trees.feature.tolist() == [1, 0, LEAF, LEAF, LEAF, LEAF]
    assert trees.threshold.tolist() == [0.5, 0.25]
    assert trees.right.tolist() == [4, 2]
    assert trees.sizes.tolist() == [5, 1]


def test_a_forest_answers_with_the_mean_of_its_trees():
    forest = Forest(stump(), np.array([[1, 0], [0.25, 0.75]], np.float16))
    answers = forest.probabilities(np.array([[0, 0], [0, 1]], np.float32))
    assert answers.tolist() == [[1, 0], [0.25, 0.75]]


@pytest.mark.parametrize("compiled", [kernels, None])
@pytest.mark.parametrize(
    "damage",
    [
        {"feature": np.array([7, LEAF, LEAF], np.int16)},
        {"right": np.array([9], np.uint16)},
        {"right": np.array([0], np.uint16)},
        {"sizes": np.array([2], np.int32)},
        {"right": np.array([3], np.uint16)},
        {"right": np.array([2, 2], np.uint16)},
        {"feature": np.array([-2, LEAF, LEAF], np.int16)},
        {"feature": np.array([LEAF, LEAF, LEAF], np.int16)},
        {"sizes": np.array([0, 3], np.int32)},
        {"sizes": np.array([3, 1], np.int32)},
        {"threshold": np.zeros(2, np.float32)},
        {
            "feature": np.zeros(0, np.int16),
            "threshold": np.zeros(0, np.float32),
            "right": np.zeros(0, np.uint16),
            "sizes": np.zeros(0, np.int32),
        },
    ],
)
def test_tables_that_lead_astray_are_rejected(damage, compiled, monkeypatch):
    monkeypatch.setattr("ists.labeler.trees.kernels", compiled)
    arrays = {**stump().arrays(), **damage}
    with pytest.raises(ModelError, match="damaged"):
        Trees.from_arrays(arrays, features=2)
    with pytest.raises(ModelError, match="damaged"):
        Trees(**arrays, features=2)


@pytest.mark.parametrize("share", [np.nan, np.inf, -np.inf])
def test_shares_that_are_no_numbers_are_rejected(share):
    shares = np.array([[1, 0], [0.25, share]], np.float16)
    with pytest.raises(ModelError, match="damaged"):
        Forest.from_arrays(Forest(stump(), shares).arrays(), features=2)


def test_shares_may_be_stored_column_by_column():
    random = np.random.default_rng(5)
    forest, rows = members(random)["forest"], random.random((9, 3), np.float32)
    stored = {name: np.asfortranarray(array) for name, array in forest.arrays().items()}
    again = Forest.from_arrays(stored, features=3)
    np.testing.assert_array_equal(again.probabilities(rows), forest.probabilities(rows))


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


def test_an_unknown_kind_of_classifier_is_rejected():
    with pytest.raises(ModelError, match="oracle"):
        Committee.from_arrays({"oracle/weights": np.zeros(1)}, features=2)


def test_the_numpy_trees_answer_as_scikit_learn_does():
    ensemble = pytest.importorskip("sklearn.ensemble")
    training = pytest.importorskip("ists.train.aligner.classifiers")
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


def test_a_tree_too_wide_to_be_stored_is_rejected():
    training = pytest.importorskip("ists.train.aligner.classifiers")
    left, right = np.full((2, 2**16 + 1), LEAF, np.int64)
    questions = np.arange(0, 2**16, 2)  # a chain to the left
    left[questions], right[questions] = questions + 2, questions + 1
    table = np.zeros(len(left), np.int16), np.zeros(len(left)), left, right
    with pytest.raises(ValueError, match="65535"):
        training._trees_of([table])


def members(random: np.random.Generator) -> dict[str, Member]:
    """One classifier of each kind, of three features and three classes."""
    trees = planted([chain(length) for length in range(15)])
    return {
        "forest": Forest(trees, random.random((trees.leaves, 3)).astype(np.float16)),
        "boosting": Boosting(
            trees, random.random(trees.leaves, np.float32), random.random(3, np.float32)
        ),
        "linear": Linear(
            weights=random.random((3, 3), np.float32),
            bias=random.random(3, np.float32),
            centre=np.zeros(3, np.float32),
            scale=np.ones(3, np.float32),
        ),
    }


@pytest.mark.parametrize("kind", ["forest", "boosting", "linear"])
def test_a_batch_answers_as_its_rows_one_by_one(kind, monkeypatch):
    random = np.random.default_rng(2)
    member, rows = members(random)[kind], random.random((16, 3), np.float32) - 1
    together = member.probabilities(rows)
    alone = np.concatenate([member.probabilities(rows[at : at + 1]) for at in range(len(rows))])
    np.testing.assert_array_equal(together, alone)
    monkeypatch.setattr("ists.labeler.trees._AT_ONCE", 5 * 15)
    np.testing.assert_array_equal(together, member.probabilities(rows))


@pytest.mark.parametrize("kind", ["forest", "boosting", "linear"])
def test_no_probability_is_above_its_ceiling(kind, monkeypatch):
    monkeypatch.setattr("ists.labeler.trees._LEADING", 2)
    random = np.random.default_rng(3)
    member = members(random)[kind]
    rows = random.normal(size=(200, 3)).astype(np.float32)
    ceilings = member.ceilings(rows)
    assert (member.probabilities(rows) <= ceilings + 1e-6).all()
    committee = Committee(members(random))
    assert (committee.probabilities(rows) <= committee.ceilings(rows) + 1e-6).all()
    assert committee.ceilings(rows[:0]).shape == (0, committee.classes)


def test_rows_too_narrow_for_the_trees_are_rejected():
    boosting = Boosting(stump(), np.zeros(2, np.float32), np.zeros(1, np.float32))
    with pytest.raises((ValueError, IndexError)):
        boosting.probabilities(np.zeros((1, 1), np.float32))


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
@given(
    st.lists(grown, min_size=1, max_size=20),
    st.lists(st.tuples(features, features, features), max_size=30),
    st.integers(2, 4),
    st.randoms(use_true_random=False),
)
def test_compiled_and_python_trees_answer_the_same(forest, values, classes, random):
    forest = forest * classes
    trees, rows = planted(forest), np.array(values, np.float32).reshape(-1, 3)
    numbers = np.random.default_rng(random.getrandbits(32))
    for member in (
        Forest(trees, numbers.random((trees.leaves, classes)).astype(np.float16)),
        Boosting(
            trees,
            numbers.normal(size=trees.leaves).astype(np.float32),
            numbers.normal(size=classes).astype(np.float32),
        ),
    ):
        compiled = member.probabilities(rows)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ists.labeler.trees.kernels", None)
            if len(rows):
                np.testing.assert_array_equal(compiled, member.probabilities(rows))
        assert compiled.shape == (len(rows), classes)
        assert compiled.dtype == np.float32
