"""Pre-training of the aligner's encoder on pairs with judgements of whole sentences."""
