"""Chunk trees of nltk, from files in CoNLL-2000's columns."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from ists.chunker.adaptation import import_nltk_chunk
from ists.formats import conll

if TYPE_CHECKING:
    from nltk.tree import Tree


def read_trees(stream: BinaryIO, name: str) -> Iterator["Tree"]:
    """Yield the chunk tree of each sentence of a file: chunks of tokens with parts of speech.

    An I- tag that does not continue a chunk begins one, so IOB1 and IOB2 files are read alike.
    Needs the extra ``nltk``.
    """
    to_tree = import_nltk_chunk().conlltags2tree
    for sentence in conll.read(stream, name):
        yield to_tree(list(zip(sentence.tokens, sentence.pos, sentence.iob, strict=True)))
