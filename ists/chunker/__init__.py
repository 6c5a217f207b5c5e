"""Chunker: splits sentences into chunks by the pilot task's guidelines."""
