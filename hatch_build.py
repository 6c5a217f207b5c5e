"""Build hook: compiles the optional extension module `ists._kernels` from `native/`.

Without a C compiler the package is built without it, and the same results are computed in Python.
"""

import os
import shutil
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_NAME = "_kernels"
_FILE = _NAME + EXTENSION_SUFFIXES[0]
# Sums must be rounded as numpy rounds them: no fused multiply-add, no reordering, whatever CFLAGS
# says. The linker gets the flags too: -ffast-math there would turn off subnormal numbers in the
# whole process.
_EXACT = ["-O3", "-g0", "-fno-fast-math", "-ffp-contract=off", "-fvisibility=hidden"]
_FLAGS = [] if sys.platform == "win32" else _EXACT


class KernelsHook(BuildHookInterface):
    """Compiles the extension and adds it to the wheel."""

    _scratch: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is built; in an editable install, into the source tree."""
        root = Path(self.root)
        if version == "editable":
            # An older one would be loaded if it is not compiled again.
            (root / "ists" / _FILE).unlink(missing_ok=True)
        if os.environ.get("ISTS_PURE") == "1":
            return
        folder = root / "ists"
        if version != "editable":
            folder = self._scratch = Path(tempfile.mkdtemp())
        try:
            built = _compile(root / "native", folder)
        except (Exception, SystemExit) as error:
            # Whatever fails, the package works without the extension.
            self.app.display_warning(f"ists._kernels was not compiled: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version != "editable":
            build_data["force_include"][str(built)] = f"ists/{built.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete what was compiled for the wheel."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch)


def _compile(sources: Path, folder: Path) -> Path:
    """Compile the extension and return the file."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extension = Extension(
        _NAME,
        sources=sorted(map(str, sources.glob("*.c"))),
        extra_compile_args=_FLAGS,
        extra_link_args=_FLAGS,
    )
    command = build_ext(Distribution({"name": "ists", "ext_modules": [extension]}))
    with tempfile.TemporaryDirectory() as scratch:
        command.build_lib, command.build_temp = str(folder), scratch
        command.force = True  # also if a binary is newer: the flags may have changed
        command.ensure_finalized()
        command.run()
    return folder / _FILE
