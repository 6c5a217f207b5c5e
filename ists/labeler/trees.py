"""Decision trees as plain arrays, evaluated without scikit-learn or pickle.

The nodes of all trees are in one table, each tree depth first, so that a node's left child is the
next row and only the right one has to be stored. Thresholds are rounded *down* to 32
bits: for features of 32 bits every comparison then gives the same result as with 64 bits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats, softmax
from ists.compiled import kernels
from ists.errors import ModelError

Ints = NDArray[np.int32]
Shorts = NDArray[np.int16]
Arrays = Mapping[str, NDArray[np.generic]]

LEAF = -1


class Trees:
    """The nodes of many trees."""

    def __init__(
        self,
        feature: Shorts,
        threshold: Floats,
        right: NDArray[np.uint16],
        sizes: Ints,
        features: int = 1 << 15,
    ) -> None:
        """Build from arrays as they are stored; raise `ModelError` if they are inconsistent.

        `feature`: for each node the feature that it tests, or `LEAF`. `threshold`: for each inner
        node; the left child follows if the feature is not greater. `right`: for each inner node the
        distance in rows to its right child. `sizes`: the number of nodes of each tree. `features`:
        the number of features of a row, if it is known.
        """
        nodes = np.empty(len(feature), _NODE)
        plant = _plant if kernels is None else kernels.plant
        if not plant(feature, threshold, right, sizes, features, nodes):
            raise ModelError("the labeller's trees are damaged")
        self._nodes: NDArray[np.void] = nodes
        self.sizes = sizes

    @property
    def feature(self) -> Shorts:
        """(nodes,): the feature that a node tests, or `LEAF`."""
        feature: Shorts = np.where(self._is_leaf, np.int16(LEAF), self._nodes["asks"])
        return feature

    @property
    def threshold(self) -> Floats:
        """(inner nodes,): the threshold; the left child follows if the feature is not greater."""
        threshold: Floats = self._nodes["limit"][~self._is_leaf]
        return threshold

    @property
    def right(self) -> NDArray[np.uint16]:
        """(inner nodes,): distance in rows to the right child."""
        right: NDArray[np.uint16] = self._nodes["further"][~self._is_leaf] + np.uint16(1)
        return right

    @cached_property
    def _roots(self) -> NDArray[np.intp]:
        return (np.cumsum(self.sizes) - self.sizes).astype(np.intp)

    @cached_property
    def _is_leaf(self) -> NDArray[np.bool_]:
        is_leaf: NDArray[np.bool_] = self._nodes["further"] == _TO_ITSELF
        return is_leaf

    @cached_property
    def _opening(self) -> "_Opening":
        return _Opening.of(self)

    @property
    def leaves(self) -> int:
        """Number of leaves of all trees."""
        return int(np.count_nonzero(self._nodes["further"] == _TO_ITSELF))

    def first(self, count: int) -> Self:
        """Return the first trees."""
        sizes = self.sizes[:count]
        return self._of(self._nodes[: int(sizes.sum())], sizes)

    @classmethod
    def _of(cls, nodes: NDArray[np.void], sizes: Ints) -> Self:
        trees = cls.__new__(cls)
        trees._nodes, trees.sizes = nodes, sizes
        return trees

    @cached_property
    def _offsets(self) -> Ints:
        return self._roots.astype(np.int32)

    @cached_property
    def _width(self) -> int:
        """Minimum number of features of a row."""
        return int(self._nodes["asks"].max(initial=0)) + 1

    def compiled_arrays(self, rows: Floats) -> tuple[NDArray[np.generic], ...]:
        """Return the first arguments of the compiled functions."""
        if rows.shape[1] < self._width:  # there, indices are not checked
            raise ValueError(f"rows of {rows.shape[1]} features, expected {self._width}")
        rows = np.ascontiguousarray(rows, np.float32)
        return self._nodes, self._offsets, rows

    def leaves_of(self, rows: Floats) -> Iterator[Ints]:
        """Yield (trees, rows) for blocks of rows: the index of the leaf that each row reaches."""
        height = max(1, _AT_ONCE // len(self.sizes))
        for at in range(0, len(rows), height):
            yield self._leaves_of(np.ascontiguousarray(rows[at : at + height], np.float32))

    def _leaves_of(self, rows: Floats) -> Ints:
        count, width = rows.shape
        reached = self._opening.reached_by(rows).reshape(-1)
        values = rows.reshape(-1)
        at = np.flatnonzero(~self._is_leaf.take(reached))
        node, base = reached.take(at), np.tile(np.arange(count) * width, len(self.sizes)).take(at)
        while len(at):  # those that reached their leaf leave the race: trees are uneven
            for _ in range(_STEPS):
                met = self._nodes.take(node)
                is_right = ~(values.take(base + met["asks"]) <= met["limit"])
                node += is_right * met["further"] + 1
            reached[at] = node
            going = np.flatnonzero(~self._is_leaf.take(node))
            at, node, base = at.take(going), node.take(going), base.take(going)
        leaves: Ints = self._nodes.take(reached)["limit"].view(np.int32) & _LEAF_NUMBER
        return leaves.reshape(-1, count)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to store."""
        return {
            "feature": self.feature,
            "threshold": self.threshold,
            "right": self.right,
            "sizes": self.sizes,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Trees":
        """Build trees from stored arrays; raise `ModelError` if they are inconsistent."""
        return cls(
            np.asarray(arrays["feature"], np.int16),
            np.asarray(arrays["threshold"], np.float32),
            np.asarray(arrays["right"], np.uint16),
            np.asarray(arrays["sizes"], np.int32),
            features,
        )


def _plant(
    feature: Shorts,
    threshold: Floats,
    right: NDArray[np.uint16],
    sizes: Ints,
    features: int,
    nodes: NDArray[np.void],
) -> bool:
    """Build the nodes of stored trees; return whether they are sound."""
    if not _are_sound(feature, threshold, right, sizes, features):
        return False
    is_leaf = feature == LEAF
    nodes["asks"] = np.maximum(feature, 0)
    nodes["limit"][~is_leaf] = threshold
    nodes["limit"].view(np.int32)[is_leaf] = _NAN | np.arange(is_leaf.sum(), dtype=np.int32)
    nodes["further"][is_leaf] = _TO_ITSELF
    nodes["further"][~is_leaf] = right - np.uint16(1)
    return True


def _are_sound(
    feature: Shorts, threshold: Floats, right: NDArray[np.uint16], sizes: Ints, features: int
) -> bool:
    """Return whether every index of stored trees is in range."""
    inner = np.flatnonzero(feature != LEAF)
    sound = (
        len(sizes) > 0
        and int(sizes.sum()) == len(feature)
        and bool((sizes > 0).all())
        and len(inner) == len(threshold) == len(right)
        and len(feature) - len(inner) <= _LEAF_NUMBER
        and int(feature.min(initial=LEAF)) >= LEAF
        and int(feature.max(initial=LEAF)) < features
        and bool((right > 1).all())
    )
    if not sound:
        return False
    ends = np.repeat(np.cumsum(sizes), sizes)[inner]
    return not (inner + right >= ends).any()


_NODE = np.dtype([("asks", np.int16), ("further", np.uint16), ("limit", np.float32)])
"""One node in eight bytes, which are fetched together.

`further` is the distance of the right child from the left one, which is the next row. A leaf's
limit is NaN, so that no number is within it and a row always goes right; and a leaf's right child
is the leaf itself: one less than the next row, in unsigned 16-bit arithmetic. The payload of the
NaN is the leaf's number.
"""
_TO_ITSELF = 0xFFFF
_NAN = np.int32(0x7FC00000)
_LEAF_NUMBER = 0x3FFFFF
_STEPS = 3
"""Levels traversed between two checks which rows have reached a leaf."""
_AT_ONCE = 1 << 15
"""Traversals per block: more would exceed the CPU cache."""
_OPENING = 8
"""Nodes that are tested for all rows at once; their results make a byte."""


@dataclass(frozen=True, eq=False)
class _Opening:
    """The nodes nearest to the roots, tested for every row whether it passes them or not.

    Comparing whole columns with a threshold is much cheaper than looking up each row's own next
    node: several superfluous comparisons cost less than one step. Trees of up to eight inner nodes
    need nothing else.
    """

    asks: NDArray[np.intp]
    """(tests × trees,): the features."""
    limits: Floats
    """(tests × trees, 1): the thresholds."""
    reached: NDArray[np.intp]
    """(trees, 2 ** tests): the node reached, by the results as a number, the first bit lowest."""

    @classmethod
    def of(cls, trees: Trees) -> "_Opening":
        """Choose the nodes with most nodes below them, which most rows pass."""
        reached, below = trees._roots[:, None], trees.sizes[:, None]
        asked = []
        for _ in range(max(1, min(_OPENING, int(trees.sizes.max()) // 2))):
            node = np.take_along_axis(reached, below.argmax(axis=1, keepdims=True), axis=1)
            asked.append(node)
            here = (reached == node) & ~trees._is_leaf[node]
            right = trees._nodes["further"][node] + 1
            reached = np.hstack([reached + here, reached + here * right])
            below = np.hstack([np.where(here, right - 1, below), below - here * right])
        questions = trees._nodes[np.concatenate(asked)]
        return cls(questions["asks"].reshape(-1).astype(np.intp), questions["limit"], reached)

    def reached_by(self, rows: Floats) -> NDArray[np.intp]:
        """Return (trees, rows): the node that each row reaches."""
        trees, answers = self.reached.shape
        is_right = ~(rows.T.take(self.asks, axis=0) <= self.limits)  # NaN goes right
        bits = is_right.view(np.uint8).reshape(-1, trees, len(rows))
        number = np.einsum("qtr,q->tr", bits, 1 << np.arange(len(bits), dtype=np.uint8))
        own = np.arange(trees)[:, None] * answers
        reached: NDArray[np.intp] = self.reached.take(own + number)
        return reached


_LEADING = 8
"""Trees of a forest that exclude most improbable classes."""


@dataclass(frozen=True, eq=False)
class Forest:
    """Random forest: the mean of the trees' distributions."""

    trees: Trees
    shares: NDArray[np.float16]
    """(leaves, classes)"""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.shares.shape[1])

    @cached_property
    def _shares(self) -> Floats:
        return self.shares.astype(np.float32)

    @cached_property
    def _leading(self) -> "Forest":
        trees = self.trees.first(_LEADING)
        return Forest(trees, self.shares[: trees.leaves])

    def ceilings(self, rows: Floats) -> Floats:
        """(rows, classes): upper bounds of the probabilities, by the first trees alone."""
        known = len(self._leading.trees.sizes) / len(self.trees.sizes)
        bounds: Floats = self._leading.probabilities(rows) * known + (1 - known)
        return bounds

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes)"""
        # Summed tree by tree, which is the same for a row whatever the others are.
        if kernels is not None:
            sums = np.zeros((len(rows), self.classes), np.float32)
            kernels.add_shares(*self.trees.compiled_arrays(rows), self.shares, sums, self.classes)
            sums /= np.float32(len(self.trees.sizes))
            return sums
        blocks = self.trees.leaves_of(rows)
        return np.concatenate([self._shares.take(leaves, axis=0).mean(axis=0) for leaves in blocks])

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to store."""
        return {**self.trees.arrays(), "shares": self.shares}

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Forest":
        """Build the forest from stored arrays."""
        trees = Trees.from_arrays(arrays, features)
        shares = np.asarray(arrays["shares"], np.float16, order="C")
        # As np.isfinite, which takes several times longer for 16 bits.
        finite = bool((shares.view(np.uint16) & 0x7FFF).max(initial=0) < 0x7C00)
        if shares.ndim != 2 or len(shares) != trees.leaves or not finite:
            raise ModelError("the labeller's trees are damaged")
        return cls(trees, shares)


@dataclass(frozen=True, eq=False)
class Boosting:
    """Gradient boosting: each tree adds to the logit of one class."""

    trees: Trees
    values: Floats
    """(leaves,)"""
    start: Floats
    """(classes,): the logits before the first tree. Tree t belongs to class t mod classes."""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.start)

    def probabilities(self, rows: Floats) -> Floats:
        """(rows, classes)"""
        if kernels is not None:
            sums = np.zeros((len(rows), self.classes), np.float64)
            kernels.add_logits(*self.trees.compiled_arrays(rows), self.values, sums, self.classes)
            return softmax(self.start + sums)
        added = [
            self.values.take(leaves)
            .reshape(-1, self.classes, leaves.shape[1])
            .sum(axis=0, dtype=np.float64)
            for leaves in self.trees.leaves_of(rows)
        ]
        return softmax(self.start + np.concatenate(added, axis=1).T)

    def ceilings(self, rows: Floats) -> Floats:
        """(rows, classes): the probabilities themselves."""
        return self.probabilities(rows)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to store."""
        return {**self.trees.arrays(), "values": self.values, "start": self.start}

    @classmethod
    def from_arrays(cls, arrays: Arrays, features: int) -> "Boosting":
        """Build the boosted trees from stored arrays."""
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
