"""Long runs over files: streamed input, parallel workers, ordered and resumable output.

A run reads items from a source, processes them in blocks by a task, in this process or in workers,
and writes the outcomes in input order. It keeps only a few blocks in memory, whatever the file
size.
"""
