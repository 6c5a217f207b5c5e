"""All that is decided after the network, and how good it is, by cross-validation.

The labeller, its calibration and the link threshold are fitted on readings of pairs that the
network never saw, or they would learn to trust a network that knows the answers. The figures come
from the same readings; what judges a fold is fitted on the others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ists.aligner.matching import match
from ists.aligner.surface import Chunks
from ists.labeler import Labeler, LabelModel
from ists.labeler.decide import EQUI_AT, LOWER_SCORES
from ists.labeler.features import FEATURES, feature_matrix
from ists.labeler.linking import LINK_FEATURES, Cell, candidates, link_matrix
from ists.labeler.lone import LONE_FEATURES, lone_features
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.pairs import LINKING, MAX_SCORE, Alignment, Flag, Relation, SentencePair
from ists.pipeline import PreparedPair, PreparedSentence, align_scored
from ists.pipeline.assemble import as_chunk
from ists.scored_pair import ScoredPair
from ists.train.gold import UNKNOWN, Example, GoldPairs
from ists.train.labeler import CandidateRows, LinkRows, LoneRows, best_sharpness, fit
from ists.train.labeler import Recipe as LabelerRecipe
from ists.train.networks import SCENARIOS, Progress, TrainedNetwork
from scorer import Measures, Report, load
from scorer import score as judge
from scorer.chunk_agreement import compare_chunks
from scorer.measures import PUNCTUATION

_GOLD = SCENARIOS[0]
_THRESHOLDS = tuple(step / 20 for step in range(4, 15))
_NOTHING = 1e-12
"""The weight of an example that only tells the classifiers that its label exists."""


class OutOfFold:
    """Gold pairs with what networks that never saw them say of them."""

    def __init__(
        self,
        gold: GoldPairs,
        folds: Sequence[int],
        readings: Mapping[str, Sequence[ScoredPair]],
    ) -> None:
        self.gold = gold
        self.folds = np.array(folds)
        self.readings = readings
        self.phrases = PhraseReader(WordKnowledge(Lexicon.load()))

    @classmethod
    def of(
        cls, gold: GoldPairs, folds: Sequence[int], networks: Mapping[int, TrainedNetwork]
    ) -> "OutOfFold":
        """Put the readings of the folds into the order of the pairs."""
        readings = {}
        for scenario in SCENARIOS:
            waiting = {fold: iter(network.readings[scenario]) for fold, network in networks.items()}
            readings[scenario] = [next(waiting[fold]) for fold in folds]
        return cls(gold, folds, readings)

    @cached_property
    def candidate_rows(self) -> tuple[CandidateRows, NDArray[np.int64]]:
        """The chunk pairs that might be linked as the labeller learns them, and the fold of each.

        Those of both scenarios, in the order of `_candidates`.
        """
        features, shares, weights, folds = [], [], [], []
        for scenario, place, cells in self._candidates:
            view, pair = self._views[scenario][place], self.readings[scenario][place]
            rows = feature_matrix(view, pair.scores, cells)
            features.append(link_matrix(view, pair.scores, cells, rows))
            example = self.gold.examples[place]
            linked = set(_token_links(example, example.chunks1, example.chunks2, example.links))
            for cell in cells:
                own = _token_links(example, pair.chunks1, pair.chunks2, [cell])
                shares.append(sum(link in linked for link in own) / max(1, len(own)))
                i, j = cell
                weights.append(_weight(example, pair.chunks1[i], pair.chunks2[j]))
            folds += [self.folds[place]] * len(cells)
        found = CandidateRows(
            np.concatenate(features),
            np.array(shares, np.float32),
            np.array(weights, np.float32),
        )
        return found, np.array(folds, np.int64)

    def tables(self, likely: NDArray[np.float32]) -> dict[str, list[NDArray[np.float32]]]:
        """The probability of every link, by scenario and pair, from those of the candidates."""
        tables = {
            scenario: [np.zeros_like(reading.scores.link) for reading in readings]
            for scenario, readings in self.readings.items()
        }
        found = iter(likely.tolist())
        for scenario, place, cells in self._candidates:
            for cell in cells:
                tables[scenario][place][cell] = next(found)
        return tables

    @cached_property
    def link_rows(self) -> tuple[LinkRows, NDArray[np.int64]]:
        """The gold's links as the labeller learns them, and the fold of each."""
        features, relations, scores, weights, flags, folds = [], [], [], [], [], []
        for place, (pair, example) in enumerate(self._examples()):
            links = [(link.chunk1, link.chunk2) for link in example.links]
            own = self.readings[_GOLD][place].scores
            features.append(feature_matrix(self._views[_GOLD][place], own, links))
            relations += [link.relation for link in example.links]
            scores += [alignment.score or 0.0 for alignment in pair.links]
            flags += [[flag in alignment.flags for flag in Flag] for alignment in pair.links]
            weights += [_weight(example, example.chunks1[i], example.chunks2[j]) for i, j in links]
            folds += [self.folds[place]] * len(links)
        rows = LinkRows(
            np.concatenate(features),
            np.array(relations, np.int64),
            np.array(scores, np.float32),
            np.array(weights, np.float32),
            np.array(flags, bool).reshape(len(flags), len(Flag)),
        )
        return rows, np.array(folds, np.int64)

    @cached_property
    def lone_rows(self) -> tuple[LoneRows, NDArray[np.int64]]:
        """The gold's chunks left alone as the labeller learns them, and the fold of each."""
        features, is_alic, folds = [], [], []
        for place, (_, example) in enumerate(self._examples()):
            view = self._views[_GOLD][place]
            scores = self.readings[_GOLD][place].scores
            taken1 = frozenset(link.chunk1 for link in example.links)
            taken2 = frozenset(link.chunk2 for link in example.links)
            for side, said, alone, taken, others in (
                (view, scores, example.alone1, taken1, taken2),
                (view.swapped, scores.swapped, example.alone2, taken2, taken1),
            ):
                for chunk in range(len(alone)):
                    if alone[chunk] == UNKNOWN or side.one.phrases[chunk].is_wordless:
                        continue
                    features.append(lone_features(side, said, chunk, taken, others))
                    is_alic.append(bool(alone[chunk]))
                    folds.append(self.folds[place])
        matrix = np.array(features, np.float32).reshape(len(features), len(LONE_FEATURES))
        return LoneRows(matrix, np.array(is_alic, bool)), np.array(folds, np.int64)

    @cached_property
    def _views(self) -> dict[str, list[PairView]]:
        return {
            scenario: [
                PairView.read(q.tokens1, q.chunks1, q.tokens2, q.chunks2, self.phrases)
                for q in pairs
            ]
            for scenario, pairs in self.readings.items()
        }

    @cached_property
    def _candidates(self) -> list[tuple[str, int, list[Cell]]]:
        """By scenario and pair, the chunk pairs that might be linked."""
        return [
            (scenario, place, candidates(self._views[scenario][place], pair.scores))
            for scenario, pairs in self.readings.items()
            for place, pair in enumerate(pairs)
        ]

    def _examples(self) -> Iterator[tuple[SentencePair, Example]]:
        return zip(self.gold.pairs, self.gold.examples, strict=True)


