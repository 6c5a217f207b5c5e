"""A trained similarity as a model folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from ists.encoder import WORDS
from ists.models import Model, write_card
from ists.seen import Texts, write_seen
from ists.similarity import Points, SentenceEncoder
from ists.similarity.vectors import KIND
from ists.train.cards import card_of
from ists.train.onnx_graph import Graph, add_encoder, as_arrays, by_input, save_graph
from ists.train.words import verified_words

_NETWORK = "network.onnx"


def write_similarity(
    folder: Path,
    state: Mapping[str, Tensor],
    points: Points,
    training: Mapping[str, Any],
    figures: Mapping[str, Any],
    seen: Iterable[Texts],
) -> None:
    """Write a network, its points and the list of its training pairs as a model folder."""
    export_network(state, folder / _NETWORK)
    card = card_of(folder, KIND, training=training, figures=figures, points=points.to_dict())
    card[WORDS] = verified_words(state)
    write_card(folder, card, [_NETWORK, write_seen(folder, seen)])


def exported_encoder(state: Mapping[str, Tensor], folder: Path) -> SentenceEncoder:
    """Export a network to a folder and load it as at run time."""
    export_network(state, folder / _NETWORK)
    return SentenceEncoder(Model(folder, {"files": {_NETWORK: ""}, WORDS: verified_words(state)}))


def export_network(state: Mapping[str, Tensor], file: Path) -> None:
    """Write the network as ONNX: the hidden states of all pieces, without a head."""
    graph = Graph()
    hidden = add_encoder(graph, as_arrays(state))
    save_graph(graph, {"hidden": by_input(graph, hidden)}, file)
