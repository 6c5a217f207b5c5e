"""The published result tables under ``data/published``: figures, one table a file."""

from ists.resources import data_path

UNKNOWN = "-"
"""A cell without a figure: not ranked, not run, or not legible in our copy."""


def rows(table: str) -> list[dict[str, str]]:
    """The rows of a table by column; lines that begin with ``#`` tell where it comes from."""
    lines = data_path("published", f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    head, *cells = [line.split("\t") for line in lines if not line.startswith("#")]
    return [dict(zip(head, row, strict=True)) for row in cells]


def figure(cell: str) -> float | None:
    """A cell as a number, if it is one."""
    return None if cell == UNKNOWN else float(cell)
