"""The pre-trained network from which the training of an aligner starts."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ists.chunker.tagger import KIND as CHUNKER
from ists.errors import ModelError
from ists.models import open_model, sha256_of
from ists.train.chunker.fit import Hyperparameters, Tags, Trainer
from ists.train.chunker.train import load_pretrained, pretrain
from ists.train.corpora import read_conll
from ists.train.entailment.train import load_entailment, record_of, seen_in
from ists.train.loop import Progress, State
from ists.train.onnx_graph import exported_state


@dataclass(frozen=True)
class Pretraining:
    """The source of the pre-trained network."""

    conll: Path | None = None
    """CoNLL-2000, on which it is trained."""
    file: Path | None = None
    """The file of the pre-trained network: loaded if it exists, else written."""
    chunker: str | None = None
    """Name or folder of a chunker whose network is used instead."""
    entailment: Path | None = None
    """The file of a network that was pre-trained on judged pairs, used instead of a chunker's."""

    def network(self, progress: Progress) -> State | None:
        """Return the network, or None if training starts from MiniLM alone."""
        if self.entailment is not None:
            return load_entailment(self.entailment)
        if self.chunker is not None:
            return exported_state(open_model(self.chunker, CHUNKER).file("network.onnx"))
        if (saved := load_pretrained(self.file)) is not None:
            return saved
        if self.conll is None:
            if self.file is not None:
                raise ModelError(f"{self.file}: no such file, and no CoNLL-2000 to train it on")
            return None
        sentences = read_conll(self.conll)
        return pretrain(
            Trainer(Hyperparameters(), Tags.of(sentences), progress), sentences, self.file
        )

    def pairs(self) -> frozenset[str]:
        """Return the fingerprints of the sentence pairs that the network was trained on."""
        return frozenset() if self.entailment is None else seen_in(self.entailment)

    def to_record(self) -> dict[str, Any]:
        """Return the card's entry on the pre-training."""
        if self.entailment is not None:
            return {"entailment": record_of(self.entailment)}
        if self.chunker is not None:
            model = open_model(self.chunker, CHUNKER)
            return {"chunker": model.name, "files": dict(model.card["files"])}
        files = [path for path in (self.conll, self.file) if path is not None and path.is_file()]
        hashes = {path.name: sha256_of(path) for path in files}
        return {"files": hashes, "recipe": asdict(Hyperparameters())}
