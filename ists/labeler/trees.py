"""Decision trees as plain arrays: they need neither scikit-learn nor pickle to answer.

The nodes of all trees stand in one table, each tree depth first, so that a node's left child is
the next row and only the right one has to be written down. Thresholds are rounded *down* to 32
bits: for features of 32 bits every comparison then comes out as with the 64-bit original.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ists.errors import ModelError

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Arrays = Mapping[str, NDArray[np.generic]]

LEAF = -1


@dataclass(frozen=True, eq=False)
class Trees:
    """The nodes of many trees."""

    feature: NDArray[np.int16]
    """(nodes,): the feature a node asks of, or `LEAF`."""
    threshold: Floats
    """(inner nodes,): to the left when the feature is not greater."""
    right: NDArray[np.uint16]
    """(inner nodes,): how many rows further the right child stands."""
    sizes: Ints
    """(trees,): the nodes of each tree."""

    @cached_property
    def _roots(self) -> NDArray[np.intp]:
        return np.concatenate(([0], np.cumsum(self.sizes)[:-1])).astype(np.intp)

    @cached_property
    def _is_leaf(self) -> NDArray[np.bool_]:
        is_leaf: NDArray[np.bool_] = self.feature == LEAF
        return is_leaf

    @cached_property
    def _asked(self) -> NDArray[np.intp]:
        return np.where(self._is_leaf, 0, self.feature).astype(np.intp)

    @cached_property
    def _limit(self) -> Floats:
        limit = np.full(len(self.feature), np.inf, np.float32)
        limit[~self._is_leaf] = self.threshold
        return limit

    @cached_property
    def _children(self) -> NDArray[np.intp]:
        """(2 × nodes,): left and right child of each node; a leaf is its own child."""
        own = np.arange(len(self.feature), dtype=np.intp)
        inner = ~self._is_leaf
        children = np.stack([own, own], axis=1)
        children[inner, 0] += 1
        children[inner, 1] += self.right
        return children.reshape(-1)

    @cached_property
    def _leaf_number(self) -> Ints:
        return (np.cumsum(self._is_leaf) - 1).astype(np.int32)

    @property
    def leaves(self) -> int:
        """How many leaves all trees have together."""
        return int(self._is_leaf.sum())

    def leaf_of(self, rows: Floats) -> Ints:
        """(rows, trees): the number of the leaf each row reaches in each tree."""
        height = max(1, _AT_ONCE // len(self.sizes))
        blocks = [rows[at : at + height] for at in range(0, len(rows), height)]
        return np.concatenate([self._leaf_of(block) for block in blocks])

    def _leaf_of(self, rows: Floats) -> Ints:
        count, width = rows.shape
        flat = np.ascontiguousarray(rows, np.float32).reshape(-1)
        node = np.tile(self._roots, count)
        base = np.repeat(np.arange(count, dtype=np.intp) * width, len(self.sizes))
        reached = np.empty_like(node)
        at = np.arange(len(node))
        while len(node):  # those that reached their leaf leave the race: trees are uneven
            for _ in range(_STEPS):
                value = flat.take(base + self._asked.take(node))
                node = self._children.take(2 * node + (value > self._limit.take(node)))
            done = self._is_leaf.take(node)
            reached[at[done]] = node[done]
            going = np.flatnonzero(~done)
            node, base, at = node.take(going), base.take(going), at.take(going)
        leaves: Ints = self._leaf_number.take(reached).reshape(count, len(self.sizes))
        return leaves

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What has to be stored."""
        return {
            "feature": self.feature,
            "threshold": self.threshold,
            "right": self.right,
            "sizes": self.sizes,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Trees":
        """The trees of stored arrays, which must belong together."""
        trees = cls(
            feature=np.asarray(arrays["feature"], np.int16),
            threshold=np.asarray(arrays["threshold"], np.float32),
            right=np.asarray(arrays["right"], np.uint16),
            sizes=np.asarray(arrays["sizes"], np.int32),
        )
        trees.check(features)
        return trees

    def check(self, features: int) -> None:
        """Refuse tables that would lead a row astray."""
        inner = len(self.feature) - self.leaves
        sound = (
            int(self.sizes.sum()) == len(self.feature)
            and bool((self.sizes > 0).all())
            and inner == len(self.threshold) == len(self.right)
            and int(self.feature.min(initial=LEAF)) >= LEAF
            and int(self.feature.max(initial=LEAF)) < features
            and bool((self.right > 1).all())
        )
        ends = np.repeat(self._roots + self.sizes, self.sizes)[~self._is_leaf] if sound else None
        if ends is None or (np.flatnonzero(~self._is_leaf) + self.right >= ends).any():
            raise ModelError("the labeller's trees are damaged")


_STEPS = 3
"""Levels walked between two looks at who has arrived."""
_AT_ONCE = 1 << 15
"""Walks at a time: more of them would not stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees that each give a distribution; the forest answers with the mean."""

    trees: Trees
    shares: NDArray[np.float16]
    """(leaves, classes)"""

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return int(self.shares.shape[1])

    @cached_property
    def _shares(self) -> Floats:
        return self.shares.astype(np.float32)

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes)"""
        leaves = self.trees.leaf_of(rows)
        means: Floats = self._shares[leaves].mean(axis=1)
        return means

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What has to be stored."""
        return {**self.trees.arrays(), "shares": self.shares}

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Forest":
        """The forest of stored arrays."""
        forest = cls(Trees.from_arrays(arrays, features), np.asarray(arrays["shares"], np.float16))
        if forest.shares.ndim != 2 or len(forest.shares) != forest.trees.leaves:
            raise ModelError("the labeller's trees are damaged")
        return forest


@dataclass(frozen=True, eq=False)
class Boosting:
    """Trees that each add to the logit of one class."""

    trees: Trees
    values: Floats
    """(leaves,)"""
    start: Floats
    """(classes,): the logits before the first tree. Tree t belongs to class t mod classes."""

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.start)

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes)"""
        added = self.values[self.trees.leaf_of(rows)]
        rounds = added.reshape(len(rows), -1, self.classes).sum(axis=1, dtype=np.float64)
        return softmax(self.start + rounds)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What has to be stored."""
        return {**self.trees.arrays(), "values": self.values, "start": self.start}

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Boosting":
        """The boosted trees of stored arrays."""
        boosting = cls(
            Trees.from_arrays(arrays, features),
            np.asarray(arrays["values"], np.float32),
            np.asarray(arrays["start"], np.float32),
        )
        trees = len(boosting.trees.sizes)
        whole = boosting.classes > 0 and trees % boosting.classes == 0
        if not whole or boosting.values.shape != (boosting.trees.leaves,):
            raise ModelError("the labeller's trees are damaged")
        return boosting


def softmax(logits: NDArray[np.floating]) -> Floats:
    """Probabilities of logits, along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = (raised / raised.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares
