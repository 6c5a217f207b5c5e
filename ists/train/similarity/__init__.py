"""Training of the similarity: network, fit, export, and the whole training."""
