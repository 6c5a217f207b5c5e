"""Agreement of two annotations of the same sentence pairs: two annotators, or system and gold.

The four F1 are the scorer's, with either file as the gold. Two chunks agree if they have the same
tokens. On links that both files have, Cohen's κ compares the labels and a correlation the scores.
Pairs that are not finished in both files do not count. Pairs are compared one at a time; only
counts and the scores of links are kept in memory.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from ists.errors import FormatError, UndefinedError, printable
from ists.formats.brackets import render as bracketed
from ists.garbage import collection_disabled
from ists.pairs import UNFINISHED, Alignment, Chunk, SentencePair, comment_for, format_score
from scorer.annotations import annotation_of
from scorer.chunk_agreement import Agreement
from scorer.correlation import Correlation, pearson, spearman
from scorer.entries import pairs_source
from scorer.joining import joined
from scorer.judge import no_common_ids
from scorer.measures import Annotation, Match, judge_pair
from scorer.report import NAMES, Judgement, Tally
from scorer.tables import Table, as_text

Kind = Literal["chunks", "link", "label", "score"]

_NOTHING = "-"


class Kappa(NamedTuple):
    """Cohen's κ: agreement corrected for the agreement expected by chance."""

    n: int
    observed: float
    expected: float

    @property
    def value(self) -> float | None:
        """κ; None if there are no items or all have the same label."""
        if not self.n or self.expected >= 1:
            return None
        return (self.observed - self.expected) / (1 - self.expected)

    def to_dict(self) -> dict[str, float | None]:
        return {
            "kappa": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "n": self.n,
        }


def cohen_kappa(labels: Iterable[tuple[str, str]]) -> Kappa:
    """Return κ of two annotators' labels of the same items."""
    counts = labels if isinstance(labels, Counter) else Counter(labels)
    n = counts.total()
    if not n:
        return Kappa(0, 0.0, 0.0)
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (one, two), count in counts.items():
        first[one] += count
        second[two] += count
    expected = sum(first[label] * second[label] for label in first) / n**2
    return Kappa(n, sum(counts[label, label] for label in first) / n, expected)


class Disagreement(NamedTuple):
    """A difference between two files: the annotation in each, ``-`` where one has none."""

    pair_id: str
    kind: Kind
    first: str
    second: str


class Figure(NamedTuple):
    """A figure of agreement and the number of items it is computed over."""

    name: str
    value: float | None
    over: str


