"""Speed and memory, measured as ratios against something in the same run: ``make bench``."""
