"""A trained aligner as a model folder, and its cross-validation.

Networks are trained without one fold at a time and read the pairs they never saw, with the gold's
chunks and with their own. They read them as they will when shipped: exported, in 8 bits, by the
run-time code. Everything that is decided after the network (the labeller, its calibration, the
link threshold) is fitted on these readings, or it would learn to trust a network that knows the
answers. The figures come from the same readings; what judges a fold is fitted on the others.
"""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from ists.aligner.reader import PairReader, Positions, Reading
from ists.encoder import WORDS
from ists.errors import FormatError, ModelError
from ists.labeler import Labeler, LabelModel, NetworkSignals, Question
from ists.labeler.decide import EQUI_AT, LOWER_SCORES
from ists.labeler.features import FEATURES, feature_matrix
from ists.labeler.lone import LONE_FEATURES, is_wordless, lone_features
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.models import Model, sha256_of, write_card
from ists.pairs import LINKING, MAX_SCORE, Alignment, Chunk, Relation, SentencePair, commented
from ists.pipeline import KIND
from ists.train import chunker
from ists.train.aligner import Example, Recipe, Trainer, corpus_of, read_pairs
from ists.train.corpora import FOLDS, read_conll
from ists.train.labeler import LinkRows, LoneRows, best_sharpness, fit
from ists.train.labeler import Recipe as LabelerRecipe
from ists.train.network import BASE_LICENCE, BASE_NAME, BASE_PACKAGE
from ists.train.onnx_graph import export_reader
from ists.train.words import named_words
from scorer import Measures, Report, load
from scorer import score as judge
from scorer.chunking import compare_chunks
from scorer.measures import PUNCTUATION

Progress = Callable[[str], None]
Arrays = dict[str, NDArray[np.float32]]

SCENARIOS = ("gold_chunks", "own_chunks")
_NETWORK_FILES = ["pairs.npz", "reader.onnx"]
_LABELER_FILE = "labeler.npz"
_THRESHOLDS = tuple(step / 20 for step in range(4, 15))
_READ_AT_ONCE = 32
_NOTHING = 1e-12
"""The weight of an example that only tells the classifiers that its label exists."""


@dataclass(frozen=True)
class GoldPairs:
    """The pairs to learn from."""

    pairs: tuple[SentencePair, ...]
    examples: tuple[Example, ...]
    """One for each pair, in the same order."""
    files: Mapping[str, str]
    """File names and their hashes, for the card."""

    @classmethod
    def read(cls, paths: Sequence[Path]) -> "GoldPairs":
        """Gold files, each a corpus of its own."""
        pairs: list[SentencePair] = []
        examples: list[Example] = []
        known: dict[str, Path] = {}
        for path in paths:
            corpus = corpus_of(path)
            if corpus in known:
                raise FormatError(
                    f"is the corpus '{corpus}', and so is {known[corpus]}: the folds of pairs come "
                    "from the names of corpora, expected a file of another name",
                    str(path),
                )
            known[corpus] = path
            for pair in read_pairs(path):
                pairs.append(pair)
                examples.append(Example.of(corpus, pair))
        if not any(example.links for example in examples):
            raise FormatError("no aligned chunks among the training pairs")
        return cls(tuple(pairs), tuple(examples), {path.name: sha256_of(path) for path in paths})

    def folds(self, folds: int) -> list[int]:
        """The fold of each pair."""
        return [example.fold(folds) for example in self.examples]

    def of_corpus(self) -> dict[str, list[int]]:
        """The places of the pairs of each corpus."""
        places: dict[str, list[int]] = {}
        for place, example in enumerate(self.examples):
            places.setdefault(example.corpus, []).append(place)
        return places


