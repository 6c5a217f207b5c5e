"""The pair head in numpy: chunk × chunk scores from the encoder's hidden states.

One pair at a time, so that a result cannot depend on what else is in the batch. The same sums as in
training (`ists.train.pair_network`), without the dropout; a test holds them together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ists.aligner.surface import Chunks, Floats, membership

FAR = np.float32(-4.0)
_SMALL = np.float32(1e-6)
_HALF = np.float32(0.5)
_NORM_EPS = np.float32(1e-5)


@dataclass(frozen=True)
class PairScores:
    """Logits of all chunk pairs of a sentence pair."""

    link: Floats  # (n1, n2)
    relation: Floats  # (n1, n2, 6): EQUI OPPO SPE1 SPE2 SIMI REL
    score: Floats  # (n1, n2, 5): 1..5
    alone1: Floats  # (n1,): ALIC against NOALI
    alone2: Floats  # (n2,)
    features: Floats  # (n1, n2, 9): the cosines, as `_cosine_features` orders them
    sentence: float  # cosine of the sentences' mean token vectors


def score_pairs(
    hidden: Floats,
    spans1: Sequence[tuple[int, int]],
    spans2: Sequence[tuple[int, int]],
    chunks1: Chunks,
    chunks2: Chunks,
    surface: Floats,
    weights: Mapping[str, Floats],
) -> PairScores:
    """Score every chunk of sentence 1 with every chunk of sentence 2.

    `hidden`: (pieces, 384) of ``[CLS] s1 [SEP] s2 [SEP]``; `spans1[t]`: the first piece of token t
    and the one after its last; chunks hold token positions from 0; `surface` as `surface_features`
    gives it; `weights`: the head's float32 arrays by their torch names without ``pairs.``.
    """
    tokens1, tokens2 = _token_vectors(hidden, spans1), _token_vectors(hidden, spans2)
    inside1, inside2 = membership(chunks1, len(spans1)), membership(chunks2, len(spans2))
    share1 = inside1 / inside1.sum(1, keepdims=True)
    share2 = inside2 / inside2.sum(1, keepdims=True)
    last1, last2 = [c[-1] for c in chunks1], [c[-1] for c in chunks2]
    mean1, mean2 = share1 @ tokens1, share2 @ tokens2
    chunk1 = np.concatenate([mean1, tokens1[last1]], 1)
    chunk2 = np.concatenate([mean2, tokens2[last2]], 1)
    p1, p2 = _linear(chunk1, weights, "project"), _linear(chunk2, weights, "project")
    features = _cosine_features(tokens1, tokens2, share1, share2, last1, last2)
    features[..., 5] = _cosines(mean1, mean2)
    features[..., 6] = _cosines(p1, p2)
    a, b = p1[:, None], p2[None, :]
    x = _linear(chunk1, weights, "left")[:, None] + _linear(chunk2, weights, "right")[None, :]
    x = x + _linear(np.concatenate([np.abs(a - b), a * b], -1), weights, "compare")
    x = x + _linear(np.concatenate([features, surface], -1), weights, "observe")
    cell = _gelu(_layer_norm(x, weights["norm.weight"], weights["norm.bias"]))
    cell = cell + _gelu(_mixed(cell, weights["mix.weight"], weights["mix.bias"]))
    top1 = np.concatenate([cell.max(1), p1], 1)
    top2 = np.concatenate([cell.max(0), p2], 1)
    return PairScores(
        _linear(cell, weights, "link")[..., 0],
        _linear(cell, weights, "relation"),
        _linear(cell, weights, "score"),
        _linear(top1, weights, "alone")[..., 0],
        _linear(top2, weights, "alone")[..., 0],
        features,
        float(_cosines(tokens1.mean(0, keepdims=True), tokens2.mean(0, keepdims=True))[0, 0]),
    )


def link_probability(link: Floats) -> Floats:
    """The mean of the row's and the column's choice among their cells and none (logit 0)."""
    return (_choice(link, 1) + _choice(link, 0)) * _HALF


def _choice(link: Floats, axis: int) -> Floats:
    top = np.maximum(link.max(axis, keepdims=True), 0)
    e = np.exp(link - top)
    chosen: Floats = e / (e.sum(axis, keepdims=True) + np.exp(-top))
    return chosen


def _token_vectors(hidden: Floats, spans: Sequence[tuple[int, int]]) -> Floats:
    begin = np.array([b for b, _ in spans])
    size = np.array([e - b for b, e in spans], np.float32)[:, None]
    summed: Floats = np.add.reduceat(hidden[: spans[-1][1]], begin, 0)
    return summed * (1 / size).astype(np.float32)


def _cosine_features(
    tokens1: Floats,
    tokens2: Floats,
    share1: Floats,
    share2: Floats,
    last1: Sequence[int],
    last2: Sequence[int],
) -> Floats:
    cosines = _cosines(tokens1, tokens2)
    outside1, outside2 = share1 == 0, share2 == 0
    to_chunk2 = np.where(outside2[None], FAR, cosines[:, None, :]).max(-1)  # T1 C2
    to_chunk1 = np.where(outside1[..., None], FAR, cosines[None]).max(1)  # C1 T2
    out = np.empty((len(share1), len(share2), 9), np.float32)
    out[..., 0] = share1 @ to_chunk2
    out[..., 1] = to_chunk1 @ share2.T
    out[..., 2] = np.where(outside2[None], FAR, to_chunk1[:, None, :]).max(-1)
    out[..., 3] = share1 @ cosines @ share2.T
    out[..., 4] = cosines[np.ix_(last1, last2)]
    out[..., 7] = (share1 @ cosines.max(1))[:, None] - out[..., 0]
    out[..., 8] = (share2 @ cosines.max(0))[None, :] - out[..., 1]
    return out


def _mixed(cell: Floats, weight: Floats, bias: Floats) -> Floats:
    """A cell with its row's and column's maxima and its neighbours on the diagonal.

    `weight` acts on [cell, row, column, earlier, later]; what is the same for a whole row or
    column is multiplied once, and neighbours are shifted after they are multiplied.
    """
    n1, n2, size = cell.shape
    own, row, column, earlier, later = (weight[:, k * size : (k + 1) * size].T for k in range(5))
    y = _times(cell, own) + bias
    y += (cell.max(1) @ row)[:, None]
    y += (cell.max(0) @ column)[None]
    if n1 > 1 and n2 > 1:
        y[1:, 1:] += _times(cell[:-1, :-1], earlier)
        y[:-1, :-1] += _times(cell[1:, 1:], later)
    return y


def _cosines(x: Floats, y: Floats) -> Floats:
    return _unit(x) @ _unit(y).T


def _unit(x: Floats) -> Floats:
    unit: Floats = x / np.maximum(np.sqrt((x * x).sum(-1, keepdims=True)), _SMALL)
    return unit


def _times(x: Floats, matrix: Floats) -> Floats:
    """One flat product: numpy would loop over the leading axes of a stack of matrices."""
    return (x.reshape(-1, x.shape[-1]) @ matrix).reshape(*x.shape[:-1], matrix.shape[1])


def _linear(x: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    y = _times(x, weights[f"{name}.weight"].T)
    bias = weights.get(f"{name}.bias")
    return y if bias is None else y + bias


def _layer_norm(x: Floats, gain: Floats, bias: Floats) -> Floats:
    x = x - x.mean(-1, keepdims=True)
    even: Floats = x / np.sqrt((x * x).mean(-1, keepdims=True) + _NORM_EPS)
    return even * gain + bias


def _gelu(x: Floats) -> Floats:
    return 0.5 * x * (1 + _erf(x / np.float32(sqrt(2))))


def _erf(x: Floats) -> Floats:
    """Abramowitz and Stegun 7.1.26: wrong by less than 1.5e-7, which is float32's own grain."""
    t = 1 / (1 + np.float32(0.3275911) * np.abs(x))
    poly = t * (
        np.float32(0.254829592)
        + t
        * (
            np.float32(-0.284496736)
            + t
            * (
                np.float32(1.421413741)
                + t * (np.float32(-1.453152027) + t * np.float32(1.061405429))
            )
        )
    )
    erf: Floats = np.sign(x) * (1 - poly * np.exp(-x * x))
    return erf
