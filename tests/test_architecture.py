"""Architecture: allowed imports between packages, light imports, public names."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ists
from tests.conftest import ROOT
from tests.docs import shown

_ARCHITECTURE = "docs/architecture.md"
_COLUMN = "may import"


def _module(name: str) -> str:
    """The module that a word of the table stands for: `pairs`, `ists/pairs.py`, `ists/formats/`."""
    name = name.strip("`").rstrip("/").removesuffix(".py").removesuffix("/__init__")
    name = name.replace("/", ".")
    return name if name.split(".")[0] in ("ists", "scorer") else f"ists.{name}"


def _allowed_imports() -> dict[str, set[str] | None]:
    """Packages that each package may import, by the table; None for anything."""
    text = shown.text_of(_ARCHITECTURE)
    (named,) = re.findall(r"The \*\*foundation\*\*\s+is (.*?)\.", text, re.DOTALL)
    groups = {"foundation": set(map(_module, re.findall("`.*?`", named))), "nothing": set()}
    (table,) = (table for table in shown.tables(text) if _COLUMN in table.head)
    allowed: dict[str, set[str] | None] = {}
    for package, _, words in table.rows:
        parts = [groups.get(word, {_module(word)}) for word in words.split(", ")]
        allowed[_module(package)] = None if words == "anything" else set().union(*parts)
    return allowed


_MAY_IMPORT = _allowed_imports()
_HEAVY = {"lxml", "networkx", "nltk", "numpy", "onnxruntime", "scipy", "sklearn", "spacy", "torch"}


def package_of(module: str) -> str:
    if module.split(".")[0] == "scorer":
        return "scorer"
    return ".".join(module.split(".")[:2])


def imports_of(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module}
    return {name for name in names if name.split(".")[0] in ("ists", "scorer")}


def modules() -> list[Path]:
    return sorted([*ROOT.glob("ists/**/*.py"), *ROOT.glob("scorer/**/*.py")])


@pytest.mark.parametrize("file", modules(), ids=lambda file: str(file.relative_to(ROOT)))
def test_packages_import_only_what_they_may(file):
    module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    package = package_of(module)
    assert package in _MAY_IMPORT, f"a new package: add it to the table of {_ARCHITECTURE}"
    allowed = _MAY_IMPORT[package]
    if allowed is not None:
        assert {package_of(name) for name in imports_of(file)} - {package} <= allowed


def test_the_table_names_only_packages_that_exist():
    existing = {
        package_of(".".join(file.relative_to(ROOT).with_suffix("").parts)) for file in modules()
    }
    existing = {name.removesuffix(".__init__") for name in existing}
    named = set(_MAY_IMPORT).union(*filter(None, _MAY_IMPORT.values()))
    assert named == existing


def test_every_file_that_the_page_names_exists():
    texts = shown.text_of(_ARCHITECTURE), (ROOT / "docs/path-of-a-pair.svg").read_text()
    names = {
        name for text in texts for name in re.findall(r"(?:ists|scorer|data|tests)/[\w/.]*\w", text)
    }
    assert len(names) > 30
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []


def heavy_modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.splitlines()[-1].split()) & _HEAVY


def test_importing_ists_loads_nothing_heavy():
    assert not heavy_modules_after("import ists; ists.SentencePair")


def test_scoring_loads_nothing_heavy():
    code = """
from click.testing import CliRunner
from ists.cli import cli
file = "data/examples/gold.wa"
outcome = CliRunner().invoke(cli, ["score", file, file, "--by-label"])
assert outcome.exit_code == 0, outcome.output
"""
    assert not heavy_modules_after(code)


def test_public_names():
    assert ists.__all__ == [
        "Aligner",
        "Alignment",
        "Chunk",
        "Chunker",
        "Flag",
        "FormatError",
        "IstsError",
        "ModelError",
        "Relation",
        "Sentence",
        "SentencePair",
        "Similarity",
        "__version__",
        "explain",
        "read",
        "render",
        "score",
        "show",
        "write",
    ]
    assert all(getattr(ists, name) is not None for name in ists.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ists.nonsense  # noqa: B018
