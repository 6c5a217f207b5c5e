"""A trained aligner as a model folder, and its cross-validation.

Networks are trained without one fold at a time, and one on all pairs. What the former say of the
pairs they never saw teaches all that comes after the network, and gives the figures.
"""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from ists.chunker.tagger import KIND as CHUNKER
from ists.encoder import WORDS
from ists.errors import FormatError, ModelError
from ists.models import open_model, sha256_of, write_card
from ists.pipeline import KIND
from ists.seen import write_seen
from ists.train import chunker
from ists.train.aligner import Recipe
from ists.train.chunker_model import kept_network
from ists.train.corpora import FOLDS, read_conll
from ists.train.decisions import CrossValidation, OutOfFold, decide_out_of_fold
from ists.train.gold import GoldPairs
from ists.train.labeler import Recipe as LabelerRecipe
from ists.train.network import BASE_LICENCE, BASE_NAME, BASE_PACKAGE
from ists.train.networks import (
    NETWORK_FILES,
    Arrays,
    NetworkJob,
    Progress,
    TrainedNetwork,
    run_jobs,
    write_network,
)
from ists.train.onnx_graph import exported_state
from ists.train.seen import gold_texts
from ists.train.words import named_words

_LABELER_FILE = "labeler.npz"
_WHOLE = "all pairs"


@dataclass(frozen=True)
class Pretraining:
    """Where the chunker's network comes from that a training starts at."""

    conll: Path | None = None
    """CoNLL-2000, to train it on."""
    kept: Path | None = None
    """The file it is kept in; it is taken from there where it is."""
    chunker: str | None = None
    """A chunker's name or folder, to start from its network instead."""

    def network(self, progress: Progress) -> dict[str, Tensor] | None:
        """The network, or none where the start is plain MiniLM."""
        if self.chunker is not None:
            return exported_state(open_model(self.chunker, CHUNKER).file("network.onnx"))
        if (before := kept_network(self.kept)) is not None:
            return before
        if self.conll is None:
            if self.kept is not None:
                raise ModelError(f"{self.kept}: no such file, and no CoNLL-2000 to make it from")
            return None
        sentences = read_conll(self.conll)
        recipe = chunker.Recipe()
        trainer = chunker.Trainer(recipe, chunker.Tags.of(sentences), progress)
        state = trainer.pretrain(sentences, recipe.seeds[0])
        if self.kept is not None:
            save_file(state, self.kept)
        return state

    def recorded(self) -> dict[str, Any]:
        """For the model's card."""
        if self.chunker is not None:
            model = open_model(self.chunker, CHUNKER)
            return {"chunker": model.name, "files": dict(model.card["files"])}
        files = [path for path in (self.conll, self.kept) if path is not None and path.is_file()]
        recipe = chunker.Recipe().to_dict()
        return {"files": {path.name: sha256_of(path) for path in files}, "recipe": recipe}


def cross_validate(
    gold: GoldPairs,
    recipe: Recipe,
    labeler_recipe: LabelerRecipe | None = None,
    pretraining: Pretraining | None = None,
    folds: int = FOLDS,
    workers: int = 0,
    kept: Path | None = None,
    progress: Progress = lambda _: None,
) -> CrossValidation:
    """Cross-validation by pair; pre-training sees no gold and is done once."""
    jobs = fold_jobs(gold, recipe, (pretraining or Pretraining()).network(progress), folds, kept)
    networks = run_jobs(jobs, workers or _cores(), progress)
    return _decided(gold, networks, folds, labeler_recipe or _labeler_recipe(recipe), progress)


