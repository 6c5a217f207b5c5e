"""The judge: the pilot's four F1 measures, as the task's own program gives them, and more.

    >>> import scorer
    >>> report = scorer.score("gold.wa", "system.wa")
    >>> report.f1.type_score

It knows nothing of how alignments are made. Everything a report tells is derived from counts that
are kept once for each sentence pair.
"""

from scorer.judge import load, score
from scorer.measures import MATCHES, Match, Measures, PairCounts
from scorer.report import Report

__all__ = ["MATCHES", "Match", "Measures", "PairCounts", "Report", "load", "score"]
