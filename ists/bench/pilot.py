"""The SemEval-2015 pilot: both scenarios on each data set found, in the paper's Tables 5 and 6.

A folder holds the official files: the gold ``STSint.gs.NAME.wa``, or ``STSint.input.NAME.wa``. Its
sentences and chunks are what the split files (``sent1.txt``, ``sent1.chunk.txt``) hold as well;
where these are there too, they are the input, as they were for the participants.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

import scorer
from ists import read
from ists.bench import published as tables
from ists.bench.report import Report, signature
from ists.errors import FormatError
from ists.files import refuse_no_folder
from ists.formats import brackets
from ists.formats.sentences import Given, InputPair, read_two_files
from ists.models import sha256_of
from ists.pipeline import Aligner
from scorer import Measures
from scorer.report import NAMES
from scorer.tables import Table

Scenario = Literal["gold chunks", "system chunks"]
SCENARIOS: tuple[Scenario, ...] = ("gold chunks", "system chunks")
_TABLES = {"gold chunks": "pilot-gold-chunks", "system chunks": "pilot-system-chunks"}
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
    """Our figures on one data set in one scenario, among the published ones."""

    dataset: str
    scenario: Scenario
    pairs: int
    trained_on: bool
    """Whether the model saw this very file in training: then the figures prove nothing."""
    runs: tuple[Run, ...]
    """Best Typ+Sco first."""

    @property
    def rank(self) -> int:
        """Ours among all."""
        return 1 + next(i for i, run in enumerate(self.runs) if not run.published)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, unrounded."""
        ours = self.runs[self.rank - 1]
        return {
            "dataset": self.dataset,
            "scenario": self.scenario,
            "pairs": self.pairs,
            "trained_on": self.trained_on,
            "f1": ours.f1._asdict(),
            "rank": self.rank,
            "runs": [{"run": run.name, "f1": run.f1._asdict()} for run in self.runs],
        }


@dataclass(frozen=True)
class DataSet:
    """A gold file and where its input comes from."""

    name: str
    gold: Path

    def pairs(self, scenario: Scenario) -> Iterator[InputPair]:
        """The input of a scenario: the split files, or what the gold file holds of them."""
        kind = "chunk.txt" if scenario == "gold chunks" else "txt"
        one, two = (
            list(self.gold.parent.glob(f"STSint.*.{self.name}.sent{side}.{kind}"))
            for side in (1, 2)
        )
        if bool(one) != bool(two):
            lone = (one or two)[0]
            raise FormatError("has no file of the other sentences beside it", str(lone))
        if len(one) == len(two) == 1:
            yield from read_two_files(one[0], two[0], bracketed=scenario == "gold chunks")
            return
        for pair in read(self.gold, edition="2016"):
            if scenario == "gold chunks":
                given1, given2 = (Given(chunks=brackets.chunks_of(pair, side)) for side in (1, 2))
            else:
                given1, given2 = (Given(str(s)) for s in (pair.sentence1, pair.sentence2))
            yield InputPair(pair.id, given1, given2, line=0)


def find_data_sets(folder: Path) -> list[DataSet]:
    """The data sets of a folder."""
    refuse_no_folder(folder)
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
) -> list[Result]:
    """Both scenarios on every data set of a folder; all is read before anything is aligned."""
    seen = set(aligner.model.card["training"]["files"].values())
    inputs = [
        (dataset, scenario, list(dataset.pairs(scenario)))
        for dataset, scenario in product(find_data_sets(folder), SCENARIOS)
    ]
    results = []
    for dataset, scenario, pairs in inputs:
        progress(f"{dataset.name}, {scenario}")
        report = scorer.score(dataset.gold, list(aligner.align_many(pairs)))
        ours = Run(f"ists {aligner.model.name}", report.f1, published=False)
        results.append(
            Result(
                dataset.name,
                scenario,
                len(pairs),
                sha256_of(dataset.gold) in seen,
                _ranked([*published(dataset.name, scenario), ours]),
            )
        )
    return results


def published(dataset: str, scenario: Scenario) -> list[Run]:
    """The paper's rows for a data set; none for one that the paper does not know."""
    rows = tables.rows(_TABLES[scenario])
    columns = [f"{dataset}_{measure}" for measure in _MEASURES]
    if columns[0] not in rows[0]:
        return []
    return [
        Run(row["run"], Measures(*(float(row[column]) for column in columns)))
        for row in rows
        if row[columns[0]] != tables.UNKNOWN
    ]


def _ranked(runs: Sequence[Run]) -> tuple[Run, ...]:
    return tuple(sorted(runs, key=lambda run: -run.f1.type_score))


def report(results: Sequence[Result], aligner: Aligner) -> Report:
    """The paper's tables with our rows in their rank."""
    document = {
        "signature": signature(
            "pilot", match="strict", model=aligner.model.name, threshold=aligner.threshold
        ),
        "results": [result.to_dict() for result in results],
    }
    return Report("The SemEval-2015 pilot", [_table(result) for result in results], [], document)


def _table(result: Result) -> Table:
    title = f"{result.dataset}, {result.scenario} ({result.pairs} pairs)"
    if result.trained_on:
        title += " -- TRAINING DATA of this model: no measure of quality"
    rows = [
        (
            run.name if run.published else f"> {run.name}",
            *(f"{figure:.4f}" for figure in run.f1),
            str(place),
        )
        for place, run in enumerate(result.runs, start=1)
    ]
    return Table(title, ("run", *NAMES, "place"), rows)
