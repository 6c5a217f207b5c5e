"""Fitting trees and linear models with scikit-learn, converted to the run time's plain arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
)
from sklearn.linear_model import LogisticRegression
from threadpoolctl import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    threadpool_limits,
)

from ists.arrays import Floats
from ists.labeler.committee import Linear
from ists.labeler.trees import LEAF, Boosting, Forest, Trees

Ints = NDArray[np.int64]

_CONSTANT = 1e-6
"""A feature with a lower standard deviation is treated as constant."""
_NEVER = -30.0
"""The logit of a class without training examples."""


def fit_forest(
    rows: Floats,
    targets: Ints,
    weights: Floats,
    classes: int,
    *,
    trees: int,
    smallest_leaf: int,
    features: float,
    seed: int,
) -> Forest:
    """Fit extremely randomised trees."""
    fitted = ExtraTreesClassifier(
        trees,
        min_samples_leaf=smallest_leaf,
        max_features=features,
        random_state=seed,
        n_jobs=-1,  # the same trees for any number of threads
    ).fit(rows, targets, sample_weight=weights)
    return forest_of(fitted, classes)


def fit_boosting(
    rows: Floats,
    targets: Ints,
    weights: Floats,
    classes: int,
    *,
    rounds: int,
    rate: float,
    leaves: int,
    smallest_leaf: int,
    ridge: float,
    features: float,
    seed: int,
) -> Boosting:
    """Fit gradient boosting over histograms."""
    boosting = HistGradientBoostingClassifier(
        learning_rate=rate,
        max_iter=rounds,
        max_leaf_nodes=leaves,
        min_samples_leaf=smallest_leaf,
        l2_regularization=ridge,
        max_features=features,
        early_stopping=False,
        random_state=seed,
    )
    with threadpool_limits(1):  # with several, sums differ in their last digits
        fitted = boosting.fit(rows, targets, sample_weight=weights)
    return boosting_of(fitted, classes)


def fit_linear(
    rows: Floats, targets: Ints, weights: Floats, classes: int, strength: float
) -> Linear:
    """Fit logistic regression on standardised features."""
    spread = rows.std(axis=0, dtype=np.float64)
    linear = Linear(
        weights=np.zeros((rows.shape[1], classes), np.float32),
        bias=np.full(classes, _NEVER, np.float32),
        centre=rows.mean(axis=0, dtype=np.float64).astype(np.float32),
        scale=np.where(spread > _CONSTANT, 1 / np.maximum(spread, _CONSTANT), 0).astype(np.float32),
    )
    fitted = LogisticRegression(C=strength, max_iter=2000).fit(
        linear.standardised(rows).astype(np.float64), targets, sample_weight=weights
    )
    coefficients, intercept = fitted.coef_, fitted.intercept_
    if len(fitted.classes_) == 2:  # scikit-learn stores the second class only
        coefficients = np.concatenate([np.zeros_like(coefficients), coefficients])
        intercept = np.concatenate([[0.0], intercept])
    linear.weights[:, fitted.classes_] = coefficients.T
    linear.bias[fitted.classes_] = intercept
    return linear


def forest_of(fitted: Any, classes: int) -> Forest:
    """Convert a fitted scikit-learn forest."""
    tables = [tree.tree_ for tree in fitted.estimators_]
    trees = _trees_of([(t.feature, t.threshold, t.children_left, t.children_right) for t in tables])
    shares = []
    for table in tables:
        counts = table.value[table.children_left == LEAF, 0, :]
        shares.append(counts / counts.sum(axis=1, keepdims=True))
    found = np.concatenate(shares)
    all_shares = np.zeros((len(found), classes), np.float16)
    all_shares[:, fitted.classes_] = found.astype(np.float16)
    return Forest(trees, all_shares)


def boosting_of(fitted: Any, classes: int) -> Boosting:
    """Convert fitted scikit-learn boosting with three classes or more."""
    tables = [tree.nodes for stage in fitted._predictors for tree in stage]
    nodes = []
    for table in tables:
        leaf = table["is_leaf"].astype(bool)
        left = np.where(leaf, LEAF, table["left"].astype(np.int64))
        right = np.where(leaf, LEAF, table["right"].astype(np.int64))
        nodes.append((table["feature_idx"], table["num_threshold"], left, right))
    ordered = [_depth_first(left, right) for _, _, left, right in nodes]
    values = [
        table["value"][order][left[order] == LEAF]
        for table, order, (_, _, left, _) in zip(tables, ordered, nodes, strict=True)
    ]
    seen = len(fitted.classes_)
    if seen != classes:
        raise ValueError(
            f"boosting was fitted to {seen} of {classes} classes: every class needs an example"
        )
    start = np.asarray(fitted._baseline_prediction, np.float32).reshape(-1)
    return Boosting(_trees_of(nodes), np.concatenate(values).astype(np.float32), start)


def _trees_of(tables: Sequence[tuple[Any, Any, Any, Any]]) -> Trees:
    """Return one table of all nodes, each tree depth first."""
    features, thresholds, rights = [], [], []
    for feature, threshold, left, right in tables:
        order = _depth_first(left, right)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        inner = left[order] != LEAF
        features.append(np.where(inner, feature[order], LEAF))
        thresholds.append(_rounded_down(np.asarray(threshold, np.float64)[order][inner]))
        rights.append(place[right[order][inner]] - np.flatnonzero(inner))
    right_of = np.concatenate(rights)
    farthest = np.iinfo(np.uint16).max
    if right_of.max(initial=0) > farthest:
        raise ValueError(f"a tree with {farthest} nodes or more to the left of one: grow it less")
    return Trees(
        feature=np.concatenate(features).astype(np.int16),
        threshold=np.concatenate(thresholds),
        right=right_of.astype(np.uint16),
        sizes=np.array([len(feature) for feature in features], np.int32),
    )


def _depth_first(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.int64]:
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if left[node] != LEAF:
            waiting += [int(right[node]), int(left[node])]
    return np.array(order, np.int64)


def _rounded_down(values: NDArray[np.float64]) -> Floats:
    rounded = values.astype(np.float32)
    above = rounded.astype(np.float64) > values
    lower: Floats = np.where(above, np.nextafter(rounded, np.float32(-np.inf)), rounded)
    return lower
