from itertools import pairwise

import numpy as np
import pytest

from ists.aligner.pair_head import _PIECES, PairHead, ReadPair, _cosine_features, _gelu, _tables
from ists.aligner.surface import SURFACE
from ists.aligner.tables import Side, begins_of
from ists.compiled import kernels

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


def head_of(rng: np.random.Generator) -> PairHead:
    weights = {}
    for name, shape in SHAPES.items():
        weights[f"{name}.weight"] = rng.normal(0, 0.1, shape).astype(np.float32)
        if name not in WITHOUT_BIAS:
            weights[f"{name}.bias"] = rng.normal(0, 0.1, shape[:1]).astype(np.float32)
    return PairHead.of(weights)


@pytest.fixture(scope="module")
def head() -> PairHead:
    return head_of(np.random.default_rng(1))


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


@pytest.mark.parametrize("kind", ["logits", "probabilities"])
def test_a_pair_scores_the_same_in_any_company(head, kind):
    rng = np.random.default_rng(2)
    pairs = [some_pair(rng) for _ in range(70)]
    scores = getattr(head, kind)
    together = scores(pairs)
    alone = [scores([pair])[0] for pair in pairs]
    order = rng.permutation(len(pairs)).tolist()
    mixed = dict(zip(order, scores([pairs[k] for k in order]), strict=True))
    for k, wanted in enumerate(together):
        for name in ("link", "relation", "score", "alic1", "alic2", "sentence"):
            np.testing.assert_array_equal(getattr(alone[k], name), getattr(wanted, name))
            np.testing.assert_array_equal(getattr(mixed[k], name), getattr(wanted, name))


def test_a_table_ends_with_the_pair_that_fills_it():
    rng = np.random.default_rng(3)
    # Of one chunk each, so that they have many word pieces and few cells.
    pairs = [some_pair(rng)._replace(chunks1=[(0,)], chunks2=[(0,)]) for _ in range(200)]
    tables = list(_tables(pairs))
    assert sorted(number for table in tables for number in table) == [*range(len(pairs))]
    pieces = [[len(pairs[number].hidden) for number in table] for table in tables]
    assert all(sum(own) >= _PIECES > sum(own[:-1]) for own in pieces[:-1])
    assert len(tables) > 5


def test_probabilities_are_shares(head):
    rng = np.random.default_rng(4)
    pairs = [some_pair(rng) for _ in range(10)]
    for logits, found in zip(head.logits(pairs), head.probabilities(pairs), strict=True):
        np.testing.assert_allclose(found.relation.sum(-1), 1, atol=1e-5)
        np.testing.assert_allclose(found.score.sum(-1), 1, atol=1e-5)
        powers = np.exp(logits.link.astype(float))
        row, column = (powers / (1 + powers.sum(axis, keepdims=True)) for axis in (1, 0))
        np.testing.assert_allclose(found.link, (row + column) / 2, atol=1e-5)
        np.testing.assert_allclose(found.alic1, 1 / (1 + np.exp(-logits.alic1)), atol=1e-5)
        assert found.sentence == logits.sentence


def test_the_cosines_are_those_of_a_plain_loop():
    rng = np.random.default_rng(6)
    pairs = [some_pair(rng) for _ in range(7)]
    hidden = np.concatenate([pair.hidden for pair in pairs])
    begins = begins_of([len(pair.hidden) for pair in pairs])[:-1]
    side1 = Side.of(hidden, begins, [p.spans1 for p in pairs], [p.chunks1 for p in pairs])
    side2 = Side.of(hidden, begins, [p.spans2 for p in pairs], [p.chunks2 for p in pairs])
    p1, p2 = (rng.normal(0, 1, (len(side.means), 8)) for side in (side1, side2))
    found = _cosine_features(side1, side2, p1, p2)
    for k, pair in enumerate(pairs):
        tokens1, tokens2 = (
            np.stack([pair.hidden[first:end].mean(0) for first, end in spans])
            for spans in (pair.spans1, pair.spans2)
        )
        cosines = unit(tokens1) @ unit(tokens2).T
        projected = unit(p1[side1.chunks[k]]) @ unit(p2[side2.chunks[k]]).T
        for i, chunk1 in enumerate(map(list, pair.chunks1)):
            for j, chunk2 in enumerate(map(list, pair.chunks2)):
                own = cosines[np.ix_(chunk1, chunk2)]
                best1, best2 = own.max(1).mean(), own.max(0).mean()
                wanted = [
                    best1,
                    best2,
                    own.max(),
                    own.mean(),
                    own[-1, -1],
                    unit(tokens1[chunk1].mean(0)) @ unit(tokens2[chunk2].mean(0)),
                    projected[i, j],
                    cosines[chunk1].max(1).mean() - best1,
                    cosines[:, chunk2].max(0).mean() - best2,
                ]
                np.testing.assert_allclose(found[k, i, j], wanted, atol=1e-5)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def test_every_cell_has_its_logits(head):
    rng = np.random.default_rng(3)
    for pair in [some_pair(rng) for _ in range(10)]:
        scores = head.logits([pair])[0]
        size = len(pair.chunks1), len(pair.chunks2)
        assert scores.link.shape == size
        assert scores.relation.shape == (*size, 6)
        assert scores.score.shape == (*size, 5)
        assert (len(scores.alic1), len(scores.alic2)) == size
        assert -1 <= scores.sentence <= 1


def test_no_pairs_are_no_scores(head):
    assert head.logits([]) == []


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
def test_compiled_and_python_scores_are_the_same(head):
    rng = np.random.default_rng(11)
    pairs = [some_pair(rng) for _ in range(30)]
    compiled = head.probabilities(pairs)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("pair_head", "exact"):
            patch.setattr(f"ists.aligner.{module}.kernels", None)
        plain = head.probabilities(pairs)
    for own, other in zip(compiled, plain, strict=True):
        for name in ("link", "relation", "score", "alic1", "alic2", "sentence"):
            np.testing.assert_array_equal(getattr(own, name), getattr(other, name))


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
def test_compiled_and_python_gelu_are_the_same_in_any_layout():
    rows = np.random.default_rng(12).normal(0, 3, (7, 40)).astype(np.float32)
    for x in (rows, np.asfortranarray(rows), rows[:, ::2]):
        compiled = _gelu(x)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ists.aligner.pair_head.kernels", None)
            np.testing.assert_array_equal(compiled, _gelu(x))
