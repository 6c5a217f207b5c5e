"""A trained aligner as a model folder."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from ists.encoder import WORDS
from ists.labeler import LabelModel
from ists.models import write_card
from ists.pipeline import KIND
from ists.seen import write_seen
from ists.train.cards import card_of
from ists.train.gold import GoldPairs
from ists.train.onnx_graph import (
    Graph,
    add_boundary_head,
    add_encoder,
    as_arrays,
    by_input,
    save_graph,
)
from ists.train.seen import gold_texts
from ists.train.words import verified_words

_HEAD, _READER, _LABELER = "pairs.npz", "reader.onnx", "labeler.npz"
NETWORK_FILES = [_HEAD, _READER]


def write_aligner(
    folder: Path,
    state: Mapping[str, Tensor],
    labeler: LabelModel,
    threshold: float,
    gold: GoldPairs,
    training: Mapping[str, Any],
    figures: Mapping[str, Any],
    other_pairs: Collection[str] = (),
) -> None:
    """Write a network, its labeller and the list of its training pairs as a model folder.

    ``other_pairs``: fingerprints of other pairs that the network has learnt from.
    """
    export_network(state, folder)
    with (folder / _LABELER).open("wb") as stream:
        labeler.write(stream)
    card = card_of(folder, KIND, training=training, figures=figures, threshold=threshold)
    card[WORDS] = verified_words(state)
    seen = write_seen(folder, gold_texts(gold.pairs), other_pairs)
    write_card(folder, card, [*NETWORK_FILES, _LABELER, seen])


def export_network(state: Mapping[str, Tensor], folder: Path) -> None:
    """Write the files of a network for the run time: `NETWORK_FILES`."""
    _export_reader(state, folder / _READER)
    head = {
        name.removeprefix("pairs."): value.numpy().astype(np.float16)
        for name, value in state.items()
        if name.startswith("pairs.")
    }
    np.savez(folder / _HEAD, allow_pickle=False, **head)


def _export_reader(state: Mapping[str, Tensor], file: Path) -> None:
    """Write the encoder and the boundary head as ONNX."""
    graph, weights = Graph(), as_arrays(state)
    hidden = add_encoder(graph, weights)
    first, before = (graph.op("Gather", hidden, name) for name in ("here", "before"))
    start = add_boundary_head(graph, weights, first, before)
    save_graph(graph, {"hidden": by_input(graph, hidden), "start": start}, file)
