"""Benchmarks as commands: one file a benchmark; published figures come from ``data/published``."""
