"""Architecture: allowed imports between packages, light imports, public names."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ists
from tests.conftest import ROOT

# The packages and modules that each one may import, besides itself.
_FOUNDATION = {
    "ists",
    "ists.errors",
    "ists.files",
    "ists.garbage",
    "ists.resources",
    "ists.sets",
    "ists.spool",
    "ists.stages",
}
_MAY_IMPORT: dict[str, set[str] | None] = {
    "ists": None,  # public names of all packages, each imported on first access
    "ists.__main__": {"ists.cli"},
    "ists.pairs": {"ists"},  # `_repr_html_` renders the pair by the public function
    "ists.arrays": set(),
    "ists.errors": set(),
    "ists.files": {"ists.errors"},
    "ists.resources": {"ists.errors"},
    "ists.garbage": set(),
    "ists.sets": set(),
    "ists.spool": set(),
    "ists.stages": set(),
    "ists.models": _FOUNDATION,
    "ists.seen": {*_FOUNDATION, "ists.models"},
    "ists.encoder": {*_FOUNDATION, "ists.arrays", "ists.models"},
    "ists.scored_pair": {*_FOUNDATION, "ists.pairs"},
    "ists.formats": {*_FOUNDATION, "ists.pairs"},
    "ists.lexicon": _FOUNDATION,
    "ists.language": {*_FOUNDATION, "ists.lexicon"},
    "ists.chunker": {
        *_FOUNDATION,
        "ists.arrays",
        "ists.pairs",
        "ists.formats",
        "ists.models",
        "ists.encoder",
    },
    "ists.aligner": {
        *_FOUNDATION,
        "ists.arrays",
        "ists.pairs",
        "ists.models",
        "ists.encoder",
        "ists.lexicon",
        "ists.scored_pair",
    },
    "ists.labeler": {
        *_FOUNDATION,
        "ists.arrays",
        "ists.pairs",
        "ists.lexicon",
        "ists.scored_pair",
    },
    "ists.explain": {*_FOUNDATION, "ists.pairs", "ists.lexicon", "ists.labeler"},
    "ists.report": {*_FOUNDATION, "ists.pairs", "ists.formats", "ists.explain", "scorer"},
    "ists.similarity": {
        *_FOUNDATION,
        "ists.pairs",
        "ists.formats",
        "ists.models",
        "ists.encoder",
        "ists.chunker",
    },
    "ists.pipeline": None,
    "ists.annotate": {*_FOUNDATION, "ists.pairs", "ists.formats", "ists.chunker", "ists.explain"},
    "ists.runs": {
        *_FOUNDATION,
        "ists.pairs",
        "ists.models",
        "ists.formats",
        "ists.chunker",
        "ists.similarity",
        "ists.pipeline",
        "ists.frames",
    },
    "ists.frames": {
        *_FOUNDATION,
        "ists.formats",
        "ists.chunker",
        "ists.pipeline",
    },
    "ists.corpus": {*_FOUNDATION, "ists.pairs", "ists.formats", "ists.chunker", "scorer"},
    "ists.bench": None,
    "ists.train": None,
    "ists.cli": None,
    "scorer": {*_FOUNDATION, "ists.pairs", "ists.formats"},
}
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
    assert package in _MAY_IMPORT, "a new package: list in the table above what it may import"
    allowed = _MAY_IMPORT[package]
    if allowed is not None:
        assert {package_of(name) for name in imports_of(file)} - {package} <= allowed


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