def _weight(example: Example, chunk1: Sequence[int], chunk2: Sequence[int]) -> int:
    """What a link weighs in the scorer, where nothing else links its tokens."""
    return max(1, min(_words(example.tokens1, chunk1), _words(example.tokens2, chunk2)))


def _token_links(
    example: Example, chunks1: Chunks, chunks2: Chunks, links: Iterable[Sequence[int]]
) -> list[tuple[int, int]]:
    """The links of chunks as the scorer sees them: between tokens, punctuation aside."""
    return [
        (token1, token2)
        for i, j, *_ in links
        for token1 in chunks1[i]
        if example.tokens1[token1] not in PUNCTUATION
        for token2 in chunks2[j]
        if example.tokens2[token2] not in PUNCTUATION
    ]


def _words(tokens: Sequence[str], chunk: Sequence[int]) -> int:
    """What the scorer counts of a chunk."""
    return sum(tokens[token] not in PUNCTUATION for token in chunk)


def fit_labeler(
    outputs: OutOfFold, recipe: LabelerRecipe, without: int | None = None
) -> LabelModel:
    """The labeller of all folds but one, or of all; not calibrated."""
    chances, chance_folds = outputs.candidate_rows
    links, link_folds = outputs.link_rows
    lone, lone_folds = outputs.lone_rows
    if without is not None:
        chances = chances.chosen(chance_folds != without)
        links, lone = links.chosen(link_folds != without), lone.chosen(lone_folds != without)
    return fit(_with_a_chance(chances), _with_every_label(links), _with_any(lone), recipe)


