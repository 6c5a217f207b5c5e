"""ists says why two sentences are similar: chunks, their alignment, relation and score.

Importing this package is cheap on purpose: every name below is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ists.chunker.tagger import Chunker as Chunker
    from ists.errors import FormatError as FormatError
    from ists.errors import IstsError as IstsError
    from ists.errors import ModelError as ModelError
    from ists.explanation import explain as explain
    from ists.explanation import render as render
    from ists.explanation import show as show
    from ists.formats import read as read
    from ists.formats import write as write
    from ists.pairs import Alignment as Alignment
    from ists.pairs import Chunk as Chunk
    from ists.pairs import Flag as Flag
    from ists.pairs import Relation as Relation
    from ists.pairs import Sentence as Sentence
    from ists.pairs import SentencePair as SentencePair
    from ists.pipeline import Aligner as Aligner
    from ists.similarity import Similarity as Similarity
    from scorer import score as score

__version__ = "0.2.0"

_HOMES = {
    "Aligner": "ists.pipeline",
    "Alignment": "ists.pairs",
    "Chunk": "ists.pairs",
    "Chunker": "ists.chunker.tagger",
    "Flag": "ists.pairs",
    "FormatError": "ists.errors",
    "IstsError": "ists.errors",
    "ModelError": "ists.errors",
    "Relation": "ists.pairs",
    "Sentence": "ists.pairs",
    "SentencePair": "ists.pairs",
    "Similarity": "ists.similarity",
    "explain": "ists.explanation",
    "read": "ists.formats",
    "render": "ists.explanation",
    "score": "scorer",
    "show": "ists.explanation",
    "write": "ists.formats",
}

__all__ = sorted(["__version__", *_HOMES])


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ists' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
