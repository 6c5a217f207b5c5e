"""The SemEval STS tasks: one similarity per sentence pair, evaluated by Pearson's r per data set.

A data set is one file of ``score⇥sentence1⇥sentence2`` lines (``NAME.tsv``), or the two official
files, ``STS.input.NAME.txt`` and ``STS.gs.NAME.txt``; a blank gold line is a pair without a score.
The official measure is the mean over the data sets, weighted by their numbers of pairs. On the data
sets of the 2015 task, our run is ranked among the published ones.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from ists.bench import published
from ists.bench.report import Report, digest, seen_notes, training_mark
from ists.bench.systems import System, TextPair, TokenCosine
from ists.errors import FormatError, UndefinedError
from ists.files import open_input
from ists.formats.text import decode, shown
from ists.seen import Seen
from scorer.correlation import Correlation, Significance, fisher_z, pearson
from scorer.report import format_signature
from scorer.scores import parse_score, read_gold_scores, read_scores, with_gold
from scorer.tables import Table

Language = Literal["en", "es"]
LANGUAGES: tuple[Language, ...] = ("en", "es")
_NAMES = {"en": "English", "es": "Spanish"}
_LARGEST = {"en": 5, "es": 4}
_TABLES = {"en": "sts-english", "es": "sts-spanish"}
_BASELINE = "Baseline"
_INPUT = re.compile(r"STS\.input\.(.+)\.txt")
_SPANISH = {"wikipedia", "newswire", "news", "li65"}
_PAPERS_NAMES = {
    "answer-forums": "answers-forums",
    "answers-forum": "answers-forums",
    "answer-students": "answers-students",
    "answers-student": "answers-students",
    "hdl": "headlines",
    "news": "newswire",
}


@dataclass(frozen=True)
class DataSet:
    """The pairs and gold scores of one data set."""

    name: str
    folder: str
    """Relative to the folder that was searched; empty for that folder itself."""
    files: tuple[Path, ...]
    pairs: tuple[TextPair, ...]
    gold: tuple[float | None, ...]
    """None for a pair without a gold score."""

    @property
    def full_name(self) -> str:
        """The name with the folder, which has the year."""
        return f"{self.folder}/{self.name}" if self.folder else self.name

    @property
    def papers_name(self) -> str:
        """The name in the task paper's tables."""
        name = self.name.lower()
        return _PAPERS_NAMES.get(name, name)


@dataclass(frozen=True)
class Result:
    """The figures on one data set."""

    data: DataSet
    pairs: int
    pearson: float | None
    """None if no system was run."""
    baseline: float
    seen: int
    """Number of pairs the system was trained on."""

    @property
    def mark(self) -> str:
        """The mark for training data; empty for unseen data."""
        return training_mark(self.seen, self.pairs)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.data.full_name,
            "pairs": self.pairs,
            "pearson": self.pearson,
            "baseline": self.baseline,
            "trained_on": bool(self.seen),
            "seen": self.seen,
        }


@dataclass(frozen=True)
class Run:
    """A published run."""

    name: str
    r: dict[str, float | None]
    """Pearson's r by data set."""
    mean: float | None
    rank: int | None


@dataclass(frozen=True)
class Placing:
    """The rank of our run among the published ones, on the data sets of their table."""

    folder: str
    mean: float
    rank: int
    runs: int
    best: Run
    difference: Significance
    """Test of our mean against the best run's: Fisher's z over all pairs, as in the task."""
    by_set: dict[str, Significance]
    """The same for each data set that the best run has a figure for."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "mean": self.mean,
            "rank": self.rank,
            "published_runs": self.runs,
            "best_run": {"name": self.best.name, "mean": self.best.mean, **self.best.r},
            "difference": self.difference.to_dict(),
            "by_set": {name: test.to_dict() for name, test in self.by_set.items()},
        }


def find_data_sets(folder: Path) -> list[DataSet]:
    """Find all data sets in and below a folder."""
    if not folder.exists():
        raise FormatError("no such file or folder", str(folder))
    files = (
        [folder] if folder.is_file() else [*folder.rglob("STS.input.*.txt"), *folder.rglob("*.tsv")]
    )
    found = load(files, folder)
    if not found:
        raise FormatError(
            "no data set found, expected NAME.tsv (score, sentence, sentence) or "
            "STS.input.NAME.txt with STS.gs.NAME.txt",
            str(folder),
        )
    return found


def load(files: Iterable[Path], folder: Path) -> list[DataSet]:
    """Load the data sets of files, named by their path relative to a folder."""
    found = [
        _official(file, folder) if file.name.startswith("STS.input.") else _table(file, folder)
        for file in files
    ]
    return sorted(found, key=lambda data: (data.folder, data.name))


def language_of(data_sets: Sequence[DataSet]) -> Language:
    """Return Spanish if all data sets have the name of a Spanish one, else English."""
    spanish = all(
        data.name.lower() in _SPANISH or "spanish" in data.full_name.lower() for data in data_sets
    )
    return "es" if spanish else "en"


def run(
    data_sets: Sequence[DataSet],
    language: Language,
    system: System | None,
    outputs: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Evaluate a system or given output files; without either, only the baseline."""
    for data in data_sets:
        _check_scale(data, language)
    seen = system.seen if system and not outputs else Seen()
    results = []
    for data in data_sets:
        progress(data.full_name)
        results.append(_judge(data, system, outputs, seen))
    name = "given outputs" if outputs else system.name if system else "none"
    return _report(results, language, name, _placings(results, language), seen)


