"""Training of the aligner: network, fit, export, and the whole training."""
