"""One-to-one matching of maximum weight: by the guidelines a chunk is aligned at most once.

The reference is networkx' ``max_weight_matching``, which takes milliseconds on a full graph. Once
the edges below the threshold are dropped, the graph splits into small components: most are a single
edge, and small ones are solved by exhaustive search.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_TRIED_OUT = 8


class Edge(NamedTuple):
    """A chunk of sentence 1, a chunk of sentence 2, and the weight of aligning them."""

    left: int
    right: int
    weight: float


def match(weights: Sequence[Sequence[float]], threshold: float = 0.0) -> list[tuple[int, int]]:
    """Return (row, column) pairs of a matching that maximises the sum of weight − threshold."""
    edges = [
        Edge(left, right, float(weight) - threshold)
        for left, row in enumerate(weights)
        for right, weight in enumerate(row)
        if weight > threshold
    ]
    chosen = [edge for component in components(edges) for edge in _best(component)]
    return sorted((edge.left, edge.right) for edge in chosen)


def components(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Return the connected components: groups of edges that share no chunk."""
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
    """Find the best matching of a few edges by exhaustive search."""
    if not edges:
        return []
    first, *rest = edges
    compatible = [e for e in rest if e.left != first.left and e.right != first.right]
    taken, skipped = [first, *_try_out(compatible)], _try_out(rest)
    return taken if total(taken) >= total(skipped) else skipped


def by_networkx(edges: Iterable[Edge]) -> list[Edge]:
    """Find the best matching with networkx (Galil's blossom algorithm)."""
    import networkx as nx

    edges = list(edges)
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    for edge in edges:
        graph.add_edge(("left", edge.left), ("right", edge.right), weight=edge.weight)
    matched = {frozenset(pair) for pair in nx.max_weight_matching(graph)}
    return [e for e in edges if frozenset({("left", e.left), ("right", e.right)}) in matched]


def total(edges: Iterable[Edge]) -> float:
    """Return the sum of the weights of edges."""
    return sum(edge.weight for edge in edges)
