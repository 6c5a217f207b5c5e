"""A trained similarity as a model folder, and how it does on data sets it has not learnt from."""

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from torch import Tensor

from ists.encoder import WORDS
from ists.models import Model, sha256_of, write_card
from ists.pairs import SentencePair
from ists.pipeline import Aligner
from ists.seen import Texts, write_seen
from ists.similarity import Points, SentenceEncoder
from ists.similarity.vectors import KIND
from ists.train.network import BASE_LICENCE, BASE_NAME, BASE_PACKAGE, Encoder
from ists.train.onnx_graph import export_sentence_encoder
from ists.train.points import JudgedPair, fit_points
from ists.train.ratings import RatedSet, read_rated
from ists.train.seen import rated_texts
from ists.train.similarity import Recipe, Trainer
from ists.train.words import named_words

Progress = Callable[[str], None]
Aligned = Sequence[SentencePair]

_NETWORK = "network.onnx"
_READ_AT_ONCE = 32
_PACKAGES = ("ists", "numpy", "onnx", "onnxruntime", "scipy", "torch")


@dataclass(frozen=True)
class Ratings:
    """The data sets to learn from, and those to be judged on before they are learnt as well."""

    learnt: tuple[RatedSet, ...]
    unseen: tuple[RatedSet, ...]
    files: Mapping[str, str]
    """File names and their hashes, for the card."""

    @classmethod
    def read(cls, learnt: Sequence[Path], unseen: Sequence[Path]) -> "Ratings":
        """Files of the STS tasks or SICK's."""
        held = [read_rated(path) for path in unseen]
        return cls(
            tuple(read_rated(path).without(held) for path in learnt),
            tuple(held),
            {f"{path.parent.name}/{path.name}": sha256_of(path) for path in (*learnt, *unseen)},
        )


@dataclass(frozen=True)
class Figures:
    """Pearson's r on each data set that was not learnt from."""

    sets: tuple[str, ...]
    pairs: tuple[int, ...]
    minilm: tuple[float, ...]
    """The cosine of MiniLM's own sentence vectors."""
    vectors: tuple[float, ...]
    """The cosine of the trained network's."""
    similarity: tuple[float, ...]
    """The similarity, its points fitted to the other data sets."""

    def to_dict(self) -> dict[str, Any]:
        """For the model's card: by data set, and the mean by number of pairs."""
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
    recipe: Recipe,
    aligner: Aligner,
    learn_unseen: bool = False,
    progress: Progress = lambda _: None,
) -> Figures:
    """Train, judge on the unseen data sets, fit the points there, and write a model folder.

    ``learn_unseen``: what is written is a network that has then learnt from these as well. Its
    figures and points are those of the one that had not.
    """
    folder.mkdir(parents=True, exist_ok=True)  # better now than after an hour's work
    progress("training without the sets to be judged on")
    state = Trainer(recipe, progress).train(ratings.learnt)
    progress("aligning these")
    aligned = [_aligned(rated, aligner) for rated in ratings.unseen]
    judged = _judged(state, ratings.unseen, aligned)
    figures = _figures(ratings.unseen, _judged(_base(), ratings.unseen, aligned), judged)
    points = fit_points(judged)
    if learn_unseen:
        progress("training on all")
        state = Trainer(recipe, progress).train((*ratings.learnt, *ratings.unseen))
    training = training_record(ratings, recipe, aligner, learn_unseen)
    # The points are fitted to the unseen sets even where the network has not learnt from them.
    seen = rated_texts((*ratings.learnt, *ratings.unseen))
    write_similarity(folder, state, points, training, figures, seen)
    progress(f"{folder}: written")
    return figures


def _base() -> dict[str, Tensor]:
    encoder = Encoder(0.0)
    encoder.load_base()
    return {f"encoder.{name}": value for name, value in encoder.state_dict().items()}


def _aligned(rated: RatedSet, aligner: Aligner) -> Aligned:
    return list(aligner.align_many([(pair.tokens1, pair.tokens2) for pair in rated.pairs]))


def _judged(
    state: Mapping[str, Tensor], sets: Sequence[RatedSet], aligned: Sequence[Aligned]
) -> list[list[JudgedPair]]:
    """Pairs as a network sees them that is exported as it would be shipped."""
    with TemporaryDirectory() as folder:
        export_sentence_encoder(state, Path(folder) / _NETWORK)
        card = {"files": {_NETWORK: ""}, WORDS: named_words(state)}
        encoder = SentenceEncoder(Model(Path(folder), card))
        return [_judged_set(rated, own, encoder) for rated, own in zip(sets, aligned, strict=True)]


def _judged_set(rated: RatedSet, aligned: Aligned, encoder: SentenceEncoder) -> list[JudgedPair]:
    sentences = [tokens for pair in rated.pairs for tokens in (pair.tokens1, pair.tokens2)]
    vectors = iter(encoder.read(sentences, _READ_AT_ONCE))
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


def write_similarity(
    folder: Path,
    state: Mapping[str, Tensor],
    points: Points,
    training: Mapping[str, Any],
    figures: Figures,
    seen: Iterable[Texts],
) -> None:
    """Write a network, its points and the pairs it has seen as a model folder."""
    export_sentence_encoder(state, folder / _NETWORK)
    card = {
        "name": folder.resolve().name,
        "kind": KIND,
        "base": {"name": BASE_NAME, "package": BASE_PACKAGE, "licence": BASE_LICENCE},
        "training": training,
        "figures": figures.to_dict(),
        "points": points.to_dict(),
        WORDS: named_words(state),
    }
    write_card(folder, card, [_NETWORK, write_seen(folder, seen)])


def training_record(
    ratings: Ratings, recipe: Recipe, aligner: Aligner, learn_unseen: bool
) -> dict[str, Any]:
    """What a model's card says of how it came about."""
    return {
        "files": dict(ratings.files),
        "judged_on": [rated.name for rated in ratings.unseen],
        "learnt_these_afterwards": learn_unseen,
        "aligner": {"name": aligner.model.name, "files": dict(aligner.model.card["files"])},
        "recipe": recipe.to_dict(),
        "seed": list(recipe.seeds),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
    }