@dataclass(frozen=True)
class Pretraining:
    """Where the chunker's network comes from that a training starts at."""

    conll: Path | None = None
    """CoNLL-2000, to train it on."""
    kept: Path | None = None
    """The file it is kept in; it is taken from there where it is."""

    def network(self, progress: Progress) -> dict[str, Tensor] | None:
        """The network, or none where the start is plain MiniLM."""
        if self.kept is not None and self.kept.is_file():
            try:
                return load_file(self.kept)
            except SafetensorError as error:
                raise ModelError(f"{self.kept}: no pre-trained network: {error}") from None
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
        files = [path for path in (self.conll, self.kept) if path is not None and path.is_file()]
        recipe = chunker.Recipe().to_dict()
        return {"files": {path.name: sha256_of(path) for path in files}, "recipe": recipe}


@dataclass(frozen=True)
class NetworkJob:
    """One network to be trained: on all pairs but those it is then to read."""

    recipe: Recipe
    chunker: Arrays | None
    learnt: tuple[Example, ...]
    unseen: tuple[Example, ...]

    def run(self, progress: Progress = lambda _: None) -> "TrainedNetwork":
        """Train on one thread: the sums of several differ in their last digits."""
        torch.set_num_threads(1)
        start = None
        if self.chunker is not None:
            start = {name: torch.from_numpy(array) for name, array in self.chunker.items()}
        state = Trainer(self.recipe, start, progress).train(self.learnt)
        readings = read_unseen(state, self.unseen) if self.unseen else {}
        weights = {} if self.unseen else {name: value.numpy() for name, value in state.items()}
        return TrainedNetwork(weights, readings)


@dataclass(frozen=True)
class TrainedNetwork:
    """What comes of a job: readings of the unseen pairs or, without any, the weights."""

    weights: Arrays
    readings: Mapping[str, list[Reading]]
    """By scenario."""


def read_unseen(
    state: Mapping[str, Tensor], examples: Sequence[Example]
) -> dict[str, list[Reading]]:
    """Read pairs in both scenarios by a network as it would be shipped."""
    with TemporaryDirectory() as folder:
        write_network(state, Path(folder))
        card = {"files": dict.fromkeys(_NETWORK_FILES, ""), WORDS: named_words(state)}
        reader = PairReader(Model(Path(folder), card), 1)
        ids = [example.id for example in examples]
        words = [(example.tokens1, example.tokens2) for example in examples]
        chunks: list[tuple[Positions | None, Positions | None]] = [
            (example.chunks1, example.chunks2) for example in examples
        ]
        nothing: list[tuple[Positions | None, Positions | None]] = [(None, None)] * len(examples)
        return {
            scenario: reader.read(ids, words, given, _READ_AT_ONCE)
            for scenario, given in zip(SCENARIOS, (chunks, nothing), strict=True)
        }


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
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: dict[Future[TrainedNetwork], str] = {
            pool.submit(job.run): name for name, job in jobs.items()
        }
        for future in as_completed(waiting):
            done[waiting[future]] = future.result()
            progress(f"network {len(done)} of {len(jobs)} trained ({waiting[future]})")
    return done


