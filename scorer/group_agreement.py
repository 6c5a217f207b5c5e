"""Agreement of more than two annotators on the same sentence pairs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from ists.errors import FormatError
from ists.pairs import UNFINISHED, Chunk, SentencePair
from scorer.agreement import AgreementReport, agree, require_same_tokens
from scorer.alpha import Alpha, IntervalAlpha, NominalAlpha
from scorer.entries import pairs_source
from scorer.joining import joined
from scorer.measures import Match
from scorer.report import NAMES
from scorer.tables import Table, as_text


class Alphas(NamedTuple):
    """Krippendorff's α on the pairs that at least two annotators have finished."""

    pairs: int
    chunks: Alpha
    """Relation of each chunk, ALIC and NOALI included; a unit is a chunk that several have."""
    links: Alpha
    """Relation of each link that several annotators have."""
    scores: Alpha
    """Score of each link that several annotators have."""


@dataclass(frozen=True)
class GroupReport:
    """Several files compared: α of all, and every two files on their own."""

    names: tuple[str, ...]
    alphas: Alphas
    pairwise: tuple[AgreementReport, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, unrounded, as plain values."""
        return {
            "files": list(self.names),
            "pairs": self.alphas.pairs,
            "alpha": {
                "chunks": self.alphas.chunks.to_dict(),
                "links": self.alphas.links.to_dict(),
                "scores": self.alphas.scores.to_dict(),
            },
            "pairwise": [report.to_dict() for report in self.pairwise],
        }

    def render(self) -> str:
        """Return the figures as text tables."""
        alphas = self.alphas
        rows = [
            (name, _written(alpha.value), str(alpha.units))
            for name, alpha in (
                ("relations of chunks", alphas.chunks),
                ("relations of links", alphas.links),
                ("scores of links", alphas.scores),
            )
        ]
        head = f"Krippendorff's alpha, {len(self.names)} annotators, {alphas.pairs} pairs"
        pairwise = [
            (
                f"{report.by_first.gold} and {report.by_first.system}",
                str(report.pairs),
                *(f"{figure:.4f}" for figure in report.by_first.f1),
                _written(report.relations.value),
            )
            for report in self.pairwise
        ]
        return "\n\n".join(
            [
                as_text(Table("", (head, "alpha", "units"), rows)),
                as_text(Table("", ("files", "pairs", *NAMES, "Cohen's kappa"), pairwise)),
            ]
        )


def agree_all(
    files: Sequence[Sequence[SentencePair]], names: Sequence[str], match: Match = "strict"
) -> GroupReport:
    """Compare several annotators' files, matched by pair id; unfinished pairs do not count."""
    alphas = _alphas(files, names)
    pairwise = [
        agree(files[one], files[two], (names[one], names[two]), match)
        for one, two in combinations(range(len(files)), 2)
        if _common(files[one], files[two])
    ]
    if not pairwise:
        raise FormatError("no pair is finished in this file and in another one", names[0])
    return GroupReport(tuple(names), alphas, tuple(pairwise))


def _common(one: Iterable[SentencePair], two: Iterable[SentencePair]) -> bool:
    finished = ({p.id for p in pairs if p.status != UNFINISHED} for pairs in (one, two))
    return bool(set.intersection(*finished))


def _alphas(files: Sequence[Iterable[SentencePair]], names: Sequence[str]) -> Alphas:
    chunks, links, scores = NominalAlpha(), NominalAlpha(), IntervalAlpha()
    compared = 0
    sources = [pairs_source(pairs, name) for pairs, name in zip(files, names, strict=True)]
    for _, items, _ in joined(sources):
        found = [
            (pair, name)
            for pair, name in zip(items, names, strict=True)
            if pair is not None and pair.status != UNFINISHED
        ]
        if len(found) < 2:
            continue
        compared += 1
        for pair, name in found[1:]:
            require_same_tokens(found[0][0], pair, (found[0][1], name))
        pairs = [pair for pair, _ in found]
        for labels in _chunk_labels(pairs).values():
            chunks.add(labels)
        for decided in _link_decisions(pairs).values():
            links.add([relation for relation, _ in decided])
            scores.add([score for _, score in decided if score is not None])
    return Alphas(compared, chunks.result(), links.result(), scores.result())


def _chunk_labels(pairs: Iterable[SentencePair]) -> dict[tuple[int, Chunk], list[str]]:
    labels: dict[tuple[int, Chunk], list[str]] = defaultdict(list)
    for pair in pairs:
        for alignment in pair.alignments:
            for side, chunk in ((1, alignment.chunk1), (2, alignment.chunk2)):
                if chunk is not None:
                    labels[side, chunk].append(alignment.relation.value)
    return labels


def _link_decisions(
    pairs: Iterable[SentencePair],
) -> dict[tuple[Chunk | None, Chunk | None], list[tuple[str, float | None]]]:
    decisions: dict[tuple[Chunk | None, Chunk | None], list[tuple[str, float | None]]]
    decisions = defaultdict(list)
    for pair in pairs:
        for link in pair.links:
            decisions[link.chunk1, link.chunk2].append((link.relation.value, link.score))
    return decisions


def _written(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
