"""Agreement of the first and the second annotation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ists.corpus.accept import Accepted
from ists.corpus.datasets import join
from ists.corpus.folder import Corpus
from ists.errors import FormatError
from ists.pairs import SentencePair
from scorer.agreement import AgreementReport, agree
from scorer.report import NAMES
from scorer.tables import Table

Part = Literal["written", "real", "all"]
NAMES_OF_FILES = ("first", "second")
_HEAD = ("part", "pairs", *NAMES, "chunks F1", "links F1", "kappa", "accepted", "r of scores")


@dataclass(frozen=True)
class Compared:
    """Agreement on a part of the pairs that both annotations have."""

    report: AgreementReport
    accepted: float | None
    """Share of the common links whose second label is acceptable by the first annotation."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, including all disagreements."""
        return {**self.report.to_dict(), "accepted": self.accepted}


@dataclass(frozen=True)
class _AnnotatedTwice:
    """A pair in both annotations."""

    first: SentencePair
    second: SentencePair
    accepted: Accepted


def compare(corpus: Corpus, data: Path | None = None) -> dict[Part, Compared]:
    """Compare the written pairs; with a folder of data sets, also the real ones and all."""
    written = list(_written_pairs(corpus))
    if data is None:
        return {"written": _compare(written)}
    real = list(_real_pairs(corpus, data))
    return {
        "written": _compare(written),
        "real": _compare(real),
        "all": _compare([*written, *real]),
    }


def _written_pairs(corpus: Corpus) -> Iterator[_AnnotatedTwice]:
    for theme in corpus.second.themes:
        accepted = {one.id: one for one in corpus.accepted(theme)}
        first = {pair.id: pair for pair in corpus.written(theme)}
        for pair in corpus.second.written(theme):
            _require(pair, first)
            name = f"{theme}/{pair.id}"  # ids are unique within a theme
            yield _AnnotatedTwice(
                replace(first[pair.id], id=name), replace(pair, id=name), accepted[pair.id]
            )


def _real_pairs(corpus: Corpus, data: Path) -> Iterator[_AnnotatedTwice]:
    annotations = {one.id: one for one in corpus.real()}
    for second in corpus.second.real():
        _require(second.pair, annotations)
    seconds = corpus.second.real()
    firsts = [annotations[one.id] for one in seconds]
    for one, two, annotation in zip(join(firsts, data), join(seconds, data), firsts, strict=True):
        yield _AnnotatedTwice(one, two, annotation.accepted)


def _require(pair: SentencePair, first: Mapping[str, object]) -> None:
    if pair.id not in first:
        origin = pair.origin
        place = (origin.file, origin.line) if origin else ("", None)
        raise FormatError(f"pair {pair.id} is not in the first annotation", *place)


def _compare(pairs: list[_AnnotatedTwice]) -> Compared:
    report = agree([one.first for one in pairs], [one.second for one in pairs], NAMES_OF_FILES)
    judged = [accepted for one in pairs for accepted in _accepted_labels(one)]
    return Compared(report, sum(judged) / len(judged) if judged else None)


def _accepted_labels(pair: _AnnotatedTwice) -> Iterator[bool]:
    labels = {
        (link.tokens1, link.tokens2): {choice.label for choice in link.choices}
        for link in pair.accepted.links
    }
    for link in pair.second.links:
        if link.chunk1 is not None and link.chunk2 is not None:
            known = labels.get((link.chunk1.tokens, link.chunk2.tokens))
            if known is not None:
                yield link.label in known


def table(compared: Mapping[Part, Compared]) -> Table:
    """Tabulate the figures, one row per part; the first annotation is the gold."""
    return Table("", _HEAD, [(part, *_cells(one)) for part, one in compared.items()])


def _cells(compared: Compared) -> tuple[str, ...]:
    report = compared.report
    scores = report.scores.pearson
    figures = (
        *report.by_first.f1,
        report.chunks.f1,
        report.links.f1,
        report.relations.value,
        compared.accepted,
        scores.r if scores else None,
    )
    shown = ("-" if figure is None else f"{figure:.3f}" for figure in figures)
    return (str(report.pairs), *shown)
