"""``make soak``."""

import ists.cli  # noqa: F401 (sets what numpy must know before it is imported)
from tests.robustness.soak import main

main()
