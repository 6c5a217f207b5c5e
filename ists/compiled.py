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

_INTERFACE = 14


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


def use_one_heap() -> None:
    """Let all threads of this process allocate from one heap, if the C library keeps several.

    Memory that was freed by a thread that loads a file is then used by those that align. For
    processes of ists itself, before they start threads: it affects everything in the process.
    """
    if kernels is not None:
        kernels.use_one_heap()


def quickly_built(cls: Class) -> Class:
    """Let a frozen dataclass be built by the extension, if it has nothing but slots to fill.

    The words of a text need many such objects, and their own `__init__` takes several times longer.
    The class must not define an `__init__` of its own: it would not be called.
    """
    names = tuple(field.name for field in fields(cls))
    new: Any = cls.__new__
    is_plain = (
        "__slots__" in vars(cls)
        and new is object.__new__
        and not hasattr(cls, "__post_init__")
        and all(field.init and not field.kw_only for field in fields(cls))
        and getattr(cls, "__match_args__", None) == names  # no `InitVar` either
    )
    if kernels is not None and is_plain:
        kernels.build_quickly(cls, names)
    return cls
