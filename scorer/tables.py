"""Reports as tables, and tables as text, TSV, LaTeX or Markdown: one shape for every view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ists.errors import printable
from scorer.measures import Measures
from scorer.report import NAMES, Report

if TYPE_CHECKING:  # resampling brings numpy, which most reports do without
    from scorer.resampling import Comparison, Interval

Row = tuple[str, ...]


class Table(NamedTuple):
    """A title, a head and rows of finished cells; the first column is text, the rest figures."""

    title: str
    head: Row
    rows: Sequence[Row]

    def printable(self) -> Table:
        """The same with every cell on one line: ids and file names may hold anything."""
        rows = [tuple(map(printable, row)) for row in self.rows]
        return Table(printable(self.title), tuple(map(printable, self.head)), rows)


def overview(reports: Sequence[Report], intervals: Sequence[Sequence[Interval]] | None) -> Table:
    """The four measures of each system, with bootstrap intervals where there are any."""
    rows = []
    for index, report in enumerate(reports):
        bounds: Sequence[Interval | None] = intervals[index] if intervals else [None] * 4
        cells = [_with_interval(f, b) for f, b in zip(report.f1, bounds, strict=True)]
        rows.append((report.system, *cells))
    return Table("", ("system", *NAMES), rows)


def by_label(report: Report) -> Table:
    """Precision, recall and F1 of each relation."""
    rows = [
        (label, *(_figure(row[key]) for key in ("precision", "recall", "f1")), f"{row['gold']:.1f}")
        for label, row in report.by_label().items()
    ]
    title = f"By label: {report.system}"
    return Table(title, ("label", "precision", "recall", "F1", "weight in gold"), rows)


def confusion(report: Report) -> Table:
    """Gold labels down, system labels across, by weight."""
    matrix = report.confusion()
    rows = [(label, *(_weight(value) for value in row.values())) for label, row in matrix.items()]
    title = f"Confusion (gold down, system across): {report.system}"
    return Table(title, ("gold", *report.labels), rows)


def per_pair(report: Report) -> Table:
    """The four measures of each pair on its own; ``-`` where neither file aligns anything."""
    rows = [
        (pair.id, *(("-",) * 4 if pair.f1 is None else map(_figure, pair.f1)))
        for pair in report.pairs
    ]
    return Table(f"Per pair: {report.system}", ("pair", *NAMES), rows)


def comparisons(results: Sequence[Comparison]) -> Table:
    """Differences between systems, each with its p-value."""
    rows = [
        (
            f"{result.second} - {result.first}",
            *(f"{d:+.4f} (p={p:.4f})" for d, p in zip(result.difference, result.p, strict=True)),
        )
        for result in results
    ]
    return Table("Differences (paired approximate randomisation)", ("systems", *NAMES), rows)


def official_lines(f1: Measures, intervals: Sequence[Interval] | None = None) -> str:
    """The four lines of the task's own program."""
    bounds: Sequence[Interval | None] = intervals or [None] * len(f1)
    return "\n".join(
        f"{name:<10} {_with_interval(value, bound)}"
        for name, value, bound in zip(NAMES, f1, bounds, strict=True)
    )


def as_text(table: Table) -> str:
    """Columns aligned for reading."""
    table = table.printable()
    rows = [table.head, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = [table.title] if table.title else []
    for first, *rest in rows:
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def as_tsv(table: Table) -> str:
    """Tab-separated lines under a head."""
    table = table.printable()
    lines = [f"# {table.title}"] if table.title else []
    return "\n".join([*lines, *("\t".join(row) for row in [table.head, *table.rows])])


def as_latex(table: Table) -> str:
    """A tabular to paste into a paper (package booktabs)."""
    table = table.printable()
    head, *rows = [
        " & ".join(map(_latex_escaped, row)) + r" \\" for row in [table.head, *table.rows]
    ]
    return "\n".join(
        [
            *([f"% {table.title}"] if table.title else []),
            r"\begin{tabular}{l" + "r" * (len(table.head) - 1) + "}",
            r"\toprule",
            head,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def as_markdown(table: Table) -> str:
    """A pipe table under its title."""
    table = table.printable()
    rule = (":--", *["--:"] * (len(table.head) - 1))
    rows = [tuple(map(_markdown_escaped, row)) for row in (table.head, rule, *table.rows)]
    lines = [f"**{_markdown_escaped(table.title)}**", ""] if table.title else []
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_<>|[]#"})


def _markdown_escaped(cell: str) -> str:
    return cell.translate(_MARKDOWN)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)


def _latex_escaped(cell: str) -> str:
    return cell.translate(_LATEX)


def _with_interval(value: float, interval: Interval | None) -> str:
    if interval is None:
        return _figure(value)
    return f"{_figure(value)} [{_figure(interval.low)}, {_figure(interval.high)}]"


def _figure(value: float) -> str:
    return f"{value:.4f}"


def _weight(value: float) -> str:
    return f"{value:.1f}" if value else "."