def published_runs(language: Language) -> tuple[list[Run], list[Run]]:
    """Return the runs and the baselines of the task paper's table."""
    runs = []
    for row in published.rows(_TABLES[language]):
        name, mean, rank = row.pop("run"), row.pop("mean"), published.figure(row.pop("rank"))
        figures = {data: published.figure(cell) for data, cell in row.items()}
        place = None if rank is None else int(rank)
        runs.append(Run(name, figures, published.figure(mean), place))
    baselines = [run for run in runs if run.name.startswith(_BASELINE)]
    return [run for run in runs if run not in baselines], baselines


def _official(file: Path, root: Path) -> DataSet:
    name = _INPUT.fullmatch(file.name)
    if name is None:
        raise FormatError("expected a file named STS.input.NAME.txt", str(file))
    gold_file = file.with_name(f"STS.gs.{name[1]}.txt")
    gold = read_gold_scores(gold_file)
    pairs = [(columns[0], columns[1]) for columns in _columns(file, 2, "sentence, sentence")]
    if len(gold) != len(pairs):
        raise FormatError(
            f"{file} has {len(pairs)} lines and {gold_file} has {len(gold)}: "
            "both must have one line per pair, in the same order"
        )
    return _data_set(name[1], root, (file, gold_file), pairs, gold)


def _table(file: Path, root: Path) -> DataSet:
    gold: list[float | None] = []
    pairs: list[TextPair] = []
    for number, columns in enumerate(_columns(file, 3, "score, sentence, sentence"), start=1):
        try:
            gold.append(parse_score(columns[0]) if columns[0].strip() else None)
        except FormatError as error:
            raise FormatError(error.reason, str(file), number) from None
        pairs.append((columns[1], columns[2]))
    return _data_set(file.stem, root, (file,), pairs, gold)


def _columns(file: Path, fewest: int, expected: str) -> Iterator[list[str]]:
    with open_input(file) as stream:
        number = 0
        for number, line in enumerate(stream, start=1):
            columns = decode(line).rstrip("\r\n").split("\t")
            if len(columns) < fewest:
                reason = f"{shown(decode(line))} has {len(columns)} columns, expected {expected}"
                raise FormatError(reason, str(file), number)
            yield columns
    if not number:
        raise FormatError("is empty, expected sentence pairs", str(file))


def _data_set(
    name: str,
    root: Path,
    files: tuple[Path, ...],
    pairs: Sequence[TextPair],
    gold: Sequence[float | None],
) -> DataSet:
    folder = "" if root.is_file() else files[0].parent.relative_to(root).as_posix()
    name = name.removesuffix(".test")
    return DataSet(name, "" if folder == "." else folder, files, tuple(pairs), tuple(gold))


def _check_scale(data: DataSet, language: Language) -> None:
    largest = _LARGEST[language]
    for line, score in enumerate(data.gold, start=1):
        if score is not None and not 0 <= score <= largest:
            raise FormatError(
                f"gold score {score:g}, expected 0 to {largest} ({_NAMES[language]})",
                str(data.files[-1]),
                line,
            )


def _judge(data: DataSet, system: System | None, outputs: Path | None, seen: Seen) -> Result:
    wanted = [
        (pair, score)
        for pair, score in zip(data.pairs, data.gold, strict=True)
        if score is not None
    ]
    pairs, gold = [pair for pair, _ in wanted], [score for _, score in wanted]
    baseline = _correlation(data, gold, list(TokenCosine().similarity_many(pairs)))
    ours = None
    if outputs is not None:
        file = _output_file(data, outputs)
        ours = _correlation(data, *with_gold(data.gold, data.files[-1], read_scores(file), file))
    elif system is not None:
        ours = _correlation(data, gold, list(system.similarity_many(pairs)))
    return Result(
        data,
        len(pairs),
        None if ours is None else ours.r,
        baseline.r,
        seen.count(pairs, data.files),
    )


def _correlation(data: DataSet, gold: list[float], scores: list[float]) -> Correlation:
    try:
        return pearson(gold, scores)
    except UndefinedError as error:
        raise FormatError(str(error), str(data.files[-1])) from None


