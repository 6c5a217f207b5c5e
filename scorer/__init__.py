"""Scorer: the pilot's four F1 measures, as the official program computes them, and more.

    >>> import scorer
    >>> report = scorer.score("gold.wa", "system.wa")
    >>> report.f1.type_score

It is independent of the aligner. Every figure in a report is derived from what is stored once per
sentence pair: counts for the four measures, annotations for the label confusions.
"""

from scorer.judge import load, score
from scorer.measures import MATCHES, Match, Measures, PairCounts
from scorer.report import Report

__all__ = ["MATCHES", "Match", "Measures", "PairCounts", "Report", "load", "score"]
