"""Paths of the shipped data and models: inside an installed package, beside it in a checkout."""

from pathlib import Path

from ists.errors import ModelError

_PACKAGE = Path(__file__).resolve().parent


def _find(folder: str, parts: tuple[str, ...]) -> Path:
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root.joinpath(folder, *parts)
        if path.exists():
            return path
    raise ModelError(f"{'/'.join((folder, *parts))} is missing from this installation of ists")


def data_path(*parts: str) -> Path:
    """Return the path of a file or folder under ``data/``."""
    return _find("data", parts)


def models_path(*parts: str) -> Path:
    """Return the path of a file or folder under ``models/``."""
    return _find("models", parts)
