"""Train the classifier that makes groups of chunks, for the 2016 edition.

The gold of 2016 writes a group as one chunk with gaps, while the task gives its chunks apart. The
fold networks therefore score the chunks apart, the fold labellers link them one to one, and the
chunks then left alone are the training examples: a candidate is positive as far as the gold links
its tokens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ists.aligner.matching import match
from ists.files import atomic_output
from ists.labeler import Labeler, LabelModel
from ists.labeler.committee import Committee
from ists.labeler.groups import GROUP_FEATURES, candidates_to_join, group_rows, groups_of
from ists.labeler.linking import Cell
from ists.models import open_model, write_card
from ists.pairs import Chunk, Edition, SentencePair
from ists.pipeline import KIND, PreparedPair, PreparedSentence, align_scored
from ists.scored_pair import Positions
from ists.train.aligner import Recipe as NetworkRecipe
from ists.train.aligner_model import LABELER_FILE, Pretraining, fold_jobs, fold_name
from ists.train.decisions import (
    Decisions,
    OutOfFold,
    Unseen,
    fit_labeler,
    token_links,
)
from ists.train.gold import UNKNOWN, Example, GoldPairs, Link
from ists.train.labeler import Recipe as LabelerRecipe
from ists.train.labeler import fit_forest, fit_linear
from ists.train.networks import SCENARIOS, Progress, TrainedNetwork, run_jobs
from scorer import score as judge

Floats = NDArray[np.float32]

_CARD_ENTRY = "groups"


@dataclass(frozen=True)
class Recipe:
    """Hyperparameters of the classifier; recorded in the model's card."""

    seed: int = 0
    trees: int = 150
    smallest_leaf: int = 3
    features: float = 0.3
    linear_strength: float = 0.02
    joins_above: float = 0.45
    """A link more is worth making if its probability exceeds half the F1 of all links."""


@dataclass(frozen=True, eq=False)
class JoiningRows:
    """Chunks left alone with links that they might join."""

    features: Floats
    shares: Floats
    """The share of the token pairs between chunk and link that the gold links."""
    folds: NDArray[np.int64]

    def chosen(self, rows: NDArray[np.bool_]) -> "JoiningRows":
        """Return some of the rows."""
        return JoiningRows(self.features[rows], self.shares[rows], self.folds[rows])


def split_groups(example: Example) -> Example:
    """Return an example whose chunks have no gaps: each contiguous part is a chunk of its own."""
    if example.teaches_chunks:
        return example
    parts1, parts2 = _contiguous(example.chunks1), _contiguous(example.chunks2)
    chunks1, chunks2 = _in_order(parts1), _in_order(parts2)
    links = {
        Link(chunks1.index(one), chunks2.index(two), link.relation, link.score)
        for link in example.links
        for one in parts1[link.chunk1]
        for two in parts2[link.chunk2]
    }
    linked1 = {link.chunk1 for link in links}
    linked2 = {link.chunk2 for link in links}
    return replace(
        example,
        chunks1=chunks1,
        chunks2=chunks2,
        links=tuple(sorted(links)),
        alone1=tuple(UNKNOWN if at in linked1 else 0 for at in range(len(chunks1))),
        alone2=tuple(UNKNOWN if at in linked2 else 0 for at in range(len(chunks2))),
    )


def _contiguous(chunks: Positions) -> list[Positions]:
    return [tuple(part.tokens for part in Chunk(chunk).parts) for chunk in chunks]


def _in_order(parts: Sequence[Positions]) -> Positions:
    return tuple(sorted({part for chunk in parts for part in chunk}))