@dataclass(frozen=True)
class ScoreAgreement:
    """Agreement of the scores of common links; an undefined correlation is None."""

    n: int
    pearson: Correlation | None
    spearman: Correlation | None
    mean_difference: float | None
    """Mean of the absolute differences."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "pearson": _r(self.pearson),
            "spearman": _r(self.spearman),
            "mean_difference": self.mean_difference,
        }


@dataclass(frozen=True)
class AgreementFigures:
    """Figures of agreement over the pairs that both files have."""

    pairs: int
    sentences: Agreement
    """Sentences with the same chunks in both files."""
    chunks: Agreement
    links: Agreement
    """Links between the same two chunks."""
    relations: Kappa
    labels: Kappa
    """Relations together with the flags FACT and POL."""
    scores: ScoreAgreement

    def figures(self) -> list[Figure]:
        """Return all figures with their names."""
        scores = self.scores
        return [
            Figure("sentences cut alike", self.sentences.f1, _format_counts(self.sentences)),
            Figure("chunks, F1", self.chunks.f1, _format_counts(self.chunks)),
            Figure("links, F1", self.links.f1, _format_counts(self.links)),
            *_kappa_figures("relations", self.relations),
            *_kappa_figures("labels with flags", self.labels),
            Figure("scores, Pearson's r", _r(scores.pearson), str(scores.n)),
            Figure("scores, Spearman's rho", _r(scores.spearman), str(scores.n)),
            Figure("scores, mean difference", scores.mean_difference, str(scores.n)),
        ]


@dataclass(frozen=True)
class AgreementReport(AgreementFigures):
    """Comparison of two files; pairs that only one file has are listed but not compared."""

    by_first: Judgement
    """The second file scored against the first."""
    by_second: Judgement
    disagreements: tuple[Disagreement, ...]
    """All disagreements, or the first `keep` of them."""
    disagreements_found: int
    unfinished: tuple[str, ...] = ()
    """Ids of pairs that both files have, and at least one has not finished."""

    def to_dict(self, disagreements: Iterable[Disagreement] | None = None) -> dict[str, Any]:
        """Return the unrounded figures and the disagreements (default: those that were kept)."""
        listed = self.disagreements if disagreements is None else disagreements
        return {
            "first": self.by_first.gold,
            "second": self.by_first.system,
            "pairs": self.pairs,
            "only_in_first": list(self.by_first.missing),
            "only_in_second": list(self.by_first.unknown),
            "unfinished": list(self.unfinished),
            "f1": {
                "first_as_gold": self.by_first.f1._asdict(),
                "second_as_gold": self.by_second.f1._asdict(),
            },
            "chunks": self.chunks.to_dict(),
            "identical_sentences": self.sentences.to_dict(),
            "links": self.links.to_dict(),
            "relations": self.relations.to_dict(),
            "labels": self.labels.to_dict(),
            "scores": self.scores.to_dict(),
            "disagreements": [disagreement._asdict() for disagreement in listed],
        }

    def render(self, most: int | None = None) -> str:
        """Render the report as text, with at most `most` of the kept disagreements."""
        kept = self.disagreements[:most]
        return "\n\n".join(self.paragraphs(kept, len(kept)))

    def paragraphs(self, disagreements: Iterable[Disagreement], count: int) -> Iterator[str]:
        """Yield the paragraphs of the text; `count` is the number of disagreements given."""
        names = self.by_first.gold, self.by_first.system
        f1 = Table(
            "",
            ("gold", *NAMES),
            [
                (judged.gold, *(f"{figure:.4f}" for figure in judged.f1))
                for judged in (self.by_first, self.by_second)
            ],
        )
        yield as_text(f1)
        rows = [(name, _format_figure(value), over) for name, value, over in self.figures()]
        yield as_text(Table("", ("", "agreement", "over"), rows))
        if self.disagreements_found:
            yield f"Disagreements, {count} of {self.disagreements_found} shown"
            yield from (_format_disagreement(disagreement, names) for disagreement in disagreements)


class AgreementCounts:
    """Accumulates the figures of agreement; the pairs added are not kept."""

    def __init__(self) -> None:
        self._pairs = 0
        self._same_chunks = 0
        self._chunks = Agreement()
        self._links = Agreement()
        self._relations: Counter[tuple[str, str]] = Counter()
        self._labels: Counter[tuple[str, str]] = Counter()
        self._scores = array("d"), array("d")

    def add(self, one: SentencePair, two: SentencePair) -> None:
        """Compare the alignments of one pair in both files and add the counts."""
        self._pairs += 1
        self._same_chunks += (one.chunks1 == two.chunks1) + (one.chunks2 == two.chunks2)
        self._chunks += _count_common(one.chunks1, two.chunks1)
        self._chunks += _count_common(one.chunks2, two.chunks2)
        ours, theirs = _links(one), _links(two)
        self._links += _count_common(ours, theirs)
        for ends, link in ours.items():
            other = theirs.get(ends)
            if other is None:
                continue
            self._relations[link.relation.value, other.relation.value] += 1
            self._labels[link.label, other.label] += 1
            if link.score is not None and other.score is not None:
                for scores, score_ in zip(self._scores, (link.score, other.score), strict=True):
                    scores.append(score_)

    def figures(self) -> AgreementFigures:
        """Return the figures of all pairs added."""
        return AgreementFigures(
            self._pairs,
            Agreement(self._same_chunks, 2 * self._pairs, 2 * self._pairs),
            self._chunks,
            self._links,
            cohen_kappa(self._relations),
            cohen_kappa(self._labels),
            _scores(*self._scores),
        )


def agree(
    first: Iterable[SentencePair],
    second: Iterable[SentencePair],
    names: tuple[str, str] = ("first", "second"),
    match: Match = "strict",
    keep: int | None = None,
    on_disagreement: Callable[[Disagreement], None] | None = None,
) -> AgreementReport:
    """Compare two files' alignments of the same pairs, which are matched by id.

    The first `keep` disagreements are kept (default: all); `on_disagreement` is called with each.

    Raises a `FormatError` if the files have no pair in common, or a pair with different tokens.
    """
    counts = AgreementCounts()
    by_first, by_second = Tally(), Tally()
    only: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    kept: list[Disagreement] = []
    unfinished: list[str] = []
    found = 0
    nothing = Annotation()
    with collection_disabled():
        for pair_id, (one, two), places in joined(
            [pairs_source(first, names[0]), pairs_source(second, names[1])]
        ):
            if one is not None and two is not None and UNFINISHED in (one.status, two.status):
                unfinished.append(pair_id)
                continue
            ours, theirs = (annotation_of(pair) if pair else nothing for pair in (one, two))
            by_first.add(judge_pair(pair_id, ours, theirs, match))
            by_second.add(judge_pair(pair_id, theirs, ours, match))
            if one is None or two is None:
                side = 0 if two is None else 1
                only[side].append((places[side] or 0, pair_id))
                continue
            require_same_tokens(one, two, names)
            counts.add(one, two)
            for difference in _differences(one, two):
                found += 1
                if on_disagreement is not None or keep is None or len(kept) < keep:
                    disagreement = difference.describe(one)
                    if on_disagreement is not None:
                        on_disagreement(disagreement)
                    if keep is None or len(kept) < keep:
                        kept.append(disagreement)
    missing, unknown = (tuple(pair_id for _, pair_id in sorted(ids)) for ids in only)
    figures = counts.figures()
    if unfinished and not figures.pairs:
        raise FormatError(f"no pair is finished in both this file and {names[1]}", names[0])
    _require_common_pairs(figures.pairs, missing, unknown, names)
    return AgreementReport(
        **{field.name: getattr(figures, field.name) for field in fields(figures)},
        by_first=Judgement(*names, by_first.totals(), missing, unknown),
        by_second=Judgement(*names[::-1], by_second.totals(), unknown, missing),
        disagreements=tuple(kept),
        disagreements_found=found,
        unfinished=tuple(unfinished),
    )


def _require_common_pairs(
    pairs: int, missing: tuple[str, ...], unknown: tuple[str, ...], names: tuple[str, str]
) -> None:
    if not missing and not pairs:
        raise FormatError("no sentence pair to compare", names[0])
    if not unknown and not pairs:
        raise FormatError("no sentence pair to compare", names[1])
    if not pairs:
        raise no_common_ids(names[0], missing, names[1], len(unknown))


def require_same_tokens(one: SentencePair, two: SentencePair, names: tuple[str, str]) -> None:
    """Reject two versions of a pair whose sentences have different tokens."""
    for side, ours, theirs in (
        (1, one.sentence1.tokens, two.sentence1.tokens),
        (2, one.sentence2.tokens, two.sentence2.tokens),
    ):
        if ours is not None and theirs is not None and ours != theirs:
            line = two.origin.line if two.origin else None
            raise FormatError(
                f"pair {two.id}: the tokens of sentence {side} are not those of {names[0]}",
                names[1],
                line,
            )


def _count_common(one: Collection[object], two: Collection[object]) -> Agreement:
    """Count the items in both of two collections, and in each."""
    return Agreement(len(set(one).intersection(two)), len(one), len(two))


Ends = tuple[Chunk | None, Chunk | None]


def _links(pair: SentencePair) -> dict[Ends, Alignment]:
    return {(link.chunk1, link.chunk2): link for link in pair.links}


def _shared_links(one: SentencePair, two: SentencePair) -> Iterator[tuple[Alignment, Alignment]]:
    theirs = _links(two)
    for ends, link in _links(one).items():
        if ends in theirs:
            yield link, theirs[ends]


def _scores(ours: Sequence[float], theirs: Sequence[float]) -> ScoreAgreement:
    if not ours:
        return ScoreAgreement(0, None, None, None)
    difference = sum(abs(a - b) for a, b in zip(ours, theirs, strict=True)) / len(ours)
    by_value, by_rank = (_correlate(measure, ours, theirs) for measure in (pearson, spearman))
    return ScoreAgreement(len(ours), by_value, by_rank, difference)


def _correlate(measure: Any, ours: Sequence[float], theirs: Sequence[float]) -> Correlation | None:
    try:
        found: Correlation = measure(ours, theirs)
    except UndefinedError:
        return None
    return found


class _Difference(NamedTuple):
    """A disagreement that is not formatted yet: most are only counted."""

    kind: Kind
    first: "Alignment | Sequence[Chunk] | None"
    second: "Alignment | Sequence[Chunk] | None"
    side: int = 0
    """Number of the sentence whose chunks differ."""

    def describe(self, pair: SentencePair) -> Disagreement:
        """Format what both files have."""
        annotation = (
            _format_annotation(pair, self.side, annotation)
            for annotation in (self.first, self.second)
        )
        return Disagreement(pair.id, self.kind, *annotation)


def _differences(one: SentencePair, two: SentencePair) -> Iterator[_Difference]:
    """Yield the differences of a pair: first chunks, then links, then labels and scores."""
    for side, ours, theirs in ((1, one.chunks1, two.chunks1), (2, one.chunks2, two.chunks2)):
        if ours != theirs:
            own = [chunk for chunk in ours if chunk not in theirs]
            others = [chunk for chunk in theirs if chunk not in ours]
            yield _Difference("chunks", own, others, side)
    for mine, other in _unshared_links(one, two):
        yield _Difference("link", mine, other)
    for a, b in [*_shared_links(one, two), *_shared_lone(one, two)]:
        if a.label != b.label:
            yield _Difference("label", a, b)
        elif a.score != b.score:
            yield _Difference("score", a, b)


def _unshared_links(
    one: SentencePair, two: SentencePair
) -> Iterator[tuple[Alignment | None, Alignment | None]]:
    """Yield links that only one file has, with the other file's most overlapping link if any."""
    ours, theirs = _links(one), _links(two)
    rest = [link for ends, link in theirs.items() if ends not in ours]
    for ends, link in ours.items():
        if ends in theirs:
            continue
        nearest = max(rest, key=lambda other: _overlap(link, other), default=None)
        if nearest is not None and _overlap(link, nearest):
            rest.remove(nearest)
            yield link, nearest
        else:
            yield link, None
    for link in rest:
        yield None, link


