"""Chunks → how likely each link is; aligned chunks → relation and score; lone ones → NOALI or ALIC.

``Labeler.load(path)`` is the door. A `Question` holds two tokenised sentences, their chunks and
what the network says of them. ``weigh(questions)`` gives the probability of every link; once the
links are chosen, ``label(weighed, links)`` gives an `Answer`: a `Decision` for each link and a
`LoneDecision` for each chunk without one.
"""

from ists.labeler.decide import Decision, LoneDecision
from ists.labeler.evidence import Reason, ReasonKind, Reasons, Weight
from ists.labeler.features import FEATURES, Feature
from ists.labeler.labeler import Answer, Labeler, LabelModel, Question, ScoredLinks
from ists.labeler.signals import NetworkSignals

__all__ = [
    "FEATURES",
    "Answer",
    "Decision",
    "Feature",
    "LabelModel",
    "Labeler",
    "LoneDecision",
    "NetworkSignals",
    "Question",
    "Reason",
    "ReasonKind",
    "Reasons",
    "ScoredLinks",
    "Weight",
]
