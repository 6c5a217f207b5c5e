"""Systems judged by a gold file, as one page: figures, charts, and every pair side by side.

>>> from ists.report import compile_report, render
>>> render(compile_report("gold.wa", ["system.wa"]))
"""

from ists.report.contents import Contents, compile_report
from ists.report.page import render

__all__ = ["Contents", "compile_report", "render"]
