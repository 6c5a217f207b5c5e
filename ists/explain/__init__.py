"""An aligned pair → plain words, a terminal's lines, a picture.

>>> from ists.explain import explain, render
>>> print(*explain(pair).sentences, sep="\\n")
>>> render(pair, "svg")
"""

from ists.explain.explanation import Explained, Explanation, explain
from ists.explain.findings import Finding
from ists.explain.picture import render

__all__ = ["Explained", "Explanation", "Finding", "explain", "render"]
