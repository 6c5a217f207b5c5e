"""Fitting of everything after the network: labeller, calibration and link threshold.

All are fitted to out-of-fold readings (`ists.train.aligner.out_of_fold`). The figures come from the
same readings; each fold is aligned by a labeller and a threshold that were fitted to the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from ists.aligner.matching import match
from ists.labeler import Labeler, LabelModel
from ists.labeler.decide import EQUI_AT, LOWER_SCORES
from ists.labeler.features import FEATURES
from ists.labeler.linking import LINK_FEATURES, Cell
from ists.labeler.lone import LONE_FEATURES
from ists.pairs import LINKING, MAX_SCORE, Alignment, Flag, Relation, SentencePair
from ists.pipeline import PreparedPair, PreparedSentence, align_scored
from ists.pipeline.assemble import as_chunk
from ists.scored_pair import ScoredPair
from ists.train.aligner.crossval import CrossValidation, Decisions
from ists.train.aligner.jobs import SCENARIOS
from ists.train.aligner.labeler import (
    CandidateRows,
    LabelerHyperparameters,
    LinkRows,
    LoneRows,
    best_sharpness,
    fit,
    joined,
)
from ists.train.aligner.out_of_fold import OutOfFold
from ists.train.loop import Progress
from scorer import Report, load
from scorer import score as judge

_THRESHOLDS = tuple(step / 20 for step in range(4, 15))
_NEGLIGIBLE = 1e-12
"""The weight of a row that is added only so that its label has an example."""


def decide_out_of_fold(
    outputs: OutOfFold, parameters: LabelerHyperparameters, progress: Progress = lambda _: None
) -> CrossValidation:
    """Fit labeller and threshold, and align every fold with those fitted to the other folds."""
    held_out, by_fold = decisions_by_fold(outputs, parameters, progress)
    aligned: dict[str, dict[int, SentencePair]] = {scenario: {} for scenario in SCENARIOS}
    for fold, decisions in by_fold.items():
        indices = np.flatnonzero(outputs.folds == fold).tolist()
        for scenario in SCENARIOS:
            aligned[scenario] |= _align(outputs, scenario, indices, decisions)
    progress("labeller on all folds")
    everything = np.ones(len(outputs.folds), bool)
    final = held_out.decisions(fit_labeler(outputs, parameters), everything)
    in_order = {
        scenario: tuple(pairs[index] for index in range(len(pairs)))
        for scenario, pairs in aligned.items()
    }
    return CrossValidation(outputs.gold, in_order, final)


def decisions_by_fold(
    outputs: OutOfFold, parameters: LabelerHyperparameters, progress: Progress
) -> tuple["HeldOut", dict[int, Decisions]]:
    """Return the predictions on held-out rows, and what was fitted without each fold."""
    folds = sorted(set(outputs.folds.tolist()))
    labelers = {}
    for number, fold in enumerate(folds, start=1):
        progress(f"labeller without fold {number} of {len(folds)}")
        labelers[fold] = fit_labeler(outputs, parameters, without=fold)
    held_out = HeldOut.of(outputs, labelers)
    return held_out, {
        fold: held_out.decisions(model, outputs.folds != fold) for fold, model in labelers.items()
    }


def fit_labeler(
    outputs: OutOfFold, parameters: LabelerHyperparameters, without: int | None = None
) -> LabelModel:
    """Fit the labeller to all folds, or to all but one; it is not calibrated."""
    candidates, candidate_folds = outputs.candidate_rows
    links, link_folds = outputs.link_rows
    lone, lone_folds = outputs.lone_rows
    if without is not None:
        candidates = candidates.chosen(candidate_folds != without)
        links, lone = links.chosen(link_folds != without), lone.chosen(lone_folds != without)
    return fit(
        _candidates_not_empty(candidates),
        _with_every_label(links),
        _lone_not_empty(lone),
        parameters,
    )


def _candidates_not_empty(rows: CandidateRows) -> CandidateRows:
    if len(rows.shares):
        return rows
    empty = np.zeros((1, len(LINK_FEATURES)), np.float32)
    return CandidateRows(empty, np.zeros(1, np.float32), np.ones(1, np.float32))


def _with_every_label(rows: LinkRows) -> LinkRows:
    """Add a row of negligible weight for each label that few pairs may lack.

    The classifiers need at least one example of each.
    """
    relations = set(rows.relations.tolist())
    lower = rows.scores[rows.relations != EQUI_AT]
    scores = set(np.clip(np.rint(lower), LOWER_SCORES[0], LOWER_SCORES[-1]).tolist())
    added = [
        (at, float(MAX_SCORE if at == EQUI_AT else LOWER_SCORES[-1]))
        for at in range(len(LINKING))
        if at not in relations
    ]
    simi = LINKING.index(Relation.SIMI)
    added += [(simi, float(score)) for score in LOWER_SCORES if score not in scores]
    if not added:
        return rows
    typical = rows.features.mean(0) if len(rows.features) else np.zeros(len(FEATURES), np.float32)
    size = len(added)
    lacking = LinkRows(
        np.repeat(typical[None], size, axis=0).astype(np.float32),
        np.array([relation for relation, _ in added]),
        np.array([score for _, score in added], np.float32),
        np.full(size, _NEGLIGIBLE, np.float32),
        np.zeros((size, len(Flag)), bool),
        np.zeros((size, len(LINKING)), bool),
    )
    return joined([rows, lacking])


def _lone_not_empty(rows: LoneRows) -> LoneRows:
    if len(rows.is_alic):
        return rows
    return LoneRows(np.zeros((1, len(LONE_FEATURES)), np.float32), np.zeros(1, bool))


Counts = dict[tuple[str, str, float], Report]
"""Reports by corpus, scenario and threshold, of links without their labels."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of labellers on held-out rows, to which calibration and threshold are fitted."""

    outputs: OutOfFold
    likely: NDArray[np.float32]
    """(candidates,): the probability of a link."""
    relations: NDArray[np.float32]
    """(links, 6): the probabilities of the relations, not calibrated."""

    @classmethod
    def of(cls, outputs: OutOfFold, labelers: Mapping[int, LabelModel]) -> "HeldOut":
        """Predict the rows of each fold with its labeller."""
        candidates, candidate_folds = outputs.candidate_rows
        links, link_folds = outputs.link_rows
        likely = np.zeros(len(candidate_folds), np.float32)
        relations = np.zeros((len(link_folds), len(LINKING)), np.float32)
        for fold, model in labelers.items():
            held = candidate_folds == fold
            likely[held] = model.links_of(candidates.features[held])
            held = link_folds == fold
            relations[held] = model.relations_of(links.features[held])
        return cls(outputs, likely, relations)

    def decisions(self, model: LabelModel, pairs: NDArray[np.bool_]) -> Decisions:
        """Return a labeller with the calibration and the threshold that are best for some pairs."""
        links, link_folds = self.outputs.link_rows
        rows = np.isin(link_folds, self.outputs.folds[pairs])
        sharpness = 1.0
        if rows.any():
            sharpness = best_sharpness(
                self.relations[rows], links.relations[rows], links.weights[rows]
            )
        return Decisions(self._best_threshold(pairs), replace(model, sharpness=sharpness))

    def _best_threshold(self, pairs: NDArray[np.bool_]) -> float:
        """Return the threshold with the best mean F1 of links over corpora and scenarios."""
        indices = self.outputs.gold.of_corpus()

        def quality(threshold: float) -> float:
            found = []
            for (corpus, _, at), report in self._link_counts.items():
                chosen = [
                    one for one, p in zip(report.pairs, indices[corpus], strict=True) if pairs[p]
                ]
                if at == threshold and chosen:
                    found.append(replace(report, pairs=tuple(chosen)).f1.ali)
            return mean(found) if found else 0.0

        return max(_THRESHOLDS, key=quality)

    @cached_property
    def _link_counts(self) -> Counts:
        counts: Counts = {}
        outputs = self.outputs
        tables = outputs.tables(self.likely)
        for corpus, indices in outputs.gold.of_corpus().items():
            gold = load(outputs.gold.pairs[index] for index in indices)
            for scenario in SCENARIOS:
                for threshold in _THRESHOLDS:
                    linked = [
                        _linked(
                            outputs.gold.pairs[index],
                            outputs.readings[scenario][index],
                            match(tables[scenario][index].tolist(), threshold),
                        )
                        for index in indices
                    ]
                    counts[corpus, scenario, threshold] = judge(gold, linked)
        return counts


def _linked(pair: SentencePair, scored: ScoredPair, links: Sequence[Cell]) -> SentencePair:
    alignments = tuple(
        Alignment(
            as_chunk(scored.chunks1[i]), as_chunk(scored.chunks2[j]), Relation.EQUI, MAX_SCORE
        )
        for i, j in links
    )
    return SentencePair(pair.id, pair.sentence1, pair.sentence2, alignments)


def _align(
    outputs: OutOfFold, scenario: str, indices: Sequence[int], decisions: Decisions
) -> dict[int, SentencePair]:
    """Align pairs as at run time, with this threshold and labeller."""
    readings = [outputs.readings[scenario][index] for index in indices]
    pairs = [
        PreparedPair(
            pair.id,
            (PreparedSentence(pair.sentence1, None), PreparedSentence(pair.sentence2, None)),
        )
        for pair in (outputs.gold.pairs[index] for index in indices)
    ]
    aligned = align_scored(pairs, readings, Labeler(decisions.labeler), decisions.threshold)
    return dict(zip(indices, aligned, strict=True))
