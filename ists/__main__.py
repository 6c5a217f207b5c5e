"""``python -m ists``."""

from ists.cli import main

main()
