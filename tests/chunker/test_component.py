import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import entry_points

import pytest
import spacy

from tests.conftest import ROOT

GROUP, NAME = "spacy_factories", "ists_chunker"
LOAD = """
import json, sys
import spacy
assert "ists" not in sys.modules
doc = spacy.load(sys.argv[1])("The cat sleeps on the roof.")
print(json.dumps([(span.text, span.label_) for span in doc.spans["chunks"]]))
"""
CHUNKS = [["The cat", "NP"], ["sleeps", "VP"], ["on the roof", "PP"], [".", "PUNCT"]]


@pytest.fixture(scope="module")
def factory():
    """The factory registered in pyproject.toml."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    return named[GROUP][NAME]


@pytest.fixture
def saved(tmp_path, factory):
    """A pipeline with our component, on disk."""
    import_module(factory.partition(":")[0])
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    nlp.to_disk(tmp_path / "pipeline")
    return tmp_path / "pipeline"


def loaded_elsewhere(pipeline, *paths):
    """Load a pipeline in a new process that has not imported ists; return its chunks."""
    path = os.pathsep.join(map(str, (*paths, ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(pipeline)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        cwd=pipeline.parent,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_spacy_documents_get_their_chunks():
    import ists.chunker.component  # noqa: F401

    nlp = spacy.blank("en")
    nlp.add_pipe("ists_chunker")
    texts = ["The cat sleeps on the roof.", "", "Dogs  bark."]
    first, second, third = nlp.pipe(texts)
    assert [span.text for span in first.spans["chunks"]] == [
        "The cat",
        "sleeps",
        "on the roof",
        ".",
    ]
    assert [span.label_ for span in first.spans["chunks"]] == ["NP", "VP", "PP", "PUNCT"]
    assert list(second.spans["chunks"]) == []
    assert [span.text for span in third.spans["chunks"]] == ["Dogs", "bark", "."]
    again = nlp(texts[0])
    assert list(map(str, again.spans["chunks"])) == list(map(str, first.spans["chunks"]))


def test_the_package_registers_the_factory(factory):
    module, _, function = factory.partition(":")
    made = getattr(import_module(module), function)
    assert spacy.Language.get_factory_meta(NAME).factory == NAME
    assert callable(made)


def test_a_saved_pipeline_is_loaded_by_a_new_process(saved, factory, tmp_path):
    """With our own metadata, independent of the installation of this environment."""
    metadata = tmp_path / "site" / "named_factories-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: named-factories\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{NAME} = {factory}\n")
    assert loaded_elsewhere(saved, metadata.parent) == CHUNKS


def test_the_installed_package_registers_the_component(saved):
    if NAME not in entry_points(group=GROUP).names:
        pytest.skip("the installed metadata has no entry point yet: pip install -e . renews it")
    assert loaded_elsewhere(saved) == CHUNKS


def test_the_snippet_of_the_documentation_runs(tmp_path, monkeypatch, factory):
    """Run as in a REPL: one statement at a time, printing the values of expressions."""
    page = (ROOT / "docs/chunking.md").read_text()
    (snippet,) = re.findall(r"```python\n(import spacy\n.*?)```", page, re.DOTALL)
    import_module(factory.partition(":")[0])
    monkeypatch.chdir(tmp_path)
    shown = []
    monkeypatch.setattr(sys, "displayhook", lambda value: shown.append(repr(value)))
    names: dict[str, object] = {}
    for line in filter(None, snippet.splitlines()):
        exec(compile(line, "<page>", "single"), names)  # noqa: S102
    assert any("('on the roof', 'PP')" in text for text in shown)
    assert (tmp_path / "pipeline").is_dir()
