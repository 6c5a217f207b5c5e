"""Pairs scored by the fold networks of an aligner, to train the classifier of groups on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ists.scored_pair import ScoredPair
from ists.train.aligner.decisions import decisions_by_fold
from ists.train.aligner.extra import NO_EXTRA, ExtraPairs
from ists.train.aligner.fit import Hyperparameters
from ists.train.aligner.groups import UnseenPairs, split_groups
from ists.train.aligner.jobs import SCENARIOS, TrainedNetwork, run_jobs
from ists.train.aligner.labeler import LabelerHyperparameters
from ists.train.aligner.out_of_fold import OutOfFold
from ists.train.aligner.pretraining import Pretraining
from ists.train.aligner.train import fold_jobs, fold_name
from ists.train.gold import GoldPairs
from ists.train.loop import Progress


def by_fold_networks(
    gold: GoldPairs,
    hyperparameters: Hyperparameters,
    labeler_hyperparameters: LabelerHyperparameters,
    pretraining: Pretraining,
    folds: int,
    saved: Path,
    progress: Progress = lambda _: None,
    extra: ExtraPairs = NO_EXTRA,
) -> UnseenPairs:
    """Score every pair by the network of its fold, and fit the labeller of each fold.

    The networks are loaded from the folder `saved`, or trained and saved there. ``extra``: see
    `train_aligner`.
    """
    of_pair = gold.folds(folds)
    start = pretraining.network(progress)
    added = extra.examples(gold)
    jobs = {}
    for name, job in fold_jobs(gold, hyperparameters, start, folds, saved, added).items():
        jobs[name] = replace(job, held_out=(*job.held_out, *map(split_groups, job.held_out)))
    networks = run_jobs(jobs, 1, progress)
    by_fold = {fold: networks[fold_name(fold, folds)] for fold in sorted(set(of_pair))}
    whole = OutOfFold.of(gold, of_pair, {at: _half(own, 0) for at, own in by_fold.items()})
    apart = OutOfFold.of(gold, of_pair, {at: _half(own, 1) for at, own in by_fold.items()})
    _, linking = decisions_by_fold(whole, labeler_hyperparameters, progress)
    return UnseenPairs(gold, np.array(of_pair), apart.readings, linking)


def _half(network: TrainedNetwork, half: int) -> TrainedNetwork:
    """Return the scores of the chunks as the gold has them (0) or apart (1)."""

    def cut(pairs: Sequence[ScoredPair]) -> list[ScoredPair]:
        middle = len(pairs) // 2
        return list(pairs[middle:] if half else pairs[:middle])

    return replace(network, readings={name: cut(network.readings[name]) for name in SCENARIOS})
