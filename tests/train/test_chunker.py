import json

import pytest

from ists.chunker.tagger import Chunker
from ists.errors import FormatError

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")

from ists.train.chunker.fit import Hyperparameters  # noqa: E402
from ists.train.chunker.train import (  # noqa: E402
    Corpora,
    cross_validate,
    figures_of,
    train_chunker,
)

QUICK = Hyperparameters(pretraining_epochs=1, epochs=1)
CONLL = """\
The DT B-NP
cat NN I-NP
sleeps VBZ B-VP
on IN B-PP
mats NNS B-NP
. . O
"""


@pytest.fixture(scope="module")
def corpora(tmp_path_factory, base_model):
    folder = tmp_path_factory.mktemp("corpora")
    gold, conll = folder / "cats.sent1.chunk.txt", folder / "conll.txt"
    gold.write_text("[ A cat ] [ naps ] [ . ]\n[ Two boys ] [ run ] [ in the rain ]\n" * 4)
    conll.write_text(CONLL)
    return Corpora.read([gold, conll])


def test_training_writes_a_chunker_and_repeats_it_from_the_saved_pretraining(corpora, tmp_path):
    saved = tmp_path / "pretrained.safetensors"
    for name in ("one", "two"):
        train_chunker(corpora, tmp_path / name, QUICK, {"cats": 1}, saved)
    chunked = Chunker.load(str(tmp_path / "one")).chunk(["A", "cat", "sleeps"])
    assert [token for chunk in chunked.chunks for token in chunk] == ["A", "cat", "sleeps"]
    one, two = (tmp_path / name / "network.onnx" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    card = json.loads((tmp_path / "one" / "model.json").read_text())
    assert card["figures"] == {"cats": 1}
    assert card["training"]["recipe"]["pretraining_epochs"] == 1
    assert sorted(card["training"]["files"]) == ["cats.sent1.chunk.txt", "conll.txt"]
    assert card["labels"]["iob"] == ["B-NP", "B-PP", "B-VP", "I-NP", "O"]


def test_cross_validation_reports_every_corpus(corpora):
    messages: list[str] = []
    figures = figures_of(cross_validate(corpora, QUICK, progress=messages.append))
    assert figures["cats"]["sentences"] == 8
    assert set(figures["cats"]) == {"sentences", "exact_f1", "boundary_f1"}
    assert "fold 5 of 5" in messages


def test_files_without_gold_chunks_are_rejected(tmp_path):
    file = tmp_path / "conll.txt"
    file.write_text(CONLL)
    with pytest.raises(FormatError, match="no gold chunks in the training files"):
        Corpora.read([file])