class OutOfFold:
    """Gold pairs with what networks that never saw them say of them."""

    def __init__(
        self,
        gold: GoldPairs,
        folds: Sequence[int],
        readings: Mapping[str, Sequence[Reading]],
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
    def link_rows(self) -> tuple[LinkRows, NDArray[np.int64]]:
        """The gold's links as the labeller learns them, and the fold of each."""
        features, relations, scores, weights, folds = [], [], [], [], []
        for place, (pair, example) in enumerate(self._examples()):
            links = [(link.chunk1, link.chunk2) for link in example.links]
            signals = signals_of(self.readings["gold_chunks"][place])
            features.append(feature_matrix(self._views[place], signals, links))
            relations += [link.relation for link in example.links]
            scores += [alignment.score or 0.0 for alignment in pair.links]
            weights += [
                max(1, min(_words(example.tokens1, chunk1), _words(example.tokens2, chunk2)))
                for chunk1, chunk2 in ((example.chunks1[i], example.chunks2[j]) for i, j in links)
            ]
            folds += [self.folds[place]] * len(links)
        rows = LinkRows(
            np.concatenate(features),
            np.array(relations, np.int64),
            np.array(scores, np.float32),
            np.array(weights, np.float32),
        )
        return rows, np.array(folds, np.int64)

    @cached_property
    def lone_rows(self) -> tuple[LoneRows, NDArray[np.int64]]:
        """The gold's chunks left alone as the labeller learns them, and the fold of each."""
        features, is_alic, folds = [], [], []
        for place, (_, example) in enumerate(self._examples()):
            view = self._views[place]
            signals = signals_of(self.readings["gold_chunks"][place])
            taken1 = frozenset(link.chunk1 for link in example.links)
            taken2 = frozenset(link.chunk2 for link in example.links)
            for side, said, alone, taken, others in (
                (view, signals, example.alone1, taken1, taken2),
                (view.swapped, signals.swapped, example.alone2, taken2, taken1),
            ):
                for chunk in range(len(alone)):
                    if chunk in taken or is_wordless(side, chunk):
                        continue
                    features.append(lone_features(side, said, chunk, taken, others))
                    is_alic.append(bool(alone[chunk]))
                    folds.append(self.folds[place])
        matrix = np.array(features, np.float32).reshape(len(features), len(LONE_FEATURES))
        return LoneRows(matrix, np.array(is_alic, bool)), np.array(folds, np.int64)

    @cached_property
    def _views(self) -> list[PairView]:
        return [
            PairView.read(
                example.tokens1, example.chunks1, example.tokens2, example.chunks2, self.phrases
            )
            for example in self.gold.examples
        ]

    def _examples(self) -> Iterator[tuple[SentencePair, Example]]:
        return zip(self.gold.pairs, self.gold.examples, strict=True)


def _words(tokens: Sequence[str], chunk: Sequence[int]) -> int:
    """What the scorer counts of a chunk."""
    return sum(tokens[token] not in PUNCTUATION for token in chunk)


def signals_of(reading: Reading) -> NetworkSignals:
    """What the labeller takes of a reading."""
    return NetworkSignals(
        reading.link, reading.relation, reading.score, reading.alic1, reading.alic2
    )


def fit_labeler(
    outputs: OutOfFold, recipe: LabelerRecipe, without: int | None = None
) -> LabelModel:
    """The labeller of all folds but one, or of all; not calibrated."""
    links, link_folds = outputs.link_rows
    lone, lone_folds = outputs.lone_rows
    if without is not None:
        links, lone = links.chosen(link_folds != without), lone.chosen(lone_folds != without)
    return fit(_with_every_label(links), _with_any(lone), recipe)


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
        """The judge's reports, by corpus and scenario."""
        return {
            corpus: {
                scenario: judge(
                    [self.gold.pairs[place] for place in places],
                    [self.aligned[scenario][place] for place in places],
                )
                for scenario in SCENARIOS
            }
            for corpus, places in self.gold.of_corpus().items()
        }

    def figures(self) -> dict[str, Any]:
        """What a model's card says of it."""
        figures: dict[str, Any] = {}
        places = self.gold.of_corpus()
        for corpus, reports in self.reports().items():
            figures[corpus] = {
                "pairs": len(places[corpus]),
                **{scenario: _rounded(report.f1) for scenario, report in reports.items()},
                "chunk_f1": round(self._chunk_f1(places[corpus]), 4),
            }
        return figures

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
    links, link_folds = outputs.link_rows
    labelers = {}
    for number, fold in enumerate(folds, start=1):
        progress(f"labeller without fold {number} of {len(folds)}")
        labelers[fold] = fit_labeler(outputs, recipe, without=fold)
    unseen = np.zeros((len(link_folds), len(LINKING)), np.float32)
    for fold, model in labelers.items():
        held = link_folds == fold
        if held.any():
            unseen[held] = model.relations_of(links.features[held])
    counts = _link_counts(outputs)
    aligned: dict[str, dict[int, SentencePair]] = {scenario: {} for scenario in SCENARIOS}
    for fold, model in labelers.items():
        others = link_folds != fold
        sharpness = _sharpness(unseen, links, others)
        decisions = Decisions(
            _best_threshold(outputs, counts, outputs.folds != fold),
            replace(model, sharpness=sharpness),
        )
        places = np.flatnonzero(outputs.folds == fold).tolist()
        for scenario in SCENARIOS:
            aligned[scenario] |= _align(outputs, scenario, places, decisions)
    progress("labeller on all folds")
    everything = np.ones(len(link_folds), bool)
    final = Decisions(
        _best_threshold(outputs, counts, np.ones(len(outputs.folds), bool)),
        replace(fit_labeler(outputs, recipe), sharpness=_sharpness(unseen, links, everything)),
    )
    in_order = {
        scenario: tuple(pairs[place] for place in range(len(pairs)))
        for scenario, pairs in aligned.items()
    }
    return CrossValidation(outputs.gold, in_order, final)


def _sharpness(
    probabilities: NDArray[np.float32], links: LinkRows, rows: NDArray[np.bool_]
) -> float:
    if not rows.any():
        return 1.0
    return best_sharpness(probabilities[rows], links.relations[rows], links.weights[rows])


Counts = dict[tuple[str, str, float], Report]
"""By corpus, scenario and threshold: links alone, judged; their labels are not asked for."""


def _link_counts(outputs: OutOfFold) -> Counts:
    counts: Counts = {}
    for corpus, places in outputs.gold.of_corpus().items():
        gold = load(outputs.gold.pairs[place] for place in places)
        for scenario in SCENARIOS:
            for threshold in _THRESHOLDS:
                linked = [_linked(outputs, scenario, place, threshold) for place in places]
                counts[corpus, scenario, threshold] = judge(gold, linked)
    return counts


def _linked(outputs: OutOfFold, scenario: str, place: int, threshold: float) -> SentencePair:
    pair, reading = outputs.gold.pairs[place], outputs.readings[scenario][place]
    alignments = tuple(
        Alignment(_chunk(reading.chunks1[i]), _chunk(reading.chunks2[j]), Relation.EQUI, MAX_SCORE)
        for i, j in links_of(reading, outputs.gold.examples[place], threshold)
    )
    return SentencePair(pair.id, pair.sentence1, pair.sentence2, alignments)


def _best_threshold(outputs: OutOfFold, counts: Counts, pairs: NDArray[np.bool_]) -> float:
    """The threshold with the best mean F1 of links over corpora and scenarios."""
    places = outputs.gold.of_corpus()

    def quality(threshold: float) -> float:
        found = []
        for (corpus, _, at), report in counts.items():
            chosen = [one for one, p in zip(report.pairs, places[corpus], strict=True) if pairs[p]]
            if at == threshold and chosen:
                found.append(replace(report, pairs=tuple(chosen)).f1.ali)
        return mean(found) if found else 0.0

    return max(_THRESHOLDS, key=quality)


def links_of(reading: Reading, example: Example, threshold: float) -> list[tuple[int, int]]:
    """The links of an example at a threshold, as the shipped aligner would make them."""
    return reading.links(example.tokens1, example.tokens2, threshold)


def _align(
    outputs: OutOfFold, scenario: str, places: Sequence[int], decisions: Decisions
) -> dict[int, SentencePair]:
    labeler = Labeler(decisions.labeler)
    questions = []
    for place in places:
        example, reading = outputs.gold.examples[place], outputs.readings[scenario][place]
        questions.append(
            Question(
                example.tokens1,
                reading.chunks1,
                example.tokens2,
                reading.chunks2,
                links_of(reading, example, decisions.threshold),
                signals_of(reading),
            )
        )
    aligned = {}
    for place, question, answer in zip(places, questions, labeler.label(questions), strict=True):
        chunks1, chunks2 = (list(map(_chunk, c)) for c in (question.chunks1, question.chunks2))
        alignments = [
            Alignment(chunks1[i], chunks2[j], found.relation, found.score, found.flags)
            for (i, j), found in zip(question.links, answer.links, strict=True)
        ]
        alignments += [Alignment(chunks1[i], None, a.relation) for i, a in answer.alone1.items()]
        alignments += [Alignment(None, chunks2[j], a.relation) for j, a in answer.alone2.items()]
        pair = outputs.gold.pairs[place]
        with_comments = commented(alignments, pair.sentence1, pair.sentence2)
        aligned[place] = SentencePair(pair.id, pair.sentence1, pair.sentence2, with_comments)
    return aligned


def _chunk(positions: Sequence[int]) -> Chunk:
    return Chunk(tuple(position + 1 for position in positions))


_WHOLE = "all pairs"


def cross_validate(
    gold: GoldPairs,
    recipe: Recipe,
    labeler_recipe: LabelerRecipe | None = None,
    pretraining: Pretraining | None = None,
    folds: int = FOLDS,
    workers: int = 0,
    progress: Progress = lambda _: None,
) -> CrossValidation:
    """Cross-validation by pair; pre-training sees no gold and is done once."""
    jobs = _fold_jobs(gold, recipe, (pretraining or Pretraining()).network(progress), folds)
    networks = run_jobs(jobs, workers or _cores(), progress)
    return _decided(gold, networks, folds, labeler_recipe or _labeler_recipe(recipe), progress)


def train_aligner(
    gold: GoldPairs,
    folder: Path,
    recipe: Recipe,
    labeler_recipe: LabelerRecipe | None = None,
    pretraining: Pretraining | None = None,
    workers: int = 0,
    progress: Progress = lambda _: None,
) -> CrossValidation:
    """Train on all pairs, with all that is needed out of fold, and write a model folder."""
    labeler_recipe = labeler_recipe or _labeler_recipe(recipe)
    pretraining = pretraining or Pretraining()
    folder.mkdir(parents=True, exist_ok=True)  # better now than after an hour's work
    start = pretraining.network(progress)
    jobs = _fold_jobs(gold, recipe, start, FOLDS)
    jobs[_WHOLE] = NetworkJob(recipe, _as_arrays(start), gold.examples, ())
    networks = run_jobs(jobs, workers or _cores(), progress)
    whole = networks.pop(_WHOLE)
    validated = _decided(gold, networks, FOLDS, labeler_recipe, progress)
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
        "figures": {"folds": FOLDS, "cross_validated": validated.figures()},
        "threshold": validated.final.threshold,
        WORDS: named_words(state),
    }
    write_card(folder, card, [*_NETWORK_FILES, _LABELER_FILE])
    progress(f"{folder}: written")
    return validated


