"""The SemEval-2015 pilot: both scenarios on each data set found, as in the paper's Tables 5 and 6.

The folder has the official files: the gold ``STSint.gs.NAME.wa``, or ``STSint.input.NAME.wa``. If
the split files (``sent1.txt``, ``sent1.chunk.txt``), which have the same sentences and chunks, are
available, they are the input, as they were for the participants.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

import scorer
from ists import read
from ists.bench import published as published_tables
from ists.bench.report import Report, digest, seen_notes, training_mark
from ists.errors import FormatError
from ists.files import reject_no_folder
from ists.formats import brackets
from ists.formats.sentences import InputPair, InputSentence, read_two_files
from ists.pipeline import Aligner
from ists.seen import Seen, Texts
from scorer import Measures
from scorer.report import NAMES, format_signature
from scorer.tables import Table

Scenario = Literal["gold chunks", "system chunks"]
SCENARIOS: tuple[Scenario, ...] = ("gold chunks", "system chunks")
TABLES: Mapping[Scenario, str] = {
    "gold chunks": "pilot-gold-chunks",
    "system chunks": "pilot-system-chunks",
}
GOLD_NAME = re.compile(r"STSint\.(?:gs|input|testinput)\.([\w-]+)\.wa")
_MEASURES = Measures._fields


@dataclass(frozen=True)
class Run:
    """One row of a table."""

    name: str
    f1: Measures
    published: bool = True


@dataclass(frozen=True)
class Result:
    """Our figures on one data set in one scenario, ranked among the published ones."""

    data: "DataSet"
    scenario: Scenario
    pairs: int
    seen: int
    """Number of pairs the model was trained on, whose figures are not a valid test."""
    runs: tuple[Run, ...]
    """Sorted by F1 Typ+Sco, best first."""

    @property
    def rank(self) -> int:
        """The rank of our run."""
        return 1 + next(i for i, run in enumerate(self.runs) if not run.published)

    def to_dict(self) -> dict[str, Any]:
        ours = self.runs[self.rank - 1]
        return {
            "dataset": self.data.name,
            "scenario": self.scenario,
            "pairs": self.pairs,
            "trained_on": bool(self.seen),
            "seen": self.seen,
            "f1": ours.f1._asdict(),
            "rank": self.rank,
            "runs": [{"run": run.name, "f1": run.f1._asdict()} for run in self.runs],
        }


@dataclass(frozen=True)
class DataSet:
    """A gold file and its input."""

    name: str
    gold: Path

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that the figures depend on: the gold, and the split files if there are any."""
        return (self.gold, *(file for scenario in SCENARIOS for file in self._split(scenario)))

    def pairs(self, scenario: Scenario) -> Iterator[InputPair]:
        """Yield the input of a scenario, from the split files or from the gold file."""
        if split := self._split(scenario):
            yield from read_two_files(*split, bracketed=scenario == "gold chunks")
            return
        for pair in read(self.gold, edition="2016"):
            if scenario == "gold chunks":
                given1, given2 = (
                    InputSentence(chunks=brackets.chunks_of(pair, side)) for side in (1, 2)
                )
            else:
                given1, given2 = (InputSentence(str(s)) for s in (pair.sentence1, pair.sentence2))
            yield InputPair(pair.id, given1, given2, line=0)

    def _split(self, scenario: Scenario) -> tuple[Path, Path] | tuple[()]:
        kind = "chunk.txt" if scenario == "gold chunks" else "txt"
        one, two = (
            list(self.gold.parent.glob(f"STSint.*.{self.name}.sent{side}.{kind}"))
            for side in (1, 2)
        )
        if bool(one) != bool(two):
            lone = (one or two)[0]
            raise FormatError("the file of the other sentences is missing", str(lone))
        return (one[0], two[0]) if len(one) == len(two) == 1 else ()


def find_data_sets(folder: Path) -> list[DataSet]:
    """Find the data sets of a folder."""
    reject_no_folder(folder)
    found = {
        name[1]: DataSet(name[1], file)
        for file in sorted(folder.glob("*.wa"), key=lambda file: ".gs." in file.name)
        if (name := GOLD_NAME.fullmatch(file.name))
    }
    if not found:
        raise FormatError("no STSint.gs.NAME.wa found, expected the pilot's files", str(folder))
    return [found[name] for name in sorted(found)]


