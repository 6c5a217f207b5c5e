"""Pre-training on judged pairs, as ``ists train entailment`` runs it, and its file."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save

from ists.chunker.tagger import Chunker
from ists.errors import FormatError, ModelError
from ists.files import atomic_output
from ists.models import sha256_of
from ists.seen import fingerprint
from ists.train.cards import versions
from ists.train.entailment.fit import Hyperparameters, Trainer
from ists.train.entailment.pairs import read_judged
from ists.train.gold import read_pairs
from ists.train.loop import Progress, State
from ists.train.onnx_graph import exported_state
from ists.train.seen import gold_texts

_RECORD, _SEEN = "training", "seen"
"""Entries of the file's metadata: the card's record, the fingerprints of the training pairs."""
_PACKAGES = ("ists", "torch")


def train_entailment(
    files: Sequence[Path],
    without: Sequence[Path],
    chunker: Chunker,
    output: Path,
    hyperparameters: Hyperparameters,
    progress: Progress = lambda _: None,
) -> None:
    """Train on judged pairs and write the network for `Pretraining` to load.

    ``without``: gold files whose pairs are left out, so that an aligner's held-out pairs are new to
    its network.
    """
    unseen = frozenset(_fingerprints(without))
    pairs = [pair for file in files for pair in read_judged(file, unseen)]
    if not pairs:
        raise FormatError("no pairs to train on are left, expected other pairs than those left out")
    start = exported_state(chunker.model.file("network.onnx"))
    state = Trainer(hyperparameters, chunker, start, progress).train(pairs)
    record = {
        "files": {f"{file.parent.name}/{file.name}": sha256_of(file) for file in files},
        "without": {file.name: sha256_of(file) for file in without},
        "pairs": len(pairs),
        "chunker": chunker.model.name,
        "recipe": asdict(hyperparameters),
        "versions": versions(*_PACKAGES),
    }
    seen = "\n".join(sorted({pair.fingerprint for pair in pairs}))
    with atomic_output(output) as stream:
        stream.write(save(state, {_RECORD: json.dumps(record), _SEEN: seen}))
    progress(f"{output}: written")


def load_entailment(file: Path) -> State:
    """Load the network of a file; raise a `ModelError` if it is none."""
    try:
        return load_file(file)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{file}: not a network of 'ists train entailment': {error}") from None


def record_of(file: Path) -> dict[str, Any]:
    """Return the record of the training that a file holds, for a model's card."""
    found: dict[str, Any] = json.loads(_metadata(file).get(_RECORD, "{}"))
    return found


def seen_in(file: Path) -> frozenset[str]:
    """Return the fingerprints of the pairs that the network of a file was trained on."""
    return frozenset(_metadata(file).get(_SEEN, "").split())


def _metadata(file: Path) -> dict[str, str]:
    with safe_open(file, "pt") as stored:
        return stored.metadata() or {}


def _fingerprints(files: Iterable[Path]) -> Iterable[str]:
    return (fingerprint(*texts) for file in files for texts in gold_texts(read_pairs(file)))
