"""Report on systems scored against a gold file, as one page: figures, charts and all pairs.

>>> from ists.report import compile_report, render
>>> render(compile_report("gold.wa", ["system.wa"]))
"""

from ists.report.contents import DEFAULT_PAIRS, Contents, compile_report
from ists.report.page import parts, render

__all__ = ["DEFAULT_PAIRS", "Contents", "compile_report", "parts", "render"]
