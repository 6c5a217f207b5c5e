"""Entries that the cards of all trained models have in common."""

import platform
from importlib.metadata import version


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of Python and of the packages that a training used."""
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
