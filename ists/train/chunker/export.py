"""A trained chunker as a model folder."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch import Tensor

from ists.chunker.tagger import KIND
from ists.encoder import WORDS
from ists.models import write_card
from ists.train.cards import card_of, versions
from ists.train.chunker.fit import Hyperparameters, Tags
from ists.train.loop import State
from ists.train.onnx_graph import Graph, add_boundary_head, add_encoder, as_arrays, save_graph
from ists.train.words import verified_words

_NETWORK = "network.onnx"


def write_chunker(
    folder: Path,
    state: State,
    tags: Tags,
    files: Mapping[str, str],
    hyperparameters: Hyperparameters,
    figures: Mapping[str, Any],
) -> None:
    """Write a network and its card; ``files`` are the training files and their hashes."""
    export_network(state, folder / _NETWORK)
    training = {
        "files": files,
        "recipe": asdict(hyperparameters),
        "versions": versions("torch", "onnx"),
    }
    labels = {"iob": list(tags.iob), "pos": list(tags.pos)}
    card = card_of(folder, KIND, training=training, figures=figures, labels=labels)
    card[WORDS] = verified_words(state)
    write_card(folder, card, [_NETWORK])


def export_network(state: Mapping[str, Tensor], file: Path) -> None:
    """Write the network as ONNX: encoder, boundary head and the two tagging heads."""
    graph, weights = Graph(), as_arrays(state)
    hidden = add_encoder(graph, weights)
    first, before = (graph.op("Gather", hidden, name) for name in ("here", "before"))
    outputs = {"start": add_boundary_head(graph, weights, first, before)}
    for head in ("iob", "pos"):
        outputs[head] = graph.linear(
            first, head, weights[f"{head}.weight"], weights[f"{head}.bias"]
        )
    save_graph(graph, outputs, file)
