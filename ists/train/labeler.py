"""Fitting the labeller's trees and linear models with scikit-learn.

Rows and targets come in as plain arrays; what goes out is a `LabelModel` of plain arrays. Every
row is shown in both directions (SPE1 and SPE2 exchanged), and weighs by the tokens of its shorter
chunk, as in the task's scorer but less steeply.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
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

from ists.labeler.committee import Committee, Linear, Member
from ists.labeler.decide import EQUI_AT, LOWER_SCORES, sharpened
from ists.labeler.features import MIRROR
from ists.labeler.label_model import LabelModel
from ists.labeler.linking import LINK_MIRROR
from ists.labeler.trees import LEAF, Boosting, Forest, Trees
from ists.pairs import LINKING, Flag
from ists.scored_pair import SWAPPED_RELATIONS

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_FEWEST_FLAGS = 40
"""Rows, both directions counted: of fewer, a classifier learns nothing."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides how the classifiers are fitted; recorded beside the model."""

    seed: int = 0
    weight_exponent: float = 0.5
    """Full weights follow the measure but leave too few links that matter: the root does better."""
    link_trees: int = 120
    link_smallest_leaf: int = 4
    forest_trees: int = 160
    forest_smallest_leaf: int = 2
    forest_features: float = 0.2
    boosting_rounds: int = 80
    boosting_rate: float = 0.08
    boosting_leaves: int = 4
    boosting_smallest_leaf: int = 10
    boosting_ridge: float = 3.0
    boosting_features: float = 0.3
    linear_strength: float = 0.006
    score_trees: int = 100
    score_smallest_leaf: int = 6
    flag_trees: int = 80
    flag_smallest_leaf: int = 3
    lone_trees: int = 80
    lone_smallest_leaf: int = 5
    alic_from: float = 0.5

    def recorded(self) -> dict[str, Any]:
        """The recipe as plain values, for ``model.json``."""
        return asdict(self)


RECIPES = {
    "pilot": Recipe(),
    "default": Recipe(
        link_trees=60,
        link_smallest_leaf=30,
        forest_trees=100,
        forest_smallest_leaf=6,
        boosting_rounds=150,
        boosting_leaves=8,
        boosting_smallest_leaf=20,
        score_trees=80,
        score_smallest_leaf=10,
    ),
}
"""By the model that each was made for: more pairs make larger trees, so leaves are larger too."""


@dataclass(frozen=True, eq=False)
class CandidateRows:
    """Chunk pairs that might be linked, as the classifiers learn them."""

    features: Floats
    shares: Floats
    """How much of the pair the gold links: chunks that are not the gold's may be half right."""
    weights: Floats
    """As those of links."""

    def chosen(self, rows: NDArray[np.bool_]) -> "CandidateRows":
        """Some of the rows."""
        return CandidateRows(self.features[rows], self.shares[rows], self.weights[rows])


@dataclass(frozen=True, eq=False)
class LinkRows:
    """Gold links as the classifiers learn them."""

    features: Floats
    relations: Ints
    """Places in `ists.pairs.LINKING`."""
    scores: Floats
    weights: Floats
    """What a link weighs in the scorer: the tokens of its shorter chunk."""
    flags: NDArray[np.bool_]
    """(rows, flags), in the order of `ists.pairs.Flag`."""

    def chosen(self, rows: NDArray[np.bool_]) -> "LinkRows":
        """Some of the rows."""
        return LinkRows(
            self.features[rows],
            self.relations[rows],
            self.scores[rows],
            self.weights[rows],
            self.flags[rows],
        )

    def tempered(self, exponent: float) -> "LinkRows":
        """The rows with their weights raised to a power, and then 1 on average."""
        weights = self.weights**exponent
        return replace(self, weights=(weights / weights.mean()).astype(np.float32))

    def both_ways(self) -> "LinkRows":
        """Every link twice, the second time with the sentences exchanged."""
        return LinkRows(
            np.concatenate([self.features, self.features[:, list(MIRROR)]]),
            np.concatenate([self.relations, np.array(SWAPPED_RELATIONS)[self.relations]]),
            np.concatenate([self.scores, self.scores]),
            np.concatenate([self.weights, self.weights]),
            np.concatenate([self.flags, self.flags]),
        )


