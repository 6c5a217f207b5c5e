"""Sentences into the pilot's chunks."""
