"""Explanations of aligned pairs: as sentences, as terminal output, as pictures.

>>> from ists.explain import explain, render
>>> print(*explain(pair).sentences, sep="\\n")
>>> render(pair, "svg")
"""

from ists.explain.explanation import Explained, Explanation, Statement, explain
from ists.explain.export import export
from ists.explain.findings import Finding
from ists.explain.notebook import PairTable, show
from ists.explain.picture import render

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
