"""Sentence similarity from 0 to 5, with the contribution of every chunk.

The five points are divided among the words. Each word loses points by the angle between the two
sentence vectors, and by the relation and score of the alignment of its chunk.
"""

from ists.similarity.points import Points
from ists.similarity.similarity import SCALES, Scale, Similarity, similarity
from ists.similarity.vectors import SentenceEncoder, WordVectors

__all__ = [
    "SCALES",
    "Points",
    "Scale",
    "SentenceEncoder",
    "Similarity",
    "WordVectors",
    "similarity",
]