def run(
    folder: Path,
    aligner: Aligner,
    progress: Callable[[str], None] = lambda _: None,
    warn: Callable[[str], None] = lambda _: None,
    tables: Mapping[Scenario, str] = TABLES,
) -> list[Result]:
    """Run both scenarios on every data set of a folder; all input is read before aligning.

    `warn` is called with the warning of each malformed line that was repaired. `tables` are the
    names of the published tables.
    """
    seen = Seen.by(aligner.model)
    inputs = [
        (dataset, scenario, list(dataset.pairs(scenario)))
        for dataset, scenario in product(find_data_sets(folder), SCENARIOS)
    ]
    for _, _, pairs in inputs:
        for pair in pairs:
            for warning in pair.warnings:
                warn(warning)
    results = []
    for dataset, scenario, pairs in inputs:
        progress(f"{dataset.name}, {scenario}")
        report = scorer.score(dataset.gold, list(aligner.align_many(pairs)))
        ours = Run(f"ists {aligner.model.name}", report.f1, published=False)
        results.append(
            Result(
                dataset,
                scenario,
                len(pairs),
                seen.count([_texts(pair) for pair in pairs], [dataset.gold]),
                by_rank([*published(dataset.name, tables[scenario]), ours]),
            )
        )
    return results


def published(dataset: str, table: str) -> list[Run]:
    """Return the runs of a published table on a data set; empty if the table does not have it."""
    rows = published_tables.rows(table)
    columns = [f"{dataset}_{measure}" for measure in _MEASURES]
    if not rows or columns[0] not in rows[0]:
        return []
    return [
        Run(row["run"], Measures(*(float(row[column]) for column in columns)))
        for row in rows
        if row[columns[0]] != published_tables.UNKNOWN
    ]


def _texts(pair: InputPair) -> Texts:
    one, two = (
        " ".join(token for chunk in given.chunks for token in chunk)
        if given.chunks is not None
        else str(given)
        for given in (pair.sentence1, pair.sentence2)
    )
    return one, two


def by_rank(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs by F1 Typ+Sco, best first."""
    return tuple(sorted(runs, key=lambda run: -run.f1.type_score))


def report(results: Sequence[Result], aligner: Aligner) -> Report:
    """Build the paper's tables with our runs inserted by rank."""
    notes = seen_notes({}, Seen.by(aligner.model))
    tables = [table_of(result) for result in results]
    return Report("The SemEval-2015 pilot", tables, notes, document_of("pilot", results, aligner))


def document_of(bench: str, results: Sequence[Result], aligner: Aligner) -> dict[str, Any]:
    """Return all figures and the signature of a benchmark run."""
    sets = list(dict.fromkeys(result.data for result in results))
    return {
        "signature": format_signature(
            bench=bench,
            data=f"{len(sets)}sets#{digest(file for data in sets for file in data.files)}",
            pairs=sum(result.pairs for result in results if result.scenario == SCENARIOS[0]),
            match="strict",
            model=aligner.model.name,
            threshold=aligner.threshold,
        ),
        "results": [result.to_dict() for result in results],
    }


def table_of(result: Result) -> Table:
    """Return the table of one data set in one scenario."""
    title = f"{result.data.name}, {result.scenario} ({result.pairs} pairs)"
    mark = training_mark(result.seen, result.pairs)
    if mark:
        title += f" -- {mark}"
    return table_of_runs(title, result.runs, bool(mark))


def table_of_runs(title: str, runs: Sequence[Run], marked: bool) -> Table:
    """Return a table of ranked runs; ours is marked with a star if it was trained on the data."""
    rows = [
        (
            run.name if run.published else f"> {run.name}{' *' if marked else ''}",
            *(f"{figure:.4f}" for figure in run.f1),
            str(place),
        )
        for place, run in enumerate(runs, start=1)
    ]
    return Table(title, ("run", *NAMES, "place"), rows)
