"""Train the classifier that makes groups of chunks, for the 2016 edition.

The gold of 2016 writes a group as one chunk with gaps, while the task gives its chunks apart. An
aligner that was not trained on the gold scores the chunks apart and links them one to one; the
chunks then left alone are the training examples. A candidate is positive as far as the gold links
its tokens.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ists.aligner.matching import match
from ists.aligner.reader import PairReader
from ists.arrays import Floats
from ists.errors import FormatError
from ists.files import atomic_output
from ists.labeler import Labeler, LabelModel
from ists.labeler.committee import Committee
from ists.labeler.groups import (
    GROUP_FEATURES,
    Joining,
    candidates_to_join,
    group_rows,
    groups_of,
)
from ists.models import Model, open_model, write_card
from ists.pairs import Chunk, Edition, SentencePair
from ists.pipeline import KIND, align_scored, score_pairs
from ists.scored_pair import Group, Positions, ScoredPair
from ists.seen import SEEN, Seen, extend_seen
from ists.train.aligner.classifiers import fit_forest, fit_linear
from ists.train.aligner.crossval import Decisions
from ists.train.aligner.jobs import SCENARIOS, prepared
from ists.train.gold import UNKNOWN, Example, GoldPairs, Link
from ists.train.loop import Progress
from ists.train.seen import gold_texts
from scorer import score as judge
from scorer.measures import PUNCTUATION

LABELER_FILE = "labeler.npz"
_CARD_ENTRY = "groups"
_BATCH = 32


@dataclass(frozen=True)
class GroupHyperparameters:
    """Hyperparameters of the classifier; recorded in the model's card."""

    seed: int = 0
    trees: int = 150
    smallest_leaf: int = 3
    features: float = 0.4
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


@dataclass(frozen=True, eq=False)
class UnseenPairs:
    """Gold pairs scored by networks that were not trained on them, in both scenarios."""

    gold: GoldPairs
    folds: NDArray[np.int64]
    """The fold of each pair."""
    scored: Mapping[str, Sequence[ScoredPair]]
    """By scenario; the chunks of a group are apart."""
    one_to_one: Mapping[int, Decisions]
    """By fold; not trained on the pairs of the fold."""

    @classmethod
    def by_model(cls, gold: GoldPairs, model: Model, folds: int) -> "UnseenPairs":
        """Score pairs by a model; raise a `FormatError` if it was trained on any of them."""
        seen = Seen.by(model).count(list(gold_texts(gold.pairs)))
        if seen:
            raise FormatError(
                f"the model '{model.name}' was trained on {seen} of the {len(gold.pairs)} pairs, "
                "expected a model that was trained on none of them"
            )
        reader = PairReader(model, 1)
        examples = [split_groups(example) for example in gold.examples]
        scored = {
            scenario: score_pairs(reader, [prepared(one, given) for one in examples], _BATCH)
            for scenario, given in zip(SCENARIOS, (True, False), strict=True)
        }
        labeler = LabelModel.read(model.file(LABELER_FILE))
        of_pair = gold.folds(folds)
        linking = Decisions(float(model.card["threshold"]), labeler)
        return cls(gold, np.array(of_pair), scored, dict.fromkeys(sorted(set(of_pair)), linking))

    def of_corpora(self, names: Collection[str]) -> "UnseenPairs":
        """Return the pairs of some corpora; raise a `FormatError` for an unknown name."""
        known = self.gold.of_corpus()
        for name in names:
            if name not in known:
                raise FormatError(f"no corpus '{name}', expected one of: {', '.join(known)}")
        places = [at for name in dict.fromkeys(names) for at in known[name]]
        return replace(
            self,
            gold=self.gold.chosen(places),
            folds=self.folds[places],
            scored={name: [pairs[at] for at in places] for name, pairs in self.scored.items()},
        )

    def rows(self) -> JoiningRows:
        """Return all candidates of both scenarios."""
        features: list[tuple[float, ...]] = []
        shares: list[float] = []
        folds: list[int] = []
        for fold, linking in self.one_to_one.items():
            labeler = Labeler(linking.labeler)
            own = np.flatnonzero(self.folds == fold).tolist()
            for pairs in self.scored.values():
                scored = labeler.score_links([pairs[at] for at in own])
                for at, one in zip(own, scored, strict=True):
                    groups = groups_of(match(one.link.tolist(), linking.threshold))
                    candidates = candidates_to_join(one.view, one.pair.scores, groups)
                    features += group_rows(one.view, one.pair.scores, one.link, groups, candidates)
                    shares += _shares(self.gold.examples[at], one.pair, groups, candidates)
                    folds += [fold] * len(candidates)
        return JoiningRows(
            np.array(features, np.float32).reshape(len(features), len(GROUP_FEATURES)),
            np.array(shares, np.float32),
            np.array(folds, np.int64),
        )

    def aligned(
        self, scenario: str, edition: Edition, models: Mapping[int, LabelModel]
    ) -> tuple[SentencePair, ...]:
        """Align every pair by the labeller's model of its fold."""
        found: dict[int, SentencePair] = {}
        for fold, model in models.items():
            own = np.flatnonzero(self.folds == fold).tolist()
            pairs = [prepared(self.gold.examples[at], False) for at in own]
            scored = [self.scored[scenario][at] for at in own]
            threshold = self.one_to_one[fold].threshold
            aligned = align_scored(pairs, scored, Labeler(model), threshold, edition=edition)
            found |= dict(zip(own, aligned, strict=True))
        return tuple(found[at] for at in range(len(found)))


