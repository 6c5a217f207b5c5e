"""The build hook: flags of the compiler, and no binary that the sources did not make."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

hatch_build = pytest.importorskip("hatch_build", reason="hatchling is not installed")

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

_SMALL = """
#include <Python.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_kernels"};
PyMODINIT_FUNC PyInit__kernels(void) { return PyModule_Create(&definition); }
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree with an extension that someone compiled earlier."""
    for folder in ("native", "ists"):
        (tmp_path / folder).mkdir()
    (tmp_path / "native" / "kernels.c").write_text(_SMALL)
    (tmp_path / "ists" / hatch_build._FILE).write_bytes(b"old")
    return tmp_path


def install(tree: Path) -> bytes | None:
    """What an editable install leaves as the extension."""
    hook = hatch_build.KernelsHook(str(tree), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    hook.initialize("editable", {})
    built = tree / "ists" / hatch_build._FILE
    return built.read_bytes() if built.exists() else None


@needs_compiler
def test_an_install_replaces_even_a_newer_binary(tree, monkeypatch):
    monkeypatch.delenv("ISTS_PURE", raising=False)
    assert b"PyInit__kernels" in (install(tree) or b"")


def test_an_install_that_cannot_compile_leaves_no_binary(tree, monkeypatch):
    monkeypatch.delenv("ISTS_PURE", raising=False)
    (tree / "native" / "kernels.c").write_text("#error")
    assert install(tree) is None


def test_an_install_without_the_extension_leaves_no_binary(tree, monkeypatch):
    monkeypatch.setenv("ISTS_PURE", "1")
    assert install(tree) is None


@needs_compiler
@pytest.mark.parametrize("asked", ["-ffast-math", "-Ofast"])
def test_sums_are_never_reordered(asked):
    def macros(*flags: str) -> bytes:
        command = ("cc", *flags, "-dM", "-E", "-x", "c", "/dev/null")
        return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout

    assert b"__FAST_MATH__" in macros(asked)
    assert b"__FAST_MATH__" not in macros(asked, *hatch_build._FLAGS)
    assert "__FAST_MATH__" in (ROOT / "native" / "kernels.h").read_text()
