"""Summary of several systems scored against one gold file, for all output formats."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scorer import tables
from scorer.report import Report

if TYPE_CHECKING:  # resampling imports numpy, which most reports do not need
    from scorer.resampling import Comparison, Interval

DEFAULT_SEED = 2015
DEFAULT_TRIALS = 10_000


@dataclass(frozen=True)
class Views:
    """Optional tables of a summary besides the four measures."""

    by_label: bool = False
    confusion: bool = False
    per_pair: bool = False


@dataclass(frozen=True)
class Summary:
    """Reports on one or several systems, with optional intervals and comparisons."""

    reports: Sequence[Report]
    signature: str
    views: Views = Views()
    intervals: "Sequence[Sequence[Interval]] | None" = None
    comparisons: "Sequence[Comparison]" = ()
    warnings: Sequence[str] = ()
    """About the files (see `scorer.warnings`); only data formats have them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, unrounded; the structure is the same for one system or several."""
        document: dict[str, Any] = {
            "signature": self.signature,
            "systems": [self._record(index) for index in range(len(self.reports))],
        }
        if self.comparisons:
            document["comparisons"] = [
                result._asdict()
                | {"difference": result.difference._asdict(), "p": result.p._asdict()}
                for result in self.comparisons
            ]
        document["warnings"] = list(self.warnings)
        return document

    def _record(self, index: int) -> dict[str, Any]:
        report = self.reports[index]
        record = report.to_dict()
        if self.intervals:
            record["interval95"] = dict(zip(record["f1"], self.intervals[index], strict=True))
        if self.views.by_label:
            record["by_label"] = report.by_label()
        if self.views.confusion:
            record["confusion"] = report.confusion()
        if self.views.per_pair:
            record["per_pair"] = [
                {"id": pair.id, "f1": pair.f1 and pair.f1._asdict()} for pair in report.pairs
            ]
        return record

    def render(self, format_: str) -> str:
        """Render as text, TSV or LaTeX; text of one system begins with the official four lines."""
        render = {"text": tables.as_text, "tsv": tables.as_tsv, "latex": tables.as_latex}[format_]
        if format_ == "text" and len(self.reports) == 1:
            bounds = self.intervals[0] if self.intervals else None
            figures = tables.official_lines(self.reports[0].f1, bounds)
        else:
            figures = render(tables.overview(self.reports, self.intervals))
        mark = {"text": "", "tsv": "# ", "latex": "% "}[format_]
        parts = [f"{figures}\n{mark}{self.signature}", *map(render, self._tables())]
        return "\n\n".join(parts)

    def _tables(self) -> list[tables.Table]:
        found = [tables.comparisons(self.comparisons)] if self.comparisons else []
        for report in self.reports:
            if self.views.by_label:
                found.append(tables.by_label(report))
            if self.views.confusion:
                found.append(tables.confusion(report))
            if self.views.per_pair:
                found.append(tables.per_pair(report))
        return found


def summarise(
    reports: Sequence[Report],
    views: Views | None = None,
    bootstrap: int | None = None,
    compare: bool = False,
    trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
    warnings: Sequence[str] = (),
) -> Summary:
    """Summarise reports against the same gold; ``seed`` is for intervals and tests."""
    options: dict[str, object] = {}
    intervals, comparisons = None, []
    if bootstrap or compare:
        from scorer import resampling

        if bootstrap:
            intervals = [resampling.bootstrap(report, bootstrap, seed) for report in reports]
            options["bootstrap"] = bootstrap
        if compare:
            pairs = combinations(reports, 2)
            comparisons = [resampling.compare(a, b, trials, seed) for a, b in pairs]
            options["trials"] = trials
        options["seed"] = seed
    signature = reports[0].signature(**options)
    return Summary(reports, signature, views or Views(), intervals, comparisons, warnings)
