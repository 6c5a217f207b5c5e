"""Fitting the labeller's classifiers.

Input are rows of features and targets as plain arrays, output is a `LabelModel` of plain arrays.
Every row is used in both directions (with SPE1 and SPE2 exchanged). Its weight is the number of
tokens of its shorter chunk, as in the task's scorer, raised to a power below 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats
from ists.labeler.committee import Committee, Member
from ists.labeler.decide import EQUI_AT, LOWER_SCORES, sharpened
from ists.labeler.features import MIRROR
from ists.labeler.label_model import LabelModel
from ists.labeler.linking import LINK_MIRROR
from ists.pairs import LINKING, Flag
from ists.scored_pair import SWAPPED_RELATIONS
from ists.train.aligner.classifiers import Ints, fit_boosting, fit_forest, fit_linear

_MIN_FLAGGED = 40
"""Minimum number of rows with a flag, both directions counted, to fit a classifier."""


@dataclass(frozen=True)
class LabelerHyperparameters:
    """Hyperparameters of the labeller's classifiers."""

    seed: int = 0
    weight_exponent: float = 0.5
    """Exponent of the weights; with 1, as in the scorer, few links dominate."""
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
    accepted_share: float = 0.0
    """Share of a link's weight that its other acceptable relations have together."""


LABELER_HYPERPARAMETERS = {
    "pilot": LabelerHyperparameters(),
    "default": LabelerHyperparameters(
        link_trees=60,
        link_smallest_leaf=30,
        forest_trees=100,
        forest_smallest_leaf=10,
        boosting_rounds=150,
        boosting_leaves=8,
        boosting_smallest_leaf=20,
        score_trees=80,
        score_smallest_leaf=10,
        accepted_share=0.15,
    ),
}
"""By shipped model: with more pairs trees grow larger, so leaves are larger too."""


@dataclass(frozen=True, eq=False)
class CandidateRows:
    """Candidate links as training rows."""

    features: Floats
    shares: Floats
    """Share of the pair's token links that are gold: not 0 or 1 if the chunks are not gold's."""
    weights: Floats
    """As in `LinkRows`."""

    def chosen(self, rows: NDArray[np.bool_]) -> "CandidateRows":
        """Return some of the rows."""
        return CandidateRows(self.features[rows], self.shares[rows], self.weights[rows])


@dataclass(frozen=True, eq=False)
class LinkRows:
    """Gold links as training rows."""

    features: Floats
    relations: Ints
    """Indices in `ists.pairs.LINKING`."""
    scores: Floats
    weights: Floats
    """The weight of a link in the scorer: the number of tokens of its shorter chunk."""
    flags: NDArray[np.bool_]
    """(rows, flags), in the order of `ists.pairs.Flag`."""
    others: NDArray[np.bool_]
    """(rows, 6): the other acceptable relations."""

    def chosen(self, rows: NDArray[np.bool_]) -> "LinkRows":
        """Return some of the rows."""
        return LinkRows(
            self.features[rows],
            self.relations[rows],
            self.scores[rows],
            self.weights[rows],
            self.flags[rows],
            self.others[rows],
        )

    def with_others(self, share: float) -> "LinkRows":
        """Add a row for each other acceptable relation.

        ``share``: of a link's weight, what all its other relations have together.
        """
        if not share:
            return self
        counts = self.others.sum(1)
        rows, relations = np.nonzero(self.others)
        added = LinkRows(
            self.features[rows],
            relations,
            self.scores[rows],
            (self.weights * share / np.maximum(counts, 1)).astype(np.float32)[rows],
            self.flags[rows],
            np.zeros_like(self.others[rows]),
        )
        weights = np.where(counts, self.weights * (1 - share), self.weights).astype(np.float32)
        return joined([replace(self, weights=weights), added])

    def tempered(self, exponent: float) -> "LinkRows":
        """Raise the weights to a power and scale them to a mean of 1."""
        weights = self.weights**exponent
        return replace(self, weights=(weights / weights.mean()).astype(np.float32))

    def both_ways(self) -> "LinkRows":
        """Return every link twice, the second time with the sentences exchanged."""
        swapped = replace(
            self,
            features=self.features[:, list(MIRROR)],
            relations=np.array(SWAPPED_RELATIONS)[self.relations],
            others=self.others[:, list(SWAPPED_RELATIONS)],
        )
        return joined([self, swapped])


def joined(parts: Sequence[LinkRows]) -> LinkRows:
    """Return the rows of all parts."""
    return LinkRows(
        *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(LinkRows))
    )


@dataclass(frozen=True, eq=False)
class LoneRows:
    """Unaligned gold chunks as training rows."""

    features: Floats
    is_alic: NDArray[np.bool_]

    def chosen(self, rows: NDArray[np.bool_]) -> "LoneRows":
        """Return some of the rows."""
        return LoneRows(self.features[rows], self.is_alic[rows])


def fit(
    candidates: CandidateRows,
    links: LinkRows,
    lone: LoneRows,
    parameters: LabelerHyperparameters,
) -> LabelModel:
    """Fit all classifiers of the labeller; relations are not calibrated."""
    return LabelModel(
        link=fit_link(candidates, parameters),
        relation=fit_relation(links, parameters),
        score=fit_score(links, parameters),
        lone=fit_lone(lone, parameters),
        flags=fit_flags(links, parameters),
        alic_from=parameters.alic_from,
    )


