"""Pairs scored by the fold networks of an aligner, to train the classifier of groups on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ists.scored_pair import ScoredPair
from ists.train.aligner import Recipe
from ists.train.aligner_model import Pretraining, fold_jobs, fold_name
from ists.train.decisions import OutOfFold, Unseen, fit_labeler
from ists.train.gold import GoldPairs
from ists.train.groups import OneToOne, UnseenPairs, split_groups
from ists.train.labeler import Recipe as LabelerRecipe
from ists.train.networks import SCENARIOS, Progress, TrainedNetwork, run_jobs


def by_fold_networks(
    gold: GoldPairs,
    recipe: Recipe,
    labeler_recipe: LabelerRecipe,
    pretraining: Pretraining,
    folds: int,
    saved: Path,
    unseen: GoldPairs | None = None,
    progress: Progress = lambda _: None,
) -> UnseenPairs:
    """Score every pair by the network of its fold, and fit the labeller of each fold.

    The networks are loaded from the folder `saved`, or trained and saved there. `unseen` are more
    pairs, which no fold network is trained on.
    """
    of_pair = gold.folds(folds)
    every, fold_of_pair = gold, of_pair
    if unseen is not None:
        every = _together(gold, unseen)
        fold_of_pair = [*of_pair, *unseen.folds(folds)]
    jobs = {}
    for name, job in fold_jobs(gold, recipe, pretraining.network(progress), folds, saved).items():
        own = [
            example
            for example, fold in zip(every.examples, fold_of_pair, strict=True)
            if fold_name(fold, folds) == name
        ]
        jobs[name] = replace(job, unseen=(*own, *map(split_groups, own)))
    networks = run_jobs(jobs, 1, progress)
    by_fold = {fold: networks[fold_name(fold, folds)] for fold in sorted(set(of_pair))}
    whole = OutOfFold.of(every, fold_of_pair, {at: _half(own, 0) for at, own in by_fold.items()})
    apart = OutOfFold.of(every, fold_of_pair, {at: _half(own, 1) for at, own in by_fold.items()})
    linking = _one_to_one(whole, labeler_recipe, progress)
    return UnseenPairs(every, np.array(fold_of_pair), apart.readings, linking)


def _together(gold: GoldPairs, unseen: GoldPairs) -> GoldPairs:
    return GoldPairs(
        (*gold.pairs, *unseen.pairs),
        (*gold.examples, *unseen.examples),
        {**gold.files, **unseen.files},
    )


def _half(network: TrainedNetwork, half: int) -> TrainedNetwork:
    """Return the scores of the chunks as the gold has them (0) or apart (1)."""

    def cut(pairs: Sequence[ScoredPair]) -> list[ScoredPair]:
        middle = len(pairs) // 2
        return list(pairs[middle:] if half else pairs[:middle])

    return replace(network, readings={name: cut(network.readings[name]) for name in SCENARIOS})


def _one_to_one(
    outputs: OutOfFold, recipe: LabelerRecipe, progress: Progress
) -> dict[int, OneToOne]:
    folds = sorted(set(outputs.folds.tolist()))
    labelers = {}
    for number, fold in enumerate(folds, start=1):
        progress(f"labeller without fold {number} of {len(folds)}")
        labelers[fold] = fit_labeler(outputs, recipe, without=fold)
    held_out = Unseen.of(outputs, labelers)
    found = {}
    for fold, model in labelers.items():
        decisions = held_out.decisions(model, outputs.folds != fold)
        found[fold] = OneToOne(decisions.threshold, decisions.labeler)
    return found
