"""Why a label was given, as a value: the reasons that the words of two chunks give for it.

``find_evidence(view, i, j, relation)`` compares the chunks as units (`units`, `unit_relations`,
`links`, `comparison`), collects the reasons of every finder (`finders`), and keeps those that
support the relation (`choice`). Reasons that would contradict it are left out; if none remains, the
evidence only says who gave the label.
"""

from collections.abc import Sequence

from ists.labeler.evidence.choice import choose
from ists.labeler.evidence.comparison import Comparison
from ists.labeler.evidence.finders import FINDERS, Finder
from ists.labeler.reasons import Reason, ReasonKind, Reasons, Weight
from ists.labeler.views import PairView
from ists.pairs import Flag, Relation

__all__ = [
    "FINDERS",
    "MODEL",
    "Comparison",
    "Finder",
    "Reason",
    "ReasonKind",
    "Reasons",
    "Weight",
    "find_evidence",
]

MODEL = "the model"


def find_evidence(
    view: PairView,
    i: int,
    j: int,
    relation: Relation,
    flags: frozenset[Flag] = frozenset(),
    weights: Sequence[Weight] = (),
    judge: str = MODEL,
) -> Reasons:
    """The evidence for the label of chunk `i` of sentence 1 and chunk `j` of sentence 2.

    `judge`: who gave the label, as it is stated where the words do not show why.
    """
    comparison = Comparison(view, i, j)
    reasons: list[Reason] = []
    for finder in FINDERS:
        reasons += finder(comparison)
        if not flags and any(found.is_whole and relation in found.supports for found in reasons):
            break  # nothing is left to say
    return Reasons(choose(comparison, reasons, relation, flags, judge), tuple(weights))
