from itertools import pairwise

import numpy as np
import pytest

from ists.aligner.pair_head import PairHead, ReadPair
from ists.aligner.surface import SURFACE

HIDDEN, PROJECTED, CELL = 384, 128, 192
SHAPES = {
    "project": (PROJECTED, 2 * HIDDEN),
    "left": (CELL, 2 * HIDDEN),
    "right": (CELL, 2 * HIDDEN),
    "compare": (CELL, 2 * PROJECTED),
    "observe": (CELL, 9 + len(SURFACE)),
    "norm": (CELL,),
    "mix": (CELL, 5 * CELL),
    "link": (1, CELL),
    "relation": (6, CELL),
    "score": (5, CELL),
    "alone": (1, CELL + PROJECTED),
}
WITHOUT_BIAS = ("right", "compare", "observe")


@pytest.fixture(scope="module")
def head() -> PairHead:
    rng = np.random.default_rng(1)
    weights = {}
    for name, shape in SHAPES.items():
        weights[f"{name}.weight"] = rng.normal(0, 0.1, shape).astype(np.float32)
        if name not in WITHOUT_BIAS:
            weights[f"{name}.bias"] = rng.normal(0, 0.1, shape[:1]).astype(np.float32)
    return PairHead.of(weights)


def some_pair(rng: np.random.Generator) -> ReadPair:
    """Tokens of one to three pieces, chunks of one to four tokens, now and then with a gap."""
    sides = []
    piece = 1
    for _ in range(2):
        spans = []
        for size in rng.integers(1, 4, rng.integers(1, 20)):
            spans.append((piece, piece + int(size)))
            piece += int(size)
        edges = sorted({0, len(spans), *rng.integers(0, len(spans) + 1, 5).tolist()})
        chunks = [tuple(range(a, b)) for a, b in pairwise(edges)]
        if len(chunks) > 2 and rng.random() < 0.5:
            chunks[0] += chunks.pop()
        sides.append((spans, chunks))
        piece += 1
    (spans1, chunks1), (spans2, chunks2) = sides
    return ReadPair(
        rng.normal(0, 1, (piece, HIDDEN)).astype(np.float32),
        spans1,
        spans2,
        chunks1,
        chunks2,
        rng.random((len(chunks1), len(chunks2), len(SURFACE)), np.float32),
    )


def test_a_pair_scores_the_same_in_any_company(head):
    rng = np.random.default_rng(2)
    pairs = [some_pair(rng) for _ in range(70)]
    together = list(head.score(pairs))
    alone = [next(head.score([pair])) for pair in pairs]
    order = rng.permutation(len(pairs)).tolist()
    mixed = dict(zip(order, head.score([pairs[k] for k in order]), strict=True))
    for k, scores in enumerate(together):
        for name in ("link", "relation", "score", "alone1", "alone2", "sentence"):
            wanted = getattr(scores, name)
            np.testing.assert_array_equal(getattr(alone[k], name), wanted)
            np.testing.assert_array_equal(getattr(mixed[k], name), wanted)


def test_every_cell_has_its_logits(head):
    rng = np.random.default_rng(3)
    for pair in [some_pair(rng) for _ in range(10)]:
        scores = next(head.score([pair]))
        size = len(pair.chunks1), len(pair.chunks2)
        assert scores.link.shape == size
        assert scores.relation.shape == (*size, 6)
        assert scores.score.shape == (*size, 5)
        assert (len(scores.alone1), len(scores.alone2)) == size
        assert -1 <= scores.sentence <= 1


def test_no_pairs_are_no_scores(head):
    assert list(head.score([])) == []
