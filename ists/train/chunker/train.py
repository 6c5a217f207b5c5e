"""Training and cross-validation of a chunker, as ``ists train chunker`` runs them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from ists.errors import FormatError, ModelError
from ists.formats.brackets import Chunks
from ists.models import sha256_of
from ists.train.base import base_word_pieces
from ists.train.batching import encoder_batch, in_blocks
from ists.train.chunker.export import write_chunker
from ists.train.chunker.fit import Hyperparameters, Tags, Trainer
from ists.train.chunker.network import ChunkerNetwork
from ists.train.corpora import FOLDS, LabelledSentence, read_corpus
from ists.train.loop import Progress, State
from scorer.chunk_agreement import ChunkReport, compare_chunks

_BATCH = 64
"""Sentences per batch of the evaluation."""


@dataclass(frozen=True)
class Corpora:
    """The training sentences."""

    gold: list[LabelledSentence]
    """With gold chunks."""
    conll: list[LabelledSentence]
    """With CoNLL-2000's chunk tags and parts of speech."""
    files: dict[str, str]
    """File names and their hashes, for the card."""

    @classmethod
    def read(cls, paths: Sequence[Path]) -> "Corpora":
        """Read files of bracketed gold chunks and files in CoNLL-2000's columns."""
        sentences = [sentence for path in paths for sentence in read_corpus(path)]
        gold = [sentence for sentence in sentences if sentence.starts is not None]
        if not gold:
            raise FormatError("no gold chunks in the training files, expected bracketed chunks")
        conll = [sentence for sentence in sentences if sentence.iob is not None]
        return cls(gold, conll, {path.name: sha256_of(path) for path in paths})


def train_chunker(
    corpora: Corpora,
    folder: Path,
    hyperparameters: Hyperparameters,
    figures: Mapping[str, Any] | None = None,
    pretrained: Path | None = None,
    progress: Progress = lambda _: None,
) -> None:
    """Train on all corpora and write a model folder.

    ``pretrained`` is the file of the pre-trained network: loaded if it exists, else written.
    """
    trainer = Trainer(hyperparameters, Tags.of(corpora.conll), progress)
    start = pretrain(trainer, corpora.conll, pretrained)
    state = trainer.train(start, corpora.gold, corpora.conll)
    folder.mkdir(parents=True, exist_ok=True)
    write_chunker(folder, state, trainer.tags, corpora.files, hyperparameters, figures or {})


def cross_validate(
    corpora: Corpora,
    hyperparameters: Hyperparameters,
    pretrained: Path | None = None,
    progress: Progress = lambda _: None,
) -> dict[str, ChunkReport]:
    """Return a report for each corpus, from five folds by pair.

    Pre-training uses no gold chunks, so one pre-trained network serves all folds.
    """
    trainer = Trainer(hyperparameters, Tags.of(corpora.conll), progress)
    start = pretrain(trainer, corpora.conll, pretrained)
    compared: dict[str, list[tuple[Chunks, Chunks]]] = {}
    for fold in range(FOLDS):
        progress(f"fold {fold + 1} of {FOLDS}")
        training = [sentence for sentence in corpora.gold if sentence.fold != fold]
        held_out = [sentence for sentence in corpora.gold if sentence.fold == fold]
        state = trainer.train(start, training, corpora.conll)
        predicted = predict_starts(state, trainer.tags, hyperparameters, held_out)
        for sentence, starts in zip(held_out, predicted, strict=True):
            gold, own = (_chunks(sentence.tokens, s) for s in (sentence.starts or (), starts))
            compared.setdefault(sentence.corpus, []).append((gold, own))
    return {
        corpus: compare_chunks([gold for gold, _ in pairs], [own for _, own in pairs])
        for corpus, pairs in compared.items()
    }


def figures_of(reports: Mapping[str, ChunkReport]) -> dict[str, Any]:
    """Return the figures of a cross-validation as a model's card records them."""
    return {
        corpus: {
            "sentences": report.sentences,
            "exact_f1": round(report.chunks.f1, 4),
            "boundary_f1": round(report.boundaries.f1, 4),
        }
        for corpus, report in sorted(reports.items())
    }


def pretrain(
    trainer: Trainer, conll: Sequence[LabelledSentence], file: Path | None
) -> State | None:
    """Return the network pre-trained on CoNLL-2000, or None without any of its sentences.

    The network is loaded from the file if it exists, else trained and saved there.
    """
    if not conll:
        return None
    if (saved := load_pretrained(file)) is not None:
        return saved
    state = trainer.pretrain(conll, trainer.hyperparameters.seeds[0])
    if file is not None:
        save_file(state, file)
    return state


def load_pretrained(file: Path | None) -> State | None:
    """Load a pre-trained network; return None if there is no such file."""
    if file is None or not file.exists():
        return None
    try:
        return load_file(file)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{file}: not a pre-trained network: {error}") from None


@torch.no_grad()
def predict_starts(
    state: State,
    tags: Tags,
    hyperparameters: Hyperparameters,
    sentences: Sequence[LabelledSentence],
) -> list[list[bool]]:
    """Return for each token of each sentence whether a chunk begins there."""
    network = ChunkerNetwork(len(tags.iob), len(tags.pos), hyperparameters.dropout)
    network.load_state_dict(state)
    network.eval()
    word_pieces = base_word_pieces()
    predicted: list[list[bool]] = []
    for block in in_blocks(sentences, _BATCH):
        inputs = [word_pieces.encode(sentence.tokens) for sentence in block]
        logits = network(encoder_batch(inputs)).start
        end = 0
        for encoded in inputs:
            begin, end = end, end + len(encoded.first_piece)
            starts = (logits[begin:end] > 0).tolist()
            predicted.append([True, *starts[1:]])
    return predicted


def _chunks(tokens: Sequence[str], starts: Sequence[bool]) -> Chunks:
    edges = [i for i, start in enumerate(starts) if start]
    return tuple(tuple(tokens[a:b]) for a, b in zip(edges, [*edges[1:], len(tokens)], strict=True))
