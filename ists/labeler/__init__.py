"""Aligned chunks → relation, score and flags; chunks left alone → NOALI or ALIC.

``Labeler.load(path).label(questions)`` is the door: a `Question` holds two tokenised sentences,
their chunks, the links and what the network says of them; the `Answer` holds a `Decision` for each
link and a `LoneDecision` for each chunk without one.
"""

from ists.labeler.decide import Decision, LoneDecision
from ists.labeler.evidence import Evidence, Weight, WordLink
from ists.labeler.features import FEATURES, Feature
from ists.labeler.labeler import Answer, Labeler, LabelModel, Question
from ists.labeler.signals import NetworkSignals

__all__ = [
    "FEATURES",
    "Answer",
    "Decision",
    "Evidence",
    "Feature",
    "LabelModel",
    "Labeler",
    "LoneDecision",
    "NetworkSignals",
    "Question",
    "Weight",
    "WordLink",
]
