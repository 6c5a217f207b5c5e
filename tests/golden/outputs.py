"""Creation of the golden outputs, with the versions they were made with."""

import json
from collections.abc import Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path

from ists.formats import rendering
from ists.formats.sentences import scan_pairs
from ists.pairs import Edition
from ists.pipeline import Aligner
from ists.runs.sources import Sentences
from ists.runs.tasks import ChunkTask, model_hash

HERE = Path(__file__).parent
PAIRS = HERE / "pairs.tsv"
ALIGNED = HERE / "aligned.wa"
GROUPS = HERE / "groups.tsv"
ALIGNED_2016 = HERE / "aligned2016.wa"
CHUNKED = HERE / "chunked.txt"
MADE_WITH = HERE / "made_with.json"

_PACKAGES = ("numpy", "onnxruntime", "spacy")


def aligned(files: Sequence[str | Path] = (PAIRS,), edition: Edition = "2015") -> list[bytes]:
    """Align the pairs of TSV files with the shipped aligner; return their .wa blocks."""
    render = rendering("wa").pair
    pairs = chain.from_iterable(scan_pairs(file, "tsv") for file in files)
    return [render(pair) for pair in Aligner.load(edition=edition).align_many(pairs)]


def chunked() -> list[bytes]:
    """Chunk the first sentences with the shipped chunker, with types."""
    source = Sentences(str(PAIRS), "tsv", "1")
    return list(ChunkTask("brackets", types=True).load(0)(source.items()))


def made_with() -> dict[str, str]:
    """Return the models and packages that the outputs depend on."""
    models = {f"model {n}": model_hash(n, k) for n, k in (("default", "aligner"), ("chunker",) * 2)}
    return models | {name: version(name) for name in _PACKAGES}


def renew() -> None:
    """Write all outputs again."""
    ALIGNED.write_bytes(b"".join(aligned()))
    ALIGNED_2016.write_bytes(b"".join(aligned((GROUPS,), "2016")))
    CHUNKED.write_bytes(b"".join(chunked()))
    MADE_WITH.write_text(json.dumps(made_with(), indent=2) + "\n")
