"""The house keeps its shape: who may import whom, what stays light, what is public."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ists
from tests.conftest import ROOT

# The last column of the table in the README ("The house"): rooms a room may import, itself aside.
_FOUNDATION = {
    "ists",
    "ists.errors",
    "ists.files",
    "ists.resources",
    "ists.spool",
    "ists.stages",
}
_MAY_IMPORT: dict[str, set[str] | None] = {
    "ists": None,  # names of every room, each imported when it is asked for
    "ists.__main__": {"ists.cli"},
    "ists.pairs": {"ists"},  # a notebook that shows a pair asks for its picture by public name
    "ists.errors": set(),
    "ists.files": {"ists.errors"},
    "ists.resources": {"ists.errors"},
    "ists.spool": set(),
    "ists.stages": set(),
    "ists.models": _FOUNDATION,
    "ists.seen": {*_FOUNDATION, "ists.models"},
    "ists.encoder": {*_FOUNDATION, "ists.models"},
    "ists.formats": {*_FOUNDATION, "ists.pairs"},
    "ists.lexicon": _FOUNDATION,
    "ists.language": {*_FOUNDATION, "ists.lexicon"},
    "ists.chunker": {*_FOUNDATION, "ists.pairs", "ists.formats", "ists.models", "ists.encoder"},
    "ists.aligner": {
        *_FOUNDATION,
        "ists.pairs",
        "ists.models",
        "ists.encoder",
        "ists.lexicon",
    },
    "ists.labeler": {*_FOUNDATION, "ists.pairs", "ists.lexicon"},
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


def room_of(module: str) -> str:
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
def test_rooms_import_only_what_they_may(file):
    module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    room = room_of(module)
    assert room in _MAY_IMPORT, "a new room: say in the table what it may import"
    allowed = _MAY_IMPORT[room]
    if allowed is not None:
        assert {room_of(name) for name in imports_of(file)} - {room} <= allowed


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


def test_the_public_names_are_these():
    assert ists.__all__ == [
        "Aligner",
        "Alignment",
        "Chunk",
        "Flag",
        "FormatError",
        "IstsError",
        "ModelError",
        "Relation",
        "Sentence",
        "SentencePair",
        "__version__",
        "read",
        "render",
        "show",
        "write",
    ]
    assert all(getattr(ists, name) is not None for name in ists.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ists.nonsense  # noqa: B018
