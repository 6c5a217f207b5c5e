"""Training and cross-validation of an aligner, as ``ists train aligner`` and ``crossval`` run them.

One network is trained for each fold, on the pairs of the other folds, and one on all pairs. The
predictions of the former on their held-out pairs train the labeller, set the link threshold and
give the figures.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from os import cpu_count
from pathlib import Path

import torch

from ists.errors import FormatError
from ists.train.aligner.crossval import CrossValidation
from ists.train.aligner.decisions import decide_out_of_fold
from ists.train.aligner.export import write_aligner
from ists.train.aligner.extra import NO_EXTRA, ExtraPairs
from ists.train.aligner.fit import Hyperparameters
from ists.train.aligner.jobs import Arrays, NetworkJob, TrainedNetwork, run_jobs
from ists.train.aligner.labeler import LabelerHyperparameters
from ists.train.aligner.out_of_fold import OutOfFold
from ists.train.aligner.pretraining import Pretraining
from ists.train.cards import versions
from ists.train.corpora import FOLDS
from ists.train.gold import Example, GoldPairs
from ists.train.loop import Progress, State

_ALL_PAIRS = "all pairs"
_PACKAGES = ("ists", "numpy", "onnx", "onnxruntime", "scikit-learn", "torch")


def cross_validate(
    gold: GoldPairs,
    hyperparameters: Hyperparameters,
    labeler_hyperparameters: LabelerHyperparameters | None = None,
    pretraining: Pretraining | None = None,
    folds: int = FOLDS,
    workers: int = 0,
    saved: Path | None = None,
    progress: Progress = lambda _: None,
    hidden: Collection[str] = (),
    extra: ExtraPairs = NO_EXTRA,
) -> CrossValidation:
    """Cross-validate by pair; pre-training uses no gold pairs and is done once.

    ``workers``: networks trained in parallel, 0 for one per core. ``saved``, ``extra``: see
    `train_aligner`. ``hidden``: `FEATURE_GROUPS` that the labeller does not use.
    """
    start = (pretraining or Pretraining()).network(progress)
    jobs = fold_jobs(gold, hyperparameters, start, folds, saved, extra.examples(gold))
    networks = run_jobs(jobs, workers or cpu_count() or 1, progress)
    labeler_hyperparameters = labeler_hyperparameters or _labeler_defaults(hyperparameters)
    return _decide(gold, networks, folds, labeler_hyperparameters, progress, hidden)


def train_aligner(
    gold: GoldPairs,
    folder: Path,
    hyperparameters: Hyperparameters,
    labeler_hyperparameters: LabelerHyperparameters | None = None,
    pretraining: Pretraining | None = None,
    folds: int = FOLDS,
    fold_seeds: int | None = None,
    workers: int = 0,
    saved: Path | None = None,
    progress: Progress = lambda _: None,
    extra: ExtraPairs = NO_EXTRA,
) -> CrossValidation:
    """Cross-validate, train on all pairs and write a model folder.

    ``saved`` is a folder for the trained networks, from which an interrupted training is resumed.
    ``fold_seeds``: train the networks of the folds with the first seeds only. ``extra``: pairs from
    which all networks learn, but not the labeller, and which are in no fold; those that have six
    words in a row in common with a gold pair are left out.
    """
    labeler_hyperparameters = labeler_hyperparameters or _labeler_defaults(hyperparameters)
    pretraining = pretraining or Pretraining()
    folder.mkdir(parents=True, exist_ok=True)  # fail before training, not after it
    start = pretraining.network(progress)
    of_folds = replace(hyperparameters, seeds=hyperparameters.seeds[:fold_seeds])
    added = extra.examples(gold)
    jobs = fold_jobs(gold, of_folds, start, folds, saved, added)
    everything = (*gold.examples, *added)
    jobs[_ALL_PAIRS] = NetworkJob(hyperparameters, _as_arrays(start), everything, (), saved)
    networks = run_jobs(jobs, workers or cpu_count() or 1, progress)
    final = networks.pop(_ALL_PAIRS)
    validated = _decide(gold, networks, folds, labeler_hyperparameters, progress)
    write_aligner(
        folder,
        {name: torch.from_numpy(array) for name, array in final.weights.items()},
        validated.final.labeler,
        validated.final.threshold,
        gold,
        training={
            "files": dict(gold.files),
            "extra_files": dict(extra.files()),
            "pretraining": pretraining.to_record() if start is not None else None,
            "recipe": asdict(hyperparameters),
            "labeler_recipe": asdict(labeler_hyperparameters),
            "seed": list(hyperparameters.seeds),
            "versions": versions(*_PACKAGES),
        },
        figures={
            "folds": folds,
            "seeds": list(of_folds.seeds),
            "cross_validated": validated.figures(),
        },
        other_pairs=pretraining.pairs() | extra.fingerprints(),
    )
    progress(f"{folder}: written")
    return validated


def _labeler_defaults(hyperparameters: Hyperparameters) -> LabelerHyperparameters:
    return LabelerHyperparameters(seed=hyperparameters.seeds[0])


def fold_jobs(
    gold: GoldPairs,
    hyperparameters: Hyperparameters,
    start: State | None,
    folds: int,
    saved: Path | None,
    added: Sequence[Example] = (),
) -> dict[str, NetworkJob]:
    """Return the job of each fold's network, by `fold_name`; all learn from `added` as well."""
    of_pair = gold.folds(folds)
    present = sorted(set(of_pair))
    if len(present) < 2:
        raise FormatError(
            f"{len(of_pair)} pairs are too few for cross-validation, expected pairs in two folds"
        )
    arrays = _as_arrays(start)
    jobs = {}
    for fold in present:
        training = tuple(e for e, own in zip(gold.examples, of_pair, strict=True) if own != fold)
        held_out = tuple(e for e, own in zip(gold.examples, of_pair, strict=True) if own == fold)
        job = NetworkJob(hyperparameters, arrays, (*training, *added), held_out, saved)
        jobs[fold_name(fold, folds)] = job
    return jobs


def _decide(
    gold: GoldPairs,
    networks: Mapping[str, TrainedNetwork],
    folds: int,
    hyperparameters: LabelerHyperparameters,
    progress: Progress,
    hidden: Collection[str] = (),
) -> CrossValidation:
    of_pair = gold.folds(folds)
    by_fold = {fold: networks[fold_name(fold, folds)] for fold in set(of_pair)}
    outputs = OutOfFold.of(gold, of_pair, by_fold, hidden)
    return decide_out_of_fold(outputs, hyperparameters, progress)


def fold_name(fold: int, folds: int) -> str:
    """Return the name of the network trained without a fold."""
    return f"without fold {fold + 1} of {folds}"


def _as_arrays(state: State | None) -> Arrays | None:
    """Convert tensors to numpy arrays, which are sent to worker processes."""
    return None if state is None else {name: value.numpy() for name, value in state.items()}
