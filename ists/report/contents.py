"""What the report tells, all of it from the scorer's own counts.

The figures are read as `ists score` reads a file, odd lines included; the pairs are shown as far as
the format's reader can make sense of them. Files are read side by side, a pair of each at a time:
of a pair, its counts are kept, and what is shown of it if it is one of the worst.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappush, heappushpop
from itertools import combinations
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ists.formats.problems import Problem
from ists.garbage import collection_disabled
from ists.pairs import Sentence, SentencePair
from ists.report.records import pair_record
from scorer.agreement import AgreementCounts, AgreementFigures
from scorer.entries import Entries, Entry
from scorer.joining import Joined, joined
from scorer.judge import no_common_ids
from scorer.measures import Annotation, Match, PairCounts, judge_pair
from scorer.report import Judgement, Tally, Totals, signature
from scorer.resampling import Rows, bootstrap_counts, compare_counts, pairs_ahead
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS

if TYPE_CHECKING:
    from scorer.resampling import Comparison, Interval

DEFAULT_SAMPLES = 1000
DEFAULT_PAIRS = 1000
"""Pairs that are shown: of more, a browser would be slow and nobody read them."""
LENGTHS = (5, 8, 12, 17, 25)
"""The upper ends of the classes of sentence length, in tokens; longer ones are a class too."""
_PROBLEMS_KEPT = 10
_AFTER_THE_GOLD = 10**12
"""Places of pairs that the gold lacks."""


class Records(Protocol):
    """Where the records of shown pairs go: a list, or a file that holds them."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def append(self, record: Any, /) -> None:
        """Add one."""


@dataclass(frozen=True)
class Problems:
    """What is odd in a file: the first things, and how many there are."""

    first: tuple[Problem, ...]
    total: int


@dataclass(frozen=True)
class LengthClass:
    """Pairs whose sentences are about as long, judged on their own."""

    name: str
    pairs: int
    """How many pairs of the gold there are."""
    totals: tuple[Totals, ...]
    """One for each system."""


@dataclass(frozen=True)
class SystemComparison:
    """Two systems: how far the second is ahead, and in how many pairs either is."""

    first: int
    second: int
    """Their places among the systems."""
    result: "Comparison"
    better: int
    """Pairs in which the second's Typ+Sco is higher."""
    worse: int