def _shares(
    example: Example, pair: ScoredPair, groups: Sequence[Group], candidates: Sequence[Joining]
) -> list[float]:
    linked = {
        tokens
        for link in example.links
        for tokens in _token_pairs(
            example, example.chunks1[link.chunk1], example.chunks2[link.chunk2]
        )
    }
    shares = []
    for one in candidates:
        chunks1, chunks2 = groups[one.group]
        if one.sentence == 1:
            chunks1 = (one.chunk,)
        else:
            chunks2 = (one.chunk,)
        joined = [
            tokens
            for i in chunks1
            for j in chunks2
            for tokens in _token_pairs(example, pair.chunks1[i], pair.chunks2[j])
        ]
        shares.append(sum(tokens in linked for tokens in joined) / max(1, len(joined)))
    return shares


def _token_pairs(
    example: Example, chunk1: Sequence[int], chunk2: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the token pairs that the scorer counts: those without punctuation."""
    return [
        (a, b)
        for a in chunk1
        if example.tokens1[a] not in PUNCTUATION
        for b in chunk2
        if example.tokens2[b] not in PUNCTUATION
    ]


def fit_committee(rows: JoiningRows, parameters: GroupHyperparameters) -> Committee:
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
        trees=parameters.trees,
        smallest_leaf=parameters.smallest_leaf,
        features=parameters.features,
        seed=parameters.seed,
    )
    linear = fit_linear(features, targets, weights, 2, parameters.linear_strength)
    return Committee({"forest": forest, "linear": linear})


def with_groups(
    model: LabelModel, committee: Committee, parameters: GroupHyperparameters
) -> LabelModel:
    """Return a labeller's model with the classifier of groups added."""
    columns = replace(model.columns, group=np.arange(len(GROUP_FEATURES), dtype=np.intp))
    return replace(model, columns=columns, group=committee, group_from=parameters.joins_above)


@dataclass(frozen=True)
class FittedGroups:
    """The classifier for the model, and pairs aligned by classifiers of the other folds."""

    gold: GoldPairs
    committee: Committee
    parameters: GroupHyperparameters
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
    data: UnseenPairs, parameters: GroupHyperparameters, progress: Progress = lambda _: None
) -> FittedGroups:
    """Fit the classifier on all folds, and align every fold by a classifier of the others."""
    rows = data.rows()
    progress(f"{len(rows.shares)} candidates to join, {int((rows.shares >= 0.5).sum())} right")
    one_to_one = {fold: own.labeler for fold, own in data.one_to_one.items()}
    models = {
        fold: with_groups(
            model, fit_committee(rows.chosen(rows.folds != fold), parameters), parameters
        )
        for fold, model in one_to_one.items()
    }
    return FittedGroups(
        data.gold,
        fit_committee(rows, parameters),
        parameters,
        {scenario: data.aligned(scenario, "2015", one_to_one) for scenario in SCENARIOS},
        {scenario: data.aligned(scenario, "2016", models) for scenario in SCENARIOS},
    )


def add_groups(folder: Path, fitted: FittedGroups, scored_by: str) -> None:
    """Add the classifier to a model folder, and its record and figures to the model's card."""
    model = open_model(str(folder), KIND)
    file = model.file(LABELER_FILE)
    labeler = with_groups(LabelModel.read(file), fitted.committee, fitted.parameters)
    with atomic_output(file) as stream:
        labeler.write(stream)
    card = {key: value for key, value in model.card.items() if key not in ("format", "files")}
    card[_CARD_ENTRY] = {
        "training": {
            "files": dict(fitted.gold.files),
            "scored_by": scored_by,
            "recipe": asdict(fitted.parameters),
        },
        "cross_validated": fitted.figures(),
    }
    files = set(model.card["files"])
    if SEEN in files:
        extend_seen(folder, gold_texts(fitted.gold.pairs))
    write_card(folder, card, sorted(files))
