"""Local web page for creating and correcting gold ``.wa`` files by the guidelines' procedure."""
