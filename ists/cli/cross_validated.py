"""The output files of a cross-validation: pairs aligned by models trained without them."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from ists.files import reject_replacing
from ists.formats import write

if TYPE_CHECKING:
    from ists.train.aligner.crossval import CrossValidation
    from ists.train.gold import GoldPairs

_FORMATS = ("wa", "jsonl")
"""``.wa`` for the tools of the task; JSONL also holds confidences."""


def make_folder(folder: str, gold: "GoldPairs", inputs: Sequence[str]) -> None:
    """Make the output folder before training, so that a wrong path costs no training."""
    from ists.train.aligner.jobs import SCENARIOS

    Path(folder).mkdir(parents=True, exist_ok=True)
    for corpus, scenario, format in product(gold.of_corpus(), SCENARIOS, _FORMATS):
        reject_replacing(_file(folder, corpus, scenario, format), inputs)


def write_pairs(found: "CrossValidation", folder: str) -> None:
    """Write CORPUS.gold_chunks and CORPUS.own_chunks, each as .wa and as JSONL."""
    for corpus, indices in found.gold.of_corpus().items():
        for scenario, pairs in found.aligned.items():
            for format in _FORMATS:
                file = _file(folder, corpus, scenario, format)
                write([pairs[index] for index in indices], file)


def _file(folder: str, corpus: str, scenario: str, format: str) -> Path:
    return Path(folder, f"{corpus}.{scenario}.{format}")
