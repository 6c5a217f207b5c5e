"""How far two annotators, or a system and an annotator, agree on the same sentence pairs.

The four F1 are the scorer's own, with either file as the gold. Chunks agree if all their tokens do.
On links that both files have, Cohen's κ compares the labels and a correlation the scores.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ists.errors import FormatError, UndefinedError, printable
from ists.formats.brackets import render as bracketed
from ists.pairs import Alignment, Chunk, SentencePair, comment_for, format_score
from scorer.chunking import Agreement
from scorer.correlation import Correlation, pearson, spearman
from scorer.judge import load, score
from scorer.measures import Match
from scorer.report import NAMES, Report
from scorer.tables import Table, as_text

Kind = Literal["chunks", "link", "label", "score"]

_NOTHING = "-"


class Kappa(NamedTuple):
    """Cohen's κ: agreement beyond what two who label at random, as often as these, would reach."""

    n: int
    observed: float
    expected: float

    @property
    def value(self) -> float | None:
        """κ; none where there is nothing to label or only one label for all."""
        if not self.n or self.expected >= 1:
            return None
        return (self.observed - self.expected) / (1 - self.expected)

    def to_dict(self) -> dict[str, float | None]:
        """κ and what it comes from."""
        return {
            "kappa": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "n": self.n,
        }


def cohen_kappa(labels: Sequence[tuple[str, str]]) -> Kappa:
    """κ of two annotators' labels of the same things."""
    n = len(labels)
    if not n:
        return Kappa(0, 0.0, 0.0)
    first, second = (Counter(column) for column in zip(*labels, strict=True))
    expected = sum(first[label] * second[label] for label in first) / n**2
    return Kappa(n, sum(one == two for one, two in labels) / n, expected)


class Disagreement(NamedTuple):
    """Something two files see differently: what each says of it; ``-`` where one says nothing."""

    pair_id: str
    kind: Kind
    first: str
    second: str


class Figure(NamedTuple):
    """One figure of agreement, and over how many things it is taken."""

    name: str
    value: float | None
    over: str


