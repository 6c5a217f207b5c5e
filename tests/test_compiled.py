"""The optional extension: it is there where it can be, and never needed."""

import shutil
import subprocess
import sys
from os import environ

import pytest

from ists import compiled
from tests.conftest import ROOT

_PAIRS = "tests/golden/pairs.tsv"


def aligned(**variables: str) -> bytes:
    command = (sys.executable, "-m", "ists", "align", _PAIRS, "--format", "jsonl", "--why")
    return subprocess.run(
        [*command, "--matrix"],
        cwd=ROOT,
        env={**environ, **variables},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.skipif(environ.get("ISTS_PURE") == "1", reason="ISTS_PURE is set")
def test_the_extension_is_compiled_where_there_is_a_compiler():
    assert compiled.kernels is not None


def test_a_variable_turns_the_extension_off(monkeypatch):
    monkeypatch.setenv("ISTS_PURE", "1")
    assert compiled._load() is None


def test_an_extension_of_another_version_is_not_used(monkeypatch):
    monkeypatch.delenv("ISTS_PURE", raising=False)
    monkeypatch.setattr(compiled, "_INTERFACE", -1)
    assert compiled._load() is None


@pytest.mark.skipif(compiled.kernels is None, reason="the extension is not compiled")
def test_the_output_is_the_same_with_and_without_the_extension():
    assert aligned() == aligned(ISTS_PURE="1")