class JoiningData:
    """Out-of-fold scores of chunks apart, and one-to-one links by the labellers of each fold."""

    def __init__(self, apart: OutOfFold, decisions: Mapping[int, Decisions]) -> None:
        self.apart = apart
        self.decisions = decisions

    def rows(self) -> JoiningRows:
        """Return all candidates of both scenarios."""
        features: list[tuple[float, ...]] = []
        shares: list[float] = []
        folds: list[int] = []
        for fold, decisions in self.decisions.items():
            labeler = Labeler(decisions.labeler)
            places = np.flatnonzero(self.apart.folds == fold).tolist()
            for scenario in SCENARIOS:
                pairs = [self.apart.readings[scenario][place] for place in places]
                for place, one in zip(places, labeler.score_links(pairs), strict=True):
                    scores = one.pair.scores
                    groups = groups_of(match(one.link.tolist(), decisions.threshold))
                    candidates = candidates_to_join(one.view, scores, groups)
                    features += group_rows(one.view, scores, one.link, groups, candidates)
                    example = self.apart.gold.examples[place]
                    linked = set(
                        token_links(example, example.chunks1, example.chunks2, example.links)
                    )
                    for candidate in candidates:
                        group = groups[candidate.group]
                        own = (candidate.chunk,)
                        cells: list[Cell] = (
                            [(i, j) for i in own for j in group.chunks2]
                            if candidate.sentence == 1
                            else [(i, j) for i in group.chunks1 for j in own]
                        )
                        tokens = token_links(example, one.pair.chunks1, one.pair.chunks2, cells)
                        shares.append(sum(t in linked for t in tokens) / max(1, len(tokens)))
                        folds.append(fold)
        return JoiningRows(
            np.array(features, np.float32).reshape(len(features), len(GROUP_FEATURES)),
            np.array(shares, np.float32),
            np.array(folds, np.int64),
        )

    def aligned(
        self, scenario: str, edition: Edition, models: Mapping[int, LabelModel]
    ) -> tuple[SentencePair, ...]:
        """Align every pair by the model of its fold."""
        found: dict[int, SentencePair] = {}
        for fold, model in models.items():
            own = np.flatnonzero(self.apart.folds == fold).tolist()
            pairs = [_prepared(self.apart.gold.pairs[place]) for place in own]
            scored = [self.apart.readings[scenario][place] for place in own]
            threshold = self.decisions[fold].threshold
            aligned = align_scored(pairs, scored, Labeler(model), threshold, edition=edition)
            found |= dict(zip(own, aligned, strict=True))
        return tuple(found[place] for place in range(len(found)))


def _prepared(pair: SentencePair) -> PreparedPair:
    one, two = (PreparedSentence(side, None) for side in (pair.sentence1, pair.sentence2))
    return PreparedPair(pair.id, (one, two))


def fit_committee(rows: JoiningRows, recipe: Recipe) -> Committee:
    """Fit the classifier; a row that is partly right counts as both classes, by its share."""
    right, wrong = rows.shares > 0, rows.shares < 1
    features = np.concatenate([rows.features[right], rows.features[wrong]])
    targets = np.repeat([1, 0], [right.sum(), wrong.sum()])
    weights = np.concatenate([rows.shares[right], 1 - rows.shares[wrong]])
    forest = fit_forest(
        features,
        targets,
        weights,
        2,
        trees=recipe.trees,
        smallest_leaf=recipe.smallest_leaf,
        features=recipe.features,
        seed=recipe.seed,
    )
    linear = fit_linear(features, targets, weights, 2, recipe.linear_strength)
    return Committee({"forest": forest, "linear": linear})


def with_groups(model: LabelModel, committee: Committee, recipe: Recipe) -> LabelModel:
    """Return a labeller's model with the classifier of groups added."""
    columns = replace(model.columns, group=np.arange(len(GROUP_FEATURES), dtype=np.intp))
    return replace(model, columns=columns, group=committee, group_from=recipe.joins_above)


@dataclass(frozen=True)
class FittedGroups:
    """The classifier for the model, and pairs aligned by classifiers of the other folds."""

    gold: GoldPairs
    committee: Committee
    recipe: Recipe
    without: Mapping[str, tuple[SentencePair, ...]]
    """By scenario: aligned by the rules of 2015, one chunk to one."""
    aligned: Mapping[str, tuple[SentencePair, ...]]
    """By scenario: aligned by the rules of 2016."""

    def figures(self) -> dict[str, Any]:
        """Return the four F1 of every corpus and scenario, with groups and without."""
        return {
            corpus: {
                "pairs": len(places),
                **{
                    name: {scenario: self._f1(pairs, places) for scenario, pairs in aligned.items()}
                    for name, aligned in (("one_to_one", self.without), ("groups", self.aligned))
                },
            }
            for corpus, places in self.gold.of_corpus().items()
        }

    def _f1(self, aligned: Sequence[SentencePair], places: Sequence[int]) -> dict[str, float]:
        report = judge(
            [replace(self.gold.pairs[place], id=str(place)) for place in places],
            [replace(aligned[place], id=str(place)) for place in places],
        )
        return {name: round(value, 4) for name, value in report.f1._asdict().items()}


