"""The whole way from text to an aligned pair; the only package that knows the order of the steps.

text ─ tokens ─ encoded pair ─ chunks ─ pair scores ─ link probabilities ─ 1:1 matching
─ relations and scores ─ SentencePair ─ one number for the two sentences

>>> from ists import Aligner
>>> aligner = Aligner.load("default")
>>> aligner.align("A cat sits on the mat.", "A cat is sleeping.").links
"""

from ists.pipeline.aligner import DEFAULT_MODEL, KIND, Aligner, BaseAligner, BaselineAligner
from ists.pipeline.prepare import PreparedPair, PreparedSentence
from ists.pipeline.steps import align_scored, score_pairs

__all__ = [
    "DEFAULT_MODEL",
    "KIND",
    "Aligner",
    "BaseAligner",
    "BaselineAligner",
    "PreparedPair",
    "PreparedSentence",
    "align_scored",
    "score_pairs",
]