def best_sharpness(probabilities: Floats, relations: Ints, weights: Floats) -> float:
    """Return the exponent with which held-out probabilities have the best likelihood."""
    exponents = np.arange(0.6, 2.01, 0.05)
    rows = np.arange(len(relations))

    def loss(exponent: float) -> float:
        right = sharpened(probabilities, exponent)[rows, relations]
        return -float(np.average(np.log(np.maximum(right, 1e-6)), weights=weights))

    return round(float(min(exponents, key=loss)), 2)


def fit_link(candidates: CandidateRows, parameters: LabelerHyperparameters) -> Committee:
    """Fit the committee for links: a forest, whose probabilities need no calibration.

    A row that is partly right is used as right and as wrong, weighted by its share.
    """
    features = np.concatenate([candidates.features, candidates.features[:, list(LINK_MIRROR)]])
    shares, weights = np.tile(candidates.shares, 2), np.tile(candidates.weights, 2)
    weights = weights**parameters.weight_exponent
    right, wrong = shares > 0, shares < 1
    forest = fit_forest(
        np.concatenate([features[right], features[wrong]]),
        np.repeat([1, 0], [right.sum(), wrong.sum()]),
        np.concatenate([(weights * shares)[right], (weights * (1 - shares))[wrong]]),
        2,
        trees=parameters.link_trees,
        smallest_leaf=parameters.link_smallest_leaf,
        features=parameters.forest_features,
        seed=parameters.seed + 3,
    )
    return Committee({"forest": forest})


def fit_relation(links: LinkRows, parameters: LabelerHyperparameters) -> Committee:
    """Fit the committee for the six relations."""
    rows = links.tempered(parameters.weight_exponent).with_others(parameters.accepted_share)
    rows = rows.both_ways()
    classes = len(LINKING)
    return Committee(
        {
            "forest": fit_forest(
                rows.features,
                rows.relations,
                rows.weights,
                classes,
                trees=parameters.forest_trees,
                smallest_leaf=parameters.forest_smallest_leaf,
                features=parameters.forest_features,
                seed=parameters.seed,
            ),
            "boosting": fit_boosting(
                rows.features,
                rows.relations,
                rows.weights,
                classes,
                rounds=parameters.boosting_rounds,
                rate=parameters.boosting_rate,
                leaves=parameters.boosting_leaves,
                smallest_leaf=parameters.boosting_smallest_leaf,
                ridge=parameters.boosting_ridge,
                features=parameters.boosting_features,
                seed=parameters.seed,
            ),
            "linear": fit_linear(
                rows.features, rows.relations, rows.weights, classes, parameters.linear_strength
            ),
        }
    )


def fit_score(links: LinkRows, parameters: LabelerHyperparameters) -> Committee:
    """Fit the committee for the scores 1 to 4 of links other than EQUI."""
    lower = links.chosen(links.relations != EQUI_AT)
    rows = lower.tempered(parameters.weight_exponent).both_ways()
    targets = np.clip(np.rint(rows.scores), LOWER_SCORES[0], LOWER_SCORES[-1]).astype(np.int64) - 1
    classes = len(LOWER_SCORES)
    members: dict[str, Member] = {
        "forest": fit_forest(
            rows.features,
            targets,
            rows.weights,
            classes,
            trees=parameters.score_trees,
            smallest_leaf=parameters.score_smallest_leaf,
            features=parameters.forest_features,
            seed=parameters.seed + 1,
        ),
        "linear": fit_linear(
            rows.features, targets, rows.weights, classes, parameters.linear_strength
        ),
    }
    return Committee(members)


def fit_flags(links: LinkRows, parameters: LabelerHyperparameters) -> dict[Flag, Committee]:
    """Fit a committee for each flag that is frequent enough."""
    rows = links.tempered(parameters.weight_exponent).both_ways()
    committees = {}
    for at, flag in enumerate(Flag):
        targets = rows.flags[:, at].astype(np.int64)
        if targets.sum() < _MIN_FLAGGED:
            continue
        forest = fit_forest(
            rows.features,
            targets,
            rows.weights,
            2,
            trees=parameters.flag_trees,
            smallest_leaf=parameters.flag_smallest_leaf,
            features=parameters.forest_features,
            seed=parameters.seed + 4 + at,
        )
        linear = fit_linear(rows.features, targets, rows.weights, 2, parameters.linear_strength)
        committees[flag] = Committee({"forest": forest, "linear": linear})
    return committees


def fit_lone(lone: LoneRows, parameters: LabelerHyperparameters) -> Committee:
    """Fit the committee for ALIC and NOALI."""
    targets = lone.is_alic.astype(np.int64)
    weights = np.ones(len(targets), np.float32)
    forest = fit_forest(
        lone.features,
        targets,
        weights,
        2,
        trees=parameters.lone_trees,
        smallest_leaf=parameters.lone_smallest_leaf,
        features=0.4,
        seed=parameters.seed + 2,
    )
    return Committee({"forest": forest})
