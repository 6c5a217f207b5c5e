"""One-to-one matching of maximum weight: the guidelines let a chunk be aligned once.

The reference is networkx' ``max_weight_matching``. It takes milliseconds on a full graph, but after
dropping the edges below the threshold hardly any chunk has a rival left: the graph falls into
components, most of them a single edge, which need no algorithm at all.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_TRIED_OUT = 8


class Edge(NamedTuple):
    """A chunk of sentence 1, a chunk of sentence 2, and what aligning them earns."""

    left: int
    right: int
    weight: float


def match(weights: Sequence[Sequence[float]], threshold: float = 0.0) -> list[tuple[int, int]]:
    """The pairs (row, column) of a matching whose sum of weights over the threshold is largest."""
    edges = [
        Edge(left, right, float(weight) - threshold)
        for left, row in enumerate(weights)
        for right, weight in enumerate(row)
        if weight > threshold
    ]
    chosen = [edge for component in components(edges) for edge in _best(component)]
    return sorted((edge.left, edge.right) for edge in chosen)


def components(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """The edges in groups that share no chunk."""
    groups: list[tuple[set[int], set[int], list[Edge]]] = []
    for edge in edges:
        lefts, rights, members = {edge.left}, {edge.right}, [edge]
        apart = []
        for group in groups:
            if edge.left in group[0] or edge.right in group[1]:
                lefts |= group[0]
                rights |= group[1]
                members = group[2] + members
            else:
                apart.append(group)
        groups = [*apart, (lefts, rights, members)]
    return (members for _, _, members in groups)


def _best(component: list[Edge]) -> list[Edge]:
    if len(component) == 1:
        return component
    if len(component) <= _TRIED_OUT:
        return _try_out(component)
    return by_networkx(component)


def _try_out(edges: list[Edge]) -> list[Edge]:
    """The best matching of a few edges: with the first edge, or without it."""
    if not edges:
        return []
    first, *rest = edges
    compatible = [e for e in rest if e.left != first.left and e.right != first.right]
    taken, skipped = [first, *_try_out(compatible)], _try_out(rest)
    return taken if total(taken) >= total(skipped) else skipped


def by_networkx(edges: Iterable[Edge]) -> list[Edge]:
    """The reference: Galil's blossom algorithm as networkx has it."""
    import networkx as nx

    edges = list(edges)
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    for edge in edges:
        graph.add_edge(("left", edge.left), ("right", edge.right), weight=edge.weight)
    matched = {frozenset(pair) for pair in nx.max_weight_matching(graph)}
    return [e for e in edges if frozenset({("left", e.left), ("right", e.right)}) in matched]


def total(edges: Iterable[Edge]) -> float:
    """What a matching earns."""
    return sum(edge.weight for edge in edges)
