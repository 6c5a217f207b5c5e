"""Training and evaluation of a similarity, as ``ists train similarity`` runs them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ists.models import sha256_of
from ists.pairs import SentencePair
from ists.pipeline import Aligner
from ists.similarity import SentenceEncoder
from ists.train.cards import versions
from ists.train.encoder import Encoder
from ists.train.loop import Progress, State
from ists.train.ratings import RatedSet, read_rated
from ists.train.seen import rated_texts
from ists.train.similarity.export import exported_encoder, write_similarity
from ists.train.similarity.fit import Hyperparameters, Trainer
from ists.train.similarity.points import JudgedPair, fit_points

Aligned = Sequence[SentencePair]

_BATCH = 32
"""Sentences per batch of the evaluation."""
_PACKAGES = ("ists", "numpy", "onnx", "onnxruntime", "scipy", "torch")


@dataclass(frozen=True)
class Ratings:
    """The data sets for training and those for evaluation."""

    training: tuple[RatedSet, ...]
    unseen: tuple[RatedSet, ...]
    files: Mapping[str, str]
    """File names and their hashes, for the card."""

    @classmethod
    def read(cls, training: Sequence[Path], unseen: Sequence[Path]) -> "Ratings":
        """Read files of the STS tasks or of SICK."""
        held = [read_rated(path) for path in unseen]
        return cls(
            tuple(read_rated(path).without(held) for path in training),
            tuple(held),
            {f"{path.parent.name}/{path.name}": sha256_of(path) for path in (*training, *unseen)},
        )


@dataclass(frozen=True)
class Figures:
    """Pearson's r on each data set for evaluation."""

    sets: tuple[str, ...]
    pairs: tuple[int, ...]
    minilm: tuple[float, ...]
    """The cosine of MiniLM's own sentence vectors."""
    vectors: tuple[float, ...]
    """The cosine of the trained network's."""
    similarity: tuple[float, ...]
    """The similarity, with points fitted to the other data sets."""

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by data set and their mean, weighted by pairs, for the card."""
        columns = {
            "minilm_cosine": self.minilm,
            "cosine": self.vectors,
            "similarity": self.similarity,
        }
        return {
            "sets": {
                name: {
                    "pairs": self.pairs[i],
                    **{column: round(values[i], 4) for column, values in columns.items()},
                }
                for i, name in enumerate(self.sets)
            },
            "mean": {
                column: round(float(np.average(values, weights=self.pairs)), 4)
                for column, values in columns.items()
            },
        }


def train_similarity(
    ratings: Ratings,
    folder: Path,
    hyperparameters: Hyperparameters,
    aligner: Aligner,
    learn_unseen: bool = False,
    progress: Progress = lambda _: None,
) -> Figures:
    """Train, evaluate on the unseen data sets, fit the points to them, and write a model folder.

    ``learn_unseen``: the network that is written is trained again, on the unseen data sets as well;
    figures and points are those of the network that was not.
    """
    folder.mkdir(parents=True, exist_ok=True)  # fail before training, not after it
    progress("training without the data sets for evaluation")
    state = Trainer(hyperparameters, progress).train(ratings.training)
    progress("aligning the data sets for evaluation")
    aligned = [_aligned(rated, aligner) for rated in ratings.unseen]
    judged = _judged(state, ratings.unseen, aligned)
    figures = _figures(ratings.unseen, _judged(_base(), ratings.unseen, aligned), judged)
    points = fit_points(judged)
    if learn_unseen:
        progress("training on all data sets")
        state = Trainer(hyperparameters, progress).train((*ratings.training, *ratings.unseen))
    training = training_record(ratings, hyperparameters, aligner, learn_unseen)
    # The points are fitted to the unseen sets even if the network was not trained on them.
    seen = rated_texts((*ratings.training, *ratings.unseen))
    write_similarity(folder, state, points, training, figures.to_dict(), seen)
    progress(f"{folder}: written")
    return figures


def _base() -> State:
    """Return MiniLM's own weights."""
    encoder = Encoder(0.0)
    encoder.load_base()
    return {f"encoder.{name}": value for name, value in encoder.state_dict().items()}


def _aligned(rated: RatedSet, aligner: Aligner) -> Aligned:
    return list(aligner.align_many([(pair.tokens1, pair.tokens2) for pair in rated.pairs]))


def _judged(
    state: State, sets: Sequence[RatedSet], aligned: Sequence[Aligned]
) -> list[list[JudgedPair]]:
    """Return the pairs with their vectors by a network, exported as it would be shipped."""
    with TemporaryDirectory() as folder:
        encoder = exported_encoder(state, Path(folder))
        return [_judged_set(rated, own, encoder) for rated, own in zip(sets, aligned, strict=True)]


def _judged_set(rated: RatedSet, aligned: Aligned, encoder: SentenceEncoder) -> list[JudgedPair]:
    sentences = [tokens for pair in rated.pairs for tokens in (pair.tokens1, pair.tokens2)]
    vectors = iter(encoder.read(sentences, _BATCH))
    return [
        JudgedPair(own, (next(vectors), next(vectors)), pair.rating)
        for pair, own in zip(rated.pairs, aligned, strict=True)
    ]


def _figures(
    sets: Sequence[RatedSet], base: list[list[JudgedPair]], judged: list[list[JudgedPair]]
) -> Figures:
    found = []
    for number, pairs in enumerate(judged):
        points = fit_points([*judged[:number], *judged[number + 1 :]] or judged)
        found.append(_pearson([pair.similarity(points).score for pair in pairs], pairs))
    return Figures(
        tuple(rated.name for rated in sets),
        tuple(len(rated.pairs) for rated in sets),
        tuple(_pearson([pair.cosine for pair in pairs], pairs) for pairs in base),
        tuple(_pearson([pair.cosine for pair in pairs], pairs) for pairs in judged),
        tuple(found),
    )


def _pearson(scores: Sequence[float], pairs: Sequence[JudgedPair]) -> float:
    return float(np.corrcoef(scores, [pair.rating for pair in pairs])[0, 1])


def training_record(
    ratings: Ratings, hyperparameters: Hyperparameters, aligner: Aligner, learn_unseen: bool
) -> dict[str, Any]:
    """Return the card's entry on the training: data, hyperparameters and versions."""
    return {
        "files": dict(ratings.files),
        "judged_on": [rated.name for rated in ratings.unseen],
        "learnt_these_afterwards": learn_unseen,
        "aligner": {"name": aligner.model.name, "files": dict(aligner.model.card["files"])},
        "recipe": asdict(hyperparameters),
        "seed": list(hyperparameters.seeds),
        "versions": versions(*_PACKAGES),
    }
