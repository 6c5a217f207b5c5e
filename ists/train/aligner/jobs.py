"""Networks trained in parallel, and their predictions on held-out pairs.

Held-out pairs are read as at run time: by the exported 8-bit network and the run-time code.
"""

from collections.abc import Mapping, Sequence
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
from ists.train.aligner.export import NETWORK_FILES, export_network
from ists.train.aligner.fit import Hyperparameters, Trainer
from ists.train.gold import Example
from ists.train.loop import Progress
from ists.train.words import verified_words

Arrays = dict[str, NDArray[np.float32]]

SCENARIOS = ("gold_chunks", "own_chunks")
_BATCH = 32
"""Pairs per batch when reading held-out pairs."""


@dataclass(frozen=True)
class NetworkJob:
    """Picklable task: train a network on some pairs and read the held-out ones with it."""

    hyperparameters: Hyperparameters
    chunker: Arrays | None
    """The pre-trained network, whose weights are part of the initial weights."""
    training: tuple[Example, ...]
    held_out: tuple[Example, ...]
    saved: Path | None = None
    """The folder of saved networks; see `Trainer`."""

    def run(self, progress: Progress = lambda _: None) -> "TrainedNetwork":
        """Train in one thread: with several, sums differ in their last digits."""
        torch.set_num_threads(1)
        start = None
        if self.chunker is not None:
            start = {name: torch.from_numpy(array) for name, array in self.chunker.items()}
        state = Trainer(self.hyperparameters, start, progress, self.saved).train(self.training)
        readings = read_held_out(state, self.held_out) if self.held_out else {}
        weights = {} if self.held_out else {name: value.numpy() for name, value in state.items()}
        return TrainedNetwork(weights, readings)


@dataclass(frozen=True)
class TrainedNetwork:
    """The result of a job: readings of the held-out pairs or, if there are none, the weights."""

    weights: Arrays
    readings: Mapping[str, list[ScoredPair]]
    """By scenario."""


def read_held_out(
    state: Mapping[str, Tensor], examples: Sequence[Example]
) -> dict[str, list[ScoredPair]]:
    """Read pairs in both scenarios with a network, exported as it would be shipped."""
    with TemporaryDirectory() as folder:
        export_network(state, Path(folder))
        card = {"files": dict.fromkeys(NETWORK_FILES, ""), WORDS: verified_words(state)}
        reader = PairReader(Model(Path(folder), card), 1)
        return {
            scenario: score_pairs(
                reader, [prepared(example, given) for example in examples], _BATCH
            )
            for scenario, given in zip(SCENARIOS, (True, False), strict=True)
        }


def prepared(example: Example, with_chunks: bool) -> PreparedPair:
    """Return an example as input of the run-time code, with its chunks or without."""

    def side(tokens: Sequence[str], chunks: Positions) -> PreparedSentence:
        return PreparedSentence(Sentence.of(tokens), chunks if with_chunks else None)

    sides = side(example.tokens1, example.chunks1), side(example.tokens2, example.chunks2)
    return PreparedPair(example.id, sides)


def run_jobs(
    jobs: Mapping[str, NetworkJob], workers: int, progress: Progress
) -> dict[str, TrainedNetwork]:
    """Train all networks in worker processes with one thread each.

    Two networks in one thread each are faster than one after the other in two threads.
    """
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
