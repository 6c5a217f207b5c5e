"""Benchmark of everyday English: accuracy and calibration on gold pairs of many themes.

Both scenarios of the pilot (gold chunks, system chunks); the four F1, figures by theme and by
label, the share of labels that annotators accept, and the calibration of the confidences.
"""

from ists.bench.everyday.figures import Figures, Result, judge, run
from ists.bench.everyday.systems import (
    Baseline,
    CrossValidated,
    ModelSystem,
    System,
    cross_validated,
    load_models,
)
from ists.bench.everyday.tables import plot, report
from ists.bench.everyday.themes import (
    SCENARIOS,
    Scenario,
    Theme,
    default_folder,
    is_gold,
    read_themes,
)

__all__ = [
    "SCENARIOS",
    "Baseline",
    "CrossValidated",
    "Figures",
    "ModelSystem",
    "Result",
    "Scenario",
    "System",
    "Theme",
    "cross_validated",
    "default_folder",
    "is_gold",
    "judge",
    "load_models",
    "plot",
    "read_themes",
    "report",
    "run",
]