def train_aligner(
    gold: GoldPairs,
    folder: Path,
    recipe: Recipe,
    labeler_recipe: LabelerRecipe | None = None,
    pretraining: Pretraining | None = None,
    folds: int = FOLDS,
    workers: int = 0,
    kept: Path | None = None,
    progress: Progress = lambda _: None,
) -> CrossValidation:
    """Train on all pairs, with all that is needed out of fold, and write a model folder.

    ``kept`` is a folder for the trained networks: a training that was interrupted goes on there.
    """
    labeler_recipe = labeler_recipe or _labeler_recipe(recipe)
    pretraining = pretraining or Pretraining()
    folder.mkdir(parents=True, exist_ok=True)  # better now than after an hour's work
    start = pretraining.network(progress)
    jobs = fold_jobs(gold, recipe, start, folds, kept)
    jobs[_WHOLE] = NetworkJob(recipe, _as_arrays(start), gold.examples, (), kept)
    networks = run_jobs(jobs, workers or _cores(), progress)
    whole = networks.pop(_WHOLE)
    validated = _decided(gold, networks, folds, labeler_recipe, progress)
    state = {name: torch.from_numpy(array) for name, array in whole.weights.items()}
    write_network(state, folder)
    with (folder / _LABELER_FILE).open("wb") as stream:
        validated.final.labeler.write(stream)
    training = {
        "files": dict(gold.files),
        "pretraining": pretraining.recorded() if start is not None else None,
        "recipe": recipe.to_dict(),
        "labeler_recipe": labeler_recipe.recorded(),
        "seed": list(recipe.seeds),
        "versions": _versions(),
    }
    card = {
        "name": folder.resolve().name,
        "kind": KIND,
        "base": {"name": BASE_NAME, "package": BASE_PACKAGE, "licence": BASE_LICENCE},
        "training": training,
        "figures": {"folds": folds, "cross_validated": validated.figures()},
        "threshold": validated.final.threshold,
        WORDS: named_words(state),
    }
    seen = write_seen(folder, gold_texts(gold.pairs))
    write_card(folder, card, [*NETWORK_FILES, _LABELER_FILE, seen])
    progress(f"{folder}: written")
    return validated


def _labeler_recipe(recipe: Recipe) -> LabelerRecipe:
    return LabelerRecipe(seed=recipe.seeds[0])


def fold_jobs(
    gold: GoldPairs,
    recipe: Recipe,
    start: Mapping[str, Tensor] | None,
    folds: int,
    kept: Path | None,
) -> dict[str, NetworkJob]:
    """Return the job of each fold's network, by `fold_name`."""
    of_pair = gold.folds(folds)
    present = sorted(set(of_pair))
    if len(present) < 2:
        raise FormatError(f"{len(of_pair)} pairs are too few for cross-validation")
    arrays = _as_arrays(start)
    jobs = {}
    for fold in present:
        learnt = tuple(e for e, own in zip(gold.examples, of_pair, strict=True) if own != fold)
        unseen = tuple(e for e, own in zip(gold.examples, of_pair, strict=True) if own == fold)
        jobs[fold_name(fold, folds)] = NetworkJob(recipe, arrays, learnt, unseen, kept)
    return jobs


def _decided(
    gold: GoldPairs,
    networks: Mapping[str, TrainedNetwork],
    folds: int,
    recipe: LabelerRecipe,
    progress: Progress,
) -> CrossValidation:
    of_pair = gold.folds(folds)
    by_fold = {fold: networks[fold_name(fold, folds)] for fold in set(of_pair)}
    return decide_out_of_fold(OutOfFold.of(gold, of_pair, by_fold), recipe, progress)


def fold_name(fold: int, folds: int) -> str:
    """Return the name of the network trained without a fold."""
    return f"without fold {fold + 1} of {folds}"


def _as_arrays(state: Mapping[str, Tensor] | None) -> Arrays | None:
    """Tensors as numpy has them: they go to other processes."""
    return None if state is None else {name: value.numpy() for name, value in state.items()}


def _cores() -> int:
    return cpu_count() or 1


def _versions() -> dict[str, str]:
    packages = ("ists", "numpy", "onnx", "onnxruntime", "scikit-learn", "torch")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