@dataclass(frozen=True, eq=False)
class LoneRows:
    """Gold chunks left alone as the classifier learns them."""

    features: Floats
    is_alic: NDArray[np.bool_]

    def chosen(self, rows: NDArray[np.bool_]) -> "LoneRows":
        """Some of the rows."""
        return LoneRows(self.features[rows], self.is_alic[rows])


def fit(candidates: CandidateRows, links: LinkRows, lone: LoneRows, recipe: Recipe) -> LabelModel:
    """Fit all classifiers of the labeller; the relation is not calibrated yet."""
    return LabelModel(
        link=fit_link(candidates, recipe),
        relation=fit_relation(links, recipe),
        score=fit_score(links, recipe),
        lone=fit_lone(lone, recipe),
        flags=fit_flags(links, recipe),
        alic_from=recipe.alic_from,
    )


def best_sharpness(probabilities: Floats, relations: Ints, weights: Floats) -> float:
    """The exponent under which held-out probabilities have the best likelihood."""
    exponents = np.arange(0.6, 2.01, 0.05)
    rows = np.arange(len(relations))

    def loss(exponent: float) -> float:
        right = sharpened(probabilities, exponent)[rows, relations]
        return -float(np.average(np.log(np.maximum(right, 1e-6)), weights=weights))

    return round(float(min(exponents, key=loss)), 2)


def fit_link(candidates: CandidateRows, recipe: Recipe) -> Committee:
    """The committee that tells what is worth a link: a forest, whose shares need no calibration.

    A row that is partly right is shown as right and as wrong, by its shares.
    """
    features = np.concatenate([candidates.features, candidates.features[:, list(LINK_MIRROR)]])
    shares, weights = np.tile(candidates.shares, 2), np.tile(candidates.weights, 2)
    weights = weights**recipe.weight_exponent
    right, wrong = shares > 0, shares < 1
    forest = fit_forest(
        np.concatenate([features[right], features[wrong]]),
        np.repeat([1, 0], [right.sum(), wrong.sum()]),
        np.concatenate([(weights * shares)[right], (weights * (1 - shares))[wrong]]),
        2,
        trees=recipe.link_trees,
        smallest_leaf=recipe.link_smallest_leaf,
        features=recipe.forest_features,
        seed=recipe.seed + 3,
    )
    return Committee({"forest": forest})


def fit_relation(links: LinkRows, recipe: Recipe) -> Committee:
    """The committee that tells the six relations apart."""
    rows = links.tempered(recipe.weight_exponent).both_ways()
    classes = len(LINKING)
    return Committee(
        {
            "forest": fit_forest(
                rows.features,
                rows.relations,
                rows.weights,
                classes,
                trees=recipe.forest_trees,
                smallest_leaf=recipe.forest_smallest_leaf,
                features=recipe.forest_features,
                seed=recipe.seed,
            ),
            "boosting": fit_boosting(rows.features, rows.relations, rows.weights, classes, recipe),
            "linear": fit_linear(
                rows.features, rows.relations, rows.weights, classes, recipe.linear_strength
            ),
        }
    )


def fit_score(links: LinkRows, recipe: Recipe) -> Committee:
    """The committee that tells the scores 1 to 4 apart where the relation is not EQUI."""
    lower = links.chosen(links.relations != EQUI_AT)
    rows = lower.tempered(recipe.weight_exponent).both_ways()
    targets = np.clip(np.rint(rows.scores), LOWER_SCORES[0], LOWER_SCORES[-1]).astype(np.int64) - 1
    classes = len(LOWER_SCORES)
    members: dict[str, Member] = {
        "forest": fit_forest(
            rows.features,
            targets,
            rows.weights,
            classes,
            trees=recipe.score_trees,
            smallest_leaf=recipe.score_smallest_leaf,
            features=recipe.forest_features,
            seed=recipe.seed + 1,
        ),
        "linear": fit_linear(rows.features, targets, rows.weights, classes, recipe.linear_strength),
    }
    return Committee(members)


