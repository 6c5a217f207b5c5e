"""Fixed features of a sentence pair for a regression on STR-2021.

Similarity of the sentences (cosine of their vectors, best matches of their tokens, word and
character overlap, the system's own score) and their topic (sum of the sentence vectors). Gold
scores are not used.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from ists.bench.regression import Block
from ists.bench.systems import LARGEST, SentenceVectors, TextPair
from ists.chunker.tokens import tokenize

Matrix = NDArray[np.float64]

_ABOUT_WEIGHT = 0.5
_WORD = re.compile(r"\w+")
_LETTERS = 3


def pair_features(
    pairs: Sequence[TextPair], scores: Sequence[float], encoder: SentenceVectors
) -> list[Block]:
    """Return the similarity and topic features, one row per pair."""
    sentences = [tokenize(sentence) for pair in pairs for sentence in pair]
    rarity = _rarity(sentences)
    rows = [np.asarray(found.rows, np.float64) for found in encoder.read(sentences)]
    vectors = np.array([_unit(parts.sum(0)) for parts in rows])
    close = [
        [
            score / LARGEST,
            float(vectors[2 * place] @ vectors[2 * place + 1]),
            *_matches(sentences[2 * place :][:2], rows[2 * place :][:2], rarity),
            *_overlaps(*pair, rarity),
        ]
        for place, (pair, score) in enumerate(zip(pairs, scores, strict=True))
    ]
    about = vectors[::2] + vectors[1::2]
    return [Block(np.array(close), 1.0), Block(about, _ABOUT_WEIGHT)]


def _rarity(sentences: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the inverse sentence frequency (IDF) of each word."""
    found = Counter(
        word for tokens in sentences for word in set(_WORD.findall(" ".join(tokens).lower()))
    )
    return {word: log((1 + len(sentences)) / count) for word, count in found.items()}


def _matches(
    sentences: Sequence[Sequence[str]], rows: Sequence[Matrix], rarity: dict[str, float]
) -> list[float]:
    """Return statistics of each token's highest cosine with the tokens of the other sentence."""
    units = [_unit(parts) for parts in rows]
    weights = [np.array([_token_rarity(token, rarity) for token in tokens]) for tokens in sentences]
    if not all(len(parts) for parts in units):
        return [0.0] * 9
    near = units[0] @ units[1].T
    best = (near.max(1), near.max(0))
    sides = []
    for found, weight in zip(best, weights, strict=True):
        weighted = float(found @ weight / (weight.sum() or 1.0))
        sides.append((float(found.mean()), weighted, float(found.min()), float(found.std())))
    means = [_unit(weight @ parts) for weight, parts in zip(weights, units, strict=True)]
    return [*_either_way(sides), float(means[0] @ means[1])]


def _overlaps(sentence1: str, sentence2: str, rarity: dict[str, float]) -> list[float]:
    """Return the overlap in words and character trigrams, and the lengths."""
    texts = [_WORD.findall(sentence.lower()) for sentence in (sentence1, sentence2)]
    one, two = (set(words) for words in texts)
    shared = one & two
    common_rarity, rarity1, rarity2 = (
        sum(rarity.get(word, 0.0) for word in words) for words in (shared, one, two)
    )
    letters = [_letters(words) for words in texts]
    common = (letters[0] & letters[1]).total()
    shorter, longer = sorted(map(len, texts))
    return [
        _share(2 * len(shared), len(one) + len(two)),
        _share(2 * common_rarity, rarity1 + rarity2),
        _share(2 * common, letters[0].total() + letters[1].total()),
        *_either_way([(_share(common_rarity, rarity1),), (_share(common_rarity, rarity2),)]),
        *_either_way([(_share(len(shared), len(one)),), (_share(len(shared), len(two)),)]),
        float(len(shared)),
        log(1 + shorter),
        log(1 + longer),
        _share(longer - shorter, longer),
    ]


def _either_way(sides: Sequence[Sequence[float]]) -> list[float]:
    """Return the smaller and the larger value of the two sentences, so that order is ignored."""
    both = list(zip(*sides, strict=True))
    return [*map(min, both), *map(max, both)]


def _letters(words: Sequence[str]) -> Counter[str]:
    text = f" {' '.join(words)} "
    return Counter(text[at : at + _LETTERS] for at in range(len(text) - _LETTERS + 1))


def _token_rarity(token: str, rarity: dict[str, float]) -> float:
    return max((rarity.get(word, 0.0) for word in _WORD.findall(token.lower())), default=0.0)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _unit(vectors: Matrix) -> Matrix:
    lengths = np.sqrt((vectors**2).sum(-1, keepdims=True))
    unit: Matrix = vectors / np.where(lengths > 0, lengths, 1.0)
    return unit
