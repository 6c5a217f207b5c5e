"""Exact output of the shipped models for our own sentence pairs.

A change of the output by a dependency or a model must be noticed. `make golden` writes the outputs
again; the commit then shows the differences.
"""
