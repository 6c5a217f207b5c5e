"""Long runs over files: read as a stream, worked on by many, written in order, resumed.

A run takes items from a source, hands them to workers as a task says, and writes what comes back in
the order of the input. It holds a few blocks of items at a time, whatever the size of the files.
"""
