import random

import pytest

pytest.importorskip("torch", reason="the extra 'train' is not installed")

import itertools

from ists.encoder import EncoderInput
from ists.train.batching import encoder_batch, in_blocks, length_bucketed_batches

WORDS = ["x" * (1 + number * 7 % 20) for number in range(50)]


def batches(seed: int) -> list[list[str]]:
    return length_bucketed_batches(WORDS, 4, 3, len, random.Random(seed))


def test_every_item_is_in_one_batch():
    found = batches(1)
    assert sorted(word for batch in found for word in batch) == sorted(WORDS)
    assert sorted(map(len, found)) == [2, *[4] * 12]


def test_batches_are_sorted_by_length_within_their_pool():
    assert all(batch == sorted(batch, key=len) for batch in batches(1))
    whole = length_bucketed_batches(WORDS, 4, 13, len, random.Random(1))
    ranges = sorted((len(batch[0]), len(batch[-1])) for batch in whole)
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(ranges))


def test_the_seed_determines_the_batches():
    assert batches(1) == batches(1)
    assert batches(1) != batches(2)


def test_blocks_keep_the_order():
    assert in_blocks("abcde", 2) == [["a", "b"], ["c", "d"], ["e"]]


def test_shorter_inputs_are_padded_and_masked():
    long = EncoderInput([101, 7, 8, 102], [0, 1, 1, 0], [0] * 4, [1, 2], [0, 1])
    short = EncoderInput([101, 9, 102], [0, 2, 0], [0] * 3, [1], [0])
    batch = encoder_batch([long, short])
    assert batch.pieces.tolist() == [[101, 7, 8, 102], [101, 9, 102, 0]]
    assert batch.mask.tolist() == [[True] * 4, [True, True, True, False]]
    assert batch.first_piece.tolist() == [1, 2, 5]
    assert batch.before.tolist() == [0, 1, 4]