def _labeler_recipe(recipe: Recipe) -> LabelerRecipe:
    return LabelerRecipe(seed=recipe.seeds[0])


def _fold_jobs(
    gold: GoldPairs, recipe: Recipe, start: Mapping[str, Tensor] | None, folds: int
) -> dict[str, NetworkJob]:
    of_pair = gold.folds(folds)
    present = sorted(set(of_pair))
    if len(present) < 2:
        raise FormatError(f"{len(of_pair)} pairs are too few for cross-validation")
    arrays = _as_arrays(start)
    jobs = {}
    for fold in present:
        learnt = tuple(e for e, own in zip(gold.examples, of_pair, strict=True) if own != fold)
        unseen = tuple(e for e, own in zip(gold.examples, of_pair, strict=True) if own == fold)
        jobs[_fold_name(fold, folds)] = NetworkJob(recipe, arrays, learnt, unseen)
    return jobs


def _decided(
    gold: GoldPairs,
    networks: Mapping[str, TrainedNetwork],
    folds: int,
    recipe: LabelerRecipe,
    progress: Progress,
) -> CrossValidation:
    of_pair = gold.folds(folds)
    by_fold = {fold: networks[_fold_name(fold, folds)] for fold in set(of_pair)}
    return decide_out_of_fold(OutOfFold.of(gold, of_pair, by_fold), recipe, progress)


def _fold_name(fold: int, folds: int) -> str:
    return f"without fold {fold + 1} of {folds}"


def _as_arrays(state: Mapping[str, Tensor] | None) -> Arrays | None:
    """Tensors as numpy has them: they go to other processes."""
    return None if state is None else {name: value.numpy() for name, value in state.items()}


def _cores() -> int:
    return cpu_count() or 1


def _versions() -> dict[str, str]:
    packages = ("ists", "numpy", "onnx", "onnxruntime", "scikit-learn", "torch")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