def fit_groups(
    data: JoiningData, recipe: Recipe, progress: Progress = lambda _: None
) -> FittedGroups:
    """Fit the classifier on all folds, and align every fold by a classifier of the others."""
    rows = data.rows()
    progress(f"{len(rows.shares)} candidates to join, {int((rows.shares >= 0.5).sum())} right")
    one_to_one = {fold: own.labeler for fold, own in data.decisions.items()}
    models = {
        fold: with_groups(model, fit_committee(rows.chosen(rows.folds != fold), recipe), recipe)
        for fold, model in one_to_one.items()
    }
    return FittedGroups(
        data.apart.gold,
        fit_committee(rows, recipe),
        recipe,
        {scenario: data.aligned(scenario, "2015", one_to_one) for scenario in SCENARIOS},
        {scenario: data.aligned(scenario, "2016", models) for scenario in SCENARIOS},
    )


def joining_data(
    gold: GoldPairs,
    recipe: NetworkRecipe,
    labeler_recipe: LabelerRecipe,
    pretraining: Pretraining,
    folds: int,
    kept: Path | None = None,
    unseen: GoldPairs | None = None,
    workers: int = 1,
    progress: Progress = lambda _: None,
) -> JoiningData:
    """Train or load the fold networks, and fit the labellers of each fold.

    `unseen` are more pairs to learn groups from that no fold network is trained on.
    """
    of_pair = gold.folds(folds)
    every, fold_of_pair = gold, of_pair
    if unseen is not None:
        every = GoldPairs(
            (*gold.pairs, *unseen.pairs),
            (*gold.examples, *unseen.examples),
            {**gold.files, **unseen.files},
        )
        fold_of_pair = [*of_pair, *unseen.folds(folds)]
    jobs = {}
    for name, job in fold_jobs(gold, recipe, pretraining.network(progress), folds, kept).items():
        own = [
            example
            for example, fold in zip(every.examples, fold_of_pair, strict=True)
            if fold_name(fold, folds) == name
        ]
        jobs[name] = replace(job, unseen=(*own, *map(split_groups, own)))
    networks = run_jobs(jobs, workers, progress)
    by_fold = {fold: networks[fold_name(fold, folds)] for fold in sorted(set(of_pair))}
    whole = OutOfFold.of(every, fold_of_pair, {at: _half(own, 0) for at, own in by_fold.items()})
    split = replace(every, examples=tuple(map(split_groups, every.examples)))
    apart = OutOfFold.of(split, fold_of_pair, {at: _half(own, 1) for at, own in by_fold.items()})
    return JoiningData(apart, _decisions(whole, labeler_recipe, progress))


def _half(network: TrainedNetwork, half: int) -> TrainedNetwork:
    """Return the readings of the chunks as the gold has them (0) or apart (1)."""
    readings = {
        scenario: pairs[len(pairs) // 2 * half :][: len(pairs) // 2]
        for scenario, pairs in network.readings.items()
    }
    return replace(network, readings=readings)


def _decisions(
    outputs: OutOfFold, recipe: LabelerRecipe, progress: Progress
) -> dict[int, Decisions]:
    folds = sorted(set(outputs.folds.tolist()))
    labelers = {}
    for number, fold in enumerate(folds, start=1):
        progress(f"labeller without fold {number} of {len(folds)}")
        labelers[fold] = fit_labeler(outputs, recipe, without=fold)
    unseen = Unseen.of(outputs, labelers)
    return {
        fold: unseen.decisions(model, outputs.folds != fold) for fold, model in labelers.items()
    }


def add_groups(folder: Path, fitted: FittedGroups) -> None:
    """Add the classifier to a model folder, and its record and figures to the model's card."""
    model = open_model(str(folder), KIND)
    file = model.file(LABELER_FILE)
    labeler = with_groups(LabelModel.read(file), fitted.committee, fitted.recipe)
    with atomic_output(file) as stream:
        labeler.write(stream)
    card = {key: value for key, value in model.card.items() if key not in ("format", "files")}
    card[_CARD_ENTRY] = {
        "training": {"files": dict(fitted.gold.files), "recipe": asdict(fitted.recipe)},
        "cross_validated": fitted.figures(),
    }
    write_card(folder, card, list(model.card["files"]))
