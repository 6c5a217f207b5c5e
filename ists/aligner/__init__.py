"""Chunk × chunk scores into one-to-one alignments; the pilot's baseline."""