def fit_flags(links: LinkRows, recipe: Recipe) -> dict[Flag, Committee]:
    """A committee for each flag that the links have often enough."""
    rows = links.tempered(recipe.weight_exponent).both_ways()
    committees = {}
    for at, flag in enumerate(Flag):
        targets = rows.flags[:, at].astype(np.int64)
        if targets.sum() < _FEWEST_FLAGS:
            continue
        forest = fit_forest(
            rows.features,
            targets,
            rows.weights,
            2,
            trees=recipe.flag_trees,
            smallest_leaf=recipe.flag_smallest_leaf,
            features=recipe.forest_features,
            seed=recipe.seed + 4 + at,
        )
        linear = fit_linear(rows.features, targets, rows.weights, 2, recipe.linear_strength)
        committees[flag] = Committee({"forest": forest, "linear": linear})
    return committees


def fit_lone(lone: LoneRows, recipe: Recipe) -> Committee:
    """The committee that tells ALIC from NOALI."""
    targets = lone.is_alic.astype(np.int64)
    weights = np.ones(len(targets), np.float32)
    forest = fit_forest(
        lone.features,
        targets,
        weights,
        2,
        trees=recipe.lone_trees,
        smallest_leaf=recipe.lone_smallest_leaf,
        features=0.4,
        seed=recipe.seed + 2,
    )
    return Committee({"forest": forest})


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
    """Extremely randomised trees."""
    fitted = ExtraTreesClassifier(
        trees,
        min_samples_leaf=smallest_leaf,
        max_features=features,
        random_state=seed,
        n_jobs=1,
    ).fit(rows, targets, sample_weight=weights)
    return forest_of(fitted, classes)


def fit_boosting(
    rows: Floats, targets: Ints, weights: Floats, classes: int, recipe: Recipe
) -> Boosting:
    """Gradient boosting over histograms."""
    boosting = HistGradientBoostingClassifier(
        learning_rate=recipe.boosting_rate,
        max_iter=recipe.boosting_rounds,
        max_leaf_nodes=recipe.boosting_leaves,
        min_samples_leaf=recipe.boosting_smallest_leaf,
        l2_regularization=recipe.boosting_ridge,
        max_features=recipe.boosting_features,
        early_stopping=False,
        random_state=recipe.seed,
    )
    with threadpool_limits(1):  # the sums of many threads differ in their last digits
        fitted = boosting.fit(rows, targets, sample_weight=weights)
    return boosting_of(fitted, classes)


def fit_linear(
    rows: Floats, targets: Ints, weights: Floats, classes: int, strength: float
) -> Linear:
    """Logistic regression on standardised features."""
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
    if len(fitted.classes_) == 2:  # scikit-learn writes down the second class only
        coefficients = np.concatenate([np.zeros_like(coefficients), coefficients])
        intercept = np.concatenate([[0.0], intercept])
    linear.weights[:, fitted.classes_] = coefficients.T
    linear.bias[fitted.classes_] = intercept
    return linear


_CONSTANT = 1e-6
"""A feature that varies less than this says nothing."""
_NEVER = -30.0
"""The logit of a class that training never saw."""


def forest_of(fitted: Any, classes: int) -> Forest:
    """The arrays of a fitted scikit-learn forest."""
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
    """The arrays of fitted scikit-learn boosting with three classes or more."""
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
        raise ValueError(f"boosting saw {seen} classes of {classes}: every class needs an example")
    start = np.asarray(fitted._baseline_prediction, np.float32).reshape(-1)
    return Boosting(_trees_of(nodes), np.concatenate(values).astype(np.float32), start)


def _trees_of(tables: Sequence[tuple[Any, Any, Any, Any]]) -> Trees:
    """One table of all nodes, each tree depth first."""
    features, thresholds, rights = [], [], []
    for feature, threshold, left, right in tables:
        order = _depth_first(left, right)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        inner = left[order] != LEAF
        features.append(np.where(inner, feature[order], LEAF))
        thresholds.append(_rounded_down(np.asarray(threshold, np.float64)[order][inner]))
        rights.append(place[right[order][inner]] - np.flatnonzero(inner))
    return Trees(
        feature=np.concatenate(features).astype(np.int16),
        threshold=np.concatenate(thresholds),
        right=np.concatenate(rights).astype(np.uint16),
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
