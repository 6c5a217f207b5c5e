"""The word embeddings that all networks share, as a model folder of their own.

No training changes MiniLM's embeddings of word pieces (`ists.train.encoder.FROZEN`), which are half
of a network's size: they are shipped once, in 8 bits, with the tokenizer.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from torch import Tensor

from ists.encoder import WORDS as KIND
from ists.errors import ModelError
from ists.models import open_model, write_card
from ists.train.base import base_tokenizer_file, base_weights
from ists.train.cards import card_of
from ists.train.encoder import WORDS
from ists.train.onnx_graph import in_8_bits


def write_words(folder: Path) -> None:
    """Write the word embeddings and the tokenizer of the base model as a model folder."""
    folder.mkdir(parents=True, exist_ok=True)
    vectors, scales = in_8_bits(base_weights()["embeddings.word_embeddings.weight"].numpy())
    np.savez(folder / "words.npz", allow_pickle=False, vectors=vectors, scales=scales)
    shutil.copyfile(base_tokenizer_file(), folder / "tokenizer.json")
    write_card(folder, card_of(folder, KIND), ["tokenizer.json", "words.npz"])


def verified_words(state: Mapping[str, Tensor]) -> dict[str, str]:
    """Return the hashes of the shipped word embeddings, for the card of a network.

    Raise a `ModelError` if the network was trained with other embeddings.
    """
    words = open_model(KIND, KIND)
    with np.load(words.file("words.npz"), allow_pickle=False) as stored:
        vectors, _ = in_8_bits(state[WORDS].numpy())
        if not np.array_equal(vectors, stored["vectors"]):
            raise ModelError(
                f"{words.folder}: the network was trained with other words: expected the "
                "unchanged word embeddings of the base model"
            )
    return dict(words.card["files"])
