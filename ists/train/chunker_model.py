"""A trained chunker as a model folder, and its cross-validation."""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from ists.chunker.tagger import KIND
from ists.encoder import WORDS, WordPieces
from ists.errors import FormatError, ModelError
from ists.formats.brackets import Chunks
from ists.models import sha256_of, write_card
from ists.train.chunker import Recipe, Tags, Trainer, tensors
from ists.train.corpora import FOLDS, LabelledSentence, read_corpus
from ists.train.network import (
    BASE_LICENCE,
    BASE_NAME,
    BASE_PACKAGE,
    ChunkerNetwork,
    base_folder,
)
from ists.train.onnx_graph import export_chunker
from ists.train.words import named_words
from scorer.chunk_agreement import ChunkReport, compare_chunks

_FILES = ["network.onnx"]
_READ_AT_ONCE = 64


@dataclass(frozen=True)
class Corpora:
    """The sentences to learn from, by what they teach."""

    gold: list[LabelledSentence]
    conll: list[LabelledSentence]
    files: dict[str, str]
    """File names and their hashes, for the card."""

    @classmethod
    def read(cls, paths: Sequence[Path]) -> "Corpora":
        """Bracketed gold chunks and CoNLL-2000 files, told apart by their looks."""
        sentences = [sentence for path in paths for sentence in read_corpus(path)]
        gold = [sentence for sentence in sentences if sentence.starts is not None]
        if not gold:
            raise FormatError("no gold chunks among the training files, expected bracketed ones")
        conll = [sentence for sentence in sentences if sentence.iob is not None]
        return cls(gold, conll, {path.name: sha256_of(path) for path in paths})


def pretrained(corpora: Corpora, trainer: Trainer, kept: Path | None) -> dict[str, Tensor] | None:
    """The network pre-trained on CoNLL-2000, from a file where it was kept before."""
    if not corpora.conll:
        return None
    if (before := kept_network(kept)) is not None:
        return before
    state = trainer.pretrain(corpora.conll, trainer.recipe.seeds[0])
    if kept is not None:
        save_file(state, kept)
    return state


def kept_network(file: Path | None) -> dict[str, Tensor] | None:
    """A network that was kept in a file before, if it is there."""
    if file is None or not file.exists():
        return None
    try:
        return load_file(file)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{file}: no pre-trained network: {error}") from None


def train_chunker(
    corpora: Corpora,
    folder: Path,
    recipe: Recipe,
    figures: Mapping[str, Any] | None = None,
    kept: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> None:
    """Train on all that is given and write a model folder."""
    trainer = Trainer(recipe, Tags.of(corpora.conll), progress)
    start = pretrained(corpora, trainer, kept)
    state = trainer.train(start, corpora.gold, corpora.conll)
    folder.mkdir(parents=True, exist_ok=True)
    export_chunker(state, folder / "network.onnx")
    card = _card(folder.name, corpora, recipe, trainer.tags, figures or {})
    write_card(folder, {**card, WORDS: named_words(state)}, _FILES)


def _card(
    name: str, corpora: Corpora, recipe: Recipe, tags: Tags, figures: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "name": name,
        "kind": KIND,
        "base": {"name": BASE_NAME, "package": BASE_PACKAGE, "licence": BASE_LICENCE},
        "training": {
            "files": corpora.files,
            "recipe": recipe.to_dict(),
            "versions": {
                "python": platform.python_version(),
                "torch": torch.__version__,
                "onnx": version("onnx"),
            },
        },
        "figures": figures,
        "labels": {"iob": list(tags.iob), "pos": list(tags.pos)},
    }


def cross_validate(
    corpora: Corpora,
    recipe: Recipe,
    kept: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, ChunkReport]:
    """Five folds by pair, each corpus judged apart; pre-training sees no gold and is done once."""
    trainer = Trainer(recipe, Tags.of(corpora.conll), progress)
    start = pretrained(corpora, trainer, kept)
    judged: dict[str, list[tuple[Chunks, Chunks]]] = {}
    for fold in range(FOLDS):
        progress(f"fold {fold + 1} of {FOLDS}")
        known = [sentence for sentence in corpora.gold if sentence.fold != fold]
        unknown = [sentence for sentence in corpora.gold if sentence.fold == fold]
        tagger = TorchTagger(trainer.train(start, known, corpora.conll), trainer.tags, recipe)
        for sentence, starts in zip(unknown, tagger.starts(unknown), strict=True):
            gold, own = (_chunks(sentence.tokens, s) for s in (sentence.starts or (), starts))
            judged.setdefault(sentence.corpus, []).append((gold, own))
    return {
        corpus: compare_chunks([gold for gold, _ in pairs], [own for _, own in pairs])
        for corpus, pairs in judged.items()
    }


def figures_of(reports: Mapping[str, ChunkReport]) -> dict[str, Any]:
    """What a model's card says of its cross-validation."""
    return {
        corpus: {
            "sentences": report.sentences,
            "exact_f1": round(report.chunks.f1, 4),
            "boundary_f1": round(report.boundaries.f1, 4),
        }
        for corpus, report in sorted(reports.items())
    }


class TorchTagger:
    """A network in training, asked for its answers."""

    def __init__(self, state: dict[str, Tensor], tags: Tags, recipe: Recipe) -> None:
        self._network = ChunkerNetwork(len(tags.iob), len(tags.pos), recipe.dropout)
        self._network.load_state_dict(state)
        self._network.eval()
        self._word_pieces = WordPieces(base_folder() / "tokenizer.json")

    @torch.no_grad()
    def starts(self, sentences: Sequence[LabelledSentence]) -> list[list[bool]]:
        """Where chunks start, for each sentence."""
        answers: list[list[bool]] = []
        for begin in range(0, len(sentences), _READ_AT_ONCE):
            inputs = [
                self._word_pieces.encode(sentence.tokens)
                for sentence in sentences[begin : begin + _READ_AT_ONCE]
            ]
            logits = self._network(*tensors(inputs)).start
            end = 0
            for encoded in inputs:
                at, end = end, end + len(encoded.first_piece)
                starts = (logits[at:end] > 0).tolist()
                answers.append([True, *starts[1:]])
        return answers


def _chunks(tokens: Sequence[str], starts: Sequence[bool]) -> Chunks:
    edges = [i for i, start in enumerate(starts) if start]
    return tuple(tuple(tokens[a:b]) for a, b in zip(edges, [*edges[1:], len(tokens)], strict=True))
