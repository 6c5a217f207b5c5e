"""Benchmarks: one module or package each; the published figures are in ``data/published``."""
