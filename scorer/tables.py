"""Convert reports to tables, and tables to text, TSV, LaTeX, Markdown or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from ists.errors import printable
from scorer.measures import Measures
from scorer.report import NAMES, Report

if TYPE_CHECKING:  # resampling imports numpy, which most reports do not need
    from scorer.resampling import Comparison, Interval

Row = tuple[str, ...]


class Table(NamedTuple):
    """Title, header and rows of formatted cells; the first column is text, the rest are figures."""

    title: str
    head: Row
    rows: Sequence[Row]

    def printable(self) -> Table:
        """Return the table with control characters escaped, as in ids and file names."""
        rows = [tuple(map(printable, row)) for row in self.rows]
        return Table(printable(self.title), tuple(map(printable, self.head)), rows)


def overview(reports: Sequence[Report], intervals: Sequence[Sequence[Interval]] | None) -> Table:
    """Tabulate the four measures of each system, with bootstrap intervals if given."""
    rows = []
    for index, report in enumerate(reports):
        bounds: Sequence[Interval | None] = intervals[index] if intervals else [None] * 4
        cells = [_with_interval(f, b) for f, b in zip(report.f1, bounds, strict=True)]
        rows.append((report.system, *cells))
    return Table("", ("system", *NAMES), rows)


def by_label(report: Report) -> Table:
    """Tabulate precision, recall and F1 of each label."""
    rows = [
        (label, *(_figure(row[key]) for key in ("precision", "recall", "f1")), f"{row['gold']:.1f}")
        for label, row in report.by_label().items()
    ]
    title = f"By label: {report.system}"
    return Table(title, ("label", "precision", "recall", "F1", "weight in gold"), rows)


def confusion(report: Report) -> Table:
    """Tabulate the confusion matrix by weight: gold labels in rows, system labels in columns."""
    matrix = report.confusion()
    rows = [(label, *(_weight(value) for value in row.values())) for label, row in matrix.items()]
    title = f"Confusion (gold down, system across): {report.system}"
    return Table(title, ("gold", *report.label_counts.labels), rows)


def per_pair(report: Report) -> Table:
    """Tabulate the four measures of each pair; ``-`` if neither file has a link."""
    rows = [
        (pair.id, *(("-",) * 4 if pair.f1 is None else map(_figure, pair.f1)))
        for pair in report.pairs
    ]
    return Table(f"Per pair: {report.system}", ("pair", *NAMES), rows)


def comparisons(results: Sequence[Comparison]) -> Table:
    """Tabulate the differences between systems with their p-values."""
    rows = [
        (
            f"{result.second} - {result.first}",
            *(f"{d:+.4f} (p={p:.4f})" for d, p in zip(result.difference, result.p, strict=True)),
        )
        for result in results
    ]
    return Table("Differences (paired approximate randomisation)", ("systems", *NAMES), rows)


def official_lines(f1: Measures, intervals: Sequence[Interval] | None = None) -> str:
    """Format the measures as the four lines of the official program."""
    bounds: Sequence[Interval | None] = intervals or [None] * len(f1)
    return "\n".join(
        f"{name:<10} {_with_interval(value, bound)}"
        for name, value, bound in zip(NAMES, f1, bounds, strict=True)
    )


def as_text(table: Table) -> str:
    """Render a table as text with aligned columns."""
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
    """Render a table as tab-separated lines under a header."""
    table = table.printable()
    lines = [f"# {table.title}"] if table.title else []
    return "\n".join([*lines, *("\t".join(row) for row in [table.head, *table.rows])])


def as_html(table: Table) -> str:
    """Render a table as HTML in the colours of the page around it, such as a notebook."""
    table = table.printable()
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>\n"
        for first, *rest in table.rows
    )
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"


def measures_by_figure(report: Report) -> Table:
    """Tabulate F1, precision and recall of the four measures of one system."""
    figures = (("F1", report.f1), ("precision", report.precision), ("recall", report.recall))
    rows = [(name, *map(_figure, values)) for name, values in figures]
    head = ("", *(name.removeprefix("F1 ") for name in NAMES))
    return Table(f"{report.system}: {report.signature()}", head, rows)


def as_latex(table: Table) -> str:
    """Render a table as a LaTeX tabular (needs the package booktabs)."""
    table = table.printable()
    head, *rows = [
        " & ".join(map(_escape_latex, row)) + r" \\" for row in [table.head, *table.rows]
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
    """Render a table as a Markdown pipe table under its title."""
    table = table.printable()
    rule = (":--", *["--:"] * (len(table.head) - 1))
    rows = [tuple(map(_escape_markdown, row)) for row in (table.head, rule, *table.rows)]
    lines = [f"**{_escape_markdown(table.title)}**", ""] if table.title else []
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_<>|[]#"})


def _escape_markdown(cell: str) -> str:
    return cell.translate(_MARKDOWN)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)


def _escape_latex(cell: str) -> str:
    return cell.translate(_LATEX)


def _with_interval(value: float, interval: Interval | None) -> str:
    if interval is None:
        return _figure(value)
    return f"{_figure(value)} [{_figure(interval.low)}, {_figure(interval.high)}]"


def _figure(value: float) -> str:
    return f"{value:.4f}"


def _weight(value: float) -> str:
    return f"{value:.1f}" if value else "."
