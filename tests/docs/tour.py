"""Executes the notebook of the documentation; run as a module, writes it with its outputs."""

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.conftest import ROOT

TOUR = ROOT / "docs" / "tour.ipynb"
_SECONDS = 300


def read() -> NotebookNode:
    return nbformat.read(TOUR, as_version=4)


def executed(notebook: NotebookNode) -> NotebookNode:
    """The notebook with the outputs of this checkout, without what differs from run to run."""
    client = NotebookClient(
        notebook,
        timeout=_SECONDS,
        resources={"metadata": {"path": str(TOUR.parent)}},
        record_timing=False,
    )
    client.execute()
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def printed(notebook: NotebookNode) -> list[str]:
    """What each code cell prints."""
    return [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


if __name__ == "__main__":
    nbformat.write(executed(read()), TOUR)
