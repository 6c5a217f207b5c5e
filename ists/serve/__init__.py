"""``ists serve``: a page for two sentences, and an HTTP API for programs."""
