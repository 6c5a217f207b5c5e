"""Training of the chunker: network, fit, export, and the whole training."""