@dataclass(frozen=True)
class ScoreAgreement:
    """The scores of links both have; a correlation is none where it is undefined."""

    n: int
    pearson: Correlation | None
    spearman: Correlation | None
    mean_difference: float | None
    """The mean of the absolute differences."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "n": self.n,
            "pearson": _r(self.pearson),
            "spearman": _r(self.spearman),
            "mean_difference": self.mean_difference,
        }


@dataclass(frozen=True)
class AgreementReport:
    """Two files compared; pairs that only one of them has are told and not compared."""

    by_first: Report
    """The second file judged by the first."""
    by_second: Report
    pairs: int
    sentences: Agreement
    """Sentences cut into the same chunks, of all."""
    chunks: Agreement
    links: Agreement
    """Links of the very same two chunks."""
    relations: Kappa
    labels: Kappa
    """Like the relations, FACT and POL included."""
    scores: ScoreAgreement
    disagreements: tuple[Disagreement, ...]

    def to_dict(self) -> dict[str, Any]:
        """The figures, unrounded, and all disagreements."""
        return {
            "first": self.by_first.gold,
            "second": self.by_first.system,
            "pairs": self.pairs,
            "only_in_first": list(self.by_first.missing),
            "only_in_second": list(self.by_first.unknown),
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
            "disagreements": [disagreement._asdict() for disagreement in self.disagreements],
        }

    def render(self, most: int | None = None) -> str:
        """The same for reading, with at most so many disagreements."""
        names = self.by_first.gold, self.by_first.system
        f1 = Table(
            "",
            ("gold", *NAMES),
            [
                (report.gold, *(f"{figure:.4f}" for figure in report.f1))
                for report in (self.by_first, self.by_second)
            ],
        )
        rows = [(name, _written(value), over) for name, value, over in self.figures()]
        figures = Table("", ("", "agreement", "over"), rows)
        parts = [as_text(f1), as_text(figures)]
        if self.disagreements:
            listed = self.disagreements[:most]
            parts.append(f"Disagreements, {len(listed)} of {len(self.disagreements)} shown")
            parts += [_in_lines(disagreement, names) for disagreement in listed]
        return "\n\n".join(parts)

    def figures(self) -> list[Figure]:
        """Everything but the F1, by name."""
        scores = self.scores
        return [
            Figure("sentences cut alike", self.sentences.f1, _of(self.sentences)),
            Figure("chunks, F1", self.chunks.f1, _of(self.chunks)),
            Figure("links, F1", self.links.f1, _of(self.links)),
            *_kappa_figures("relations", self.relations),
            *_kappa_figures("labels with flags", self.labels),
            Figure("scores, Pearson's r", _r(scores.pearson), str(scores.n)),
            Figure("scores, Spearman's rho", _r(scores.spearman), str(scores.n)),
            Figure("scores, mean difference", scores.mean_difference, str(scores.n)),
        ]


def agree(
    first: Iterable[SentencePair],
    second: Iterable[SentencePair],
    names: tuple[str, str] = ("first", "second"),
    match: Match = "strict",
) -> AgreementReport:
    """Compare two files' alignments of the same pairs, which are matched by id."""
    ones, twos = list(first), list(second)
    loaded = load(ones, name=names[0]), load(twos, name=names[1])
    by_first, by_second = score(*loaded, match), score(*loaded[::-1], match)
    others = {pair.id: pair for pair in twos}
    common = [(pair, others[pair.id]) for pair in ones if pair.id in others]
    for one, two in common:
        _require_same_tokens(one, two, names)
    shared = [met for one, two in common for met in _shared_links(one, two)]
    return AgreementReport(
        by_first,
        by_second,
        len(common),
        _sum(_sentences_cut_alike(one, two) for one, two in common),
        _sum(_counted(_chunks(one), _chunks(two)) for one, two in common),
        _sum(_counted(_links(one).keys(), _links(two).keys()) for one, two in common),
        cohen_kappa([(a.relation.value, b.relation.value) for a, b in shared]),
        cohen_kappa([(a.label, b.label) for a, b in shared]),
        _scores(shared),
        tuple(found for one, two in common for found in _disagreements(one, two)),
    )


def _require_same_tokens(one: SentencePair, two: SentencePair, names: tuple[str, str]) -> None:
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


def _sum(counts: Iterable[Agreement]) -> Agreement:
    return sum(counts, Agreement())


def _counted(one: Iterable[object], two: Iterable[object]) -> Agreement:
    ours, theirs = set(one), set(two)
    return Agreement(len(ours & theirs), len(ours), len(theirs))


def _sentences_cut_alike(one: SentencePair, two: SentencePair) -> Agreement:
    alike = (one.chunks1 == two.chunks1) + (one.chunks2 == two.chunks2)
    return Agreement(alike, 2, 2)


def _chunks(pair: SentencePair) -> set[tuple[int, Chunk]]:
    return {(1, chunk) for chunk in pair.chunks1} | {(2, chunk) for chunk in pair.chunks2}


Ends = tuple[Chunk | None, Chunk | None]


def _links(pair: SentencePair) -> dict[Ends, Alignment]:
    return {(link.chunk1, link.chunk2): link for link in pair.links}


def _shared_links(one: SentencePair, two: SentencePair) -> Iterator[tuple[Alignment, Alignment]]:
    theirs = _links(two)
    for ends, link in _links(one).items():
        if ends in theirs:
            yield link, theirs[ends]


def _scores(shared: Sequence[tuple[Alignment, Alignment]]) -> ScoreAgreement:
    scored = [(a.score, b.score) for a, b in shared if a.score is not None and b.score is not None]
    if not scored:
        return ScoreAgreement(0, None, None, None)
    ours, theirs = (list(column) for column in zip(*scored, strict=True))
    difference = sum(abs(a - b) for a, b in scored) / len(scored)
    by_value, by_rank = (_defined(measure, ours, theirs) for measure in (pearson, spearman))
    return ScoreAgreement(len(scored), by_value, by_rank, difference)


