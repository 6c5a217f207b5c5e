"""What the report tells, all of it from the scorer's own counts.

The figures are read as `ists score` reads a file, odd lines included; the pairs are shown as far as
the format's reader can make sense of them.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ists.files import STANDARD_STREAM, open_input
from ists.formats import format_of, scan, shown_name, wa
from ists.formats.problems import Problem
from ists.pairs import Sentence, SentencePair
from scorer.agreement import AgreementReport, agree
from scorer.judge import Loaded, load, score
from scorer.measures import Match
from scorer.report import Report
from scorer.summary import DEFAULT_SEED, DEFAULT_TRIALS, Summary, summarise

DEFAULT_SAMPLES = 1000
LENGTHS = (5, 8, 12, 17, 25)
"""The upper ends of the classes of sentence length, in tokens; longer ones are a class too."""


@dataclass(frozen=True)
class LengthClass:
    """Pairs whose sentences are about as long, judged on their own."""

    name: str
    reports: tuple[Report, ...]
    """One for each system."""

    @property
    def pairs(self) -> int:
        """How many pairs of the gold there are."""
        return len(self.reports[0].pairs)


@dataclass(frozen=True)
class Contents:
    """The gold, the systems, and everything that is said about them."""

    gold_name: str
    names: tuple[str, ...]
    """The systems, by the shortest names that tell them apart."""
    summary: Summary
    gold: dict[str, SentencePair]
    systems: tuple[dict[str, SentencePair], ...]
    lengths: tuple[LengthClass, ...]
    agreements: tuple[AgreementReport, ...]
    problems: tuple[tuple[Problem, ...], ...]
    """What is odd in the gold, and in each system."""

    @property
    def reports(self) -> Sequence[Report]:
        """One for each system."""
        return self.summary.reports


def compile_report(
    gold: str | Path,
    systems: Sequence[str | Path],
    match: Match = "strict",
    bootstrap: int = DEFAULT_SAMPLES,
    trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
) -> Contents:
    """Judge systems by a gold file and gather what there is to show."""
    loaded, gold_pairs = _read(gold, as_gold=True)
    read = [_read(system, as_gold=False) for system in systems]
    reports = [score(loaded, system, match) for system, _ in read]
    summary = summarise(
        reports, bootstrap=bootstrap, compare=len(reports) > 1, trials=trials, seed=seed
    )
    shown = tuple(_in_gold_words(pairs, gold_pairs) for _, pairs in read)
    names = _short_names([shown_name(system) for system in systems])
    return Contents(
        Path(shown_name(gold)).name,
        names,
        summary,
        gold_pairs,
        shown,
        _by_length(reports, gold_pairs),
        tuple(
            agree(gold_pairs.values(), pairs.values(), (loaded.name, name), match)
            for name, pairs in zip(names, shown, strict=True)
        ),
        (tuple(loaded.problems), *(report.problems for report in reports)),
    )


def _read(path: str | Path, as_gold: bool) -> tuple[Loaded, dict[str, SentencePair]]:
    """A file for the scorer and for showing; a pipe, which is read once, holds .wa."""
    if str(path) != STANDARD_STREAM:
        format_ = format_of(path) if str(path).lower().endswith((".jsonl", ".xml")) else "wa"
        return load(path, as_gold), {p.id: p for p, _ in scan(path, format_) if p is not None}
    with open_input(path) as stream:
        data = stream.read()
    name = shown_name(path)
    pairs = {p.id: p for p, _ in wa.scan(io.BytesIO(data), name) if p is not None}
    return load(io.BytesIO(data), as_gold, name), pairs


def _in_gold_words(
    pairs: dict[str, SentencePair], gold: dict[str, SentencePair]
) -> dict[str, SentencePair]:
    """A system's pairs with the gold's sentences, which are what its token numbers stand for."""
    return {
        pair_id: replace(
            pair,
            sentence1=gold[pair_id].sentence1,
            sentence2=gold[pair_id].sentence2,
        )
        if pair_id in gold
        else pair
        for pair_id, pair in pairs.items()
    }


def _short_names(names: Sequence[str]) -> tuple[str, ...]:
    short = [Path(name).name for name in names]
    return tuple(short if len(set(short)) == len(short) else names)


def _by_length(reports: Sequence[Report], gold: dict[str, SentencePair]) -> tuple[LengthClass, ...]:
    """The pairs of the gold by the mean length of their sentences."""
    classes = []
    for low, high in zip((0, *LENGTHS), (*LENGTHS, None), strict=True):
        ids = {
            pair.id
            for pair in gold.values()
            if low < mean_length(pair) and (high is None or mean_length(pair) <= high)
        }
        parts = tuple(
            replace(report, pairs=tuple(pair for pair in report.pairs if pair.id in ids))
            for report in reports
        )
        name = f"over {low}" if high is None else f"{low + 1} to {high}" if low else f"up to {high}"
        if ids:
            classes.append(LengthClass(f"{name} tokens", parts))
    return tuple(classes)


def mean_length(pair: SentencePair) -> float:
    """The mean number of tokens of a pair's sentences."""
    return (_length(pair, pair.sentence1, 1) + _length(pair, pair.sentence2, 2)) / 2


def _length(pair: SentencePair, sentence: Sentence, side: int) -> int:
    chunks = pair.chunks1 if side == 1 else pair.chunks2
    last = max((token for chunk in chunks for token in chunk.tokens), default=0)
    return max(len(sentence.words), last)
