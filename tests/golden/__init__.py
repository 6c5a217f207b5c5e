"""What the shipped models make of our own sentence pairs, to the byte.

A dependency or a model that changes an output should not do so unseen. `make golden` writes the
outputs anew; what changed is then to be read in the commit.
"""
