"""Link probabilities of chunk pairs; relation and score of links; NOALI or ALIC of other chunks.

The entry point is ``Labeler.load(path)``. ``score_links(pairs)`` takes `ScoredPair` values (tokens,
chunks and the network's scores) and returns the probability of every link; once the links are
chosen, ``label(scored, links)`` returns `PairLabels`: a `Decision` for each link and a
`LoneDecision` for each chunk without one.
"""

from ists.labeler.decide import Decision, LoneDecision
from ists.labeler.features import FEATURES, Feature
from ists.labeler.label_model import LabelModel
from ists.labeler.labeler import Labeler, PairLabels, ScoredLinks
from ists.labeler.reasons import Reason, ReasonKind, Reasons, Weight

__all__ = [
    "FEATURES",
    "Decision",
    "Feature",
    "LabelModel",
    "Labeler",
    "LoneDecision",
    "PairLabels",
    "Reason",
    "ReasonKind",
    "Reasons",
    "ScoredLinks",
    "Weight",
]
