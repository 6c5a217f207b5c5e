"""Explanations of aligned pairs: as sentences, as terminal output, as pictures.

>>> from ists.explanation import explain, render
>>> print(*explain(pair).sentences, sep="\\n")
>>> render(pair, "svg")
"""

from ists.explanation.explanation import Explained, Explanation, Statement, explain
from ists.explanation.export import export
from ists.explanation.findings import Finding
from ists.explanation.notebook import PairTable, show
from ists.explanation.picture import render

__all__ = [
    "Explained",
    "Explanation",
    "Finding",
    "PairTable",
    "Statement",
    "explain",
    "export",
    "render",
    "show",
]
