"""The optional extension module: the innermost loops, compiled from `native/`.

Where it could not be compiled, or if the environment variable ``ISTS_PURE`` is 1, `kernels` is
None and the callers compute the same results in Python.
"""

import importlib
import os
from dataclasses import fields
from types import ModuleType
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type[Any])

_INTERFACE = 8


def _load() -> ModuleType | None:
    if os.environ.get("ISTS_PURE") == "1":
        return None
    try:
        module = importlib.import_module("ists._kernels")
    except ImportError:
        return None
    # An editable install may still have the one that an older version compiled.
    return module if module.INTERFACE == _INTERFACE else None


kernels = _load()


def quickly_built(cls: Class) -> Class:
    """Let a frozen dataclass with slots, without `__post_init__`, be built by the extension.

    The words of a text need many such objects, and their own `__init__` takes several times longer.
    """
    if kernels is not None and not hasattr(cls, "__post_init__"):
        kernels.build_quickly(cls, tuple(field.name for field in fields(cls)))
    return cls
