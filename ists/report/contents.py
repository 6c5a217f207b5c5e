"""Contents of the report, computed from the scorer's counts.

Files are read as `ists score` reads them, malformed lines included; pairs are shown as far as the
format's reader can parse them. All files are read in parallel, one pair at a time: only the counts
of a pair are kept, and the pair itself if it is one of the worst.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappush, heappushpop
from itertools import combinations
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ists.formats.problems import Problem, in_line_order
from ists.garbage import collection_disabled
from ists.pairs import UNFINISHED, Sentence, SentencePair
from ists.report.records import pair_record
from scorer.agreement import AgreementCounts, AgreementFigures
from scorer.calibration import Reliability, label_decisions, link_decisions
from scorer.confusion import LabelCounts, LabelTally
from scorer.entries import Entries, Entry
from scorer.joining import Joined, joined
from scorer.judge import no_common_ids, no_finished_pair
from scorer.measures import Annotation, Match, PairCounts, judge_pair
from scorer.report import NAMES, Judgement, Tally, Totals, signature
from scorer.resampling import Rows, bootstrap_counts, compare_counts, pairs_ahead
from scorer.sentences import UNKNOWN, hash_of_pair, other_tokens
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS
from scorer.tables import Table, as_html

if TYPE_CHECKING:
    from scorer.resampling import Comparison, Interval

DEFAULT_SAMPLES = 1000
DEFAULT_PAIRS = 1000
"""Maximum number of pairs on the page; with many more, a browser is slow."""
LENGTHS = (5, 8, 12, 17, 25)
"""Upper bounds of the classes of sentence length, in tokens; the last class has no bound."""
_PROBLEMS_KEPT = 10
_AFTER_THE_GOLD = 10**12
"""Positions of pairs that the gold lacks start here."""


class Records(Protocol):
    """Collection of the records of shown pairs: a list, or a temporary file."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def append(self, record: Any, /) -> None:
        """Add a record."""


@dataclass(frozen=True)
class Problems:
    """Problems of a file: the first ones, and their number."""

    first: tuple[Problem, ...]
    total: int


@dataclass(frozen=True)
class LengthClass:
    """Scores of the pairs with sentences of similar length."""

    low: int
    high: int | None
    pairs: int
    """Number of pairs of the gold."""
    totals: tuple[Totals, ...]
    """One for each system."""

    @property
    def name(self) -> str:
        """The class in words: ``9 to 12 tokens``."""
        if self.high is None:
            return f"over {self.low} tokens"
        start = f"{self.low + 1} to {self.high}" if self.low else f"up to {self.high}"
        return f"{start} tokens"

    @property
    def range(self) -> str:
        """The class as an axis label: ``9–12``."""
        if self.high is None:
            return f">{self.low}"
        return f"{self.low + 1}–{self.high}" if self.low else f"≤{self.high}"


@dataclass(frozen=True)
class Calibration:
    """Reliability of a system's confidences, for links and for labels of links."""

    link: Reliability = field(default_factory=Reliability)
    label: Reliability = field(default_factory=Reliability)

    def __bool__(self) -> bool:
        return bool(self.link.total.count or self.label.total.count)


@dataclass(frozen=True)
class SystemComparison:
    """Comparison of two systems: difference of the figures, and pairs won and lost."""

    first: int
    second: int
    """Their indices among the systems."""
    result: "Comparison"
    better: int
    """Number of pairs in which the second's Typ+Sco is higher."""
    worse: int


@dataclass(frozen=True)
class Contents:
    """Contents of a report on systems scored against a gold file."""

    gold_name: str
    names: tuple[str, ...]
    """Names of the systems: file names, or paths if file names are not unique."""
    signature: str
    reports: tuple[Judgement, ...]
    """One for each system."""
    label_counts: tuple[LabelCounts, ...]
    intervals: "tuple[Sequence[Interval], ...]"
    comparisons: tuple[SystemComparison, ...]
    lengths: tuple[LengthClass, ...]
    agreements: tuple[AgreementFigures, ...]
    calibrations: tuple[Calibration, ...]
    """One for each system; without decisions if its file has no confidences."""
    problems: tuple[Problems, ...]
    """Of the gold, and of each system."""
    shown: Records
    """The records of the pairs that are shown."""
    pairs: int
    """Number of all pairs."""

    @property
    def left_out(self) -> int:
        """Number of pairs that are not shown."""
        return self.pairs - len(self.shown)

    def _repr_html_(self) -> str:
        """Return the four F1 of each system for a notebook."""
        rows = [
            (name, *(f"{figure:.4f}" for figure in report.f1))
            for name, report in zip(self.names, self.reports, strict=True)
        ]
        return as_html(Table(self.signature, ("system", *NAMES), rows))


