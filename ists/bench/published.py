"""The published result tables under ``data/published``, one table per file."""

from ists.resources import data_path

UNKNOWN = "-"
"""Content of a cell without a figure: not ranked, not run, or not legible in our copy."""


def rows(table: str) -> list[dict[str, str]]:
    """Read the rows of a table by column; lines that begin with ``#`` are comments."""
    lines = data_path("published", f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    head, *cells = [line.split("\t") for line in lines if not line.startswith("#")]
    return [dict(zip(head, row, strict=True)) for row in cells]


def figure(cell: str) -> float | None:
    """Return the number in a cell; None if it is unknown."""
    return None if cell == UNKNOWN else float(cell)