def _with_a_chance(rows: CandidateRows) -> CandidateRows:
    if len(rows.shares):
        return rows
    nothing = np.zeros((1, len(LINK_FEATURES)), np.float32)
    return CandidateRows(nothing, np.zeros(1, np.float32), np.ones(1, np.float32))


def _with_every_label(rows: LinkRows) -> LinkRows:
    """Few pairs may lack a label that the classifiers must have met: it gets an empty example."""
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
    return LinkRows(
        np.concatenate([rows.features, *[typical[None]] * len(added)]).astype(np.float32),
        np.concatenate([rows.relations, np.array([relation for relation, _ in added])]),
        np.concatenate([rows.scores, np.array([score for _, score in added], np.float32)]),
        np.concatenate([rows.weights, np.full(len(added), _NOTHING, np.float32)]),
        np.concatenate([rows.flags, np.zeros((len(added), len(Flag)), bool)]),
    )


def _with_any(rows: LoneRows) -> LoneRows:
    if len(rows.is_alic):
        return rows
    return LoneRows(np.zeros((1, len(LONE_FEATURES)), np.float32), np.zeros(1, bool))


@dataclass(frozen=True)
class Decisions:
    """What is decided after the network, fitted on out-of-fold readings."""

    threshold: float
    labeler: LabelModel


@dataclass(frozen=True)
class CrossValidation:
    """Pairs aligned by models that never saw them, and how good they are."""

    gold: GoldPairs
    aligned: Mapping[str, tuple[SentencePair, ...]]
    """By scenario, in the order of the gold."""
    final: Decisions
    """Fitted on all folds, for the model that learns from all pairs."""

    def reports(self) -> dict[str, dict[str, Report]]:
        """Return the scorer's reports, by corpus and scenario."""
        return {corpus: self._reports(places) for corpus, places in self.gold.of_corpus().items()}

    def figures(self) -> dict[str, Any]:
        """Return the figures of each corpus, and of all corpora named ``everyday-…`` together."""
        places = self.gold.of_corpus()
        groups: dict[str, list[int]] = {}
        for corpus, own in places.items():
            group, dash, _ = corpus.partition("-")
            if dash:
                groups.setdefault(group, []).extend(own)
        return {name: self._figures(own) for name, own in (groups | places).items()}

    def _figures(self, places: Sequence[int]) -> dict[str, Any]:
        return {
            "pairs": len(places),
            **{name: _rounded(report.f1) for name, report in self._reports(places).items()},
            "chunk_f1": round(self._chunk_f1(places), 4),
        }

    def _reports(self, places: Sequence[int]) -> dict[str, Report]:
        gold = [self._numbered(self.gold.pairs, place) for place in places]
        return {
            scenario: judge(gold, [self._numbered(aligned, place) for place in places])
            for scenario, aligned in self.aligned.items()
        }

    @staticmethod
    def _numbered(pairs: Sequence[SentencePair], place: int) -> SentencePair:
        """The pair under an id that no other corpus has."""
        return replace(pairs[place], id=str(place))

    def _chunk_f1(self, places: Sequence[int]) -> float:
        """Of the network's own chunks, as far as the gold's are such as a chunker can find."""
        comparable = [place for place in places if self.gold.examples[place].teaches_chunks]
        gold = [self.gold.pairs[place] for place in comparable]
        own = [self.aligned["own_chunks"][place] for place in comparable]
        return compare_chunks(_bracketed(gold), _bracketed(own)).chunks.f1


def _rounded(measures: Measures) -> dict[str, float]:
    return {name: round(value, 4) for name, value in measures._asdict().items()}


def _bracketed(pairs: Sequence[SentencePair]) -> list[tuple[tuple[str, ...], ...]]:
    return [
        tuple(tuple(sentence.words[token - 1] for token in chunk.tokens) for chunk in chunks)
        for pair in pairs
        for sentence, chunks in ((pair.sentence1, pair.chunks1), (pair.sentence2, pair.chunks2))
    ]