def _overlap(one: Alignment, two: Alignment) -> int:
    """Return the number of token links that two links share."""
    shared = 1
    for ours, theirs in ((one.chunk1, two.chunk1), (one.chunk2, two.chunk2)):
        shared *= len({*(ours.tokens if ours else ())} & {*(theirs.tokens if theirs else ())})
    return shared


def _shared_lone(one: SentencePair, two: SentencePair) -> Iterator[tuple[Alignment, Alignment]]:
    theirs = {(lone.chunk1, lone.chunk2): lone for lone in two.alignments if not lone.is_link}
    for lone in one.alignments:
        if not lone.is_link and (lone.chunk1, lone.chunk2) in theirs:
            yield lone, theirs[lone.chunk1, lone.chunk2]


def _format_annotation(
    pair: SentencePair, side: int, annotation: "Alignment | Sequence[Chunk] | None"
) -> str:
    if annotation is None:
        return _NOTHING
    if not isinstance(annotation, Alignment):
        return _format_chunks(pair, side, annotation)
    comment = annotation.comment or comment_for(annotation, pair.sentence1, pair.sentence2)
    return f"{comment} // {annotation.label} // {format_score(annotation.score)}"


def _format_chunks(pair: SentencePair, side: int, chunks: Sequence[Chunk]) -> str:
    """Format chunks in brackets."""
    words = (pair.sentence1 if side == 1 else pair.sentence2).words
    texts = [chunk.text(words).split() or [str(t) for t in chunk.tokens] for chunk in chunks]
    return bracketed(texts) if texts else _NOTHING


def _format_disagreement(disagreement: Disagreement, names: tuple[str, str]) -> str:
    width = max(map(len, names))
    lines = [f"pair {disagreement.pair_id}, {disagreement.kind}"]
    for name, annotation in zip(names, (disagreement.first, disagreement.second), strict=True):
        lines.append(f"  {name:<{width}}  {annotation}")
    return "\n".join(map(printable, lines))


def _r(correlation: Correlation | None) -> float | None:
    return correlation.r if correlation else None


def _kappa_figures(name: str, kappa: Kappa) -> list[Figure]:
    over = str(kappa.n)
    return [
        Figure(f"{name}, the same", kappa.observed if kappa.n else None, over),
        Figure(f"{name}, Cohen's kappa", kappa.value, over),
    ]


def _format_figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _format_counts(counts: Agreement) -> str:
    if counts.gold == counts.system:
        return str(counts.gold)
    return f"{counts.gold} and {counts.system}"
