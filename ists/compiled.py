"""The optional extension module: the innermost loops, compiled from `native/`.

Where it could not be compiled, or if the environment variable ``ISTS_PURE`` is 1, `kernels` is
None and the callers compute the same results in Python.
"""

import importlib
import os
from types import ModuleType

_INTERFACE = 7


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