def compile_report(
    gold: str | Path,
    systems: Sequence[str | Path],
    match: Match = "strict",
    bootstrap: int = DEFAULT_SAMPLES,
    trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
    most: int | None = DEFAULT_PAIRS,
    records: Records | None = None,
    watched: Callable[[Iterable[Entry]], Iterable[Entry]] = lambda entries: entries,
) -> Contents:
    """Score systems against a gold file and collect the contents of the report.

    At most `most` pairs are shown, the worst; None shows all, and appends them to `records` if that
    is given. `watched` is called with the pairs of the gold, to display progress.
    """
    files = [Entries(gold, as_gold=True), *(Entries(system, as_gold=False) for system in systems)]
    work = _Work([file.name for file in files], match, _Worst(most) if most is not None else None)
    every: Records = [] if records is None else records
    sources = [file.source() for file in files]
    sources[0] = sources[0]._replace(items=watched(files[0]))
    with collection_disabled():
        for met in joined(sources):
            for record in work.take(met):
                every.append(record)
    work.require_common_pairs()
    options: dict[str, object] = {"bootstrap": bootstrap}
    if len(systems) > 1:
        options["trials"] = trials
    options["seed"] = seed
    return Contents(
        Path(files[0].name).name,
        _short_names([file.name for file in files[1:]]),
        signature(files[0].name, files[0].digest, work.gold_pairs, match, **options),
        work.judgements(),
        work.label_counts(),
        tuple(bootstrap_counts(rows.counts(), bootstrap, seed) for rows in work.rows),
        work.comparisons(trials, seed),
        work.lengths(),
        tuple(counts.figures() for counts in work.agreements),
        tuple(work.calibrations),
        tuple(Problems(tuple(first), count) for first, count in work.problems),
        every if work.worst is None else work.worst.records(),
        work.pairs,
    )


class _Work:
    """Counts of a report, while the files are read."""

    def __init__(self, names: Sequence[str], match: Match, worst: "_Worst | None") -> None:
        self._names = names
        self._match = match
        self.worst = worst
        systems = range(len(names) - 1)
        self._tallies = [Tally() for _ in systems]
        self._labels = [LabelTally() for _ in systems]
        self._by_length = [[Tally() for _ in systems] for _ in range(len(LENGTHS) + 1)]
        self._missing: list[list[tuple[int, str]]] = [[] for _ in systems]
        self._unknown: list[list[tuple[int, str]]] = [[] for _ in systems]
        self._other_tokens: list[list[Problem]] = [[] for _ in systems]
        self._in_common = [0 for _ in systems]
        self._any_finished = False
        self._first_ids: list[str] = []
        self.rows = [Rows() for _ in systems]
        self.agreements = [AgreementCounts() for _ in systems]
        self.calibrations = [Calibration() for _ in systems]
        self.problems: list[tuple[list[Problem], int]] = [([], 0) for _ in names]
        self.pairs = self.gold_pairs = 0

    def take(self, met: Joined[Entry]) -> list[dict[str, Any]]:
        """Count a pair; return its record if all pairs are shown."""
        gold, *systems = met.items
        place = met.places[0]
        at = place if place is not None else _AFTER_THE_GOLD + self.pairs
        self.pairs += 1
        for side, entry in enumerate(met.items):
            if entry is not None and entry.problems:
                self._note_problems(side, entry.problems)
        if gold is not None:
            self.gold_pairs += 1
            self._any_finished = self._any_finished or gold.pair.status != UNFINISHED
            if len(self._first_ids) < 3:
                self._first_ids.append(gold.id)
        judged = [self._judge(system, at, met) for system in range(len(systems))]
        value = min((_typ_sco(counts) for counts in judged if counts is not None), default=inf)
        if self.worst is not None:
            self.worst.offer(value, at, lambda: _record(met, judged, at))
            return []
        return [_record(met, judged, at)]

    def _judge(self, system: int, at: int, met: Joined[Entry]) -> PairCounts | None:
        gold, entry = met.items[0], met.items[system + 1]
        if gold is None and entry is None:  # of other systems alone
            return None
        nothing = Annotation()
        counts = judge_pair(
            met.id,
            gold.annotation if gold else nothing,
            entry.annotation if entry else nothing,
            self._match,
        )
        self._tallies[system].add(counts)
        self._labels[system].add(counts)
        self.rows[system].add(at, counts)
        if gold is None:
            self._unknown[system].append((met.places[system + 1] or 0, met.id))
            return counts
        length = mean_length(gold.pair)
        self._by_length[_length_class(length)][system].add(counts)
        if entry is None:
            self._missing[system].append((at, met.id))
        else:
            self._in_common[system] += 1
            self._compare_tokens(system, gold.pair, entry.pair)
            self.agreements[system].add(gold.pair, entry.pair)
            self._calibrate(system, gold.pair, entry.pair)
        return counts

    def _compare_tokens(self, system: int, gold: SentencePair, found: SentencePair) -> None:
        hashes = hash_of_pair(gold), hash_of_pair(found)
        if UNKNOWN not in hashes and hashes[0] != hashes[1]:
            gold_name, name = self._names[0], self._names[system + 1]
            problem = other_tokens(name, found.line_of(None), found.id, gold_name)
            self._other_tokens[system].append(problem)

    def _calibrate(self, system: int, gold: SentencePair, found: SentencePair) -> None:
        if all(alignment.evidence is None for alignment in found.alignments):
            return
        before = self.calibrations[system]
        self.calibrations[system] = Calibration(
            before.link + Reliability.of(link_decisions(gold, found)),
            before.label + Reliability.of(label_decisions(gold, found)),
        )

    def _note_problems(self, side: int, problems: Sequence[Problem]) -> None:
        first, count = self.problems[side]
        first += problems[: _PROBLEMS_KEPT - len(first)]
        self.problems[side] = (first, count + len(problems))

    def require_common_pairs(self) -> None:
        """Raise an error if no pair of the gold is finished, or a file has none of its pairs."""
        if not self._any_finished:
            raise no_finished_pair(self._names[0])
        for system, name in enumerate(self._names[1:]):
            if not self._in_common[system]:
                unknown = len(self._unknown[system])
                raise no_common_ids(self._names[0], self._first_ids, name, unknown)

    def judgements(self) -> tuple[Judgement, ...]:
        """Return the scores of each system."""
        return tuple(
            Judgement(
                self._names[0],
                name,
                self._tallies[system].totals(),
                tuple(pair_id for _, pair_id in sorted(self._missing[system])),
                tuple(pair_id for _, pair_id in sorted(self._unknown[system])),
                tuple(in_line_order(self._other_tokens[system])),
            )
            for system, name in enumerate(self._names[1:])
        )

    def label_counts(self) -> tuple[LabelCounts, ...]:
        """Return the label confusions of each system."""
        return tuple(tally.counts() for tally in self._labels)

    def comparisons(self, trials: int, seed: int) -> tuple[SystemComparison, ...]:
        """Compare each two systems."""
        return tuple(
            self._compared(first, second, trials, seed)
            for first, second in combinations(range(len(self.rows)), 2)
        )

    def _compared(self, first: int, second: int, trials: int, seed: int) -> SystemComparison:
        import numpy as np

        one, two = self.rows[first], self.rows[second]
        places: np.ndarray[Any, Any] = np.union1d(one.places(), two.places())
        counts = one.at(places), two.at(places)
        names = self._names[first + 1], self._names[second + 1]
        worse, better = pairs_ahead(*counts)
        result = compare_counts(names, counts, trials, seed)
        return SystemComparison(first, second, result, better, worse)

    def lengths(self) -> tuple[LengthClass, ...]:
        """Return the scores by mean sentence length, without empty classes."""
        classes = []
        bounds = zip((0, *LENGTHS), (*LENGTHS, None), self._by_length, strict=True)
        for low, high, tallies in bounds:
            totals = tuple(tally.totals() for tally in tallies)
            if totals[0].pairs:
                classes.append(LengthClass(low, high, totals[0].pairs, totals))
        return tuple(classes)


