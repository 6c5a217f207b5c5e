"""Entries that the cards of all trained models have in common."""

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ists.train.base import BASE_RECORD


def card_of(folder: Path, kind: str, **entries: Any) -> dict[str, Any]:
    """Return the card of a model: its name, kind and base model, and then other entries."""
    return {"name": folder.resolve().name, "kind": kind, "base": BASE_RECORD, **entries}


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of Python and of the packages that a training used."""
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
