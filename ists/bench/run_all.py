"""Run every benchmark whose data is found below a folder.

Files are recognised independently of their folder: the pilot's and those of 2016 by name, gold
files of everyday English by the acceptable labels beside them, the others by name or first line.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from ists import __version__
from ists.bench import everyday, pilot, pilot2016, str2021, sts, stss131
from ists.bench.report import Report
from ists.bench.systems import Ists, TokenCosine
from ists.errors import FormatError, UndefinedError
from ists.files import reject_no_folder

Kind = Literal["pilot", "pilot2016", "everyday", "sts", "stss131", "str2021"]
_FIRST_BYTES = 4096
_SCORED_PAIR = re.compile(rb"\s*\d+(\.\d+)?\t[^\t]+\t[^\t]+")
_STSS131_HEAD = b"sp\tsentence1\tsentence2\tmean"
_STR2021_HEAD = (b"SourceID", b"PairID", b"Text", b"Score")


@dataclass(frozen=True)
class Found:
    """The data of one benchmark: files of one folder."""

    kind: Kind
    files: tuple[Path, ...]

    @property
    def folder(self) -> Path:
        """The folder of the files."""
        return self.files[0].parent


def find(folder: Path) -> list[Found]:
    """Find the data of all benchmarks below a folder."""
    reject_no_folder(folder)
    known = [
        (file.parent, kind, file)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and (kind := _kind(file)) is not None
    ]
    found = []
    for (_, kind), group in groupby(sorted(known), key=lambda one: one[:2]):
        files = tuple(file for _, _, file in group)
        # STSS-131 and STR-2021 are one file each; the others are run folder by folder.
        alone = kind in ("stss131", "str2021")
        found += [Found(kind, (file,)) for file in files] if alone else [Found(kind, files)]
    if not found:
        raise FormatError("no data of any benchmark found", str(folder))
    return found


def run(
    found: Sequence[Found],
    root: Path,
    system: Ists | None,
    seed: int = str2021.DEFAULT_SEED,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[str, Report]]:
    """Run the benchmarks; yield the path of each one's data and its report.

    Without a system only the baselines are run.
    """
    for data in found:
        one_file = data.kind in ("stss131", "str2021")
        place = (data.files[0] if one_file else data.folder).relative_to(root).as_posix()
        progress(f"{data.kind}: {place}")
        try:
            report = _run(data, root, system, seed, progress)
        except UndefinedError as error:
            raise FormatError(str(error), str(root / place)) from None
        if report is not None:
            yield place, report


def as_markdown(reports: Sequence[tuple[str, Report]]) -> str:
    """Render all reports as one Markdown document."""
    parts = [f"# Benchmarks of ists {__version__}"]
    for place, report in reports:
        head, _, body = report.markdown().partition("\n")
        parts.append(f"{head}: {place}\n{body}")
    return "\n\n".join(parts) + "\n"


def as_document(reports: Sequence[tuple[str, Report]]) -> dict[str, Any]:
    """Combine all reports to one JSON document."""
    return {
        "version": __version__,
        "reports": [
            {"title": report.title, "data": place, **report.document} for place, report in reports
        ],
    }


def _kind(file: Path) -> Kind | None:
    if pilot.GOLD_NAME.fullmatch(file.name):
        return "pilot2016" if pilot2016.is_folder_of_2016(file.parent) else "pilot"
    if everyday.is_gold(file):
        return "everyday"
    if file.name.startswith("STS.input.") and file.suffix == ".txt":
        return "sts"
    if file.suffix not in (".tsv", ".csv"):
        return None
    with file.open("rb") as stream:
        first = stream.readline(_FIRST_BYTES)
    if file.suffix == ".csv":
        return "str2021" if all(name in first for name in _STR2021_HEAD) else None
    if first.startswith(_STSS131_HEAD):
        return "stss131"
    return "sts" if _SCORED_PAIR.match(first) else None


def _run(
    data: Found, root: Path, ours: Ists | None, seed: int, progress: Callable[[str], None]
) -> Report | None:
    file = data.files[0]
    if data.kind == "pilot":
        if ours is None:
            return None
        results = pilot.run(data.folder, ours.aligner, progress)
        return pilot.report(results, ours.aligner)
    if data.kind == "pilot2016":
        if ours is None:
            return None
        aligner = ours.aligner.in_edition("2016")
        return pilot2016.report(pilot2016.run(data.folder, aligner, progress), aligner)
    if data.kind == "everyday":
        return _run_everyday(data.folder, ours, progress)
    if data.kind == "sts":
        data_sets = sts.load(data.files, root)
        language = sts.language_of(data_sets)
        return sts.run(data_sets, language, ours if language == "en" else None)
    if data.kind == "stss131":
        pairs, system = stss131.read_pairs(file), ours or TokenCosine()
        result = stss131.judge(pairs, system.name, stss131.rate(pairs, system))
        return stss131.report(result, file, system.seen)
    related = str2021.read_pairs(file)
    if ours is None:
        return str2021.run_without_model(file, related, seed=seed)
    return str2021.run(file, related, ours, ours.encoder, seed=seed, progress=progress)


def _run_everyday(folder: Path, ours: Ists | None, progress: Callable[[str], None]) -> Report:
    themes = everyday.read_themes(folder)
    systems: list[everyday.System] = [everyday.Baseline()]
    # For system chunks, the baseline would have to load a chunker model.
    scenarios = everyday.SCENARIOS if ours is not None else everyday.SCENARIOS[:1]
    if ours is not None:
        systems.insert(0, everyday.ModelSystem.of(ours.aligner))
    results = everyday.run(themes, systems, scenarios, progress)
    return everyday.report(themes, systems, results)
