"""Networks trained without a fold, and what they say of the pairs they never saw.

They read them as they will when shipped: exported, in 8 bits, by the run-time code.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ists.aligner.reader import PairReader
from ists.encoder import WORDS
from ists.models import Model
from ists.pairs import Sentence
from ists.pipeline import PreparedPair, PreparedSentence, score_pairs
from ists.runs.parent import end_with_parent, ending_them_on_errors, not_to_be_interrupted
from ists.scored_pair import Positions, ScoredPair
from ists.train.aligner import Recipe, Trainer
from ists.train.gold import Example
from ists.train.onnx_graph import export_reader
from ists.train.words import named_words

Progress = Callable[[str], None]
Arrays = dict[str, NDArray[np.float32]]

SCENARIOS = ("gold_chunks", "own_chunks")
NETWORK_FILES = ["pairs.npz", "reader.onnx"]
_READ_AT_ONCE = 32


@dataclass(frozen=True)
class NetworkJob:
    """One network to be trained: on all pairs but those it is then to read."""

    recipe: Recipe
    chunker: Arrays | None
    learnt: tuple[Example, ...]
    unseen: tuple[Example, ...]
    kept: Path | None = None
    """A folder of networks trained before, where this one is looked for and left."""

    def run(self, progress: Progress = lambda _: None) -> "TrainedNetwork":
        """Train on one thread: the sums of several differ in their last digits."""
        torch.set_num_threads(1)
        start = None
        if self.chunker is not None:
            start = {name: torch.from_numpy(array) for name, array in self.chunker.items()}
        state = Trainer(self.recipe, start, progress, self.kept).train(self.learnt)
        readings = read_unseen(state, self.unseen) if self.unseen else {}
        weights = {} if self.unseen else {name: value.numpy() for name, value in state.items()}
        return TrainedNetwork(weights, readings)


@dataclass(frozen=True)
class TrainedNetwork:
    """What comes of a job: readings of the unseen pairs or, without any, the weights."""

    weights: Arrays
    readings: Mapping[str, list[ScoredPair]]
    """By scenario."""


def read_unseen(
    state: Mapping[str, Tensor], examples: Sequence[Example]
) -> dict[str, list[ScoredPair]]:
    """Read pairs in both scenarios by a network as it would be shipped."""
    with TemporaryDirectory() as folder:
        write_network(state, Path(folder))
        card = {"files": dict.fromkeys(NETWORK_FILES, ""), WORDS: named_words(state)}
        reader = PairReader(Model(Path(folder), card), 1)
        return {
            scenario: score_pairs(
                reader, [_prepared(example, given) for example in examples], _READ_AT_ONCE
            )
            for scenario, given in zip(SCENARIOS, (True, False), strict=True)
        }


def _prepared(example: Example, with_chunks: bool) -> PreparedPair:
    def side(tokens: Sequence[str], chunks: Positions) -> PreparedSentence:
        return PreparedSentence(Sentence.of(tokens), chunks if with_chunks else None)

    sides = side(example.tokens1, example.chunks1), side(example.tokens2, example.chunks2)
    return PreparedPair(example.id, sides)


def write_network(state: Mapping[str, Tensor], folder: Path) -> None:
    """The files of a network as the run time reads them."""
    export_reader(state, folder / "reader.onnx")
    head = {
        name.removeprefix("pairs."): value.numpy().astype(np.float16)
        for name, value in state.items()
        if name.startswith("pairs.")
    }
    np.savez(folder / "pairs.npz", allow_pickle=False, **head)


def run_jobs(
    jobs: Mapping[str, NetworkJob], workers: int, progress: Progress
) -> dict[str, TrainedNetwork]:
    """Train all networks, several at a time: two on a thread each beat one on two threads."""
    done: dict[str, TrainedNetwork] = {}
    if workers == 1:
        for name, job in jobs.items():
            progress(f"network {len(done) + 1} of {len(jobs)} ({name})")
            done[name] = job.run(progress)
        return done
    progress(f"{len(jobs)} networks to train, {min(workers, len(jobs))} at a time")
    pool = ProcessPoolExecutor(workers, get_context("spawn"), end_with_parent)
    with pool, ending_them_on_errors():
        with not_to_be_interrupted():
            waiting: dict[Future[TrainedNetwork], str] = {
                pool.submit(job.run): name for name, job in jobs.items()
            }
        for future in as_completed(waiting):
            done[waiting[future]] = future.result()
            progress(f"network {len(done)} of {len(jobs)} trained ({waiting[future]})")
    return done