def _defined(measure: Any, ours: list[float], theirs: list[float]) -> Correlation | None:
    try:
        found: Correlation = measure(ours, theirs)
    except UndefinedError:
        return None
    return found


def _disagreements(one: SentencePair, two: SentencePair) -> Iterator[Disagreement]:
    """What two annotators should talk about: first the chunks, then their links and labels."""
    for side, ours, theirs in ((1, one.chunks1, two.chunks1), (2, one.chunks2, two.chunks2)):
        if ours != theirs:
            cut = _cut(one, side, ours, theirs), _cut(one, side, theirs, ours)
            yield Disagreement(one.id, "chunks", *cut)
    for mine, other in _unshared_links(one, two):
        yield Disagreement(one.id, "link", _said(one, mine), _said(one, other))
    for a, b in [*_shared_links(one, two), *_shared_lone(one, two)]:
        if a.label != b.label:
            yield Disagreement(one.id, "label", _said(one, a), _said(one, b))
        elif a.score != b.score:
            yield Disagreement(one.id, "score", _said(one, a), _said(one, b))


def _unshared_links(
    one: SentencePair, two: SentencePair
) -> Iterator[tuple[Alignment | None, Alignment | None]]:
    """Links that only one has, beside the other's link of the same words where there is one."""
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
    """How many token links two links share."""
    shared = 1
    for ours, theirs in ((one.chunk1, two.chunk1), (one.chunk2, two.chunk2)):
        shared *= len({*(ours.tokens if ours else ())} & {*(theirs.tokens if theirs else ())})
    return shared


def _shared_lone(one: SentencePair, two: SentencePair) -> Iterator[tuple[Alignment, Alignment]]:
    theirs = {(lone.chunk1, lone.chunk2): lone for lone in two.alignments if not lone.is_link}
    for lone in one.alignments:
        if not lone.is_link and (lone.chunk1, lone.chunk2) in theirs:
            yield lone, theirs[lone.chunk1, lone.chunk2]


def _cut(pair: SentencePair, side: int, chunks: Sequence[Chunk], others: Sequence[Chunk]) -> str:
    """The chunks that the other file does not have, in brackets."""
    words = (pair.sentence1 if side == 1 else pair.sentence2).words
    own = [chunk for chunk in chunks if chunk not in others]
    texts = [chunk.text(words).split() or [str(token) for token in chunk.tokens] for chunk in own]
    return bracketed(texts) if texts else _NOTHING


def _said(pair: SentencePair, alignment: Alignment | None) -> str:
    if alignment is None:
        return _NOTHING
    comment = alignment.comment or comment_for(alignment, pair.sentence1, pair.sentence2)
    return f"{comment} // {alignment.label} // {format_score(alignment.score)}"


def _in_lines(disagreement: Disagreement, names: tuple[str, str]) -> str:
    width = max(map(len, names))
    lines = [f"pair {disagreement.pair_id}, {disagreement.kind}"]
    for name, said in zip(names, (disagreement.first, disagreement.second), strict=True):
        lines.append(f"  {name:<{width}}  {said}")
    return "\n".join(map(printable, lines))


def _r(correlation: Correlation | None) -> float | None:
    return correlation.r if correlation else None


def _kappa_figures(name: str, kappa: Kappa) -> list[Figure]:
    over = str(kappa.n)
    return [
        Figure(f"{name}, the same", kappa.observed if kappa.n else None, over),
        Figure(f"{name}, Cohen's kappa", kappa.value, over),
    ]


def _written(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _of(counts: Agreement) -> str:
    if counts.gold == counts.system:
        return str(counts.gold)
    return f"{counts.gold} and {counts.system}"
