"""Gold pairs with out-of-fold readings, and the labeller's training rows made from them.

The labeller, its calibration and the link threshold are fitted to readings by networks that were
trained without the pair: a network's readings of its own training pairs are too good, and a
labeller trained on them would rely on the network too much.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ists.aligner.surface import Chunks
from ists.arrays import Floats
from ists.labeler.features import FEATURE_GROUPS, feature_matrix
from ists.labeler.linking import Cell, candidates, link_matrix
from ists.labeler.lone import LONE_FEATURES, lone_matrix
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.pairs import LINKING, Flag, SentencePair
from ists.scored_pair import PairScores, ScoredPair
from ists.train.aligner.jobs import SCENARIOS, TrainedNetwork
from ists.train.aligner.labeler import CandidateRows, LinkRows, LoneRows
from ists.train.gold import UNKNOWN, Example, GoldPairs
from scorer.measures import PUNCTUATION

_GOLD = SCENARIOS[0]


class OutOfFold:
    """Gold pairs with the readings of networks that were trained without them."""

    def __init__(
        self,
        gold: GoldPairs,
        folds: Sequence[int],
        readings: Mapping[str, Sequence[ScoredPair]],
        hidden: Collection[str] = (),
    ) -> None:
        """``hidden``: `FEATURE_GROUPS` that are 0 in the rows, so that no classifier uses them."""
        self._hidden = [at for group in hidden for at in FEATURE_GROUPS[group]]
        self.gold = gold
        self.folds = np.array(folds)
        self.readings = readings
        self.phrases = PhraseReader(WordKnowledge(Lexicon.load()))

    @classmethod
    def of(
        cls,
        gold: GoldPairs,
        folds: Sequence[int],
        networks: Mapping[int, TrainedNetwork],
        hidden: Collection[str] = (),
    ) -> "OutOfFold":
        """Arrange the readings of the folds in the order of the pairs."""
        readings = {}
        for scenario in SCENARIOS:
            waiting = {fold: iter(network.readings[scenario]) for fold, network in networks.items()}
            readings[scenario] = [next(waiting[fold]) for fold in folds]
        return cls(gold, folds, readings, hidden)

    @cached_property
    def candidate_rows(self) -> tuple[CandidateRows, NDArray[np.int64]]:
        """The candidate links of both scenarios as training rows, and the fold of each.

        In the order of `_candidates`.
        """
        features, shares, weights, folds = [], [], [], []
        for scenario, index, cells in self._candidates:
            view, pair = self._views[scenario][index], self.readings[scenario][index]
            rows = self._features(view, pair.scores, cells)
            features.append(link_matrix(view, pair.scores, cells, rows))
            example = self.gold.examples[index]
            linked = set(_token_links(example, example.chunks1, example.chunks2, example.links))
            for cell in cells:
                own = _token_links(example, pair.chunks1, pair.chunks2, [cell])
                shares.append(sum(link in linked for link in own) / max(1, len(own)))
                i, j = cell
                weights.append(_weight(example, pair.chunks1[i], pair.chunks2[j]))
            folds += [self.folds[index]] * len(cells)
        found = CandidateRows(
            np.concatenate(features),
            np.array(shares, np.float32),
            np.array(weights, np.float32),
        )
        return found, np.array(folds, np.int64)

    def tables(self, likely: NDArray[np.float32]) -> dict[str, list[NDArray[np.float32]]]:
        """Return the probability of every link, by scenario and pair.

        ``likely``: the probability of each candidate; other links have none.
        """
        tables = {
            scenario: [np.zeros_like(reading.scores.link) for reading in readings]
            for scenario, readings in self.readings.items()
        }
        found = iter(likely.tolist())
        for scenario, index, cells in self._candidates:
            for cell in cells:
                tables[scenario][index][cell] = next(found)
        return tables

    @cached_property
    def link_rows(self) -> tuple[LinkRows, NDArray[np.int64]]:
        """The gold links as training rows, and the fold of each."""
        features, relations, scores, weights, flags, others, folds = [], [], [], [], [], [], []
        for index, (pair, example) in enumerate(self._examples()):
            links = [(link.chunk1, link.chunk2) for link in example.links]
            own = self.readings[_GOLD][index].scores
            features.append(self._features(self._views[_GOLD][index], own, links))
            relations += [link.relation for link in example.links]
            scores += [alignment.score or 0.0 for alignment in pair.links]
            flags += [[flag in alignment.flags for flag in Flag] for alignment in pair.links]
            weights += [_weight(example, example.chunks1[i], example.chunks2[j]) for i, j in links]
            others += [example.others.get(link, ()) for link in example.links]
            folds += [self.folds[index]] * len(links)
        rows = LinkRows(
            np.concatenate(features),
            np.array(relations, np.int64),
            np.array(scores, np.float32),
            np.array(weights, np.float32),
            np.array(flags, bool).reshape(len(flags), len(Flag)),
            np.array([[at in own for own in others] for at in range(len(LINKING))], bool).T,
        )
        return rows, np.array(folds, np.int64)

    @cached_property
    def lone_rows(self) -> tuple[LoneRows, NDArray[np.int64]]:
        """The unaligned gold chunks as training rows, and the fold of each."""
        features: list[Floats] = [np.zeros((0, len(LONE_FEATURES)), np.float32)]
        is_alic: list[bool] = []
        folds: list[int] = []
        for index, (_, example) in enumerate(self._examples()):
            view = self._views[_GOLD][index]
            sides = (view.one, example.alone1), (view.two, example.alone2)
            alone = {
                (side, chunk): bool(label)
                for side, (sentence, labels) in enumerate(sides)
                for chunk, label in enumerate(labels)
                if label != UNKNOWN and not sentence.phrases[chunk].is_wordless
            }
            links = [(link.chunk1, link.chunk2) for link in example.links]
            scores = self.readings[_GOLD][index].scores
            features.append(lone_matrix(view, scores, links, [*alone]))
            is_alic += alone.values()
            folds += [int(self.folds[index])] * len(alone)
        rows = LoneRows(np.concatenate(features), np.array(is_alic, bool))
        return rows, np.array(folds, np.int64)

    def _features(self, view: PairView, scores: PairScores, cells: Sequence[Cell]) -> Floats:
        rows = feature_matrix(view, scores, cells)
        rows[:, self._hidden] = 0
        return rows

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
        """The candidate links, by scenario and pair."""
        return [
            (scenario, index, candidates(self._views[scenario][index], pair.scores))
            for scenario, pairs in self.readings.items()
            for index, pair in enumerate(pairs)
        ]

    def _examples(self) -> Iterator[tuple[SentencePair, Example]]:
        return zip(self.gold.pairs, self.gold.examples, strict=True)


def _weight(example: Example, chunk1: Sequence[int], chunk2: Sequence[int]) -> int:
    """Return the weight of a link in the scorer if no other link has its tokens."""
    return max(1, min(_words(example.tokens1, chunk1), _words(example.tokens2, chunk2)))


def _token_links(
    example: Example, chunks1: Chunks, chunks2: Chunks, links: Iterable[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return links of chunks as the scorer counts them: links of tokens without punctuation."""
    return [
        (token1, token2)
        for i, j, *_ in links
        for token1 in chunks1[i]
        if example.tokens1[token1] not in PUNCTUATION
        for token2 in chunks2[j]
        if example.tokens2[token2] not in PUNCTUATION
    ]


def _words(tokens: Sequence[str], chunk: Sequence[int]) -> int:
    """Return the number of tokens of a chunk that the scorer counts."""
    return sum(tokens[token] not in PUNCTUATION for token in chunk)
