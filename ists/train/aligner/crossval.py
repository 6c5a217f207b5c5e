"""The result of a cross-validation: the aligned pairs and their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ists.labeler import LabelModel
from ists.pairs import SentencePair
from ists.train.gold import GoldPairs
from scorer import Measures, Report
from scorer import score as judge
from scorer.chunk_agreement import compare_chunks


@dataclass(frozen=True)
class Decisions:
    """The link threshold and the labeller, fitted to out-of-fold readings."""

    threshold: float
    labeler: LabelModel


@dataclass(frozen=True)
class CrossValidation:
    """Pairs aligned by models that were trained without them, and the figures of these models."""

    gold: GoldPairs
    aligned: Mapping[str, tuple[SentencePair, ...]]
    """By scenario, in the order of the gold."""
    final: Decisions
    """Fitted to all folds, for the model that is trained on all pairs."""

    def reports(self) -> dict[str, dict[str, Report]]:
        """Return the scorer's reports, by corpus and scenario."""
        return {corpus: self._reports(indices) for corpus, indices in self.gold.of_corpus().items()}

    def figures(self) -> dict[str, Any]:
        """Return the figures of each corpus, and of all corpora named ``everyday-…`` together."""
        corpora = self.gold.of_corpus()
        groups: dict[str, list[int]] = {}
        for corpus, own in corpora.items():
            group, dash, _ = corpus.partition("-")
            if dash:
                groups.setdefault(group, []).extend(own)
        return {name: self._figures(own) for name, own in (groups | corpora).items()}

    def _figures(self, indices: Sequence[int]) -> dict[str, Any]:
        return {
            "pairs": len(indices),
            **{name: _rounded(report.f1) for name, report in self._reports(indices).items()},
            "chunk_f1": round(self._chunk_f1(indices), 4),
        }

    def _reports(self, indices: Sequence[int]) -> dict[str, Report]:
        gold = [self._numbered(self.gold.pairs, index) for index in indices]
        return {
            scenario: judge(gold, [self._numbered(aligned, index) for index in indices])
            for scenario, aligned in self.aligned.items()
        }

    @staticmethod
    def _numbered(pairs: Sequence[SentencePair], index: int) -> SentencePair:
        """Return a pair with its index as id: ids are unique only within a corpus."""
        return replace(pairs[index], id=str(index))

    def _chunk_f1(self, indices: Sequence[int]) -> float:
        """Return the F1 of the network's own chunks in pairs whose gold chunks are contiguous."""
        comparable = [at for at in indices if self.gold.examples[at].teaches_chunks]
        gold = [self.gold.pairs[at] for at in comparable]
        own = [self.aligned["own_chunks"][at] for at in comparable]
        return compare_chunks(_bracketed(gold), _bracketed(own)).chunks.f1


def _rounded(measures: Measures) -> dict[str, float]:
    return {name: round(value, 4) for name, value in measures._asdict().items()}


def _bracketed(pairs: Sequence[SentencePair]) -> list[tuple[tuple[str, ...], ...]]:
    return [
        tuple(tuple(sentence.words[token - 1] for token in chunk.tokens) for chunk in chunks)
        for pair in pairs
        for sentence, chunks in ((pair.sentence1, pair.chunks1), (pair.sentence2, pair.chunks2))
    ]
