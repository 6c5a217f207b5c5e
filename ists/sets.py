"""Similarity of sets."""

from typing import TypeVar

Item = TypeVar("Item")


def jaccard(one: frozenset[Item], other: frozenset[Item]) -> float:
    """Return the Jaccard index of two sets: the share of common items; 0 for two empty sets."""
    if one.isdisjoint(other):  # the most frequent case, decided without building a set
        return 0.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)