class _Worst:
    """The pairs with the lowest figures; their records, with pictures, are made at the end."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[float, int, Callable[[], dict[str, Any]]]] = []
        """A heap; its first item is the best pair, which is replaced next."""

    def offer(self, figure: float, place: int, record: Callable[[], dict[str, Any]]) -> None:
        """Keep a pair if it is worse than a kept one, or equally bad and earlier."""
        if len(self._kept) < self._most:
            heappush(self._kept, (-figure, -place, record))
        elif self._kept and (-figure, -place) > self._kept[0][:2]:
            heappushpop(self._kept, (-figure, -place, record))

    def records(self) -> list[dict[str, Any]]:
        """Return the records of the kept pairs, in the order of the file."""
        return [record() for _, _, record in sorted(self._kept, key=lambda kept: -kept[1])]


def _typ_sco(counts: PairCounts) -> float:
    """Return the figure that pairs are sorted by; a pair without any alignment is not bad."""
    figures = counts.f1
    return inf if figures is None else figures.type_score


def _record(met: Joined[Entry], judged: Sequence[PairCounts | None], place: int) -> dict[str, Any]:
    gold, *systems = (entry.pair if entry is not None else None for entry in met.items)
    shown = [_in_gold_words(pair, gold) for pair in systems]
    return pair_record(met.id, place, gold, list(zip(shown, judged, strict=True)))


def _in_gold_words(pair: SentencePair | None, gold: SentencePair | None) -> SentencePair | None:
    """Return a system's pair with the gold's sentences, which its token numbers refer to."""
    if pair is None or gold is None:
        return pair
    return replace(pair, sentence1=gold.sentence1, sentence2=gold.sentence2)


def _short_names(names: Sequence[str]) -> tuple[str, ...]:
    short = [Path(name).name for name in names]
    return tuple(short if len(set(short)) == len(short) else names)


def _length_class(length: float) -> int:
    return sum(length > high for high in LENGTHS)


def mean_length(pair: SentencePair) -> float:
    """Return the mean number of tokens of a pair's sentences."""
    return (_length(pair, pair.sentence1, 1) + _length(pair, pair.sentence2, 2)) / 2


def _length(pair: SentencePair, sentence: Sentence, side: int) -> int:
    chunks = pair.chunks1 if side == 1 else pair.chunks2
    last = max((token for chunk in chunks for token in chunk.tokens), default=0)
    return max(len(sentence.words), last)
