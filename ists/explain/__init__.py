"""An aligned pair → plain words, a terminal's lines, a picture.

>>> from ists.explain import explain
>>> print(*explain(pair).sentences, sep="\\n")
"""

from ists.explain.explanation import Explained, Explanation, explain
from ists.explain.findings import Finding

__all__ = ["Explained", "Explanation", "Finding", "explain"]
