"""One number for two sentences, from 0 to 5, and what every chunk adds to it.

Every word brings its share of five points. It keeps them as far as the two sentences' vectors point
the same way, and as far as the chunk that it stands in is aligned, by relation and score.
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