def decide_out_of_fold(
    outputs: OutOfFold, recipe: LabelerRecipe, progress: Progress = lambda _: None
) -> CrossValidation:
    """Fit all that comes after the network, and align every fold by what the others taught."""
    folds = sorted(set(outputs.folds.tolist()))
    labelers = {}
    for number, fold in enumerate(folds, start=1):
        progress(f"labeller without fold {number} of {len(folds)}")
        labelers[fold] = fit_labeler(outputs, recipe, without=fold)
    unseen = Unseen.of(outputs, labelers)
    aligned: dict[str, dict[int, SentencePair]] = {scenario: {} for scenario in SCENARIOS}
    for fold, model in labelers.items():
        decisions = unseen.decisions(model, outputs.folds != fold)
        places = np.flatnonzero(outputs.folds == fold).tolist()
        for scenario in SCENARIOS:
            aligned[scenario] |= _align(outputs, scenario, places, decisions)
    progress("labeller on all folds")
    everything = np.ones(len(outputs.folds), bool)
    final = unseen.decisions(fit_labeler(outputs, recipe), everything)
    in_order = {
        scenario: tuple(pairs[place] for place in range(len(pairs)))
        for scenario, pairs in aligned.items()
    }
    return CrossValidation(outputs.gold, in_order, final)


Counts = dict[tuple[str, str, float], Report]
"""By corpus, scenario and threshold: links alone, judged; their labels are not asked for."""


@dataclass(frozen=True, eq=False)
class Unseen:
    """What labellers say of the rows they never saw; calibration and threshold come from it."""

    outputs: OutOfFold
    likely: NDArray[np.float32]
    """(candidates,)"""
    relations: NDArray[np.float32]
    """(links, 6), not calibrated."""

    @classmethod
    def of(cls, outputs: OutOfFold, labelers: Mapping[int, LabelModel]) -> "Unseen":
        """Ask the labeller of each fold about its rows."""
        chances, chance_folds = outputs.candidate_rows
        links, link_folds = outputs.link_rows
        likely = np.zeros(len(chance_folds), np.float32)
        relations = np.zeros((len(link_folds), len(LINKING)), np.float32)
        for fold, model in labelers.items():
            held = chance_folds == fold
            likely[held] = model.links_of(chances.features[held])
            held = link_folds == fold
            relations[held] = model.relations_of(links.features[held])
        return cls(outputs, likely, relations)

    def decisions(self, model: LabelModel, pairs: NDArray[np.bool_]) -> "Decisions":
        """A labeller with the calibration and the threshold that are best for some pairs."""
        links, link_folds = self.outputs.link_rows
        rows = np.isin(link_folds, self.outputs.folds[pairs])
        sharpness = 1.0
        if rows.any():
            sharpness = best_sharpness(
                self.relations[rows], links.relations[rows], links.weights[rows]
            )
        return Decisions(self._best_threshold(pairs), replace(model, sharpness=sharpness))

    def _best_threshold(self, pairs: NDArray[np.bool_]) -> float:
        """The threshold with the best mean F1 of links over corpora and scenarios."""
        places = self.outputs.gold.of_corpus()

        def quality(threshold: float) -> float:
            found = []
            for (corpus, _, at), report in self._link_counts.items():
                chosen = [
                    one for one, p in zip(report.pairs, places[corpus], strict=True) if pairs[p]
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
        for corpus, places in outputs.gold.of_corpus().items():
            gold = load(outputs.gold.pairs[place] for place in places)
            for scenario in SCENARIOS:
                for threshold in _THRESHOLDS:
                    linked = [
                        _linked(
                            outputs.gold.pairs[place],
                            outputs.readings[scenario][place],
                            match(tables[scenario][place].tolist(), threshold),
                        )
                        for place in places
                    ]
                    counts[corpus, scenario, threshold] = judge(gold, linked)
        return counts


def _linked(pair: SentencePair, question: ScoredPair, links: Sequence[Cell]) -> SentencePair:
    alignments = tuple(
        Alignment(
            as_chunk(question.chunks1[i]), as_chunk(question.chunks2[j]), Relation.EQUI, MAX_SCORE
        )
        for i, j in links
    )
    return SentencePair(pair.id, pair.sentence1, pair.sentence2, alignments)


def _align(
    outputs: OutOfFold, scenario: str, places: Sequence[int], decisions: Decisions
) -> dict[int, SentencePair]:
    """Align pairs as the shipped aligner would, by these decisions."""
    readings = [outputs.readings[scenario][place] for place in places]
    pairs = [
        PreparedPair(
            pair.id,
            (PreparedSentence(pair.sentence1, None), PreparedSentence(pair.sentence2, None)),
        )
        for pair in (outputs.gold.pairs[place] for place in places)
    ]
    aligned = align_scored(pairs, readings, Labeler(decisions.labeler), decisions.threshold)
    return dict(zip(places, aligned, strict=True))