def _output_file(data: DataSet, outputs: Path) -> Path:
    """Find ``STS.output.NAME.txt``, ``NAME.txt`` or ``NAME.jsonl`` in the folder of outputs."""
    names = [f"STS.output.{data.name}.txt", f"{data.name}.txt", f"{data.name}.jsonl"]
    for folder in (outputs / data.folder, outputs):
        for name in names:
            if (folder / name).is_file():
                return folder / name
    raise FormatError(f"no {names[0]} found, nor {data.name}.txt", str(outputs))


def _mean(results: Sequence[Result], figure: Callable[[Result], float | None]) -> float | None:
    figures = [(figure(result), result.pairs) for result in results]
    known = [(r * pairs, pairs) for r, pairs in figures if r is not None]
    if len(known) < len(figures):
        return None
    return sum(weighted for weighted, _ in known) / sum(pairs for _, pairs in known)


def _placings(results: Sequence[Result], language: Language) -> list[Placing]:
    runs, _ = published_runs(language)
    best = min(runs, key=lambda run: run.rank or len(runs))
    placings = []
    for folder, group in groupby(results, key=lambda result: result.data.folder):
        named = {result.data.papers_name: result for result in group}
        ours = [named[name] for name in best.r if name in named]
        mean = _mean(ours, lambda result: result.pearson) if len(ours) == len(best.r) else None
        if mean is None or best.mean is None:
            continue
        pairs = sum(result.pairs for result in ours)
        by_set = {
            name: fisher_z(r, named[name].pairs, theirs, named[name].pairs)
            for name, theirs in best.r.items()
            if theirs is not None and (r := named[name].pearson) is not None
        }
        difference = fisher_z(mean, pairs, best.mean, pairs)
        rank = _rank(mean, runs)
        last = max(run.rank or 0 for run in runs)
        placings.append(Placing(folder, mean, rank, last, best, difference, by_set))
    return placings


def _rank(mean: float, runs: Sequence[Run]) -> int:
    """Return the rank of the best run we beat; one too low at worst where a row is illegible."""
    beaten = [run.rank for run in runs if run.rank and run.mean is not None and run.mean < mean]
    return min(beaten, default=max(run.rank or 0 for run in runs) + 1)


def _report(
    results: Sequence[Result],
    language: Language,
    system: str,
    placings: Sequence[Placing],
    seen: Seen,
) -> Report:
    mean = _mean(results, lambda result: result.pearson)
    baseline_mean = _mean(results, lambda result: result.baseline)
    files = [file for result in results for file in result.data.files]
    pairs = sum(result.pairs for result in results)
    document = {
        "mean": mean,
        "sets": [result.to_dict() for result in results],
        "baseline_mean": baseline_mean,
        "language": _NAMES[language],
        "system": system,
        "placings": [placing.to_dict() for placing in placings],
        "signature": format_signature(
            bench="sts",
            data=f"{len(results)}sets#{digest(files)}",
            pairs=pairs,
            language=language,
            system=system.replace(" ", "-"),
        ),
    }
    rows = [
        (
            result.data.full_name + (" *" if result.seen else ""),
            str(result.pairs),
            _shown(result.pearson),
            _shown(result.baseline),
        )
        for result in results
    ]
    rows.append(("mean, weighted by pairs", str(pairs), _shown(mean), _shown(baseline_mean)))
    head = ("data set", "pairs", system if mean is not None else "not run", "token cosine")
    tables = [Table(f"STS, {_NAMES[language]}: Pearson r", head, rows)]
    tables += [_placing_table(placing) for placing in placings]
    notes = [*_notes(results, language, placings), *_seen_notes(results, seen)]
    return Report(f"STS, {_NAMES[language]}", tables, notes, document)


def _placing_table(placing: Placing) -> Table:
    rows = [
        (name, f"{placing.best.r[name]:.4f}", f"{test.statistic:+.2f}", f"{test.p:.4f}")
        for name, test in placing.by_set.items()
    ]
    test = placing.difference
    rows.append(("mean", f"{placing.best.mean:.4f}", f"{test.statistic:+.2f}", f"{test.p:.4f}"))
    title = f"Against the best published run, {placing.best.name} (Fisher's z; + is ours ahead)"
    return Table(title, ("data set", "its r", "z", "p"), rows)


def _notes(results: Sequence[Result], language: Language, placings: Sequence[Placing]) -> list[str]:
    notes = []
    for placing in placings:
        where = f"{placing.folder}: " if placing.folder else ""
        notes.append(
            f"{where}rank {placing.rank} among the {placing.runs} published runs of "
            f"SemEval-2015 (mean {placing.mean:.4f}, best {placing.best.mean:.4f}, "
            f"one-tailed p = {min(placing.difference.p_less, placing.difference.p_greater):.4f})"
        )
    if language == "es" and any(result.pearson is None for result in results):
        notes.append(
            "Our model is English: on Spanish only the baseline is run. "
            "--outputs DIR evaluates the outputs of a Spanish system."
        )
    return notes


def _seen_notes(results: Sequence[Result], seen: Seen) -> list[str]:
    return seen_notes({result.data.full_name: result.mark for result in results}, seen)


def _shown(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.4f}"
