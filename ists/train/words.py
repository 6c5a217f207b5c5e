"""The words that all networks share, as a model folder of their own.

No training touches the vectors of MiniLM's word pieces (`ists.train.network.FROZEN`), which are
half of a network's size: they are shipped once, in 8 bits, with the tokenizer.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from torch import Tensor

from ists.encoder import WORDS as KIND
from ists.errors import ModelError
from ists.models import open_model, write_card
from ists.train.network import (
    BASE_LICENCE,
    BASE_NAME,
    BASE_PACKAGE,
    WORDS,
    base_folder,
    base_weights,
)
from ists.train.onnx_graph import in_8_bits


def write_words(folder: Path) -> None:
    """Write the words of the base model."""
    folder.mkdir(parents=True, exist_ok=True)
    vectors, scales = in_8_bits(base_weights()["embeddings.word_embeddings.weight"].numpy())
    np.savez(folder / "words.npz", allow_pickle=False, vectors=vectors, scales=scales)
    shutil.copyfile(base_folder() / "tokenizer.json", folder / "tokenizer.json")
    card = {
        "name": folder.resolve().name,
        "kind": KIND,
        "base": {"name": BASE_NAME, "package": BASE_PACKAGE, "licence": BASE_LICENCE},
    }
    write_card(folder, card, ["tokenizer.json", "words.npz"])


def named_words(state: Mapping[str, Tensor]) -> dict[str, str]:
    """How the card of a network names the shipped words, by the hashes of their files.

    A network with other words would be fed with wrong ones.
    """
    words = open_model(KIND, KIND)
    with np.load(words.file("words.npz"), allow_pickle=False) as stored:
        vectors, _ = in_8_bits(state[WORDS].numpy())
        if not np.array_equal(vectors, stored["vectors"]):
            raise ModelError(
                f"{words.folder}: the network was trained with other words: expected the base "
                "model's, which training leaves as they are"
            )
    return dict(words.card["files"])
