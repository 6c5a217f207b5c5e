"""Alignment of chunks: chunk × chunk scores, one-to-one matching, the pilot's baseline."""