@dataclass(frozen=True)
class Contents:
    """Everything that is said about systems judged by a gold file."""

    gold_name: str
    names: tuple[str, ...]
    """The systems, by the shortest names that tell them apart."""
    signature: str
    reports: tuple[Judgement, ...]
    """One for each system."""
    intervals: "tuple[Sequence[Interval], ...]"
    comparisons: tuple[SystemComparison, ...]
    lengths: tuple[LengthClass, ...]
    agreements: tuple[AgreementFigures, ...]
    problems: tuple[Problems, ...]
    """Of the gold, and of each system."""
    shown: Records
    """The records of the pairs that are shown."""
    pairs: int
    """How many pairs there are in all."""

    @property
    def left_out(self) -> int:
        """How many pairs are not shown."""
        return self.pairs - len(self.shown)


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
    """Judge systems by a gold file and gather what there is to show.

    At most `most` pairs are shown, the worst; None shows all, and puts them into `records` if that
    is given. `watched` is called with the pairs of the gold, to tell how far it has come.
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
        tuple(bootstrap_counts(rows.counts(), bootstrap, seed) for rows in work.rows),
        work.comparisons(trials, seed),
        work.lengths(),
        tuple(counts.figures() for counts in work.agreements),
        tuple(Problems(tuple(first), count) for first, count in work.problems),
        every if work.worst is None else work.worst.records(),
        work.pairs,
    )


class _Work:
    """All counts of a report in the making."""

    def __init__(self, names: Sequence[str], match: Match, worst: "_Worst | None") -> None:
        self._names = names
        self._match = match
        self.worst = worst
        systems = range(len(names) - 1)
        self._tallies = [Tally() for _ in systems]
        self._by_length = [[Tally() for _ in systems] for _ in range(len(LENGTHS) + 1)]
        self._missing: list[list[tuple[int, str]]] = [[] for _ in systems]
        self._unknown: list[list[tuple[int, str]]] = [[] for _ in systems]
        self._in_common = [0 for _ in systems]
        self._first_ids: list[str] = []
        self.rows = [Rows() for _ in systems]
        self.agreements = [AgreementCounts() for _ in systems]
        self.problems: list[tuple[list[Problem], int]] = [([], 0) for _ in names]
        self.pairs = self.gold_pairs = 0

    def take(self, met: Joined[Entry]) -> list[dict[str, Any]]:
        """Count a pair; its record, if all are to be shown."""
        gold, *systems = met.items
        place = met.places[0]
        at = place if place is not None else _AFTER_THE_GOLD + self.pairs
        self.pairs += 1
        for side, entry in enumerate(met.items):
            if entry is not None and entry.problems:
                self._note_problems(side, entry.problems)
        if gold is not None:
            self.gold_pairs += 1
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
            self.agreements[system].add(gold.pair, entry.pair)
        return counts

    def _note_problems(self, side: int, problems: Sequence[Problem]) -> None:
        first, count = self.problems[side]
        first += problems[: _PROBLEMS_KEPT - len(first)]
        self.problems[side] = (first, count + len(problems))

    def require_common_pairs(self) -> None:
        """A file that has none of the gold's pairs is another gold's."""
        for system, name in enumerate(self._names[1:]):
            if not self._in_common[system]:
                unknown = len(self._unknown[system])
                raise no_common_ids(self._names[0], self._first_ids, name, unknown)

    def judgements(self) -> tuple[Judgement, ...]:
        """Each system judged."""
        return tuple(
            Judgement(
                self._names[0],
                name,
                self._tallies[system].totals(),
                tuple(pair_id for _, pair_id in sorted(self._missing[system])),
                tuple(pair_id for _, pair_id in sorted(self._unknown[system])),
            )
            for system, name in enumerate(self._names[1:])
        )

    def comparisons(self, trials: int, seed: int) -> tuple[SystemComparison, ...]:
        """Each two systems compared."""
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
        """The pairs of the gold by the mean length of their sentences."""
        classes = []
        bounds = zip((0, *LENGTHS), (*LENGTHS, None), self._by_length, strict=True)
        for low, high, tallies in bounds:
            start = f"{low + 1} to {high}" if low else f"up to {high}"
            name = f"over {low}" if high is None else start
            totals = tuple(tally.totals() for tally in tallies)
            if totals[0].pairs:
                classes.append(LengthClass(f"{name} tokens", totals[0].pairs, totals))
        return tuple(classes)


class _Worst:
    """The records of the pairs with the lowest figures."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[float, int, dict[str, Any]]] = []
        """A heap: the best of them, which is the next to go, comes first."""

    def offer(self, figure: float, place: int, record: Callable[[], dict[str, Any]]) -> None:
        """Keep a pair if it is worse than one that is kept, or as bad and before it."""
        if len(self._kept) < self._most:
            heappush(self._kept, (-figure, -place, record()))
        elif self._kept and (-figure, -place) > self._kept[0][:2]:
            heappushpop(self._kept, (-figure, -place, record()))

    def records(self) -> list[dict[str, Any]]:
        """What is kept, as in the file."""
        return [record for _, _, record in sorted(self._kept, key=lambda kept: -kept[1])]


def _typ_sco(counts: PairCounts) -> float:
    """What pairs are ordered by; one in which neither file aligns anything is not bad."""
    figures = counts.f1
    return inf if figures is None else figures.type_score


def _record(met: Joined[Entry], judged: Sequence[PairCounts | None], place: int) -> dict[str, Any]:
    gold, *systems = (entry.pair if entry is not None else None for entry in met.items)
    shown = [_in_gold_words(pair, gold) for pair in systems]
    return pair_record(met.id, place, gold, list(zip(shown, judged, strict=True)))


def _in_gold_words(pair: SentencePair | None, gold: SentencePair | None) -> SentencePair | None:
    """A system's pair with the gold's sentences, which are what its token numbers stand for."""
    if pair is None or gold is None:
        return pair
    return replace(pair, sentence1=gold.sentence1, sentence2=gold.sentence2)


def _short_names(names: Sequence[str]) -> tuple[str, ...]:
    short = [Path(name).name for name in names]
    return tuple(short if len(set(short)) == len(short) else names)


def _length_class(length: float) -> int:
    return sum(length > high for high in LENGTHS)


def mean_length(pair: SentencePair) -> float:
    """The mean number of tokens of a pair's sentences."""
    return (_length(pair, pair.sentence1, 1) + _length(pair, pair.sentence2, 2)) / 2


def _length(pair: SentencePair, sentence: Sentence, side: int) -> int:
    chunks = pair.chunks1 if side == 1 else pair.chunks2
    last = max((token for chunk in chunks for token in chunk.tokens), default=0)
    return max(len(sentence.words), last)
