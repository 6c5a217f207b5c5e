"""SemEval-2016 Task 2: both scenarios on each data set found, and the mean over the three sets.

The folder has the official files ``STSint.testinput.NAME.wa`` (the gold), ``.sent1.txt``,
``.sent1.chunk.txt`` and so on. Pairs are aligned by the rules of 2016.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ists.bench import pilot
from ists.bench import published as published_tables
from ists.bench.pilot import SCENARIOS, Result, Run, Scenario
from ists.bench.report import Report, seen_notes
from ists.pipeline import Aligner
from ists.seen import Seen
from scorer import Measures

DATA_SETS = ("answers-students", "headlines", "images")
TABLES: Mapping[Scenario, str] = {
    "gold chunks": "pilot2016-gold-chunks",
    "system chunks": "pilot2016-system-chunks",
}
_MEASURES = Measures._fields


@dataclass(frozen=True)
class Mean:
    """The unweighted mean over the three data sets, ranked among the published means."""

    scenario: Scenario
    runs: tuple[Run, ...]
    """Sorted by F1 Typ+Sco, best first."""
    seen: bool
    """Whether the model was trained on any of the pairs."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, unrounded."""
        ours = next(run for run in self.runs if not run.published)
        return {
            "scenario": self.scenario,
            "f1": ours.f1._asdict(),
            "rank": 1 + self.runs.index(ours),
            "runs": [{"run": run.name, "f1": run.f1._asdict()} for run in self.runs],
        }


def is_folder_of_2016(folder: Path) -> bool:
    """Return whether a folder has the students' answers, which only the 2016 edition has."""
    names = (pilot.GOLD_NAME.fullmatch(file.name) for file in folder.glob("*.wa"))
    return any(name is not None and name[1] == "answers-students" for name in names)


def run(
    folder: Path,
    aligner: Aligner,
    progress: Callable[[str], None] = lambda _: None,
    warn: Callable[[str], None] = lambda _: None,
) -> list[Result]:
    """Run both scenarios on every data set of a folder; all input is read before aligning."""
    return pilot.run(folder, aligner.in_edition("2016"), progress, warn, TABLES)


def means(results: Sequence[Result]) -> list[Mean]:
    """Return the mean of each scenario; empty unless all three data sets were run."""
    found = []
    for scenario in SCENARIOS:
        own = {result.data.name: result for result in results if result.scenario == scenario}
        if not own.keys() >= set(DATA_SETS):
            return []
        ours = [own[name].runs[own[name].rank - 1] for name in DATA_SETS]
        mean = Run(ours[0].name, _mean([run.f1 for run in ours]), published=False)
        seen = any(own[name].seen for name in DATA_SETS)
        runs = pilot.by_rank([*_published_means(TABLES[scenario]), mean])
        found.append(Mean(scenario, runs, seen))
    return found


def _published_means(table: str) -> list[Run]:
    """Return the means of the published runs that have figures for all three data sets."""
    found = []
    for row in published_tables.rows(table):
        cells = [[row[f"{name}_{measure}"] for measure in _MEASURES] for name in DATA_SETS]
        if not any(cell == published_tables.UNKNOWN for own in cells for cell in own):
            found.append(Run(row["run"], _mean([Measures(*map(float, own)) for own in cells])))
    return found


def _mean(figures: Sequence[Measures]) -> Measures:
    return Measures(*(sum(column) / len(figures) for column in zip(*figures, strict=True)))


def report(results: Sequence[Result], aligner: Aligner) -> Report:
    """Build one table for each data set and scenario, and the means."""
    found = means(results)
    tables = [pilot.table_of(result) for result in results]
    tables += [
        pilot.table_of_runs(f"mean of the three data sets, {one.scenario}", one.runs, one.seen)
        for one in found
    ]
    notes = seen_notes({}, Seen.by(aligner.model))
    if not aligner.makes_groups:
        notes.append("The model makes no groups of chunks: every chunk is linked at most once.")
    missing = [name for name in DATA_SETS if name not in {one.data.name for one in results}]
    if missing:
        notes.append(f"No mean of the three data sets: {', '.join(missing)} not found.")
    if not published_tables.rows(TABLES[SCENARIOS[0]]):
        notes.append("data/published has no verified figures of other systems yet.")
    document = pilot.document_of("pilot2016", results, aligner)
    document["means"] = [one.to_dict() for one in found]
    return Report("SemEval-2016 Task 2", tables, notes, document)
