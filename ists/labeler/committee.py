"""Ensemble of classifiers: random forest, gradient boosting and a linear model, averaged.

Their errors differ: the mean of the three has a clearly better likelihood than any of them alone in
cross-validation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats, softmax
from ists.errors import ModelError
from ists.labeler.trees import Arrays, Boosting, Forest

_FARTHEST = np.float32(3.0)


@dataclass(frozen=True, eq=False)
class Linear:
    """A softmax over weighted sums of standardised features.

    Features are clipped at three standard deviations from their mean, so that a rare extreme value
    does not outweigh all others.
    """

    weights: Floats
    """(features, classes)"""
    bias: Floats
    centre: Floats
    """(features,): the mean of each feature in training."""
    scale: Floats
    """(features,): the inverse of its standard deviation; 0 for a constant feature."""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.bias)

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes)"""
        # einsum sums each row alike whatever the batch; a BLAS product does not.
        return softmax(np.einsum("nf,fc->nc", self.standardised(rows), self.weights) + self.bias)

    def ceilings(self, rows: Floats) -> Floats:
        """(rows, classes): the probabilities themselves."""
        return self.probabilities(rows)

    def standardised(self, rows: Floats) -> Floats:
        """The features as distances from their means, in standard deviations."""
        distances: Floats = np.clip((rows - self.centre) * self.scale, -_FARTHEST, _FARTHEST)
        return distances

    def pull(self, row: Floats, towards: int, away_from: int) -> Floats:
        """Return (features,): contributions to the logit of one class minus another."""
        difference = self.weights[:, towards] - self.weights[:, away_from]
        pull: Floats = self.standardised(row) * difference
        return pull

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to store."""
        return {
            "weights": self.weights,
            "bias": self.bias,
            "centre": self.centre,
            "scale": self.scale,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Linear":
        """Build the linear model from stored arrays."""
        linear = cls(
            np.asarray(arrays["weights"], np.float32),
            np.asarray(arrays["bias"], np.float32),
            np.asarray(arrays["centre"], np.float32),
            np.asarray(arrays["scale"], np.float32),
        )
        shapes = linear.weights.shape, linear.centre.shape, linear.scale.shape
        if shapes != ((features, len(linear.bias)), (features,), (features,)):
            raise ModelError("the labeller's linear model is damaged")
        return linear


class Member(Protocol):
    """Interface of a classifier of a committee."""

    @property
    def classes(self) -> int:
        """Number of classes."""

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes)"""

    def ceilings(self, rows: Floats) -> Floats:
        """(rows, classes): upper bounds of the probabilities, but for rounding."""

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to store."""


_KINDS: Mapping[str, type[Forest] | type[Boosting] | type[Linear]] = {
    "forest": Forest,
    "boosting": Boosting,
    "linear": Linear,
}


@dataclass(frozen=True, eq=False)
class Committee:
    """Classifiers of the same features and classes, by kind."""

    members: Mapping[str, Member]

    @property
    def classes(self) -> int:
        """Number of classes."""
        return next(iter(self.members.values())).classes

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes): the members' mean."""
        if not len(rows):
            return np.zeros((0, self.classes), np.float32)
        # In the order of their names: sums must not depend on how the members were put together.
        answers = [member.probabilities(rows) for _, member in sorted(self.members.items())]
        mean: Floats = np.mean(answers, axis=0, dtype=np.float32)
        return mean

    def ceilings(self, rows: Floats) -> Floats:
        """(rows, classes): upper bounds of the probabilities, but for rounding, at a lower cost."""
        if not len(rows):
            return np.zeros((0, self.classes), np.float32)
        bounds: Floats = np.mean([own.ceilings(rows) for own in self.members.values()], axis=0)
        return bounds

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to store, named ``kind/array``."""
        return {
            f"{kind}/{name}": array
            for kind, member in self.members.items()
            for name, array in member.arrays().items()
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Committee":
        """Build the committee from stored arrays."""
        by_kind: dict[str, dict[str, NDArray[np.generic]]] = {}
        for name, array in arrays.items():
            kind, _, rest = name.partition("/")
            by_kind.setdefault(kind, {})[rest] = array
        try:
            members = {
                kind: _KINDS[kind].from_arrays(stored, features) for kind, stored in by_kind.items()
            }
        except KeyError as missing:
            raise ModelError(f"the labeller has no {missing}") from None
        if len({member.classes for member in members.values()}) != 1:
            raise ModelError("the labeller's classifiers do not agree on their classes")
        return cls(members)
